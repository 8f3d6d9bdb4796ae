"""A summary by a model: what it is told, what it reads, and its answer as a text.

Asks nobody: streams/summarizer does. Used from outside: `prompt`, `input_excerpts`, `text.summary_text`, `span_text`
(what the events of a span say).
"""
