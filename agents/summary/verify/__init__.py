"""Whether a model's summary may stand for its span: each claim is held against the events that it cites.

Reads claims and events; accepts or refuses with reasons. Used from outside: `acceptance`, `candidates` (directives that a
model points out), `span_ledger` (what the ledger has of a span).
"""
