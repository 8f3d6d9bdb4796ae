"""Recall: finding again what left a context."""
