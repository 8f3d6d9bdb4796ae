"""What a claim says otherwise than the events that it cites, though it may be made of their own words.

Each statement of a claim is held against those of the events that are about the same things. It is refused where one of them says
the opposite, another number, the two things exchanged, or only plans, asks or supposes it, and none that is as near says the same.
What no event speaks of in nearly the same words is not judged here: nothing tells a summary in other words from an invention.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tailrace.agents.claim_words import OPEN_WORDS, OPPOSITE
from tailrace.agents.clauses import Clause, Mood, Relation, Sentence, sentences
from tailrace.agents.cues import is_verb
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.ledger.lexicon import VERBS
from tailrace.agents.rule_words import is_directive
from tailrace.agents.span_text import Said, plain

#: Share of a statement that another must hold to be about the same.
NEAR_MIN = 0.6
#: A number or an identifier tells more than a word.
_VALUE_WEIGHT = 2
#: Sentences of the events that a statement is held against: those with its rarest words.
_LOOKED_AT_MAX = 64
#: Where a name is exchanged for another, nearly all else has to be the same.
_SAME_MIN = 0.75
_THAN = frozenset(("than", "als", "que", "niż", "чем", "än"))
_ENDS = ".,:;!?\"'()"

#: Fields whose claims may tell what is only planned; and what is asked for or offered, where somebody has agreed to it.
_MAY_PLAN = frozenset(("decisions", "open_items", "current_plan", "current_task"))
_MAY_LEAVE_OPEN = frozenset(("open_items",))
_INTENT = _MAY_PLAN

DENIED = "says the opposite of an event that it cites: a denial or an outcome is turned round"
OTHER_UNIT = "gives a number another unit than the events that it cites"
OTHER_VALUE = "gives a number or a name to something else than the events that it cites"
EXCHANGED = "exchanges what stands before and behind a word like from, to, before or than in an event that it cites"
TOOL_ORDER = "takes an order out of a tool's output; quote that whole in tool_outcomes, as data"
NOT_TOLD = (
    "tells as done, so or decided what the events that it cites only plan, ask, offer or suppose; say that, or cite the event that tells it"
)


@dataclass(slots=True)
class Spoken:
    """An event, read."""

    said: Said
    sentences: list[Sentence]
    by_word: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @staticmethod
    def read(said: Said) -> "Spoken":
        """Read an event once, for all claims that cite it."""
        spoken = Spoken(said, list(sentences(said.text)))
        for place, sentence in enumerate(spoken.sentences):
            if said.is_owner and _is_ordered(sentence):
                for one in (sentence.whole, *sentence.clauses):
                    one.mood |= Mood.ORDERED
            for word in sentence.whole.words | sentence.whole.values.keys():
                spoken.by_word[word].append(place)
        return spoken

    def about(self, clause: Clause) -> Iterator[Sentence]:
        """Yield sentences that may be about the same, those with its rarest words."""
        found: dict[int, None] = {}
        lists = (self.by_word[word] for word in (*clause.words, *clause.values) if word in self.by_word)
        for places in sorted(lists, key=len):
            found.update(dict.fromkeys(places[-_LOOKED_AT_MAX:]))
            if len(found) >= _LOOKED_AT_MAX:
                break
        return map(self.sentences.__getitem__, found)


def contradiction(text: str, name: str, cited: Sequence[Spoken]) -> str | None:
    """What a claim in the field of this name says otherwise than the events that it cites; None where nothing does."""
    for claim in sentences(text):
        for clause in claim.clauses:
            if _has_other_unit(clause, cited):
                return OTHER_UNIT
            near = [(one, spoken) for spoken in cited for one in spoken.about(clause)]
            if near and (reason := _fault(claim, clause, near, name)):
                return reason
        near = [(one, spoken) for spoken in cited for one in spoken.about(claim.whole)]
        if _is_exchanged(claim.whole, [sentence.whole for sentence, _ in near]):
            return EXCHANGED
    return None


def _fault(claim: Sentence, clause: Clause, near: Sequence[tuple[Sentence, Spoken]], name: str) -> str | None:
    if _is_given_by_tool(claim, clause, near, name):
        return TOOL_ORDER
    statements = [one for sentence, _ in near for one in sentence.clauses]
    if _is_denied(clause, near):
        return DENIED
    if _has_other_value(clause, near, statements) or _has_other_name(clause, statements):
        return OTHER_VALUE
    if _is_not_told(claim, clause, near, name):
        return NOT_TOLD
    return None


def _is_given_by_tool(claim: Sentence, clause: Clause, near: Sequence[tuple[Sentence, Spoken]], name: str) -> bool:
    """Whether a claim is a part of what a tool's output orders, and somebody's plan or no statement of its own."""
    against = for_it = 0.0
    for sentence, spoken in near:
        score = _nearness(clause, sentence.whole)
        if spoken.said.spoken or not is_directive(sentence.text):
            for_it = max(for_it, score)
        elif name in _INTENT or plain(claim.text) in spoken.said.whole:
            against = max(against, score)
    return against >= NEAR_MIN and for_it < against


def _weight(words: Iterable[str], clause: Clause) -> int:
    return sum(_VALUE_WEIGHT if word in clause.values else 1 for word in words)


def _nearness(clause: Clause, other: Clause, left_out: str = "") -> float:
    """Share of what a statement is about that another speaks of, too."""
    about = (clause.words | clause.values.keys()) - {left_out}
    if not about:
        return 0.0
    shared = about & (other.words | other.values.keys())
    if len(shared) < 2 and len(about) > 1 and not shared & clause.values.keys():
        return 0.0
    return _weight(shared, clause) / _weight(about, clause)


def _agrees(clause: Clause, other: Clause) -> bool:
    """Whether nothing that one tells is denied by the other."""
    scales = clause.signs.keys() & other.signs.keys()
    if scales:
        # How it went is told by both: that is what is denied, if anything is.
        return all(clause.signs[scale] & other.signs[scale] for scale in scales)
    shared = (clause.words | clause.values.keys()) & (other.words | other.values.keys())
    denied, denied_there = clause.denied & shared, other.denied & shared
    if bool(denied) == bool(denied_there):
        return True
    # A denial is about one word, and says nothing of what it is not about.
    heads = clause.heads or other.heads
    return bool(heads) and not heads & shared


def _is_denied(clause: Clause, near: Sequence[tuple[Sentence, Spoken]]) -> bool:
    against = for_it = 0.0
    for sentence, _ in near:
        for one in sentence.clauses:
            score = _nearness(clause, one)
            if _agrees(clause, one):
                for_it = max(for_it, score)
            else:
                against = max(against, score)
        whole = sentence.whole
        if len(sentence.clauses) > 1 and all(len(ends) == 1 for ends in whole.signs.values()):
            score = _nearness(clause, whole)
            if not clause.denied and not whole.denied and _agrees(clause, whole):
                for_it = max(for_it, score)
            elif clause.signs and not _agrees(clause, whole) and not whole.denied:
                against = max(against, score)
    return against >= NEAR_MIN and for_it < against


def _has_other_unit(clause: Clause, cited: Sequence[Spoken]) -> bool:
    for value, unit in clause.units.items():
        found = {
            one.units.get(value, "")
            for spoken in cited
            for place in spoken.by_word.get(value, ())[-_LOOKED_AT_MAX:]
            for one in spoken.sentences[place].clauses
            if value in one.values
        }
        if found and unit not in found and "" not in found:
            return True
    return False


def _has_other_value(clause: Clause, near: Sequence[tuple[Sentence, Spoken]], statements: Sequence[Clause]) -> bool:
    levels = (*statements, *(sentence.whole for sentence, _ in near))
    for value, beside in clause.values.items():
        against = max((_nearness(clause, one, value) for one in levels if _holds_other(clause, one, value)), default=0.0)
        if against < NEAR_MIN:
            continue
        for_it = max((_nearness(clause, one, value) for one in statements if value in one.values), default=0.0)
        apart = (
            _nearness(clause, sentence.whole, value)
            for sentence, _ in near
            if value in sentence.whole.values and not sentence.whole.values[value] & beside
        )
        if max(for_it, *apart, 0.0) < against:
            return True
    return False


def _holds_other(clause: Clause, other: Clause, value: str) -> bool:
    """Whether another value stands beside the same word there, and this one nowhere."""
    if value in other.values:
        return False
    beside = clause.values[value]
    return any(
        there & beside and one not in clause.values and one[0].isdigit() == value[0].isdigit()
        for one, there in other.values.items()
    )


def _has_other_name(clause: Clause, statements: Sequence[Clause]) -> bool:
    for name in clause.names:
        against = for_it = 0.0
        for one in statements:
            if name in one.words:
                for_it = max(for_it, _nearness(clause, one, name))
            elif one.names - clause.words:
                against = max(against, _nearness(clause, one, name))
        known = any(name in one.names for one in statements)
        if known and against >= _SAME_MIN and for_it < against:
            return True
    return False


def _is_not_told(claim: Sentence, clause: Clause, near: Sequence[tuple[Sentence, Spoken]], name: str) -> bool:
    if claim.whole.mood or not OPEN_WORDS.isdisjoint(word.strip(_ENDS) for word in claim.text.lower().split()):
        return False
    if name in _MAY_LEAVE_OPEN:
        return False
    agreed = any(spoken.said.is_owner and is_assent(_bare_words(spoken.said.spoken)) for _, spoken in near)
    against = for_it = 0.0
    for sentence, spoken in near:
        for one in sentence.clauses:
            score = _nearness(clause, one)
            mood = one.mood
            if name in _MAY_PLAN:
                mood &= ~(Mood.PLANNED | Mood.ORDERED)
                if agreed or (spoken.said.is_owner and name != "decisions"):
                    mood = Mood.TOLD
            if mood:
                against = max(against, score)
            else:
                for_it = max(for_it, score)
    return against >= NEAR_MIN and for_it < against


def _bare_words(text: str) -> list[str]:
    return [word.strip(_ENDS) for word in text.lower().split()]


def _is_ordered(sentence: Sentence) -> bool:
    """Whether somebody is told to do something: it begins with a verb of what is done, and no other says how things are."""
    told = [word for word in _bare_words(sentence.text) if word]
    begin = next((word for word in told if word not in POLITE), "")
    return (is_verb(begin) or bool(told and told[0] in POLITE)) and VERBS.isdisjoint(told)


def _is_exchanged(claim: Clause, near: Sequence[Clause]) -> bool:
    against = for_it = 0.0
    for other in near:
        score = _nearness(claim, other)
        if score < NEAR_MIN:
            continue
        turned = straight = False
        for relation in claim.relations:
            for there in other.relations:
                turned |= _is_turned(relation, there)
                straight |= _is_straight(relation, there)
        turned |= _is_role_turned(claim, other)
        if straight and not turned:
            for_it = max(for_it, score)
        if turned:
            against = max(against, score)
    return against >= NEAR_MIN and for_it < against


def _is_turned(relation: Relation, there: Relation) -> bool:
    if OPPOSITE.get(relation.name) == there.name and relation.name in ("earlier", "later"):
        return _are_same(relation, there)
    if relation.name != there.name:
        return False
    # "Later than" turned round is "earlier than".
    same = relation.word not in _THAN or relation.compared == there.compared
    return same and _are_crossed(relation, there)


def _is_straight(relation: Relation, there: Relation) -> bool:
    if OPPOSITE.get(relation.name) == there.name:
        return _are_crossed(relation, there)
    return relation.name == there.name and _are_same(relation, there)


def _are_crossed(one: Relation, other: Relation) -> bool:
    behind = (one.behind & other.before) - other.behind - one.before
    before = (one.before & other.behind) - other.before - one.behind
    return bool(behind and before)


def _are_same(one: Relation, other: Relation) -> bool:
    behind = (one.behind & other.behind) - one.before - other.before
    before = (one.before & other.before) - one.behind - other.behind
    return bool(behind and before)


def _is_role_turned(claim: Clause, other: Clause) -> bool:
    """Whether what one says goes from here to there goes from there to here in the other."""
    for one, opposite in (("origin", "target"), ("of", "target")):
        origin, target = _behind(claim, one), _behind(claim, opposite)
        there_origin, there_target = _behind(other, one), _behind(other, opposite)
        if (origin & there_target) - there_origin and (target & there_origin) - there_target:
            return True
    return False


def _behind(clause: Clause, name: str) -> set[str]:
    return {word for relation in clause.relations if relation.name == name for word in relation.behind}
