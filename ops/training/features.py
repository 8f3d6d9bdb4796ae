"""What a scorer sees of a sentence: hashed pieces of words, words, what stands beside each other, and a few signs.

Nothing here knows a language. Words are taken apart into short runs of letters, so that forms of one word and words
with a slip of the finger share most of them; where words are not apart, each character is a word. A hash tells where
the weights of a piece stand, and is the same on every machine.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final
from zlib import crc32

from msgspec import Struct

#: Places in the table of weights: for pieces of words and words, as many for what stands beside each other, and signs.
BUCKETS: Final = 1 << 16
SIGNS: Final = 1 << 8
PLACES: Final = 2 * BUCKETS + SIGNS
#: What is longer is no word, and only its beginning is looked at.
WORD_CHARS_MAX: Final = 24
#: More of a sentence tells no more of it.
TOKENS_MAX: Final = 60
#: Lengths of the runs of letters.
RUNS: Final = (2, 3, 4, 5)

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
#: A character of a script without spaces, a word, a number, or a mark.
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W\d_{_UNSPACED}]+(?:'[^\W\d_]+)*|\d+|[^\w\s]")
_DIGITS_MAX = 5
_BEGINNING, _END = crc32(b"^"), b"$"
#: Keeps two words apart from three.
_TWO = 0x5BD1E995


class Word(Struct, frozen=True):
    """A word as it is looked up: the places of its pieces, and what those beside it go on from."""

    places: tuple[int, ...]
    key: bytes
    hash: int


def tokens_of(text: str) -> list[str]:
    """The words and marks of a text in small letters, as many as are looked at."""
    return _TOKEN.findall(text.lower().replace("\u2019", "'"))[:TOKENS_MAX]


@lru_cache(maxsize=20_000)
def word_of(token: str) -> Word:
    """A word with the places of its pieces. People use the same words again and again, hence remembered."""
    if token.isdigit():
        # How many digits tells more than which.
        token = "0" * min(len(token), _DIGITS_MAX)
    key = token[:WORD_CHARS_MAX].encode(errors="surrogatepass")
    places = [crc32(key) % BUCKETS]
    if len(token) > 1 and token[0].isalpha():
        framed = f"<{token[:WORD_CHARS_MAX]}>"
        for size in RUNS:
            ends = range(size, len(framed) + 1)
            places += [crc32(framed[end - size : end].encode(errors="surrogatepass"), size) % BUCKETS for end in ends]
    return Word(tuple(places), key, crc32(key))


def joints(words: Iterable[Word]) -> Iterator[int]:
    """The places of two and of three words beside each other, beginning and end included."""
    before = last = _BEGINNING
    for word in words:
        two = crc32(word.key, last ^ _TWO)
        yield BUCKETS + two % BUCKETS
        yield BUCKETS + crc32(word.key, before) % BUCKETS
        before, last = two, word.hash
    yield BUCKETS + crc32(_END, last ^ _TWO) % BUCKETS


def sign_places(text: str, tokens: int, *, speaker: str, asked: str = "") -> tuple[int, ...]:
    """The places of what is known of a sentence beside its words; `asked` is what was said before it, if it counts."""
    signs = (
        f"speaker {speaker}",
        f"length {tokens.bit_length()}",
        f"end {text[-1:] if not text[-1:].isalnum() else ''}",
        f"digits {any(map(str.isdigit, text))}",
        f"capital {text[:1].isupper()}",
        f"before {asked}",
    )
    return tuple(2 * BUCKETS + crc32(sign.encode(errors="surrogatepass")) % SIGNS for sign in signs)


def asked_sign(before: str) -> str:
    """What the words before a sentence are to it: nothing, something that was said, or a question."""
    before = before.rstrip()
    return "" if not before else "asks" if before.endswith(("?", "\uff1f", "\u061f")) else "says"
