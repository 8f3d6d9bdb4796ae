"""Strategies of the operator's own: found, given a bounded time in a process of their own, and checked.

Used from outside: `custom_strategies.strategies_for`; `forked_call` runs what can hang.
"""
