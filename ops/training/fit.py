"""Learns the weights of the scorers, in whole numbers.

Each head is a logistic regression over the features of a sentence, learned by coordinate descent in one thread: the
same corpus gives the same bytes. The rows are few and the columns many, so all that is rounded away is noise.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from zlib import compress

import msgspec
import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from ops.corpora.reader import FOLDER, PLAIN
from ops.training.examples import Examples
from ops.training.features import BUCKETS, PLACES, tokens_of, word_of
from ops.training.scorer import ACTS_BEGIN, BINDS, CHANGES, LANES, ZERO, Act, Header, LinkWeights

SEED: Final = 7
#: How much a word counts, and what stands beside each other, and a sign: chosen on what is not set aside.
SCALES: Final = ((0, BUCKETS, 1.0), (BUCKETS, 2 * BUCKETS, 3.0), (2 * BUCKETS, PLACES, 5.0))
STRENGTH: Final = 0.03
TOLERANCE: Final = 0.02
ROUNDS_MAX: Final = 200
#: Steps of a weight of one.
STEPS: Final = 1_000
RARITY_STEP: Final = 24
#: All that decides what is learned, beside the corpus.
SOURCES: Final = (
    "ops/training/features.py",
    "ops/training/scorer.py",
    "ops/training/links.py",
    "ops/training/examples.py",
    "ops/training/fit.py",
    "ops/training/link_pairs.py",
)
ROOT: Final = Path(__file__).resolve().parents[2]


class Table(NamedTuple):
    """What the heads have learned: weights by place and head, and what each adds to every sum."""

    weights: np.ndarray
    bases: np.ndarray


def scaled(features: csr_matrix) -> csr_matrix:
    """Features as they count."""
    scales = np.ones(PLACES)
    for begin, end, scale in SCALES:
        scales[begin:end] = scale
    return csr_matrix(features @ diags(scales))


def learn(learned: Examples, rows: np.ndarray | None = None, heads: Sequence[int] = range(LANES)) -> Table:
    """Learn the heads from these rows, all of them where none are named."""
    rows = np.arange(len(learned.sentences)) if rows is None else rows
    features = scaled(learned.features[rows])
    weights, bases = np.zeros((PLACES, LANES)), np.zeros(LANES)
    scales = np.ones(PLACES)
    for begin, end, scale in SCALES:
        scales[begin:end] = scale
    for head in heads:
        wanted = target(learned, head)[rows]
        if wanted.all() or not wanted.any():
            continue
        model = LogisticRegression(
            C=STRENGTH,
            class_weight="balanced",
            solver="liblinear",
            dual=True,
            tol=TOLERANCE,
            max_iter=ROUNDS_MAX,
            intercept_scaling=10,
            random_state=SEED,
        ).fit(features, wanted)
        weights[:, head], bases[head] = model.coef_[0] * scales, model.intercept_[0]
    return Table(
        np.clip(np.rint(weights * STEPS), 1 - ZERO, ZERO - 1).astype(np.int32), np.rint(bases * STEPS).astype(np.int32)
    )


def target(learned: Examples, head: int) -> np.ndarray:
    """What a head ought to say of each sentence."""
    if head == BINDS:
        return learned.binds
    return learned.changes if head == CHANGES else learned.acts == Act(head - ACTS_BEGIN)


def sums(table: Table, features: csr_matrix) -> np.ndarray:
    """What the heads say of sentences, as the scorer adds it up."""
    return np.asarray(features @ table.weights + table.bases).astype(np.int64)


def rarity(words: Iterable[str]) -> bytes:
    """How rare the pieces at each place are, in statements of the corpus; the rarer the higher."""
    counts: Counter[int] = Counter()
    total = 0
    for text in words:
        total += 1
        counts.update({place for token in set(tokens_of(text)) for place in word_of(token).places})
    levels = np.full(BUCKETS, np.log2(total + 1))
    for place, count in counts.items():
        levels[place] = np.log2((total + 1) / (count + 0.5))
    return bytes(np.clip(np.rint(levels * RARITY_STEP), 0, 255).astype(np.uint8))


def corpus_files() -> tuple[str, ...]:
    """The files of the corpus, by their paths from the root."""
    files = [*sorted(FOLDER.glob("*/*.txt")), *sorted(PLAIN.glob("*/*.txt"))]
    return tuple(file.relative_to(ROOT).as_posix() for file in files)


def version(files: Iterable[str]) -> str:
    """Of these files and of how is learned from them: other weights have another."""
    digest = hashlib.sha256()
    for name in (*files, *SOURCES):
        digest.update(name.encode())
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()[:16]


def packed(table: Table, rarities: bytes, header: Header) -> bytes:
    """The file of weights."""
    head = msgspec.json.encode(header)
    raw = bytes((table.weights + ZERO).astype("<u2").tobytes())
    return len(head).to_bytes(4, "little") + head + compress(raw + rarities, 9)


def header_of(table: Table, links: LinkWeights, thresholds: dict[str, int]) -> Header:
    """What stands before a table."""
    files = corpus_files()
    return Header(
        version=version(files), files=files, bases=tuple(int(base) for base in table.bases), links=links, **thresholds
    )
