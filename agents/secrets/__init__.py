"""Secrets: credentials in what tools print, found by rules and masked.

Knows text and messages, and nothing of threads. Used from outside: `scan.mask_secrets` for a text, `mask.mask_message`
for a message; `rules` is the table of what a secret looks like.
"""
