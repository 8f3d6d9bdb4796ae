"""A summary without a model: the pieces of a span that later turns are most likely to need, word for word.

Quotes and never rephrases. Used from outside: `extraction.extract_summary`, `span` (a span as pieces with their
sources), `bullets` (the text, written and read back), `span_document` (a dropped span as recall finds it).
"""
