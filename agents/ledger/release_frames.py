"""Whether a statement has the form in which people let go of a rule, and what stands inside that form.

Only the frame is read here; what it is about is compared with the rules that hold in `release`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.pattern_words import words_in
from tailrace.agents.language.rule_words import PROHIBITIONS
from tailrace.agents.ledger.release_doubt import is_doubtful, is_unspaced_case
from tailrace.agents.ledger.release_forms import (
    FORMS,
    PLACES_BY_PART,
    PLACES_BY_WORD,
    SIGNS,
    UNSPACED_FORMS,
    UNSPACED_SIGNS,
    Form,
    ReleaseEffect,
)

_SIGN_WORDS = frozenset(PLACES_BY_WORD)
_SCRIPT = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_PERMITTING = frozenset((ReleaseEffect.PERMIT, ReleaseEffect.ALLOW, ReleaseEffect.OTHERS, ReleaseEffect.SOME))
#: At the beginning or the end of what is to be forgotten, ignored or struck: it is not to be.
_HELD_UP = frozenset(("nicht", "niet", "inte", "ikke"))
#: Ends what is spoken of; the point of "Mrs." doesn't.
_CLAUSE_END = re.compile(
    r"[,;:!](?=\s|$)|(?<=\w{4})\.(?=\s|$)|\.$|\s(?:because|since|now that|weil|porque|perché|parce que)\s"
)


@dataclass(frozen=True, slots=True)
class Release:
    """A statement in such a form."""

    effect: ReleaseEffect
    #: What stands inside the frame.
    scope: str
    #: Whether it is worth keeping whatever it is about.
    firm: bool
    #: Whether words of the same thing look the same: a language with few endings.
    plain: bool
    #: Whether its speaker says so, and under no condition: only then it lifts anything.
    sure: bool = True


def is_firm_release(text: str, words: frozenset[str]) -> bool:
    """Tell whether a statement lets go of something in so many words, whatever it is about; `words` are its own, in small letters."""
    if words.isdisjoint(SIGNS) and (text.isascii() or not holds_any(text, UNSPACED_SIGNS)):
        return False
    release = release_of(text)
    return release is not None and release.firm


@lru_cache(maxsize=4096)
def release_of(text: str) -> Release | None:
    """Return what a statement lets go of; None where it has no such form, or only asks."""
    if text.endswith(("?", "\uff1f")):
        return None
    small = text.lower().replace("\u2019", "'")
    if not text.isascii() and _SCRIPT.search(text):
        return _unspaced(small)
    for form in _forms_for(small):
        found = form.pattern.search(small) if holds_any(small, form.needles) else None
        if found is None or (form.beside is not None and form.beside.search(*_sentence(small, found)) is None):
            continue
        scope = _scope(text, found) if len(text) == len(small) else _scope(small, found)
        if form.effect in _PERMITTING and not PROHIBITIONS.isdisjoint(scope.lower().split()):
            continue
        if form.effect is ReleaseEffect.VOID and not _HELD_UP.isdisjoint(
            (*scope.lower().split()[:1], *scope.lower().split()[-1:])
        ):
            continue
        doubtful = is_doubtful(small, found.start(1), found.end(), names_a_rule=form.effect is ReleaseEffect.VOID)
        return Release(form.effect, scope, form.firm, form.plain, not doubtful)
    return None


def _forms_for(small: str) -> list[Form]:
    """The forms that a text in small letters may have, by its words and by parts of them."""
    places = {place for word in _SIGN_WORDS.intersection(words_in(small)) for place in PLACES_BY_WORD[word]}
    for part, others in PLACES_BY_PART.items():
        if part in small:
            places.update(others)
    return [FORMS[place] for place in sorted(places)]


def _sentence(text: str, found: re.Match[str]) -> tuple[str, int, int]:
    """A text, and where in it the sentence of a form begins and ends."""
    end = text.find(". ", found.end())
    return text, text.rfind(". ", 0, found.start()) + 1, end if end >= 0 else len(text)


def _scope(text: str, found: re.Match[str]) -> str:
    """The clause that a frame stands in, without the form."""
    ends = [end.span() for end in _CLAUSE_END.finditer(text)]
    begin = max((stop for _, stop in ends if stop <= found.start(1)), default=0)
    end = min((start for start, _ in ends if start >= found.end()), default=len(text))
    return f"{text[begin : found.start(1)]} {text[found.end() : end]}".strip()


def _unspaced(text: str) -> Release | None:
    for effect, pattern in UNSPACED_FORMS:
        found = pattern.search(text)
        if found is not None:
            scope = f"{text[: found.start()]}{text[found.end() :]}"
            sure = effect is not ReleaseEffect.VOID or not is_unspaced_case(text)
            return Release(effect, scope, firm=True, plain=True, sure=sure)
    return None
