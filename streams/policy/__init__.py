"""Policies as files, as text, and their triggers in words for people.

Knows no settings: those name a policy. Used from outside: `files.open_policy`, `text`, `trigger_prose`.
"""
