"""Whether a claim gives leave for what people forbid or limit: nobody gives that but they, in their own words.

"Deploying on Friday is fine" orders nothing and has no word that every rule has. So it is known by two things together: it says that
something may be done, and somebody who makes rules has said of the same that it must not, or not by all, or not before something else.
"""

import re
from typing import Final

from tailrace.agents.language.claim_words import CONDITIONS, NOT_DENIED, UNSPACED_DENIALS, WITHOUT, Does
from tailrace.agents.language.cues import holds_any
from tailrace.agents.language.rule_words import forbids, is_directive
from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.verify.claim_tokens import Token, keys_of, stem, tokens_of

_BE = r"(?:is|are|was|were|be|been|stays?|remains?|seems?)"
#: Says that something may be done: a verb that does, what a thing is that may be, and words for a rule that holds no more.
_LEAVE = re.compile(
    r"(?<!\w)(?:(?:can|may)(?!not|['\u2019]t)|"
    rf"{_BE} (?:\w+ ){{0,2}}?(?:fine|ok|okay|welcome|possible|acceptable|alright|all right|legal|tolerated|free|open|granted|cleared|agreed|no problem|no issue|in order|good to go)|"
    r"okayed|cleared|sanctioned|waived|lifted|relaxed|unrestricted|go-ahead|green light|no objections?|at will|freely|any ?time|whenever|"
    r"kann|können|möglich|in ordnung|willkommen|zulässig|gestattet|aufgehoben|jederzeit|"
    r"peut|peuvent|possible|possibles|bienvenue?s?|puede|pueden|posible|bienvenid[oa]s?|può|possono|possibile|benvenut[oaie]|pode|podem|possível|"
    r"kan|kunnen|mogelijk|welkom|może|mogą|można|может|могут|можно|möjligt)(?!\w)|可以|能够|できる|できます|할 수 있",
    re.IGNORECASE,
)
#: In what people say: it holds only then, or something else comes first.
_WHEN: Final = CONDITIONS | words(
    "when whenever once first provided erst zuerst quand lorsque d'abord cuando primero quando kiedy najpierw когда сначала"
)
_DENYING: Final = (Does.DENIES_NEXT, Does.DENIES_ALL)
_PLACING: Final = ("earlier", "later")
_BUT: Final = frozenset(("but",))
_NEEDS: Final = words(
    "need needs require requires braucht brauchen exige exigent requiere requieren richiede richiedono"
)
#: Behind one like only stands whoever or whatever is meant within so many words.
_BEHIND_MAX = 4
#: Share of a claim that somebody's rule must speak of to be about the same.
_SHARE_MIN = 0.6
#: And so many words of it, unless the rule has no more.
_WORDS_MIN = 2


def gives_leave(text: str) -> bool:
    """Tell whether a text says that something may be done, or goes without something."""
    if any(token.small in WITHOUT for token in tokens_of(text)):
        return True
    return _LEAVE.search(text) is not None and not _denies(_LEAVE.sub(" ", text))


def limits(sentence: str) -> bool:
    """Tell whether what somebody said forbids something, or allows it only to some or under a condition."""
    return forbids(sentence) or is_directive(sentence) or _has_condition(sentence)


def goes_beyond(claim: str, limit: str) -> bool:
    """Tell whether a claim that gives leave does so for what somebody limits, in the same words."""
    about, there = _about(_LEAVE.sub(" ", claim)), _about(limit)
    shared = about & there
    if len(shared) < _SHARE_MIN * len(about) or (len(shared) < _WORDS_MIN and shared != there):
        return False
    if any(token.small in WITHOUT for token in tokens_of(claim)):
        return _LEAVE.search(claim) is not None or _binds(limit)
    if about & _exempted(limit):
        return False
    return forbids(limit) or not _has_condition(claim)


def _about(text: str) -> set[str]:
    """What a text is about, and what it says of how that goes: to close an account is more than an account."""
    return keys_of(text) | {stem(token.small) for token in tokens_of(text) if _does(token) is Does.WEIGHS}


def _does(token: Token) -> Does | None:
    return token.effect.does if token.effect is not None else None


def _denies(text: str) -> bool:
    """Whether leave is taken back: only some have it, or nobody."""
    if any(_does(token) in _DENYING or token.small in NOT_DENIED for token in tokens_of(text)):
        return True
    return not text.isascii() and holds_any(text, UNSPACED_DENIALS)


def _has_condition(text: str) -> bool:
    return any(
        token.small in _WHEN
        or _does(token) in (Does.UNLESS, Does.AWAITS)
        or (token.effect is not None and token.effect.of in _PLACING)
        for token in tokens_of(text)
    )


def _exempted(limit: str) -> set[str]:
    """What a limit is not for: "only Priya may", "nobody but Ove", "not without a passport"."""
    tokens = list(tokens_of(limit))
    found: set[str] = set()
    for place, token in enumerate(tokens):
        if token.small in NOT_DENIED | WITHOUT | _BUT or _does(token) in (Does.EXCEPTS, Does.UNLESS):
            behind = tokens[place + 1 : place + 1 + _BEHIND_MAX]
            found.update([one.key for one in behind if one.effect is None][:1])
    return found


def _binds(limit: str) -> bool:
    """Whether something must not be left out: "not without a passport", "only with my signature", "needs two signatures"."""
    denied = only = False
    for token in tokens_of(limit):
        if token.small in _NEEDS or (denied and (token.small in WITHOUT or _does(token) is Does.UNLESS)):
            return True
        if only and token.effect is not None and token.effect.of in ("means", "earlier"):
            return True
        denied |= _does(token) in _DENYING
        only |= token.small in NOT_DENIED
    return False
