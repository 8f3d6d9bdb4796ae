"""Pairs of a statement and an earlier one of its scenario, and whether the later one changes the earlier."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from ops.corpora.reader import BINDING, CHANGING, Scenario, Sentence
from ops.training.examples import ALTERING
from ops.training.links import FULL, signs_of
from ops.training.scorer import LinkWeights

#: How hard a weight is held down, and steps of a weight of one.
STRENGTH = 1.0
STEPS = 200


class Later(NamedTuple):
    """A statement with all that was stated before it, the newest last; `target` is the place of what it changes."""

    scenario: Scenario
    sentence: Sentence
    earlier: tuple[str, ...]
    target: int


def later_statements(scenarios: Iterable[Scenario]) -> Iterator[Later]:
    """Statements of people that stand behind others of their scenario."""
    for scenario in scenarios:
        earlier: list[Sentence] = []
        for sentence in scenario.sentences:
            if sentence.speaker != "user" or sentence.label not in BINDING + CHANGING:
                continue
            names = [one.name for one in earlier]
            altered = sentence.target if sentence.effect in ALTERING else ""
            target = names.index(altered) if altered and altered in names else -1
            if earlier and (target >= 0 or not altered):
                yield Later(scenario, sentence, tuple(one.words for one in earlier), target)
            earlier.append(sentence)


def learn_links(pairs: Iterable[Later]) -> LinkWeights:
    """Learn how the signs of a pair count."""
    rows, wanted = [], []
    for later in pairs:
        count = len(later.earlier)
        for place, text in enumerate(later.earlier):
            rows.append(signs_of(later.sentence.words, text, between=count - 1 - place))
            wanted.append(place == later.target)
    model = LogisticRegression(C=STRENGTH, max_iter=500).fit(np.array(rows) / FULL, wanted)
    return LinkWeights(
        tuple(int(weight) for weight in np.rint(model.coef_[0] * STEPS)), int(np.rint(model.intercept_[0] * STEPS))
    )
