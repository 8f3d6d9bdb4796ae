"""Conditions: the small language in which a policy says when a thread is compacted. Text in; a check at load, a function and a reason out."""
