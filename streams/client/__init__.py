"""The Python client: publish, read contexts, never block."""
