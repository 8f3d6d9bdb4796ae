"""Which earlier statement a later one changes, by what both say: an integer for each pair, the higher the likelier.

Words that both share count by how rare they are, and so do runs of letters, so that forms of a word and parts of long
ones are met; two values of one kind, and how far back the other was said, count too.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import Final

from msgspec import Struct

from ops.training.features import tokens_of, word_of
from ops.training.scorer import CHANGES_FULL, Act, Scores, score, weights

#: Signs of a pair are at most this, so that weights can be compared.
FULL: Final = 1000
_FEW_TOKENS: Final = 7
_STEP_OF_CHANGES: Final = CHANGES_FULL // 10


class Content(Struct, frozen=True):
    """What a statement is about: words and runs of letters with how rare each is, and the numbers that it names."""

    words: dict[int, int]
    pieces: dict[int, int]
    words_sum: int
    pieces_square: int
    numbers: frozenset[str]
    tokens: int


@lru_cache(maxsize=4_096)
def content_of(text: str) -> Content:
    """What a statement is about."""
    tokens = tokens_of(text)
    rarity = weights().rarity
    words: dict[int, int] = {}
    pieces: dict[int, int] = {}
    for token in tokens:
        if token[0].isalpha():
            place, *runs = word_of(token).places
            words[place] = rarity[place]
            for run in runs:
                pieces[run] = rarity[run]
    square = sum(rare * rare for rare in pieces.values())
    numbers = frozenset(token for token in tokens if token.isdigit())
    return Content(words, pieces, sum(words.values()), square, numbers, len(tokens))


def signs_of(later: str, earlier: str, *, between: int) -> tuple[int, ...]:
    """The signs of a pair, each from 0 to `FULL`; `between` so many statements stand between the two."""
    new, old = content_of(later), content_of(earlier)
    said, before = score(later), score(earlier)
    shared = sum(rare for place, rare in new.words.items() if place in old.words)
    smaller, larger = sorted((new.words_sum, old.words_sum))
    crossed = sum(rare * rare for place, rare in new.pieces.items() if place in old.pieces)
    norm = isqrt(new.pieces_square * old.pieces_square)
    rarest = max((rare for place, rare in new.words.items() if place in old.words), default=0)
    few = new.tokens <= _FEW_TOKENS
    both = bool(new.numbers and old.numbers)
    return (
        FULL * shared // max(1, smaller),
        FULL * shared // max(1, new.words_sum),
        FULL * shared // max(1, larger),
        FULL * crossed // max(1, norm),
        FULL * rarest // 255,
        FULL if not between else 0,
        FULL // (1 + between),
        FULL if few else 0,
        FULL // (1 + between) if few else 0,
        FULL if both and new.numbers != old.numbers else 0,
        FULL if both and shared else 0,
        _level(said.changes),
        _level(said.changes) * shared // max(1, smaller),
        _level(said.changes) // (1 + between),
        FULL if said.act is Act.RELEASE else 0,
        _level(before.binds),
        FULL if _alike(said, before) else 0,
    )


def _level(sum_: int) -> int:
    """A sum of weights from 0 to `FULL`."""
    return max(0, min(FULL, FULL // 2 + sum_ * FULL // (2 * CHANGES_FULL)))


_KINDS = (Act.RULE, Act.LIMIT, Act.PREFERENCE, Act.FACT, Act.DEADLINE)


def _alike(said: Scores, before: Scores) -> bool:
    return said.best(*_KINDS) is before.best(*_KINDS)


def strength(later: str, earlier: str, *, between: int) -> int:
    """How likely a statement changes another."""
    learned = weights().header.links
    signs = signs_of(later, earlier, between=between)
    return learned.base + sum(weight * sign for weight, sign in zip(learned.signs, signs, strict=True)) // FULL


def changed_by(later: str, earlier: Sequence[str]) -> tuple[int, int]:
    """Which of these, the newest last, a statement changes most likely, and how likely; -1 where there are none."""
    best, place = 0, -1
    for between, text in enumerate(reversed(earlier)):
        strong = strength(later, text, between=between)
        if place < 0 or strong > best:
            best, place = strong, len(earlier) - 1 - between
    return place, best


def share_of(text: str, about: str) -> int:
    """How much of what one text is about another speaks of, from 0 to `FULL`."""
    said, meant = content_of(text), content_of(about)
    words = sum(rare for place, rare in meant.words.items() if place in said.words)
    if meant.words_sum:
        return FULL * words // meant.words_sum
    return 0
