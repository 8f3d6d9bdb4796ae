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

from tailrace.agents.language.claim_words import REFERRING
from tailrace.agents.language.cues import is_verb
from tailrace.agents.language.lexicon import VERBS
from tailrace.agents.ledger.assent import is_assent
from tailrace.agents.ledger.form_words import POLITE
from tailrace.agents.summary.model.span_text import EventText
from tailrace.agents.summary.verify.claim_tokens import keys_of, stem, units_beside
from tailrace.agents.summary.verify.clause_reader import sentence_of
from tailrace.agents.summary.verify.clauses import ORDERED, Clause, ClauseSentence, sentences_of
from tailrace.agents.summary.verify.verb_forms import verb_forms

#: A number or an identifier tells more than a word.
_VALUE_WEIGHT = 2
#: Sentences of an event that a statement is held against; and those, the newest, that each of its words is looked up in.
_READ_MAX, _LOOKED_THROUGH_MAX = 6, 256
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*[\u2192:|-]", re.MULTILINE)
_CODE = re.compile(r"[(){}=;<>\[\]+|]")
_WORD = re.compile(r"[^\W\d_]{2,}")
#: Words in names and arguments of calls, and in what is written in one for a machine.
_PARTS = re.compile(r"[^\W_]+")
_CHANGE = re.compile(r"^commit [0-9a-f]{7,40}\b", re.MULTILINE)
_TITLE_INDENT = "    "
_BULLET = re.compile(r"\s*(?:[-*+\u2022]|\d+[.)])\s+(?!(?i:please|kindly|you)\b)")
_ENDS = ".,:;!?\"'()"


@dataclass(frozen=True)
class Spoken:
    """An event, cut into sentences. They are read when a claim is about them, and once for all claims."""

    said: EventText
    _read: dict[int, ClauseSentence] = field(default_factory=dict)

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
    def stems(self) -> frozenset[str]:
        """What all of its words share with other forms of them, those of calls too."""
        return frozenset(map(stem, set(_WORD.findall(f"{self.said.text}\n{self.said.called}".lower()))))

    @cached_property
    def agrees(self) -> bool:
        """Whether somebody who may decide says yes, and nothing else."""
        return self.said.is_owner and is_assent(bare_words(self.said.spoken))

    @cached_property
    def lists_changes(self) -> bool:
        """Whether it is a history of changes, whose titles stand indented below the hash of each."""
        return _CHANGE.search(self.said.text) is not None

    @cached_property
    def called(self) -> frozenset[str]:
        """Words and values of what it calls."""
        return frozenset(key for word in _PARTS.findall(self.said.called) for key in keys_of(word))

    def about(self, clause: Clause) -> list[ClauseSentence]:
        """Sentences that are most about the same."""
        times: Counter[int] = Counter()
        for word in (*clause.words, *clause.values):
            times.update(self.places(word))
        # One of two words may be another name or number; the rest of what is said must be there.
        least = max(1, (len(clause.words) + len(clause.values)) // 2)
        ranked = sorted([(many, place) for place, many in times.items() if many >= least], reverse=True)
        return [self._sentence(place) for _, place in ranked[:_READ_MAX]]

    def places(self, key: str) -> list[int]:
        """The newest sentences that hold a word or a value."""
        return self._places.get(key, [])[-_LOOKED_THROUGH_MAX:]

    @cached_property
    def runs(self) -> list[int]:
        """For each sentence, the run that it belongs to: what points back goes on with what was said before it."""
        runs: list[int] = []
        for text in self.texts:
            goes_on = bool(runs) and not REFERRING.isdisjoint(bare_words(text))
            runs.append(runs[-1] if goes_on else len(runs))
        return runs

    def saying(self, word: str) -> list[ClauseSentence]:
        """The newest sentences that hold a word, as many as are read for a statement."""
        return [self._sentence(place) for place in self.places(word)[-_READ_MAX:]]

    def telling(self, word: str) -> list[Clause]:
        """The clauses of these that hold it."""
        return [one for sentence in self.saying(word) for one in sentence.clauses if word in one.words]

    def units(self, value: str) -> set[str]:
        """The units that a number has here; an empty one where it has none."""
        return {unit for place in self.places(value) for unit in units_beside(value, self.texts[place])}

    def _sentence(self, place: int) -> ClauseSentence:
        if place not in self._read:
            sentence = sentence_of(self.texts[place])
            if self.said.is_owner and _is_ordered(sentence):
                for one in (sentence.whole, *sentence.clauses):
                    one.mood |= ORDERED
            self._read[place] = sentence
        return self._read[place]


class Near(NamedTuple):
    """A sentence of an event that is about the same as a statement of a claim, and how near it and its clauses are to that."""

    sentence: ClauseSentence
    spoken: Spoken
    score: float
    scores: list[float]

    @property
    def is_spoken(self) -> bool:
        """Whether somebody says it; otherwise it is what a tool gave."""
        return bool(self.spoken.said.spoken)

    @property
    def lists_changes(self) -> bool:
        """Whether it is a title in a list, as of changes: worded as an order, it may tell what was done."""
        text = self.sentence.text
        is_title = self.spoken.lists_changes and text.startswith(_TITLE_INDENT)
        return not self.is_spoken and (is_title or _BULLET.match(text) is not None)

    @property
    def orders(self) -> bool:
        """Whether it is an order in what a tool gave."""
        if self.is_spoken or self.lists_changes or _CODE.search(self.sentence.text):
            return False
        return bool(verb_forms(self.sentence.text).ordered)


def near_to(clause: Clause, cited: Sequence[Spoken]) -> Iterator[Near]:
    """Yield the sentences of events that are about the same as a statement."""
    for spoken in cited:
        for one in spoken.about(clause):
            if not one.clauses:
                continue  # a mark, or a letter that picks one of what was offered
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


def _is_ordered(sentence: ClauseSentence) -> bool:
    """Whether somebody is told to do something: it begins with a verb of what is done, and no other says how things are."""
    told = [word for word in bare_words(sentence.text) if word]
    begin = next((word for word in told if word not in POLITE), "")
    asked = is_verb(begin) or bool(told and told[0] in POLITE)
    return asked and VERBS.isdisjoint(told) and not _CODE.search(sentence.text)
