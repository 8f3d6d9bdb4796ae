"""Tokens: what a message costs, what a context may cost, and how far our counts are from the provider's.

Knows messages and the policy's numbers. Used from outside: `counts.count_message`,
`budget.TokenBudget` with its two marks, `calibration`.
"""
