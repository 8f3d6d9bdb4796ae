"""What of a text must survive letter by letter: paths, identifiers, numbers, addresses.

One walk over the bytes of a text. Most of it are words of small letters, which cost nothing but the walk; only a word
that is a name becomes an object. `tailrace.agents.language.names` finds names in what people and models say; tools
print addresses and whole paths as well, and a path is worth more whole than in pieces.

Where a C compiler is at hand this file is compiled when it is installed (setup.py), and the walk takes a hundredth of
the time. Hence the types of its numbers, which mean nothing to the interpreter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

#: What a byte is to a word: up to the end of a row it ends one, and behind the hyphen it makes it a word that is not
#: plain.
_SPACE: Final = 0
_COLON: Final = 1
_ROW_END: Final = 2
_LOWER: Final = 3
_BEYOND: Final = 4
_HYPHEN: Final = 5
_UPPER: Final = 6
_DIGIT: Final = 7
_UNDERSCORE: Final = 8
_DOT: Final = 9
_SLASH: Final = 10
_LETTERS: Final = 1 << _LOWER | 1 << _UPPER
_MARKS: Final = {":": _COLON, "\n": _ROW_END, "-": _HYPHEN, "_": _UNDERSCORE, ".": _DOT, "/": _SLASH}

_NAME_CHARS_MIN: Final = 4
_NUMBER_CHARS: Final = 3
#: What is longer is encoded data, unless it is a path.
_NAME_CHARS_MAX: Final = 80
_PATH_CHARS_MAX: Final = 200
#: How much longer a number is taken for than it is, beside other names.
_NUMBER_FACTOR: Final = 3
_DIGITS: Final = b"0123456789"


def _class_of(byte: int) -> int:
    letter = chr(byte)
    if not letter.isascii():
        return _BEYOND  # a part of a letter
    if letter.isalpha():
        return _UPPER if letter.isupper() else _LOWER
    return _DIGIT if letter.isdigit() else _MARKS.get(letter, _SPACE)


_CLASSES: Final = bytes([_class_of(byte) for byte in range(256)])


@dataclass(frozen=True, slots=True)
class Spotted:
    """The names in a text, and the rows that have them."""

    #: Each once, in the order in which they are met, as bytes of UTF-8.
    names: list[bytes]
    #: For each name the first row that has it.
    firsts: list[int]
    #: All names of the text in their order, by their places in `names`.
    met: list[int]
    #: Where the names of each row begin among those met, and where the last row ends.
    begins: list[int]

    def shown_by(self, rows: list[int]) -> list[bool]:
        """Tell of each name whether one of these rows has it."""
        shown = [False] * len(self.names)
        met, begins = self.met, self.begins
        for row in rows:
            for place in range(begins[row], begins[row + 1]):
                shown[met[place]] = True
        return shown


def spot(text: str) -> Spotted:
    """Return the names of a text."""
    # The end of the last row, and something behind it to look at.
    data = text.encode("utf-8", "surrogatepass") + b"\n  "
    classes = _CLASSES
    numbers: dict[bytes, int] = {}
    firsts: list[int] = []
    met: list[int] = []
    begins: list[int] = [0]
    size: i64 = len(data) - 2
    at: i64 = 0
    begin: i64 = 0
    is_plain = True
    while at < size:
        kind: i64 = classes[data[at]]
        if kind > _HYPHEN:
            is_plain = False
        elif kind <= _ROW_END:
            # The colon of an address is the only one inside of a name.
            if kind == _COLON and classes[data[at + 1]] == _SLASH and classes[data[at + 2]] == _SLASH:
                is_plain = False
                at += 1
                continue
            if not is_plain:
                is_plain = True
                end: i64 = at
                # Points at the end of a word end a sentence.
                while end > begin and classes[data[end - 1]] == _DOT:
                    end -= 1
                begin = _name_begin(data, begin, end)
                if begin < end:
                    name = data[begin:end]
                    number = numbers.get(name, -1)
                    if number < 0:
                        number = len(firsts)
                        numbers[name] = number
                        firsts.append(len(begins) - 1)
                    met.append(number)
            begin = at + 1
            if kind == _ROW_END:
                begins.append(len(met))
        at += 1
    return Spotted(list(numbers), firsts, met, begins)


def _name_begin(data: bytes, begin: "i64", end: "i64") -> "i64":
    """Return where the name in a word begins; its end where there is none."""
    while begin < end and _CLASSES[data[begin]] == _HYPHEN:
        begin += 1
    begin = _behind_owners(data, begin, end)
    return begin if _is_name(data, begin, end) else end


def _is_name(data: bytes, begin: "i64", end: "i64") -> bool:
    size: i64 = end - begin
    if size < _NUMBER_CHARS or size > _PATH_CHARS_MAX:
        return False
    held: i64 = 0
    uppers: i64 = 0
    at: i64 = begin
    while at < end:
        kind: i64 = _CLASSES[data[at]]
        held |= 1 << kind
        if kind == _UPPER:
            uppers += 1
        at += 1
    if held & 1 << _BEYOND:
        return _is_name_beyond(data[begin:end])
    if size < _NAME_CHARS_MIN:
        return held == 1 << _DIGIT
    if size > _NAME_CHARS_MAX and not held & 1 << _SLASH:
        return False
    if held | _LETTERS == _LETTERS:
        # Neither a capital before small letters nor capitals alone make a name.
        is_title = uppers == 1 and _CLASSES[data[begin]] == _UPPER
        return uppers > 0 and uppers < size and not is_title
    return held | _LETTERS != _LETTERS | 1 << _HYPHEN  # hyphens between words make none either


def _behind_owners(data: bytes, begin: "i64", end: "i64") -> "i64":
    """Return where a word begins behind the small-letter names in front of its points.

    Of `basin.gate.readLevel` only `readLevel` is a name.
    """
    at: i64 = begin
    while at < end and (_CLASSES[data[at]] == _LOWER or _CLASSES[data[at]] == _DOT):
        at += 1
    if at == end or (_CLASSES[data[at]] != _UPPER and _CLASSES[data[at]] != _UNDERSCORE):
        return begin
    behind: i64 = begin
    while behind < at:
        point: i64 = behind
        while _CLASSES[data[point]] == _LOWER:
            point += 1
        if point == behind or _CLASSES[data[point]] != _DOT:
            break
        behind = point + 1
    return behind


def _is_name_beyond(word: bytes) -> bool:
    """Tell whether a word with letters beyond ASCII is a name."""
    text = word.decode("utf-8", "surrogatepass")
    is_word = text.replace("-", "").isalpha() and (text[1:].islower() or text.isupper())
    chars_max = _PATH_CHARS_MAX if b"/" in word else _NAME_CHARS_MAX
    return _NAME_CHARS_MIN <= len(word) <= chars_max and not is_word


def written(names: Iterable[bytes]) -> str:
    """Return names as they stood in the text."""
    return b" ".join(names).decode("utf-8", "surrogatepass")


def by_worth(names: list[bytes], places: list[int]) -> list[int]:
    """Return the places of names in the order of what they are worth for their length."""
    lengths = [len(name) * _NUMBER_FACTOR if name[:1] in _DIGITS else len(name) for name in names]
    return sorted(places, key=lengths.__getitem__)
