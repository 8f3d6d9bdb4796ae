"""Names in a statement: of two that look alike each is somebody else, while ordinary words may differ in their endings."""

import re
from functools import lru_cache

from tailrace.agents.language.lexicon import DETERMINERS, MONTHS, WEEKDAYS
from tailrace.agents.language.word_lists import words

_TOKEN = re.compile(r"[^\W\d_][\w-]*|[.:!?]")
#: Before a noun that has a capital only because all nouns of its language have one.
_ARTICLES = DETERMINERS | words(
    "this that these those des dem den ein eine einen einem einer eines kein keine keinen keinem keiner im am vom zum zur beim ins "
    "meinen meinem meiner deine deinen ihre ihren seine seinen diese diesen dieser dieses un une du au aux una uno um uma al del "
    "della dello alla allo nel nella sul sulla"
)
_DAYS = WEEKDAYS | MONTHS


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Return the names in a text, in small letters: words with a capital that neither their place nor an article explains."""
    if text[1:].islower():
        return frozenset()
    found, before = set(), "."
    for token in _TOKEN.findall(text):
        word = token.lower()
        if token[0].isupper() and before not in ".:!?" and before not in _ARTICLES and len(word) > 1:
            found.add(word)
        before = word
    return frozenset(found - _DAYS)
