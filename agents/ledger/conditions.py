"""Sentences that say when, where or in which case something is to be done: if it rains, close the gate; use the stairs in case of fire.

A condition is told by its first words, and what it governs by how that begins: who tells a story begins with who did something.
"""

from collections.abc import Sequence
from itertools import pairwise

from tailrace.agents.ledger import form_words as fw
from tailrace.agents.ledger import norm_words as nw
from tailrace.agents.ledger import when_words as ww
from tailrace.agents.ledger.sentence import Sentence, clause_words, denies, is_told


def is_condition(one: Sentence) -> bool:
    """Under a condition, or at some times, something is to be done or there is to be none of something."""
    if one.words[0] in ww.GERMAN_CASES and _is_german_case(one):
        return True
    _, comma, rest = one.small.partition(", ")
    if not comma and one.words[0] in ww.LASTING_UNTIL:
        return _is_told_behind(one)
    when = _begins_with_when(one)
    if not comma or not (when or one.words[0] in ww.TIMES) or one.small.startswith(ww.IDLE_WHENS):
        return False
    told = [word for word in clause_words(rest) if word not in fw.POLITE]
    when = when or _is_kind_of_case(one)
    if when and told and told[0] in fw.WHOEVER_IT_IS and one.words[0] not in ww.EXCEPTS:
        return not one.past and one.word(1) not in fw.TELLERS
    return denies(" ".join(told), told) or (when and is_told(told) and not _does(one, told))


def _is_told_behind(one: Sentence) -> bool:
    """Whether behind a condition stands, without a comma, what is to be so as long: until the vet was here keep the sheep in."""
    return any(
        word in ww.TOLD_BEHIND and before not in fw.SPEAKERS and before not in ww.DOING
        for before, word in pairwise(one.words[1:])
    )


def _begins_with_when(one: Sentence) -> bool:
    first, second = one.words[0], one.word(1)
    if first in ww.SHOULD_IT:
        return second not in fw.SPEAKERS and second != "you"
    single = first in ww.WHENS or first in ww.UNTILS or first in ww.EXCEPTS
    return single or (first, second) in ww.WHEN_PAIRS or one.small.startswith(ww.WHEN_STARTS) or _is_im_fall(one)


def _is_im_fall(one: Sentence) -> bool:
    first, end = ww.IM_FALL
    return one.words[0] == first and one.word(1).endswith(end)


def _is_german_case(one: Sentence) -> bool:
    """A case, and behind it at once what is to be done, with its verb at the end; or what stays as it is while something lasts."""
    at = 1
    while one.word(at) in ww.GERMAN_ARTICLES:
        at += 1
    behind = one.word(at + 1)
    if one.word(at) in ww.INVERTED:
        return False
    if behind in ww.REMAINS:
        return one.word(at + 2) in ww.GERMAN_ARTICLES and not one.past
    return behind in ww.GERMAN_OBJECTS and one.words[-1].endswith("n") and len(one.words) > at + 2


def is_so_meanwhile(one: Sentence) -> bool:
    """How all of a kind are while something lasts."""
    if one.words[0] not in ww.LASTING_CASES or one.past:
        return False
    told = clause_words(one.small.partition(", ")[2])
    return len(told) > 2 and told[0].endswith("s") and told[0] not in fw.SUBJECTS and told[1] in nw.GENERIC_VERBS  # noqa: PLR2004  who, and how they are


def _is_kind_of_case(one: Sentence) -> bool:
    """Tell whether a sentence begins with where or when, of a kind: in mails to parents, outside office hours."""
    case = one.small.partition(", ")[0].split()
    if len(case) < 2 or case[1] in fw.NO_CASE:  # noqa: PLR2004  where or when, and of what
        return False
    return case[-1].endswith("s") and fw.DETERMINED.isdisjoint(case) and not one.past


def _does(one: Sentence, clause: Sequence[str]) -> bool:
    """Tell whether a clause says what somebody or something does or did, by its order, or by an ending where that tells."""
    first, second = [*clause[:2], "", ""][:2]
    if one.words[0] in ww.ROMANCE_WHENS and (
        first in ww.CLITICS or first.endswith(ww.PAST_ENDS) or second.endswith(ww.PAST_ENDS)
    ):
        return True
    # "Lass die Tür zu" tells somebody, "geht die Lampe aus" does not.
    inverted = second in ww.INVERTED or (second in ww.INVERTED_ARTICLES and first.endswith(ww.FINITE_ENDS))
    return inverted or (one.word(1) == "i" and second.endswith("s"))


def _has_case(one: Sentence) -> bool:
    """Whether behind what somebody is told stands in which case, or while what lasts."""
    for first, then in pairwise(one.words[1:]):
        if (first, then) in ww.CASE_PAIRS or (first in ww.MEANWHILE and then not in ww.MEANWHILE_TOLD):
            return True
        if first in ww.DURING and then.endswith("s") and then not in fw.DETERMINED:
            return True
    return False


def _is_conditional(one: Sentence) -> bool:
    told = f"{one.word(0)} {one.word(1)}".strip()
    return not one.said.isdisjoint(ww.CONDITIONAL_TOLD) and (
        told.endswith(ww.TOLD_ENDS) or one.word(0).endswith(ww.TOLD_ENDS)
    )


def has_condition(one: Sentence) -> bool:
    """Whether behind what somebody is told stands under which condition."""
    return not one.said.isdisjoint(ww.CONDITIONAL) or _is_conditional(one) or _has_case(one)
