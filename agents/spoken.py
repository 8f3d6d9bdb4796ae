"""The events that claims cite, cut into sentences, and which of these are about the same as a statement of a claim.

Sentences are found by their words, and read only where a claim is about them: an output of a thousand lines costs no more than its
words. How near two statements are is the share of one that the other speaks of, too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tailrace.agents.claim_tokens import keys_of, stem, units_beside
from tailrace.agents.clause_reader import sentence_of
from tailrace.agents.clauses import ORDERED, Clause, Sentence, sentences_of
from tailrace.agents.cues import is_verb
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.ledger.lexicon import VERBS
from tailrace.agents.span_text import Said

#: A number or an identifier tells more than a word.
_VALUE_WEIGHT = 2
#: Sentences of an event that a statement is held against; and those, the newest, that each of its words is looked up in.
_READ_MAX, _LOOKED_THROUGH_MAX = 6, 256
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*[\u2192:|-]", re.MULTILINE)
_CODE = re.compile(r"[(){}=;<>]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ENDS = ".,:;!?\"'()"


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
        return self.said.is_owner and is_assent(bare_words(self.said.spoken))

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


def near_to(clause: Clause, cited: Sequence[Spoken]) -> Iterator[Near]:
    """Yield the sentences of events that are about the same as a statement."""
    for spoken in cited:
        for one in spoken.about(clause):
            scores = [nearness(clause, other) for other in one.clauses]
            whole = nearness(clause, one.whole) if len(scores) > 1 else scores[0]
            yield Near(one, spoken, whole, scores)


def weight_of(words: set[str], clause: Clause) -> int:
    """How much of a statement these words of it are."""
    return len(words) + (_VALUE_WEIGHT - 1) * len(words & clause.values.keys())


def nearness(clause: Clause, other: Clause, left_out: str = "") -> float:
    """Share of what a statement is about that another speaks of, too."""
    about = clause.about - {left_out} if left_out else clause.about
    shared = about & other.about
    if not shared or (len(shared) == 1 < len(about) and not shared & clause.values.keys()):
        return 0.0
    return weight_of(shared, clause) / weight_of(about, clause)


def bare_words(text: str) -> list[str]:
    """Words of a text in small letters, without the marks around them."""
    return [word.strip(_ENDS) for word in text.lower().split()]


def _is_ordered(sentence: Sentence) -> bool:
    """Whether somebody is told to do something: it begins with a verb of what is done, and no other says how things are."""
    told = [word for word in bare_words(sentence.text) if word]
    begin = next((word for word in told if word not in POLITE), "")
    asked = is_verb(begin) or bool(told and told[0] in POLITE)
    return asked and VERBS.isdisjoint(told) and not _CODE.search(sentence.text)
