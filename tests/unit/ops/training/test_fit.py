"""Training gives the same weights every time, and the scorer adds up what training did."""

from pathlib import Path

import numpy as np
import pytest

from ops.corpora.reader import PLAIN, corpus
from ops.training import fit
from ops.training.__main__ import write
from ops.training.examples import examples
from ops.training.features import PLACES, asked_sign
from ops.training.scorer import ACTS_BEGIN, BINDS, CHANGES, LANES, Act, Weights

FEW = [*corpus(PLAIN)][:20]


def test_training_twice_gives_the_same_weights() -> None:
    learned = examples(FEW)

    first, second = (fit.learn(learned, heads=(BINDS, CHANGES)) for _ in range(2))

    assert np.array_equal(first.weights, second.weights)
    assert np.array_equal(first.bases, second.bases)
    assert first.weights.any()


def test_what_training_adds_up_the_scorer_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both see the same features: the weights in the file, by the matrix of training, give what the scorer says."""
    file = tmp_path / "weights.bin"
    monkeypatch.setattr("ops.training.scorer.FILE", file)
    write(file, FEW)
    weights = Weights(file.read_bytes())
    learned = examples(FEW[:3])
    read = np.zeros((PLACES, LANES), dtype=np.int64)
    for place in np.unique(learned.features.indices):
        read[place] = [weights.weight(int(place), head) for head in range(LANES)]

    sums = fit.sums(fit.Table(read, np.array(weights.header.bases)), learned.features)

    for row, sentence in zip(sums, learned.sentences, strict=True):
        before = sentence.before[-1].words if sentence.before else ""
        said = weights.scores(sentence.words, sentence.speaker, asked_sign(before))
        assert list(row) == [said.binds, said.changes, *said.acts]
    assert sums.shape[1] == ACTS_BEGIN + len(Act)
    assert len({weights.scores(one.words, "user", "").binds for one in learned.sentences}) > 1
