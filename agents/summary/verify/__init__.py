"""What of a model's summary may stand for its span: quotations and facts are looked up in the events that they name.

Reads summaries and events; returns what may stand, with the span's ledger. Used from outside: `acceptance`,
`candidates` (directives that a model adds), `span_ledger` (what the ledger has of a span).
"""
