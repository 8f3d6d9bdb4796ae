"""This installation: the rules that its worker and clients decide by, and whether all that it needs is there.

Used from outside: `engine.make_engine`, `doctor`.
"""
