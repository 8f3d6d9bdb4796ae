"""The words of a statement as a set. Several rules ask for it, and again for each statement that one is compared with, hence remembered."""

from functools import lru_cache

from tailrace.agents.ledger.statements import words_of


@lru_cache(maxsize=4096)
def word_set(text: str) -> frozenset[str]:
    """Return the words of a statement in small letters, without punctuation, each once."""
    return frozenset(words_of(text))
