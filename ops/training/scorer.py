"""What a sentence is and how binding, by sums of small integers: the same numbers on every machine.

A table holds, for each place of a feature, a weight for each head. `make train` learns it from the corpus; the ledger
does not use it yet, and the README of the corpora says how the two compare. All weights of a place stand in one
integer, a lane for each, so that one addition adds them all; what a word adds is remembered.
"""

from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Final
from zlib import decompress

from msgspec import Struct

from ops.training.features import PLACES, asked_sign, joints, sign_places, tokens_of, word_of
from tailrace.schemas.decoder import decoder

#: Written by `make train`; nothing that is kept.
FILE: Final = Path(__file__).resolve().parents[2] / "build" / "training" / "weights.bin"
#: Bytes of a lane: sums of a sentence's weights must not run over into the next.
_LANE_BYTES: Final = 3
#: Bytes of a weight in the table, and the one that is nothing.
WEIGHT_BYTES: Final = 2
ZERO: Final = 1 << 15


class Act(IntEnum):
    """What a sentence does; by its number, the head that scores it."""

    RULE = 0
    LIMIT = 1
    PREFERENCE = 2
    FACT = 3
    DEADLINE = 4
    CHANGE = 5
    RELEASE = 6
    REQUEST = 7
    QUESTION = 8
    ANSWER = 9
    AGREEMENT = 10
    REFUSAL = 11
    CHOICE = 12
    PROMISE = 13
    REPORT = 14
    DECISION = 15
    TALK = 16
    ALIKE = 17


#: A sum of weights that leaves no doubt.
CHANGES_FULL: Final = 1_000
#: Heads before those of the acts: whether a sentence binds, and whether it changes what was said before.
BINDS, CHANGES = 0, 1
ACTS_BEGIN: Final = 2
LANES: Final = ACTS_BEGIN + len(Act)
_ACTS: Final = tuple(Act)


class LinkWeights(Struct, frozen=True):
    """How the signs of two statements count for one of them changing the other (`links.py`)."""

    signs: tuple[int, ...]
    base: int


class Header(Struct, frozen=True):
    """What stands before the table."""

    #: Of the corpus and of how it was learned: other weights have another.
    version: str
    #: The files of the corpus that it was learned from.
    files: tuple[str, ...]
    #: What each head adds to every sum.
    bases: tuple[int, ...]
    #: From which score a sentence stands among what is in force, and from which it is kept as said.
    binds_min: int
    said_min: int
    changes_min: int
    links: LinkWeights
    link_min: int
    revoke_min: int


_header = decoder(Header)


class Scores(Struct, frozen=True):
    """What the heads say of a sentence."""

    #: How binding it is: in force from `Weights.header.binds_min` on.
    binds: int
    changes: int
    acts: tuple[int, ...]

    @property
    def act(self) -> Act:
        """What it does, most likely."""
        return _ACTS[max(range(len(self.acts)), key=self.acts.__getitem__)]

    def best(self, *acts: Act) -> Act:
        """Which of these it does, most likely."""
        return max(acts, key=self.acts.__getitem__)


class Weights:
    """The table of a file that `make train` has written."""

    def __init__(self, raw: bytes) -> None:
        """Read a file: the length of the header, the header, the table."""
        end = 4 + int.from_bytes(raw[:4], "little")
        self.header = _header(raw[4:end])
        unpacked = decompress(raw[end:])
        size = PLACES * LANES * WEIGHT_BYTES
        self._table, self.rarity = unpacked[:size], unpacked[size:]
        self._zero = int.from_bytes((ZERO.to_bytes(_LANE_BYTES, "little")) * LANES, "little")
        # No sum is below zero with this added.
        half = 1 << (8 * _LANE_BYTES - 1)
        biased = b"".join((half + base).to_bytes(_LANE_BYTES, "little") for base in self.header.bases)
        self._base = int.from_bytes(biased, "little")
        self._half = half
        self.at = lru_cache(maxsize=50_000)(self._at)
        self.of_word = lru_cache(maxsize=20_000)(self._of_word)
        self.scores = lru_cache(maxsize=8_192)(self._scores)

    def _at(self, place: int) -> int:
        """The weights of a place, a lane for each head."""
        spread = bytearray(_LANE_BYTES * LANES)
        begin = place * LANES * WEIGHT_BYTES
        weights = self._table[begin : begin + LANES * WEIGHT_BYTES]
        spread[::_LANE_BYTES], spread[1::_LANE_BYTES] = weights[::WEIGHT_BYTES], weights[1::WEIGHT_BYTES]
        return int.from_bytes(spread, "little") - self._zero

    def weight(self, place: int, head: int) -> int:
        """The weight of one place for one head."""
        begin = (place * LANES + head) * WEIGHT_BYTES
        return int.from_bytes(self._table[begin : begin + WEIGHT_BYTES], "little") - ZERO

    def _of_word(self, token: str) -> int:
        """What a word adds by itself."""
        return sum(map(self.at, word_of(token).places))

    def _scores(self, text: str, speaker: str, asked: str) -> Scores:
        tokens = tokens_of(text)
        # What is said again and again counts once.
        total = self._base + sum(map(self.of_word, frozenset(tokens)))
        total += sum(map(self.at, frozenset(joints(map(word_of, tokens)))))
        total += sum(map(self.at, sign_places(text, len(tokens), speaker=speaker, asked=asked)))
        lanes = total.to_bytes(_LANE_BYTES * LANES, "little")
        sums = [
            int.from_bytes(lanes[at : at + _LANE_BYTES], "little") - self._half
            for at in range(0, len(lanes), _LANE_BYTES)
        ]
        return Scores(sums[BINDS], sums[CHANGES], tuple(sums[ACTS_BEGIN:]))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that `make train` has written last."""
    return Weights(FILE.read_bytes())


def score(text: str, *, speaker: str = "user", before: str = "") -> Scores:
    """What a sentence is, by itself, or behind what was said `before`."""
    return weights().scores(text, speaker, asked_sign(before))
