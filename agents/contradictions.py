"""What a claim says otherwise than the events that it cites, though it may be made of their own words.

Each statement of a claim is held against those of the events that are about the same things. It is refused where one of them says
the opposite, another number, the two things exchanged, or only plans, asks or supposes it, and none that is as near says the same.
What no event speaks of in nearly the same words is not judged here: nothing tells a summary in other words from an invention.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tailrace.agents.claim_words import OPEN_WORDS
from tailrace.agents.clause_reader import sentence_of
from tailrace.agents.clauses import ASKED, ORDERED, PLANNED, Clause, Sentence, sentences_of
from tailrace.agents.exchanges import is_exchanged
from tailrace.agents.rule_words import is_directive
from tailrace.agents.span_text import plain
from tailrace.agents.spoken import Near, Spoken, bare_words, near_to, nearness, weight_of

#: Share of a statement that another must hold to be about the same.
NEAR_MIN = 0.66
#: The same where both say how something went.
OUTCOME_NEAR_MIN = 0.6
#: And where one of them is denied: there are many ways to deny without a word that does.
DENIED_NEAR_MIN = 0.7
#: Where a name stands for another, all else has to be the same.
_ALL = 1.0
#: A statement of less than this is judged only where it is all that a claim says.
_WEIGHT_MIN = 3
#: And a part of a claim is held against statements that are as short.
_PART_WORDS_MAX = 4
#: A number that stands in a statement that is so near belongs there.
_BELONGS_MIN = 0.7
#: A little nearer than near.
_A_LITTLE = 0.04
_FEW = frozenset(("0", "1"))
#: How things are told that are so or were done.
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|done|\w{3,}ed|ist|sind|war|waren|wurden?|hat|haben|est|sont|ont|été|fue|fueron|está|han?|"
    r"sido|è|sono|stat[oaie]|foi|foram|werden?|heeft|zijn|został[aoy]?|был[аио]?)\b",
    re.IGNORECASE,
)

#: Fields whose claims may tell what is only planned; and what is asked for or offered, where somebody has agreed to it.
_MAY_PLAN = frozenset(("decisions", "open_items", "current_plan", "current_task"))
_MAY_LEAVE_OPEN = frozenset(("open_items",))

DENIED = "says the opposite of an event that it cites: a denial or an outcome is turned round"
OTHER_UNIT = "gives a number another unit than the events that it cites"
OTHER_VALUE = "gives a number or a name to something else than the events that it cites"
EXCHANGED = "exchanges what stands before and behind a word like from, to, before or than in an event that it cites"
TOOL_ORDER = "takes an order out of a tool's output; quote that whole in tool_outcomes, as data"
NOT_TOLD = (
    "tells as done, so or decided what the events that it cites only plan, ask, offer or suppose; say that, or cite the event that "
    "tells it"
)


class Told(NamedTuple):
    """A statement of a claim: its sentence, the clause that is looked at, and the field that the claim stands in."""

    sentence: Sentence
    clause: Clause
    name: str
    #: It is a few words of a claim that says more.
    is_part: bool
    #: Among the events that the claim cites somebody says yes to something; or something is done.
    agreed: bool
    acted: bool


def contradiction(text: str, name: str, cited: Sequence[Spoken]) -> str | None:
    """What a claim in the field of this name says otherwise than the events that it cites; None where nothing does."""
    agreed = any(spoken.agrees for spoken in cited)
    acted = any(spoken.said.calls for spoken in cited)
    near: list[Near] = []
    for claim in map(sentence_of, sentences_of(text, len(text))):
        for clause in claim.clauses:
            if _has_other_unit(clause, cited):
                return OTHER_UNIT
            part = len(claim.clauses) > 1 and weight_of(clause.about, clause) < _WEIGHT_MIN
            near = list(near_to(clause, cited))
            told = Told(claim, clause, name, is_part=part, agreed=agreed, acted=acted)
            for is_wrong, reason in _CHECKS:
                if is_wrong(told, near):
                    return reason
        if len(claim.clauses) > 1:
            near = list(near_to(claim.whole, cited))
        if is_exchanged(claim, near):
            return EXCHANGED
    return None


def _is_given_by_tool(told: Told, near: Sequence[Near]) -> bool:
    """Whether a claim is a part of what a tool's output orders, and somebody's plan or no statement of its own."""
    against = for_it = 0.0
    for one in near:
        score = one.score
        if score < NEAR_MIN:
            continue
        if one.is_spoken or not is_directive(one.sentence.text):
            for_it = max(for_it, score)
        elif told.name in _MAY_PLAN or plain(told.sentence.text) in one.spoken.said.whole:
            against = max(against, score)
    return against >= NEAR_MIN and for_it < against


def _agrees(clause: Clause, other: Clause) -> bool:
    """Whether nothing that one tells is denied by the other."""
    scales = clause.signs.keys() & other.signs.keys()
    if scales:
        # How it went is told by both: that is what is denied, if anything is.
        return all(clause.signs[scale] & other.signs[scale] for scale in scales)
    shared = clause.about & other.about
    denied, denied_there = clause.denied & shared, other.denied & shared
    if bool(denied) == bool(denied_there) or clause.lacks or other.lacks:
        return True
    # A denial is about one word, and says nothing of what it is not about.
    heads = clause.heads or other.heads
    return bool(heads) and not heads & shared


def _is_denied(told: Told, near: Sequence[Near]) -> bool:
    """Whether a denial is turned round, or how something went."""
    if told.sentence.whole.mood & ASKED:
        return False
    return _has_other_end(told, near) or _is_turned_round(told, near)


def _has_other_end(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    if not clause.signs:
        return False
    against = for_it = 0.0
    for there in near:
        whole = there.sentence.whole
        scales = clause.signs.keys() & whole.signs.keys()
        if not scales:
            continue
        mixed = any(len(whole.signs[scale]) > 1 for scale in scales)
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            if not clause.signs.keys() & one.signs.keys() or (told.is_part and one.size > _PART_WORDS_MAX):
                continue
            if _agrees(clause, one):
                for_it = max(for_it, score)
            elif mixed and one.about and one.about <= clause.about:
                # "One failed its test, the other passed": of the other nothing else is said.
                against = max(against, score, NEAR_MIN + _A_LITTLE)
            else:
                against = max(against, score)
        if not mixed and not told.is_part:
            agrees = all(clause.signs[scale] & whole.signs[scale] for scale in scales)
            against, for_it = (against, max(for_it, there.score)) if agrees else (max(against, there.score), for_it)
    return against >= OUTCOME_NEAR_MIN and for_it < against


def _is_turned_round(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    against = for_it = 0.0
    for there in near:
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            if not score or clause.signs.keys() & one.signs.keys():
                continue
            same = one.about == clause.about
            if _agrees(clause, one):
                for_it = max(for_it, score)
            # What tools show may be anything, and a few words of a claim: there it has to be the very same.
            elif same or (there.is_spoken and not told.is_part):
                against = max(against, score)
        whole = there.sentence.whole
        if len(there.scores) > 1 and not (whole.denied or clause.denied):
            for_it = max(for_it, there.score)
    return against >= DENIED_NEAR_MIN and for_it < against


def _has_other_unit(clause: Clause, cited: Sequence[Spoken]) -> bool:
    for value, unit in clause.units.items():
        found = {one for spoken in cited for one in spoken.units(value)}
        if found and unit not in found and "" not in found:
            return True
    return False


def _has_other_value(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    if told.is_part and not clause.signs:
        return False
    statements = [one for there in near for one in there.sentence.clauses]
    levels = (*statements, *(one for there in near for one in (there.sentence.whole, *there.sentence.parts)))
    for value, beside in clause.values.items():
        if value in _FEW or value in clause.denied:
            continue
        against = max((nearness(clause, one, value) for one in levels if _holds_other(clause, one, value)), default=0.0)
        if against < NEAR_MIN:
            continue
        for_it = max((nearness(clause, one, value) for one in statements if value in one.values), default=0.0)
        apart = (
            nearness(clause, one.sentence.whole, value)
            for one in near
            if against < _ALL and value in one.sentence.whole.values and not one.sentence.whole.values[value] & beside
        )
        if max(for_it, *apart, 0.0) < min(against, _BELONGS_MIN):
            return True
    return False


def _holds_other(clause: Clause, other: Clause, value: str) -> bool:
    """Whether another value stands beside the same word there, and this one nowhere."""
    if value in other.values:
        return False
    beside = clause.values[value]
    for one, there in other.values.items():
        if there & beside and one not in clause.values and one[0].isdigit() == value[0].isdigit():
            # The word beside it alone does not tell that it is about the same.
            same = (clause.about & other.about) | (there & beside)
            if len(same) > 1 or (clause.size == other.size == len(same) + 1):
                return True
    return False


def _has_other_name(told: Told, near: Sequence[Near]) -> bool:
    clause = told.clause
    if told.is_part or clause.denied:
        return False
    spoken = [(one, there.spoken) for there in near if there.is_spoken for one in there.sentence.clauses]
    for name in clause.names:
        if not any(name in one.names for one, _ in spoken) or any(name in by.small for _, by in spoken):
            continue
        against = for_it = 0.0
        for one, by in spoken:
            if name in one.words:
                for_it = max(for_it, nearness(clause, one, name))
            elif one.names - clause.words - by.small:
                rest = clause.about - {name}
                against = max(against, nearness(clause, one, name) if len(rest) > 1 else 0.0)
        if against >= _ALL and for_it < against:
            return True
    return False


def _is_not_told(told: Told, near: Sequence[Near]) -> bool:
    # Whoever cites what was called and what that gave cites what was done: its words are those of the tool.
    if told.name in _MAY_LEAVE_OPEN or told.sentence.whole.mood or told.acted or told.is_part:
        return False
    if not OPEN_WORDS.isdisjoint(bare_words(told.sentence.text)):
        return False
    tells = _TELLS.search(told.sentence.text) is not None
    against = for_it = 0.0
    for there in near:
        for one, score in zip(there.sentence.clauses, there.scores, strict=True):
            mood = one.mood if there.is_spoken else 0
            if not tells:
                mood &= ~ORDERED
            if told.name in _MAY_PLAN:
                mood &= ~(PLANNED | ORDERED)
                if told.agreed or (there.spoken.said.is_owner and told.name != "decisions"):
                    mood = 0
            if mood:
                against = max(against, score)
            else:
                for_it = max(for_it, score)
    return against >= NEAR_MIN and for_it < against


#: What may be wrong with a statement, in the order in which it is looked for.
_CHECKS = (
    (_is_given_by_tool, TOOL_ORDER),
    (_is_denied, DENIED),
    (_has_other_value, OTHER_VALUE),
    (_has_other_name, OTHER_VALUE),
    (_is_not_told, NOT_TOLD),
)
