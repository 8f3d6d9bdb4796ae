"""Distilling a large tool output as it arrives, by its kind, without a model.

Knows a text and its tool, and nothing of the conversation; most of it is compiled (setup.py). Used from outside:
`distill.distill`, `fleet_cache` (outputs that a whole fleet distils once), `terminal_text.cleaned`.
"""
