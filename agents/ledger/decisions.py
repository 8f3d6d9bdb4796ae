"""Where a report tells of a decision, and which earlier decision a later one takes back.

Only what is named is taken back: "against Redis", "instead of the old queue". Otherwise both stand, the newer first.
"""

import re
from collections.abc import Iterable, Iterator

from tailrace.agents.language.cues import holds_any

#: How decisions are told, in small letters.
_WORDS = (
    *("decided", "decision", "chose", "agreed", "going with", "we'll use", "we will use", "root cause", "conclusion"),
    *(
        "switched to",
        "switching to",
        "changed my mind",
        "entschieden",
        "entscheidung",
        "décidé",
        "decidido",
        "deciso",
        "решили",
    ),
)
#: Stands before what is taken back.
_REVERSAL = re.compile(
    r"\b(?:against|instead of|rather than|in place of|no longer(?: us(?:e|ing)| need(?:ing)?| go(?:ing)? (?:with|for)| want(?:ing)?)?|"
    r"not (?:to )?(?:use|go with|keep)|(?:switch|mov|migrat)\w* (?:away )?from|away from|"
    r"(?:drop|abandon|scrap|revers|overturn|revok|withdr[ae]w)\w*(?: (?:the|our|my) (?:decision|plan|choice))?(?: (?:to use|on|for|about))?|"
    r"gegen|statt|anstelle von|nicht mehr|contre|au lieu de|contra|en (?:lugar|vez) de|contro|invece di|em vez de|tegen|in plaats van|"
    r"против|вместо)\s+(?P<what>[^,.;:()\n]{2,80})",
    re.IGNORECASE,
)
#: One of these is in every such phrase, in small letters, and looking for them is much faster.
_REVERSING = (
    *(
        "against",
        "instead of",
        "rather than",
        "in place of",
        "no longer",
        "not use",
        "not to use",
        "not go",
        "not keep",
        " from",
    ),
    *(
        "drop",
        "abandon",
        "scrap",
        "revers",
        "overturn",
        "revok",
        "withdr",
        "gegen",
        "statt",
        "anstelle",
        "nicht mehr",
        "contr",
    ),
    *("lieu de", "lugar de", "vez de", "invece di", "tegen", "plaats van", "против", "вместо"),
)
#: Where the name of what is taken back ends.
_REST = re.compile(
    r"\b(?:because|since|as|and|but|for|in|to|so|after|before|due|from|on|at|when|weil|und|für|aber|et|pour|parce|y|por|para|e|per|en)\b",
    re.IGNORECASE,
)
_SMALL_WORDS = "the a an any our my your their this that these it them use using going with of der die das den dem la le les el los il"
_NO_NAMES = frozenset(_SMALL_WORDS.split())
_WORD = re.compile(r"[^\W_][\w.+#-]*")


def places_of_decisions(text: str) -> Iterator[int]:
    """Where a text tells of decisions, in its order."""
    small = text.lower()
    if len(small) != len(text):  # a few letters have another length in small: a place in one text is none in the other
        small = text
    places: list[int] = []
    for word in _WORDS:
        place = small.find(word)
        while place >= 0:
            places.append(place)
            place = small.find(word, place + len(word))
    yield from sorted(places)


def may_take_back(text: str) -> bool:
    """Tell whether it is worth looking for what a text takes back."""
    return holds_any(text.lower(), _REVERSING)


def takes_back(sentence: str, earlier: Iterable[str]) -> list[str]:
    """Those of the earlier decisions that a sentence takes back by name."""
    found = _REVERSAL.search(sentence) if may_take_back(sentence) else None
    if found is None:
        return []
    names = _names(_REST.split(found["what"], maxsplit=1)[0])
    return [one for one in earlier if names and names <= _names(one)]


def _names(text: str) -> set[str]:
    return {word.lower().rstrip(".") for word in _WORD.findall(text)} - _NO_NAMES
