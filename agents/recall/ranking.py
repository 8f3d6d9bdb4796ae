"""The order of passages that hold terms of a query: which of them are read, and which are shown.

Passages are first weighed by which terms they hold, which needs no text. The best of these are read, and weighed by how
often they say what is rare in the query, how many names they hold and how recent they are. Names that the best of them
share are looked for too: who asks in other words gets what these words stand for. Then one passage after the other is
chosen, and what it holds is worth less in the next: five passages that say the same are no better than one.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from tailrace.agents.language.names import Names
from tailrace.agents.recall.terms import SearchTerm, words_of

#: How many passages are read for one search.
CANDIDATES_MAX = 150
#: How fast more of the same term stops counting, and how much that depends on the length: k1 and b of BM25.
SATURATION = 0.6
LENGTH_FRACTION = 0.3
#: What a term is still worth in a passage if a better one holds it too.
AGAIN_FRACTION = 0.6
#: How much of its score a passage loses if better ones hold all of its names too.
KNOWN_NAMES_FRACTION = 0.3
#: What the newest passage has before the oldest, and the one with most names before the one that has none.
RECENCY_FRACTION = 0.2
NAMES_FRACTION = 1.0
#: From how many of the best passages names are taken.
FEEDBACK_PASSAGES = 5
#: What it is worth that a passage holds the very characters of a query that is one name, by the worth of its best term.
LITERAL_FACTOR = 2.0

#: How little the first places count before the next, where two rankings are put together; 60 is customary.
FUSION_DAMPING = 60

Postings = Mapping[SearchTerm, Sequence[int]]
#: Something that a passage can hold: a term of the query, or a name of the best passages.
_Key = SearchTerm | str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPassage:
    """A passage that may be shown."""

    number: int
    text: str
    said_at_ms: int
    offset: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage that is shown."""

    number: int
    score: float


@dataclass(slots=True, eq=False)
class _Weighed:
    """A passage that was read, and what it holds."""

    candidate: RankedPassage
    names: frozenset[str]
    held: dict[_Key, float] = field(default_factory=dict)
    #: What its score is multiplied with, whatever the query.
    prior: float = 1.0

    @property
    def worth(self) -> float:
        """Worth of all that it holds."""
        return sum(self.held.values())


def term_weights(postings: Postings, passages: int, *, common_from: int) -> dict[SearchTerm, float]:
    """Return what it is worth that a passage holds a term: the rarer among all passages, the more.

    Terms with `common_from` postings may have more than were counted; they only count where there is nothing rarer.
    """
    counts = {term: len(numbers) for term, numbers in postings.items() if numbers}
    counted = {term: count for term, count in counts.items() if count < common_from} or counts
    return {term: _rarity(count, max(passages, count)) for term, count in counted.items()}


def best_candidates(postings: Postings, weights: Mapping[SearchTerm, float]) -> list[int]:
    """Return the passages that are worth reading, those that hold most first."""
    scores: dict[int, float] = {}
    for term, weight in weights.items():
        for number in postings[term]:
            scores[number] = scores.get(number, 0.0) + weight
    return sorted(scores, key=lambda number: (-scores[number], -number))[:CANDIDATES_MAX]


def rank(
    candidates: Iterable[RankedPassage],
    postings: Postings,
    weights: Mapping[SearchTerm, float],
    *,
    literal: str,
    limit: int,
) -> list[Ranked]:
    """Return the passages to show, the best first. `literal` is the query if it is one name, else empty."""
    # Of passages that say the same, the newest is as good as all.
    oldest_first = sorted(candidates, key=lambda candidate: (candidate.said_at_ms, candidate.offset, candidate.number))
    distinct = list({candidate.text: candidate for candidate in oldest_first}.values())
    names = Names()
    weighed = [
        _Weighed(candidate, frozenset(name for name in names.of(candidate.text) if name[0].isalnum()))
        for candidate in distinct
    ]
    _hold_terms(weighed, postings, weights)
    if literal:
        bonus = LITERAL_FACTOR * max(weights.values(), default=0.0)
        for passage in weighed:
            if literal in passage.candidate.text:
                passage.held[literal] = bonus
    else:
        _hold_shared_names(weighed, weights)
    _set_priors(weighed)
    return _choose(weighed, limit)


