"""The ledger: directives, obligations and evidence, taken from messages by rules that need no model.

Knows single messages in their order, and no context. Used from outside: `book.Book` (notes messages), `directives`,
`obligations`, `evidence`, `render` (the ledger as a model reads it).
"""
