"""What a claim says otherwise than the events that it cites, though it may be made of their own words.

Each statement of a claim is held against those of the events that are about the same things. It is refused where one of them says
the opposite, another number, the two things exchanged, or only plans, asks or supposes it, and none that is as near says the same.
What no event speaks of in nearly the same words is not judged here: nothing tells a summary in other words from an invention.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tailrace.agents.claim_tokens import keys_of, stem, units_beside
from tailrace.agents.claim_words import OPEN_WORDS, OPPOSITE
from tailrace.agents.clauses import ASKED, ORDERED, PLANNED, Clause, Relation, Sentence, sentence_of, sentences_of
from tailrace.agents.cues import is_verb
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.ledger.lexicon import VERBS
from tailrace.agents.rule_words import is_directive
from tailrace.agents.span_text import Said, plain

#: Share of a statement that another must hold to be about the same.
NEAR_MIN = 0.66
#: The same where both say how something went.
OUTCOME_NEAR_MIN = 0.6
#: And where one of them is denied: there are many ways to deny without a word that does.
DENIED_NEAR_MIN = 0.7
#: A number or an identifier tells more than a word.
_VALUE_WEIGHT = 2
#: Sentences of an event that a statement is held against; and those, the newest, that each of its words is looked up in.
_READ_MAX, _LOOKED_THROUGH_MAX = 6, 256
#: Where only the places of words tell who is who, nearly all else has to be the same; where a name stands for another, all.
_SAME_MIN, _ALL = 0.85, 1.0
#: A statement of less than this is judged only where it is all that a claim says.
_WEIGHT_MIN = 3
#: And a part of a claim is held against statements that are as short.
_PART_WORDS_MAX = 4
#: A number that stands in a statement that is so near belongs there.
_BELONGS_MIN = 0.7
#: A little nearer than near.
_A_LITTLE = 0.04
_FEW = frozenset(("0", "1"))
_ORIGINS = ("origin", "of")
_PLACING = frozenset(("earlier", "later", "left"))
_PAIRED = _PLACING | {"measure"}
#: How things are told that are so or were done.
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|done|\w{3,}ed|ist|sind|war|waren|wurden?|hat|haben|est|sont|ont|été|fue|fueron|está|han?|"
    r"sido|è|sono|stat[oaie]|foi|foram|werden?|heeft|zijn|został[aoy]?|был[аио]?)\b",
    re.IGNORECASE,
)
_THAN = frozenset(("than", "als", "que", "niż", "чем", "än"))
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*[\u2192:|-]", re.MULTILINE)
_CODE = re.compile(r"[(){}=;<>]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ENDS = ".,:;!?\"'()"

#: Fields whose claims may tell what is only planned; and what is asked for or offered, where somebody has agreed to it.
_MAY_PLAN = frozenset(("decisions", "open_items", "current_plan", "current_task"))
_MAY_LEAVE_OPEN = frozenset(("open_items",))

DENIED = "says the opposite of an event that it cites: a denial or an outcome is turned round"
OTHER_UNIT = "gives a number another unit than the events that it cites"
OTHER_VALUE = "gives a number or a name to something else than the events that it cites"
EXCHANGED = "exchanges what stands before and behind a word like from, to, before or than in an event that it cites"
TOOL_ORDER = "takes an order out of a tool's output; quote that whole in tool_outcomes, as data"
NOT_TOLD = "tells as done, so or decided what the events that it cites only plan, ask, offer or suppose; say that, or cite the event that tells it"


@dataclass(frozen=True)
class Spoken:
    """An event, cut into sentences. They are read when a claim is about them, and once for all claims."""

    said: Said
    _read: dict[int, Sentence] = field(default_factory=dict)

    @cached_property
    def texts(self) -> list[str]:
        """Its sentences, without the numbers that tools put before lines."""
        return sentences_of(self.said.text if self.said.spoken else _LINE_NUMBER.sub("", self.said.text))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """For each word and value, the sentences that hold it."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, text in enumerate(self.texts):
            for key in keys_of(text):
                places[key].append(place)
        return places

    @cached_property
    def small(self) -> frozenset[str]:
        """Words that are written without a capital somewhere: they are nobody's name."""
        return frozenset(stem(word) for word in set(_WORD.findall(self.said.text)) if word.islower())

    @cached_property
    def agrees(self) -> bool:
        """Whether somebody who may decide says yes, and nothing else."""
        return self.said.is_owner and is_assent(_bare_words(self.said.spoken))

    def about(self, clause: Clause) -> list[Sentence]:
        """Sentences that are most about the same."""
        times: Counter[int] = Counter()
        for word in (*clause.words, *clause.values):
            times.update(self._places.get(word, ())[-_LOOKED_THROUGH_MAX:])
        # One of two words may be another name or number; the rest of what is said must be there.
        least = max(1, (len(clause.words) + len(clause.values)) // 2)
        ranked = sorted([(many, place) for place, many in times.items() if many >= least], reverse=True)
        return [self._sentence(place) for _, place in ranked[:_READ_MAX]]

    def units(self, value: str) -> set[str]:
        """The units that a number has here; an empty one where it has none."""
        places = self._places.get(value, ())[-_LOOKED_THROUGH_MAX:]
        return {unit for place in places for unit in units_beside(value, self.texts[place])}

    def _sentence(self, place: int) -> Sentence:
        if place not in self._read:
            sentence = sentence_of(self.texts[place])
            if self.said.is_owner and _is_ordered(sentence):
                for one in (sentence.whole, *sentence.clauses):
                    one.mood |= ORDERED
            self._read[place] = sentence
        return self._read[place]


class Near(NamedTuple):
    """A sentence of an event that is about the same as a statement of a claim, and how near it and its clauses are to that."""

    sentence: Sentence
    spoken: Spoken
    score: float
    scores: list[float]

    @property
    def is_spoken(self) -> bool:
        """Whether somebody says it; otherwise it is what a tool gave."""
        return bool(self.spoken.said.spoken)


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
            part = len(claim.clauses) > 1 and _weight(clause.about, clause) < _WEIGHT_MIN
            near = list(_near(clause, cited))
            told = Told(claim, clause, name, is_part=part, agreed=agreed, acted=acted)
            for is_wrong, reason in _CHECKS:
                if is_wrong(told, near):
                    return reason
        if not claim.relations and len(claim.whole.names | claim.whole.values.keys()) < 2:
            continue
        if len(claim.clauses) > 1:
            near = list(_near(claim.whole, cited))
        if _is_exchanged(claim, near):
            return EXCHANGED
    return None


def _near(clause: Clause, cited: Sequence[Spoken]) -> Iterator[Near]:
    for spoken in cited:
        for one in spoken.about(clause):
            scores = [_nearness(clause, other) for other in one.clauses]
            whole = _nearness(clause, one.whole) if len(scores) > 1 else scores[0]
            yield Near(one, spoken, whole, scores)


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


def _weight(words: set[str], clause: Clause) -> int:
    return len(words) + (_VALUE_WEIGHT - 1) * len(words & clause.values.keys())


def _nearness(clause: Clause, other: Clause, left_out: str = "") -> float:
    """Share of what a statement is about that another speaks of, too."""
    about = clause.about - {left_out} if left_out else clause.about
    shared = about & other.about
    if not shared or (len(shared) < 2 and len(about) > 1 and not shared & clause.values.keys()):
        return 0.0
    return _weight(shared, clause) / _weight(about, clause)


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
        against = max(
            (_nearness(clause, one, value) for one in levels if _holds_other(clause, one, value)), default=0.0
        )
        if against < NEAR_MIN:
            continue
        for_it = max((_nearness(clause, one, value) for one in statements if value in one.values), default=0.0)
        apart = (
            _nearness(clause, one.sentence.whole, value)
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
                for_it = max(for_it, _nearness(clause, one, name))
            elif one.names - clause.words - by.small:
                rest = clause.about - {name}
                against = max(against, _nearness(clause, one, name) if len(rest) > 1 else 0.0)
        if against >= _ALL and for_it < against:
            return True
    return False


def _is_not_told(told: Told, near: Sequence[Near]) -> bool:
    # Whoever cites what was called and what that gave cites what was done: its words are those of the tool.
    if told.name in _MAY_LEAVE_OPEN or told.sentence.whole.mood or told.acted or told.is_part:
        return False
    if not OPEN_WORDS.isdisjoint(_bare_words(told.sentence.text)):
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


def _bare_words(text: str) -> list[str]:
    return [word.strip(_ENDS) for word in text.lower().split()]


def _is_ordered(sentence: Sentence) -> bool:
    """Whether somebody is told to do something: it begins with a verb of what is done, and no other says how things are."""
    told = [word for word in _bare_words(sentence.text) if word]
    begin = next((word for word in told if word not in POLITE), "")
    asked = is_verb(begin) or bool(told and told[0] in POLITE)
    return asked and VERBS.isdisjoint(told) and not _CODE.search(sentence.text)


def _is_exchanged(claim: Sentence, near: Sequence[Near]) -> bool:
    # A word that stands there twice does two things: "a call to this to do that".
    times = Counter(relation.word for relation in claim.relations)
    scored = [(one.score, one.sentence) for one in near if one.score >= NEAR_MIN]
    if not scored:
        return False
    for relation in claim.relations:
        least = NEAR_MIN if relation.name in _PLACING else _SAME_MIN
        if times[relation.word] > 1 and relation.name not in _PAIRED:
            continue
        against = for_it = 0.0
        for score, other in scored:
            turned = [_is_turned(relation, there) for there in other.relations]
            if any(
                _is_straight(relation, there) and not is_turned
                for there, is_turned in zip(other.relations, turned, strict=True)
            ):
                for_it = max(for_it, score)
            elif score >= least and any(turned):
                against = max(against, score)
        if against > for_it:
            return True
    if any(score >= _SAME_MIN and _are_names_turned(claim, other) for score, other in scored):
        return True
    against = max((score for score, other in scored if _is_role_turned(claim, other)), default=0.0)
    kept = (score for score, other in scored if _is_role_kept(claim, other) and not _is_role_turned(claim, other))
    return against > max(kept, default=0.0)


def _is_turned(relation: Relation, there: Relation) -> bool:
    if OPPOSITE.get(relation.name) == there.name and relation.name in ("earlier", "later"):
        return _are_same(relation, there)
    if relation.name != there.name:
        return False
    # "Later than" turned round is "earlier than", "twice" is "half".
    same = relation.word not in _THAN or relation.compared == there.compared
    same &= relation.name != "measure" or relation.word == there.word
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


def _are_names_turned(claim: Sentence, other: Sentence) -> bool:
    """Whether two names have changed their places on both sides of the same word, and nothing else tells who is who."""
    if {relation.name for relation in claim.relations} != {relation.name for relation in other.relations}:
        return False
    names = (claim.whole.names | claim.whole.values.keys()) & (other.whole.names | other.whole.values.keys())
    around, around_there = _around(claim, names), _around(other, names)
    return any(
        pair[::-1] == around_there.get(word) and pair[0] != pair[1] and "" not in pair for word, pair in around.items()
    )


def _around(sentence: Sentence, names: set[str]) -> dict[str, tuple[str, str]]:
    """For each word, the last name before it and the first behind it; empty where there is none."""
    order = sentence.order
    behind: list[str] = []
    following = ""
    for word in reversed(order):
        behind.append(following)
        following = word if word in names else following
    before = ""
    found: dict[str, tuple[str, str]] = {}
    for word, name in zip(order, reversed(behind), strict=True):
        if word in names:
            before = word
        else:
            found[word] = (before, name)
    return found


def _is_role_turned(claim: Sentence, other: Sentence) -> bool:
    """Whether what goes from here to there in one goes from there to here in the other."""
    for name in _ORIGINS:
        origin, there = _behind(claim, name), _behind(other, name)
        target, there_target = _behind(claim, "target"), _behind(other, "target")
        if (origin & there_target) - there and (target & there) - there_target:
            return True
    return False


def _is_role_kept(claim: Sentence, other: Sentence) -> bool:
    return any(_behind(claim, name) & _behind(other, name) for name in _ORIGINS) and bool(
        _behind(claim, "target") & _behind(other, "target")
    )


def _behind(sentence: Sentence, name: str) -> set[str]:
    return {word for relation in sentence.relations if relation.name == name for word in relation.behind}
