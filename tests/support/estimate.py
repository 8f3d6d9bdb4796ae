"""Tokens of text for models whose vocabulary is not public: an estimate that errs on the high side.

Text becomes UTF-8, each character one letter that says its kind (the first byte of a character gives away its
script), and runs of a kind have a price. The prices are those of a large public vocabulary (o200k_base), read off
prose in a hundred languages, code, JSON and random strings, and rounded up; a margin is added on top. It costs no
vocabulary in memory, one pass in C, and can't fail: lone surrogates are just another character.
"""

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

#: Other vocabularies are smaller, or were made for other text: this much more than our prices say.
SAFETY_MARGIN = 1.1


class _Price(NamedTuple):
    """Tokens of a run of characters: `base` for the first `included` of them, `each` for the others."""

    base: float
    each: float
    included: int = 0


#: Kind, the bytes that characters of this kind begin with, the longest run that is priced at once, and its price.
_KINDS: tuple[tuple[str, bytes, int, _Price], ...] = (
    # A word that begins a token is mostly one token; names and foreign words break into pieces.
    ("l", bytes(range(0x61, 0x7B)) + bytes(range(0xC3, 0xCA)), 32, _Price(1, 0.18, 4)),
    # Whatever no other kind claims: punctuation and control characters.
    ("p", b"", 16, _Price(0.9, 0.55, 1)),
    ("U", bytes(range(0x41, 0x5B)), 32, _Price(1, 0.55, 1)),
    ("d", bytes(range(0x30, 0x3A)), 3, _Price(1, 0)),
    ("s", b" ", 64, _Price(1, 0)),
    ("t", b"\t\v\f", 16, _Price(1, 0)),
    ("n", b"\r\n", 16, _Price(1, 0)),
    # Greek, Cyrillic, Hebrew, Arabic and their neighbours.
    ("a", bytes(range(0xCD, 0xE0)), 32, _Price(0.6, 0.3)),
    # Indic scripts and Thai, then Georgian, Khmer and Vietnamese vowels: many code points for one letter.
    ("i", b"\xe0", 32, _Price(0, 0.5)),
    ("g", b"\xe1", 32, _Price(0, 0.6)),
    # Dashes, quotes, arrows and boxes.
    ("y", b"\xe2", 16, _Price(0, 1)),
    # Kana, ideographs, Hangul.
    ("k", b"\xe3", 16, _Price(0, 0.9)),
    ("z", bytes(range(0xE4, 0xEA)), 16, _Price(0, 1.05)),
    ("o", bytes(range(0xEA, 0xEE)), 16, _Price(0, 0.85)),
    # Private use: icons of terminal fonts, three tokens for three bytes.
    ("v", b"\xee", 16, _Price(0, 3)),
    ("x", b"\xca\xcb\xcc\xef", 16, _Price(0, 1)),
    ("e", bytes(range(0xF0, 0xF8)), 16, _Price(0, 2.2)),
)
_PRICES = {kind: price for kind, _, _, price in _KINDS}

#: Beyond this length a run of letters is no word: keys and hashes cost half a token for each letter.
_WORD_CHARS_MAX = 14
_LONG_WORD_EACH = 0.5
#: A letter with an accent breaks its word.
_ACCENT = 0.7
_NO_ACCENT = bytes(byte for byte in range(256) if not 0xC3 <= byte <= 0xC9)
#: A ruler of one character is cheap everywhere: sixteen of them count as one.
_RULERS = tuple((char * 16, char) for char in (b"-", b"=", b"#", b"*", b"_", b"~", b".", "─".encode()))

_CONTINUATION = bytes(range(0x80, 0xC0))


def _kind_of_byte() -> bytes:
    kinds = bytearray(b"p" * 256)
    for kind, first_bytes, _, _ in _KINDS:
        for byte in first_bytes:
            kinds[byte] = ord(kind)
    return bytes(kinds)


def _runs() -> re.Pattern[bytes]:
    runs = {kind: f"{kind}{{1,{longest}}}" for kind, _, longest, _ in _KINDS}
    digits, spaces, tabs, newlines, word = (runs.pop(kind) for kind in "dstnl")
    # A single space belongs to what follows it, but not to digits; spaces before the end of a line belong to that.
    return re.compile(f"s?(?:U?{word}|{'|'.join(runs.values())})|{digits}|s{{0,64}}{newlines}|{spaces}|{tabs}".encode())


_KIND_OF_BYTE = _kind_of_byte()
_RUNS = _runs()


class _RunPrices(dict[bytes, float]):
    """Prices by run, filled as runs are seen; the pattern bounds their number to a few thousand."""

    def __missing__(self, run: bytes) -> float:
        body = run.lstrip(b"s") or run
        price = _PRICES[chr(body[-1])]
        tokens = price.base + price.each * max(0, len(body) - price.included)
        if body.endswith(b"l"):
            tokens += _LONG_WORD_EACH * max(0, len(body) - _WORD_CHARS_MAX)
        self[run] = tokens
        return tokens


_price_of_run = _RunPrices().__getitem__


@dataclass(frozen=True, slots=True)
class EstimatingCounter:
    """Counts text for any model, with a margin over what a large vocabulary would need."""

    margin: float = SAFETY_MARGIN

    @property
    def encoding(self) -> str:
        """Name of the estimate, its version and margin; a change of prices is a new version."""
        return f"estimate-1x{self.margin:g}"

    def count_text(self, text: str) -> int:
        """Return the estimate for the text: linear in its length, at some ten megabytes a second."""
        utf8 = text.encode("utf-8", "surrogatepass")
        accents = 0 if len(utf8) == len(text) else len(utf8.translate(None, _NO_ACCENT))
        for ruler, char in _RULERS:
            utf8 = utf8.replace(ruler, char)
        runs = _RUNS.findall(utf8.translate(_KIND_OF_BYTE, _CONTINUATION))
        return math.ceil((sum(map(_price_of_run, runs)) + _ACCENT * accents) * self.margin)
