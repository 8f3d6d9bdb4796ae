"""Token counts and context windows of models."""
