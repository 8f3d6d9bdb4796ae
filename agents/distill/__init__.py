"""Distilling a large tool output as it arrives, by its kind, without a model."""
