"""Recall: the terms, the passages and the order in which what left a context is found again.

Knows texts and queries; the index itself is in streams/recall. Used from outside: `terms`, `passages`, `ranking`,
`embedding` (a vector without a model).
"""
