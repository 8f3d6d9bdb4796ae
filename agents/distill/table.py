"""Tables: the header, the number of rows, the range of each column of numbers, then first, last and odd rows."""

from math import isnan
from typing import Final

from tailrace.agents.distill.kind import separator_of
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading

_COLUMNS_MAX: Final = 30
_NAME_CHARS_MAX: Final = 40
_PROBE_ROWS: Final = 40
_NUMBER_BEGINS: Final = frozenset("0123456789-+.")
_HEAD_ROWS: Final = 3


def sketch_table(reading: Reading) -> Sketch:
    """Return a table with the ranges of its columns before it."""
    rows = [row for row in reading.text.split("\n") if row.strip()]
    separator = separator_of(rows[:_PROBE_ROWS]) or ","
    width = rows[0].count(separator) + 1 if rows else 0
    ragged = [place for place, row in enumerate(rows) if row.count(separator) != width - 1]
    odd = set(ragged)
    even = [place for place in range(1, len(rows)) if place not in odd]
    names = rows[0].split(separator) if rows else []
    measured = _measured(rows, even, separator)
    ranges = [
        f"{names[measure.column].strip()[:_NAME_CHARS_MAX] or 'column'} {measure.low:g} to {measure.high:g}"
        for measure in measured
    ]
    extremes = [place for measure in measured for place in (measure.low_at, measure.high_at)]
    head = f"{len(rows)} rows, {width} columns." + (f" Ranges: {'; '.join(ranges)}." if ranges else "")
    ends = [*range(min(_HEAD_ROWS, len(rows))), len(rows) - 1] if rows else []
    return Sketch(rows, head=head, first=list(dict.fromkeys([*ends, *ragged[:_PROBE_ROWS], *extremes])))


class _Measured:
    """A column of numbers, its smallest and its largest, and the rows where these stand first."""

    def __init__(self, column: int, number: float, place: int) -> None:
        self.column = column
        self.low = self.high = number
        self.low_at = self.high_at = place


def _measured(rows: list[str], even: list[int], separator: str) -> list[_Measured]:
    """Return the columns whose first cell is a number.

    No cell is kept, so that a long table takes no more room than its text.
    """
    if not even:
        return []
    first = [_number(cell) for cell in rows[even[0]].split(separator)]
    measured = [_Measured(column, number, even[0]) for column, number in enumerate(first) if number is not None]
    measured = measured[:_COLUMNS_MAX]
    for place in even if measured else ():
        cells = rows[place].split(separator)
        for measure in measured:
            number = _number(cells[measure.column])
            if number is None:
                continue
            if number < measure.low:
                measure.low, measure.low_at = number, place
            elif number > measure.high:
                measure.high, measure.high_at = number, place
    return measured


def _number(cell: str) -> float | None:
    bare = cell.strip(' "')
    if bare[:1] not in _NUMBER_BEGINS:
        return None
    try:
        value = float(bare)
    except ValueError:
        return None
    return None if isnan(value) else value  # what is no number has no place among numbers
