"""What a claim says otherwise than the events that it cites, though it may be made of their own words.

Each statement of a claim is held against those of the events that are about the same things. It is refused where one of them says
the opposite, another number, the two things exchanged, or only plans, asks or supposes it, and none that is as near says the same.
What no event speaks of in nearly the same words is not judged here: nothing tells a summary in other words from an invention.
"""

from collections.abc import Sequence

from tailrace.agents.summary.verify.cited_sentences import Near, Spoken, near_to, nearness, weight_of
from tailrace.agents.summary.verify.clause_reader import sentence_of
from tailrace.agents.summary.verify.clauses import Clause, sentences_of
from tailrace.agents.summary.verify.denials import is_denied
from tailrace.agents.summary.verify.failed_calls import called_in_vain, is_done_in_vain
from tailrace.agents.summary.verify.measures import (
    compares_otherwise,
    drops_bound,
    has_other_bound,
    has_other_share,
    measures_of,
    tells_of_all,
)
from tailrace.agents.summary.verify.statement import ALL, NEAR_MIN, Told
from tailrace.agents.summary.verify.stitched_claim import is_scattered
from tailrace.agents.summary.verify.swapped_arguments import is_exchanged
from tailrace.agents.summary.verify.unsupported_assertion import is_given_by_tool, is_not_told
from tailrace.agents.summary.verify.unsupported_order import is_invented

#: A statement of less than this is judged only where it is all that a claim says.
_WEIGHT_MIN = 3
#: A number that stands in a statement that is so near belongs there.
_BELONGS_MIN = 0.7
#: What is nearly the same.
_SAME_MIN = 0.85
_FEW = frozenset(("0", "1"))


DENIED = "says the opposite of an event that it cites: a denial or an outcome is turned round"
OTHER_UNIT = "gives a number another unit than the events that it cites"
OTHER_VALUE = "gives a number or a name to something else than the events that it cites"
EXCHANGED = "exchanges what stands before and behind a word like from, to, before or than in an event that it cites"
OTHER_MEASURE = "gives another part of a whole, bound or comparison than an event that it cites, or leaves out that a number is a limit"
TOOL_ORDER = "takes an order out of a tool's output; quote that whole in tool_outcomes, as data"
SCATTERED = "puts together what the events that it cites say of different things or people"
INVENTED = "bids or plans what none of the events that it cites speaks of doing"
NOT_TOLD = (
    "tells as done, so or decided what the events that it cites only plan, ask, offer or suppose; say that, or cite the event that "
    "tells it"
)


def contradiction(text: str, name: str, cited: Sequence[Spoken]) -> str | None:
    """What a claim in the field of this name says otherwise than the events that it cites; None where nothing does."""
    agreed = any(spoken.agrees for spoken in cited)
    acted = any(spoken.said.calls for spoken in cited)
    called = frozenset[str]().union(*(spoken.called for spoken in cited))
    vain = called_in_vain(cited) if acted else frozenset[str]()
    near: list[Near] = []
    for claim in map(sentence_of, sentences_of(text, len(text))):
        for clause in claim.clauses:
            if _has_other_unit(clause, cited):
                return OTHER_UNIT
            part = len(claim.clauses) > 1 and weight_of(clause.about, clause) < _WEIGHT_MIN
            near = list(near_to(clause, cited))
            told = Told(claim, clause, name, is_part=part, agreed=agreed, acted=acted, called=called, vain=vain)
            for is_wrong, reason in _CHECKS:
                if is_wrong(told, near):
                    return reason
            if is_invented(told, near, cited):
                return INVENTED
            if is_scattered(claim, clause, cited):
                return SCATTERED
        if len(claim.clauses) > 1:
            near = list(near_to(claim.whole, cited))
        if is_exchanged(claim, near):
            return EXCHANGED
    return None


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
            if against < ALL and value in one.sentence.whole.values and not one.sentence.whole.values[value] & beside
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


def _is_paired_otherwise(told: Told, near: Sequence[Near]) -> bool:
    """Whether a number is given to the other of two things, each of which has one of the same kind in one sentence."""
    clause = told.clause
    first = next((word for word in told.sentence.order if word in clause.words), "")
    for value, unit in clause.units.items():
        against = for_it = 0.0
        for there in near if value not in clause.denied else ():
            holding = [one for one in there.sentence.clauses if value in one.values]
            others = [
                one
                for one in there.sentence.clauses
                if value not in one.values
                and unit in one.units.values()
                and not one.values.keys() & clause.values.keys()
            ]
            words = set().union(*(one.words for one in holding))
            if holding and first not in words and any(first in one.words for one in others) and words - clause.words:
                against = max(against, there.score)
            elif holding:
                for_it = max(for_it, there.score)
        if against >= NEAR_MIN and for_it < against:
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
        if against >= ALL and for_it < against:
            return True
    return False


def _is_measured_otherwise(told: Told, near: Sequence[Near]) -> bool:
    """Whether a part of a whole, a bound or a comparison is another."""
    claim = measures_of(told.sentence.text)
    about = [there for there in near if there.score >= NEAR_MIN]
    # What is denied is the other end of it.
    denies = bool(told.sentence.whole.denied)
    alike = [measures_of(there.sentence.text) for there in about if bool(there.sentence.whole.denied) == denies]
    every = [measures_of(there.sentence.text) for there in about]
    if has_other_share(claim, every) or tells_of_all(claim, every) or has_other_bound(claim, alike):
        return True
    if claim.comparison is not None:
        compared = [one.comparison for one in alike if one.comparison is not None]
        if compared and all(compares_otherwise(claim.comparison, one) for one in compared):
            return True
    same = [there for there in about if there.score >= _SAME_MIN]
    return any(
        drops_bound(
            claim, value, [measures_of(there.sentence.text) for there in same if value in there.sentence.whole.values]
        )
        for value in told.clause.values
    )


#: What may be wrong with a statement, in the order in which it is looked for.
_CHECKS = (
    (is_given_by_tool, TOOL_ORDER),
    (is_denied, DENIED),
    (is_done_in_vain, DENIED),
    (_is_measured_otherwise, OTHER_MEASURE),
    (_has_other_value, OTHER_VALUE),
    (_is_paired_otherwise, OTHER_VALUE),
    (_has_other_name, OTHER_VALUE),
    (is_not_told, NOT_TOLD),
)
