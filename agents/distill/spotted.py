"""What of a text must survive letter by letter: paths, identifiers, numbers, addresses.

One regular expression walks over the whole text and stops only where a word is not plain: words of small letters cost no object
and no look into a table. Nothing is remembered from one text to the next: a table of all names ever met is so large
that looking there takes longer than judging a word by its letters. `tailrace.agents.names` finds names in what people and models
say; tools print addresses and whole paths as well, and a path is worth more whole than in pieces.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

#: Characters that no name has become spaces. Bytes beyond ASCII are parts of letters.
_KEPT = frozenset(b"_./-\n\x01")
_SPACED = bytes(
    byte if not chr(byte).isascii() or chr(byte).isalnum() or byte in _KEPT else ord(" ") for byte in range(256)
)
#: The colon of an address is the only one inside of a name. A text that has the other byte, which none should, gets a colon for it.
_ADDRESS, _ADDRESS_KEPT = b"://", b"\x01//"
#: Ends of rows are words of their own, so that the rows can be told apart.
ROW_END = "\n"
#: All plain words and spaces up to the next word that is not, then back to where it begins: the engine takes both ways in bulk.
#: Of `basin.gate.readLevel` only what is behind the dots is a name. Each match begins with a space, and every row is between two,
#: so no part of a text is tried twice.
_WORD = re.compile(r"[a-z\x80-\xff -]* -*+(?:[a-z]++\.(?=[a-z.]*+[A-Z_]))*+([^ ]++)")
_NAME_CHARS_MIN, _NUMBER_CHARS_MIN = 4, 3
#: What is longer is encoded data, unless it is a path.
_NAME_CHARS_MAX = 80
_PATH_CHARS_MAX = 200
#: How much a number is worth beside another name of its length.
_NUMBER_FRACTION = 1 / 3


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text that are not plain, with a byte for each character."""

    #: In their order, with a `ROW_END` before every row and behind the last.
    all: list[str]
    #: Where the words of each row begin, and where the last row ends.
    begins: list[int]
    #: The words that are names, and the first row that has them.
    names: dict[str, int]

    def of(self, rows: Iterable[int]) -> set[str]:
        """Return the words in these rows."""
        words, begins = self.all, self.begins
        return set(chain.from_iterable([words[begins[row] : begins[row + 1]] for row in rows]))


def words_of(text: str) -> Words:
    """Return the words of a text."""
    data = f"\n{text}\n".encode("utf-8", "surrogatepass").replace(_ADDRESS, _ADDRESS_KEPT).translate(_SPACED)
    words = _WORD.findall(data.replace(b"\n", b" \n ").replace(b". ", b"  ").decode("latin-1"))
    begins: list[int] = []
    firsts: dict[str, int] = {}
    for at, word in enumerate(words, start=1):
        if word == ROW_END:
            begins.append(at)
        elif word not in firsts:
            firsts[word] = len(begins) - 1
    # Neither a capital before small letters nor capitals alone make a name, nor do hyphens between words.
    names = {
        word: row
        for word, row in firsts.items()
        if (
            len(word) >= _NAME_CHARS_MIN
            and not (word.isalpha() and (word.istitle() or word.isupper()))
            and not ("-" in word and word.replace("-", "").isalpha())
        )
        or (len(word) == _NUMBER_CHARS_MIN and word.isdigit())
    }
    if not text.isascii():
        names = {word: row for word, row in names.items() if word.isascii() or not _is_plain(_decoded(word))}
    if max(map(len, names), default=0) > _NAME_CHARS_MAX:
        names = {
            word: row
            for word, row in names.items()
            if len(word) <= (_PATH_CHARS_MAX if "/" in word else _NAME_CHARS_MAX)
        }
    return Words(words, begins, names)


def written(names: Iterable[str]) -> str:
    """Return names as they stood in the text, each once."""
    return _decoded(" ".join(dict.fromkeys(names)).replace("\x01", ":"))


def by_worth(names: Iterable[str]) -> list[str]:
    """Return names in the order of what they are worth for their length."""
    return sorted(names, key=lambda name: len(name) / _NUMBER_FRACTION if name[0].isdigit() else len(name))


def _decoded(words: str) -> str:
    return words if words.isascii() else words.encode("latin-1").decode("utf-8", "surrogatepass")


def _is_plain(word: str) -> bool:
    """Tell whether a word with letters beyond ASCII is no name."""
    return word.replace("-", "").isalpha() and (word[1:].islower() or word.isupper())
