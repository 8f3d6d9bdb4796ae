"""Files as tools show them, with a number before each line: the lines, and their numbers apart from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

#: What tools write between the number of a line and the line; `-` where search tools show a line beside a match.
_DIVIDERS: Final = ("→", "\t", ": ", "| ", ":", "-")
_PROBE_ROWS: Final = 12
_PROBE_CHARS: Final = 4_000
#: Search tools write one of these before a match, and the other before a line beside it.
_EITHER: Final = frozenset({":", "-"})
_NUMBERED: Final = re.compile(r"\s*(\d+)[:-]")
#: Four spaces are a step of indentation, which one character shows as well.
_STEP: Final = "    "
_SHORT_STEP: Final = "\t"
#: In a column of equal width, numbers up to this one are read at once.
_ALIGNED_MAX: Final = 3_000
#: No file has a line whose number is longer.
_DIGITS_MAX: Final = 9
#: Rows without a number that may stand behind the file, as a remark of the tool.
_REMARK_ROWS_MAX: Final = 16


@dataclass(frozen=True, slots=True)
class File:
    """The lines of a file, their indentation in a quarter of the characters."""

    text: str
    #: The lines of the text.
    rows: list[str]
    #: The number of each line, 0 where it has none; empty where there are no numbers at all.
    numbers: Sequence[int]


def read_file(text: str, divider: str) -> File:
    """Return the lines of a file whose numbers have that behind them; empty where there are no numbers."""
    numbers: Sequence[int] = ()
    if divider:
        text, numbers = _aligned(text, divider) or _apart(text, divider)
    text = text.replace(_STEP, _SHORT_STEP)
    return File(text, text.split("\n"), numbers)


def divider_of(text: str) -> str:
    """Return what divides most lines of a text from the numbers before them; empty where few have any."""
    begin = text.find("\n", len(text) // 3) + 1
    probe = [row.lstrip() for row in text[begin : begin + _PROBE_CHARS].split("\n", _PROBE_ROWS)[:_PROBE_ROWS]]
    probe = [row for row in probe if row]
    numbered = [row for row in probe if row[0].isdecimal()]
    if len(numbered) * 2 < len(probe) or not numbered:
        return ""
    for divider in _DIVIDERS:
        if sum(row.partition(divider)[0].isdecimal() for row in numbered) * 2 >= len(probe):
            return divider
    return ""


def _aligned(text: str, divider: str) -> tuple[str, Sequence[int]] | None:
    """Return lines and numbers where the rows count on, each number in a column of one width.

    Rows before and behind the file, which are remarks of the tool, may lack one. None where the text is not like that.
    """
    # In bytes, because a text that has an arrow in each row is twice as wide and takes twice as long.
    data = text.encode("utf-8", "surrogatepass")
    rows = data.split(b"\n")
    mark = divider.encode()
    column = (row.partition(mark)[0] for row in rows[:_REMARK_ROWS_MAX])
    begin, number = next(((at, number) for at, number in enumerate(column) if number.strip(b" ").isdigit()), (0, b""))
    digits, width, end = len(number), len(number) + len(mark), len(rows)
    if not 0 < digits <= _DIGITS_MAX:
        return None
    first = int(number)
    while end > begin and rows[end - 1][digits:width] != mark and len(rows) - end < _REMARK_ROWS_MAX:
        end -= 1
    count = end - begin
    # Where a number is too long for the column, not all rows have as much before their line.
    if not first < first + count <= min(_ALIGNED_MAX, 10**digits):
        return None
    lines = b"\n".join(map(bytes.removeprefix, rows[begin:end], _column(digits, mark)[first : first + count]))
    lines = b"\n".join([*rows[:begin], lines, *rows[end:]])
    if len(data) - len(lines) != count * width:
        return None  # some row had something else there
    numbers = [*[0] * begin, *range(first, first + count), *[0] * (len(rows) - end)]
    return lines.decode("utf-8", "surrogatepass"), numbers


@lru_cache(maxsize=8)
def _column(digits: int, mark: bytes) -> list[bytes]:
    """Return what tools write before each line, from line 0 on."""
    return [b"%*d%b" % (digits, number, mark) for number in range(_ALIGNED_MAX)]


def _apart(text: str, divider: str) -> tuple[str, Sequence[int]]:
    lines: list[str] = []
    numbers: list[int] = []
    for row in text.split("\n"):
        if divider in _EITHER:
            match = _NUMBERED.match(row)
            number, line = (match[1], row[match.end() :]) if match else ("", row)
        else:
            number, _, line = row.partition(divider)
            number = number.strip()
        is_number = number.isdecimal() and len(number) <= _DIGITS_MAX
        numbers.append(int(number) if is_number else 0)
        lines.append(line if is_number else row)
    return "\n".join(lines), numbers
