"""Summaries: made without a model, asked of a model, and held against the events that they cite.

Knows spans of messages and the ledger, and no thread. Three rooms, each of which may import those before it: `extract`,
`model`, `verify`.
"""
