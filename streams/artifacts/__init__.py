"""The artifact store: what left a context, whole."""
