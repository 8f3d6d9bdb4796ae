"""Conditions: the small language in which a policy says when a thread is compacted.

Text in; a check at load, a function and a reason out. Used from outside: `parse`, `check`, `evaluate`, `explain`, and
`facts`, the table of what can be asked.
"""
