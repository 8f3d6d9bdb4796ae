"""Tables: the header, the number of rows, the range of each column of numbers, then first, last and odd rows."""

from math import isnan
from typing import Final

from tailrace.agents.distill.kind import separator_of
from tailrace.agents.distill.reading import Reading
from tailrace.agents.distill.selection import Sketch

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
    ranges: list[str] = []
    extremes: list[int] = []
    for name, column in zip(names, zip(*(rows[place].split(separator) for place in even), strict=True), strict=False):
        if len(ranges) == _COLUMNS_MAX or _number(column[0]) is None:
            continue
        values = [_number(cell) for cell in column]
        numbers = [value for value in values if value is not None]
        if not numbers:
            continue
        low, high = min(numbers), max(numbers)
        ranges.append(f"{name.strip()[:_NAME_CHARS_MAX] or 'column'} {low:g} to {high:g}")
        extremes += [even[values.index(low)], even[values.index(high)]]
    head = f"{len(rows)} rows, {width} columns." + (f" Ranges: {'; '.join(ranges)}." if ranges else "")
    ends = [*range(min(_HEAD_ROWS, len(rows))), len(rows) - 1] if rows else []
    return Sketch(rows, head=head, first=list(dict.fromkeys([*ends, *ragged[:_PROBE_ROWS], *extremes])))


def _number(cell: str) -> float | None:
    bare = cell.strip(' "')
    if bare[:1] not in _NUMBER_BEGINS:
        return None
    try:
        value = float(bare)
    except ValueError:
        return None
    return None if isnan(value) else value  # what is no number has no place among numbers
