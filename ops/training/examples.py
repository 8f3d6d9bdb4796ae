"""Sentences of the corpus as a scorer is trained on them: their features, and what they ought to be taken for."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ops.corpora.reader import BINDING, CHANGING, LOOK_ALIKE, TALK, Scenario, Sentence
from ops.training.features import PLACES, asked_sign, joints, sign_places, tokens_of, word_of
from ops.training.scorer import Act

#: Effects of a sentence that leave an earlier one not as it was.
ALTERING: Final = frozenset(("replaces", "narrows", "widens", "lifts", "corrects"))

_ACTS: Final = {
    **dict.fromkeys(("rule", "prohibition", "condition"), Act.RULE),
    "limit": Act.LIMIT,
    "preference": Act.PREFERENCE,
    "fact": Act.FACT,
    "deadline": Act.DEADLINE,
    **dict.fromkeys(("change", "correction"), Act.CHANGE),
    "release": Act.RELEASE,
    "request": Act.REQUEST,
    "question": Act.QUESTION,
    "answer": Act.ANSWER,
    "agreement": Act.AGREEMENT,
    "refusal": Act.REFUSAL,
    "choice": Act.CHOICE,
    "promise": Act.PROMISE,
    "report": Act.REPORT,
    "decision": Act.DECISION,
    **dict.fromkeys(TALK, Act.TALK),
    **dict.fromkeys(LOOK_ALIKE, Act.ALIKE),
}


class Examples(NamedTuple):
    """Sentences with their features, in the order of the corpus."""

    scenarios: Sequence[Scenario]
    sentences: Sequence[Sentence]
    features: csr_matrix
    #: Numbers of the scenarios: none is torn apart where one part of the sentences judges what another has taught.
    groups: np.ndarray

    @property
    def binds(self) -> np.ndarray:
        """Which of them bind, and by a person."""
        return np.array([one.label in BINDING + CHANGING and one.speaker == "user" for one in self.sentences])

    @property
    def changes(self) -> np.ndarray:
        """Which of them change something that was said."""
        return np.array([one.label in CHANGING or one.effect in ALTERING for one in self.sentences])

    @property
    def acts(self) -> np.ndarray:
        """What each of them does."""
        return np.array([_ACTS[one.label] for one in self.sentences])

    def of(self, labels: Iterable[str]) -> np.ndarray:
        """Which of them are people's, and labelled so."""
        wanted = frozenset(labels)
        return np.array([one.label in wanted and one.speaker == "user" for one in self.sentences])


def examples(scenarios: Iterable[Scenario]) -> Examples:
    """Sentences of these scenarios."""
    held: list[tuple[Scenario, Sentence]] = [(one, sentence) for one in scenarios for sentence in one.sentences]
    rows = [features_of(sentence) for _, sentence in held]
    starts = np.cumsum([0, *map(len, rows)])
    places = np.concatenate([np.array(row) for row in rows])
    features = csr_matrix((np.ones(len(places)), places, starts), shape=(len(rows), PLACES))
    features.sum_duplicates()
    numbers = {id(one): number for number, one in enumerate({id(one): one for one, _ in held}.values())}
    return Examples(
        [one for one, _ in held],
        [sentence for _, sentence in held],
        features,
        np.array([numbers[id(one)] for one, _ in held]),
    )


def features_of(sentence: Sentence) -> list[int]:
    """Places of what a scorer sees of a sentence."""
    tokens = tokens_of(sentence.words)
    words = [word_of(token) for token in tokens]
    before = sentence.before[-1].words if sentence.before else ""
    signs = sign_places(sentence.words, len(tokens), speaker=sentence.speaker, asked=asked_sign(before))
    said = (place for token in frozenset(tokens) for place in word_of(token).places)
    return [*said, *frozenset(joints(words)), *signs]