def _rarity(count: int, total: int) -> float:
    return math.log1p((total - count + 0.5) / (count + 0.5))


def _hold_terms(weighed: Sequence[_Weighed], postings: Postings, weights: Mapping[SearchTerm, float]) -> None:
    by_number = {passage.candidate.number: passage for passage in weighed}
    words = {number: words_of(passage.candidate.text) for number, passage in by_number.items()}
    texts = {number: f" {' '.join(passage_words)} " for number, passage_words in words.items()}
    usual = max(1.0, sum(map(len, words.values())) / max(1, len(words)))
    damping = {
        number: SATURATION * (1 - LENGTH_FRACTION + LENGTH_FRACTION * len(passage_words) / usual)
        for number, passage_words in words.items()
    }
    for term, weight in weights.items():
        phrase = f" {term.phrase} "
        for number in by_number.keys() & set(postings[term]):
            times = texts[number].count(phrase) or 1  # where the index found it in what the text hides
            by_number[number].held[term] = weight * times * (SATURATION + 1) / (times + damping[number])


def _hold_shared_names(weighed: Sequence[_Weighed], weights: Mapping[SearchTerm, float]) -> None:
    """Weigh names that the best passages have and others share as if the query had asked for them."""
    best = sorted(weighed, key=lambda passage: (-passage.worth, -passage.candidate.number))[:FEEDBACK_PASSAGES]
    in_best = Counter(name for passage in best for name in passage.names)
    in_all = Counter(name for passage in weighed for name in passage.names & in_best.keys())
    worth = {
        name: _rarity(in_all[name], len(weighed)) * times / FEEDBACK_PASSAGES
        for name, times in in_best.items()
        if in_all[name] > 1 and SearchTerm(tuple(words_of(name))) not in weights
    }
    for passage in weighed:
        passage.held.update((name, worth[name]) for name in sorted(passage.names & worth.keys()))


def _set_priors(weighed: Sequence[_Weighed]) -> None:
    """Set what the score of each is multiplied with; the oldest comes first."""
    counts = Counter(name for passage in weighed for name in passage.names)
    total = len(weighed)
    # Sorted, because the order of a set, and so the last digit of a sum, differs from process to process.
    riches = [sum(math.log1p(total / counts[name]) for name in sorted(passage.names)) for passage in weighed]
    usual = median(riches) if riches else 0.0
    for place, (passage, rich) in enumerate(zip(weighed, riches, strict=True)):
        recency = 1 + RECENCY_FRACTION * place / total
        passage.prior = recency * (1 + NAMES_FRACTION * rich / ((rich + usual) or 1.0))


def _choose(weighed: Sequence[_Weighed], limit: int) -> list[Ranked]:
    chosen: list[Ranked] = []
    waiting = list(weighed)
    times: Counter[_Key] = Counter()
    shown_names: set[str] = set()
    while waiting and len(chosen) < limit:
        scores = [_score(passage, times, shown_names) for passage in waiting]
        place = max(range(len(waiting)), key=lambda index: (scores[index], waiting[index].candidate.number))
        best = waiting.pop(place)
        chosen.append(Ranked(best.candidate.number, scores[place]))
        times.update(best.held.keys())
        shown_names |= best.names
    return chosen


def _score(passage: _Weighed, times: Mapping[_Key, int], shown_names: set[str]) -> float:
    worth = sum(value * AGAIN_FRACTION ** times[key] for key, value in passage.held.items())
    if passage.names and shown_names:
        worth *= 1 - KNOWN_NAMES_FRACTION * len(passage.names & shown_names) / len(passage.names)
    return worth * passage.prior


def fuse(rankings: Iterable[Sequence[int]], limit: int) -> list[Ranked]:
    """Return the best of several rankings of passages: reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for numbers in rankings:
        for place, number in enumerate(numbers, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (FUSION_DAMPING + place)
    best = sorted(scores, key=lambda number: (-scores[number], -number))[:limit]
    return [Ranked(number, scores[number]) for number in best]
