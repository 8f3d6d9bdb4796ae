"""Summaries and distillations by models: a worker role of its own, behind the `work` topic."""
