"""What of a text must survive letter by letter: paths, identifiers, numbers, addresses.

One regular expression walks over the whole text, as bytes, and stops only where a word is not plain: words of small letters,
with or without a capital before them, cost no object and no look into a table. Every other word is looked at once in the
life of a process. `tailrace.agents.names` finds names in what people and models say; tools print addresses and whole paths
as well, and a path is worth more whole than in pieces.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

#: Characters that no name has become spaces. Bytes beyond ASCII are parts of letters.
_KEPT = frozenset(b"_./:-@#~+%$\n")
_SPACED = bytes(
    byte if not chr(byte).isascii() or chr(byte).isalnum() or byte in _KEPT else ord(" ") for byte in range(256)
)
#: Ends of rows are words of their own, so that the rows can be told apart.
ROW_END = b"\n"
#: Plain words, words that are too short for a name and the spaces behind them; then one that is not plain. No part of a text is
#: ever tried twice.
_WORDS = rb"(?:[A-Z]?+[a-z\x80-\xff:@#~+%$-]*+\.?+ ++|[^ \n]{1,2}+ ++)*+([^ ]++) ?+"
_WORD = re.compile(_WORDS)
#: The same where rows begin with their number, which is no name.
LINE_NUMBER = rb" *+[0-9]++(?:\xe2\x86\x92|:?+ )"
_WORD_IN_NUMBERED_ROWS = re.compile(_WORDS + rb"(?:(?<=\n )" + LINE_NUMBER + rb")?+")

_FILES = (
    "py pyi js jsx ts tsx mjs cjs go rs rb php java kt kts swift scala c h cc cpp hpp cs m mm sh bash zsh fish ps1 bat sql "
    "html htm css scss less vue svelte json jsonl json5 yaml yml toml ini cfg conf env lock xml svg md mdx rst txt log csv "
    "tsv proto graphql tf tfvars gradle properties ipynb pdf png jpg jpeg gif webp ico woff zip gz tar zst db sqlite pem key "
    "crt mod sum snap patch diff map wasm so dll exe jar whl tmpl tpl j2 ejs hbs mk cmake"
)
_EXTENSIONS = frozenset(_FILES.split())
_ADDRESS_MARK = "://"
#: In the order in which they are tried: a path, a number with signs in it, words that dots or hyphens join.
_PIECE = re.compile(r"[\w.@~+$-]*(?:/[\w.@~+%$-]+)+|\d+(?:[.:-]\d+)+|\w+(?:[.-]\w+)*")
_PART = re.compile(r"\w+")
_EDGES = ".:-@#~+%$/"
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_LETTER = re.compile(r"[^\W\d_]")
_WORD_CHARS_MIN = 4
_NUMBER_CHARS_MIN = 3
#: What is longer is encoded data.
_WORD_CHARS_MAX = 80
_PATH_CHARS_MAX = 200
_HEX = re.compile(r"[0-9a-fA-F-]{7,}")
_DIGITS_AND_SIGNS = re.compile(r"[\d.:,-]+")

#: How likely a name is wanted again, by its looks: measured on recorded conversations, coarse on purpose.
WORTH_IDENTIFIER, WORTH_PATH, WORTH_HEX, WORTH_NUMBER = 0.6, 0.45, 0.3, 0.2


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a word."""

    names: tuple[str, ...]
    #: What they take in a list, each with a space.
    chars: int
    #: The lower, the more they are worth for their length.
    rank: float


class _Memory(dict[bytes, Names | None]):
    """Words that were looked at before, None for those without a name: a cache of a pure function."""

    def __missing__(self, word: bytes) -> Names | None:
        names = _names_in(word.decode("utf-8", "surrogatepass"))
        chars = sum(map(len, names)) + len(names)
        found = self[word] = Names(names, chars, chars / worth(names[0])) if names else None
        return found


#: Words that are remembered: far more than one output has, far less than memory.
_REMEMBERED_MAX = 1 << 17
_memories = [_Memory()]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text in rows that are not plain."""

    #: The text, a `ROW_END` before every row and behind the last, spaces for characters that no name has.
    spaced: bytes
    #: Its words in their order, with a `ROW_END` behind every row.
    all: list[bytes]
    #: Where the words of each row begin, and where the last row ends.
    begins: list[int]
    #: Each word with a name in it, with the first row that has it, and with its names.
    firsts: dict[bytes, int]
    names: dict[bytes, Names]

    def of(self, rows: Iterable[int]) -> set[bytes]:
        """Return the words of these rows."""
        words, begins = self.all, self.begins
        return set(chain.from_iterable([words[begins[row] : begins[row + 1]] for row in rows]))


def words_of(rows: list[str], *, numbered: bool = False) -> Words:
    """Return the words of rows, none of which has a line end in it; numbers at their beginnings are none if they are numbered."""
    if len(_memories[0]) > _REMEMBERED_MAX:
        # A new one, because another thread may be reading the old one.
        _memories[0] = _Memory()
    spaced = "\n".join(["", *rows, ""]).encode("utf-8", "surrogatepass").translate(_SPACED)
    words = (_WORD_IN_NUMBERED_ROWS if numbered else _WORD).findall(spaced.replace(ROW_END, b" \n "))
    begins: list[int] = []
    firsts: dict[bytes, int] = {}
    place = -1
    for at, word in enumerate(words, start=1):
        if word == ROW_END:
            place += 1
            begins.append(at)
        elif word not in firsts:
            firsts[word] = place
    look = _memories[0].__getitem__
    return Words(spaced, words, begins, firsts, {word: names for word in firsts if (names := look(word))})


def worth(name: str) -> float:
    """Return how likely a name is wanted again, judged by its looks."""
    if _HEX.fullmatch(name):
        return WORTH_HEX
    if name.isidentifier():
        return WORTH_IDENTIFIER
    return WORTH_NUMBER if _DIGITS_AND_SIGNS.fullmatch(name) else WORTH_PATH


def _names_in(token: str) -> tuple[str, ...]:
    if token.isalpha() and (token.islower() or token.istitle()):
        return ()
    if token.isidentifier():
        return (token,) if _is_identifier(token) else ()
    if token.isdigit():
        return (token,) if len(token) >= _NUMBER_CHARS_MIN else ()
    if _ADDRESS_MARK in token:
        return (address,) if (address := token.rstrip(_EDGES)) else ()
    return tuple(dict.fromkeys(name for piece in _PIECE.findall(token) for name in _in_piece(piece)))


def _in_piece(piece: str) -> tuple[str, ...]:
    word = piece.rstrip(_EDGES)
    if "/" in word:
        whole = _WORD_CHARS_MIN < len(word) <= _PATH_CHARS_MAX and _LETTER.search(word)
        return (word,) if whole else ()
    if word.isidentifier():
        return (word,) if _is_identifier(word) else ()
    if _DIGITS_AND_SIGNS.fullmatch(word):
        return (word,) if len(word) >= _NUMBER_CHARS_MIN else ()
    if word.rpartition(".")[2] in _EXTENSIONS and len(word) <= _WORD_CHARS_MAX:
        return (word,)
    if _HEX.fullmatch(word):
        return (word,)
    return tuple(part for part in _PART.findall(word) if _is_identifier(part))


def _is_identifier(word: str) -> bool:
    """Tell whether a word is written by a machine or for one: with a digit, an underscore or a capital inside."""
    if not _WORD_CHARS_MIN <= len(word) <= _WORD_CHARS_MAX:
        return False
    if word.isalpha():
        return _CAMEL.search(word) is not None
    inside = word.strip("_")
    return inside != "" and not inside.isalpha()
