"""A sentence as forms look at it: its words, whether it tells what happened, and whether it may tell somebody to do something.

Nobody can list all verbs, but what else a sentence begins with is a short list: what does not begin so may begin with what is to be done.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from tailrace.agents.language.lexicon import VERBS
from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import norm_words as nw
from tailrace.agents.ledger import when_words as ww

#: What begins so tells nobody to do anything.
_UNTOLD = fw.SUBJECTS | fw.WITHOUT | fw.WHOEVER | nw.NOBODY | ww.WHENS | ww.EXCEPTS
_STOPS = str.maketrans(dict.fromkeys(".,;:!", " "))


class Sentence(Struct, frozen=True):
    """A sentence in small letters, as text and as words, from its first word that is more than polite."""

    small: str
    words: Sequence[str]
    said: frozenset[str]
    #: It tells what happened.
    past: bool
    #: It may tell somebody to do something.
    told: bool

    def word(self, place: int) -> str:
        """The word at a place, if there are so many."""
        return self.words[place] if place < len(self.words) else ""


def impolite(words: Sequence[str]) -> Sequence[str]:
    """The words of a sentence from the first that is more than polite."""
    for at, word in enumerate(words):
        if word not in fw.POLITE:
            return words[at:]
    return words


def is_told(words: Sequence[str]) -> bool:
    """Tell whether a sentence or clause may begin with what somebody is to do."""
    if not words or words[0] in _UNTOLD or words[0].endswith(fw.NOT_TOLD_ENDS):
        return False
    # Behind its subject stands what a sentence says of it.
    return VERBS.isdisjoint(words[1:3])


def is_past(words: Sequence[str], said: frozenset[str]) -> bool:
    """Tell whether a sentence tells what has happened; what comes last has not, but what was last week has."""
    if not said.isdisjoint(fw.PAST):
        return True
    return "last" in said and any(before == "last" and then in ww.TIME_WORDS for before, then in pairwise(words))


def clause_words(clause: str) -> list[str]:
    """The words of a clause in small letters, without what ends it."""
    return clause.translate(_STOPS).split()


def denies(small: str, words: Sequence[str]) -> bool:
    """Tell whether a sentence or clause begins with what there is to be none of."""
    first, second = words[0] if words else "", words[1] if len(words) > 1 else ""
    if first in fw.WITHOUT:
        return bool(second) and fw.TELLERS.isdisjoint(words)
    if (first, second) in fw.NEGATED_PAIRS or small.startswith(fw.NEGATED_STARTS):
        return fw.IDLE_NOUNS.isdisjoint(words[1:3])
    # "No, the left one" denies what was said; "no shoes" comes without a comma.
    return first in fw.NEGATED and second not in fw.IDLE_NOUNS and small.startswith(f"{first} ")
