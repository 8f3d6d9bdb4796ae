"""Statements that one word tells apart: the production database and the staging database, the unit tests and the load tests.

They say the same of two things. Whoever reads only one of them may take it for both.
"""

from collections.abc import Sequence
from itertools import pairwise

from tailrace.agents.ledger.subjects import subject_of

#: The word stands near the beginning, where a statement says what it is about.
OPENING_TERMS = 3
#: More than this is a list, of which any part may be shown.
SIBLINGS_MAX = 4
#: What is longer says more than what it is about.
STATEMENT_CHARS_MAX = 120


def siblings(statements: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Return the places of each statement and of those that only one word at its beginning tells apart from it."""
    orders = [subject_of(text).order if len(text) <= STATEMENT_CHARS_MAX else () for text in statements]
    frames: dict[tuple[tuple[str, ...], str], dict[str, int]] = {}
    for place, terms in enumerate(orders):
        for at, (word, after) in enumerate(pairwise(terms[: OPENING_TERMS + 1])):
            # A later statement of the same thing is the one that counts.
            frames.setdefault((terms[:at], after), {})[word] = place
    found: dict[int, tuple[int, ...]] = {}
    for words in frames.values():
        for place in words.values() if len(words) > 1 else ():
            alike = tuple(other for other in words.values() if _share(orders[place], orders[other]))
            if 1 < len(alike) <= SIBLINGS_MAX:
                found.setdefault(place, alike)
    return found


def _share(terms: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two statements have at least a third of their terms in common: what they say of two things may differ, too."""
    return 3 * len({*terms} & {*others}) >= len({*terms} | {*others})
