"""This installation: the rules that its worker and clients decide by, and whether all that it needs is there.

Used from outside: `rules.make_rules`, `doctor`.
"""
