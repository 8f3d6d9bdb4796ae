"""The ledger: directives, obligations and evidence, taken from messages by rules that need no model."""
