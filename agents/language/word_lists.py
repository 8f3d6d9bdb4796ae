"""How lists of words are written here: as a text, which reads and wraps like one."""


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a text."""
    return frozenset(text.split())
