"""Who did something and to whom it was done, told from the order of words: "Anna paid Bert", "Bert was paid by Anna".

Read from a verb that both sentences tell as done. Languages that put things before the verb as they like are only read where a word
like "by" says who did it.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from tailrace.agents.language.word_lists import words
from tailrace.agents.summary.verify.claim_tokens import keys_of, stem
from tailrace.agents.summary.verify.verb_forms import verb_forms

_WORD = re.compile(r"[^\W\d_]+|\d+|[,;:()]|(?<=\s)[-\u2013\u2014\u2192]+(?=\s)")
_BREAK: Final = frozenset((*",;:()-\u2013\u2014\u2192", "--")) | words(
    "and but while und aber während et mais y e pero ma maar terwijl who which that der welche qui que"
)
#: What makes a passive with which word before whoever acts.
_PASSIVES: Final = (
    (words("is are was were be been being got gets"), words("by")),
    (words("wurde wurden worden wird werden"), words("von vom durch")),
    (words("été est sont était étaient fut furent sera"), words("par")),
    (words("fue fueron sido será foi foram"), words("por pelo pela")),
    (words("stato stata stati state viene venne"), words("da dal dalla dai dalle dallo")),
    (words("werd werden wordt"), words("door")),
    (words("blev blivit"), words("av")),
)
#: Behind whoever acts stands something else.
_ENDS_NAME: Final = words(
    "in on at to for with from after before because twice once im am an auf nach zu mit à en dans con en el a na op"
)
#: Right behind a verb that is told without a helping one: "field added to the form", and nobody adds the form.
_SHORT_PASSIVE: Final = words(
    "by of into onto in on at to for with from after before since until during through over under behind beside"
)
#: In sentences of languages that put the verb second, whatever comes first.
_VERB_SECOND: Final = words("der die das den dem ein eine het een ist sind und och det är att som hat haben wurde")
_NAME_WORDS_MAX = 3


class Roles(NamedTuple):
    """What stands before and behind a verb; who acts first, if that is known."""

    verb: str
    acting: frozenset[str]
    acted_on: frozenset[str]
    #: A word like "by" says who acts.
    is_marked: bool


@lru_cache(maxsize=1 << 12)
def roles_of(text: str) -> tuple[Roles, ...]:
    """The roles around each verb of a sentence that is told as done."""
    done = verb_forms(text).done
    found: list[Roles] = []
    part: list[str] = []
    for word in (*(one.lower() for one in _WORD.findall(text)), ","):
        if word not in _BREAK:
            part.append(word)
        elif part:
            found += _of_part(part, done)
            part = []
    return tuple(found)


def has_turned_roles(claim: str, there: str) -> bool:
    """Tell whether in one of two sentences that does something to whom it is done in the other."""
    return any(
        _are_turned(one, other) for one in roles_of(claim) for other in roles_of(there) if one.verb == other.verb
    )


def has_same_roles(claim: str, there: str) -> bool:
    """Tell whether the same does something in both."""
    return any(
        one.acting & other.acting - other.acted_on
        for one in roles_of(claim)
        for other in roles_of(there)
        if one.verb == other.verb
    )


def _are_turned(one: Roles, other: Roles) -> bool:
    acting, acted_on = one.acting - one.acted_on, one.acted_on - one.acting
    other_acting, other_acted_on = other.acting - other.acted_on, other.acted_on - other.acting
    return (
        bool(acting & other_acted_on)
        and bool(acted_on & other_acting)
        and acting.isdisjoint(other_acting)
        and (acted_on.isdisjoint(other_acted_on) or one.is_marked == other.is_marked)
    )


def _of_part(part: list[str], done: frozenset[str]) -> list[Roles]:
    for helping, by in _PASSIVES:
        place = next((at for at, word in enumerate(part) if word in helping), -1)
        agent = next((at for at, word in enumerate(part) if at > place >= 0 and word in by), -1)
        if agent > 0:
            return _passive(part, place, agent, done)
    if not _VERB_SECOND.isdisjoint(part):
        return _verb_last(part, done)
    return [
        Roles(stem(word), _keys(part[:place]), _keys(part[place + 1 :]), is_marked=False)
        for place, word in enumerate(part)
        if stem(word) in done and not _is_passive(part, place) and not _SHORT_PASSIVE & {*part[place + 1 : place + 2]}
    ]


def _passive(part: list[str], place: int, agent: int, done: frozenset[str]) -> list[Roles]:
    behind: list[str] = []
    for word in part[agent + 1 :]:
        if (word in _ENDS_NAME or stem(word) in done) and behind:
            break
        behind.append(word)
    verbs = [stem(word) for word in part[place + 1 :] if stem(word) in done and word not in behind]
    return [
        Roles(verb, _keys(behind[: _NAME_WORDS_MAX + 1]), _keys(part[:place]), is_marked=True) for verb in verbs[:1]
    ]


def _verb_last(part: list[str], done: frozenset[str]) -> list[Roles]:
    """With the verb at the end, whoever acts mostly comes first."""
    helping = next((at for at, word in enumerate(part) if word in ("hat", "haben", "heeft", "hebben")), -1)
    if helping < 1 or stem(part[-1]) not in done:
        return []
    return [Roles(stem(part[-1]), _keys(part[:helping]), _keys(part[helping + 1 : -1]), is_marked=False)]


def _is_passive(part: list[str], place: int) -> bool:
    """Whether nobody is named who acts: "was sold to Jonas"."""
    helping = _PASSIVES[0][0] | _PASSIVES[2][0] | _PASSIVES[3][0] | _PASSIVES[4][0]
    return any(word in helping for word in part[max(0, place - 3) : place])


def _keys(part: list[str]) -> frozenset[str]:
    return frozenset(keys_of(" ".join(part)))
