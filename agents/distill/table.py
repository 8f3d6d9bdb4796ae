"""Tables: the header, the number of rows, the range of each column of numbers, then first, last and odd rows."""

from tailrace.agents.distill.kind import separator_of
from tailrace.agents.distill.reading import Reading
from tailrace.agents.distill.selection import Sketch

_COLUMNS_MAX = 30
_NAME_CHARS_MAX = 40
_PROBE_ROWS = 40
#: A row is odd if its value is an extreme of its column.
_HEAD_ROWS = 3


def sketch_table(reading: Reading) -> Sketch:
    """Return a table with the ranges of its columns before it."""
    rows = [row for row in reading.rows if row.strip()]
    separator = separator_of(rows[:_PROBE_ROWS]) or ","
    cells = [row.split(separator) for row in rows]
    width = len(cells[0]) if cells else 0
    body = [(place, row) for place, row in enumerate(cells) if place and len(row) == width]
    ragged = [place for place, row in enumerate(cells) if len(row) != width]
    ranges: list[str] = []
    extremes: list[int] = []
    for column in range(min(width, _COLUMNS_MAX)):
        if _number(body[0][1][column]) is None if body else True:
            continue
        numbers = [(value, place) for place, row in body if (value := _number(row[column])) is not None]
        low, high = min(numbers), max(numbers)
        name = cells[0][column].strip()[:_NAME_CHARS_MAX] or f"column {column + 1}"
        ranges.append(f"{name} {low[0]:g} to {high[0]:g}")
        extremes += [low[1], high[1]]
    head = f"{len(rows)} rows, {width} columns." + (f" Ranges: {'; '.join(ranges)}." if ranges else "")
    ends = [*range(min(_HEAD_ROWS, len(rows))), len(rows) - 1] if rows else []
    return Sketch(rows, head=head, first=list(dict.fromkeys([*ends, *ragged[:_PROBE_ROWS], *extremes])))


def _number(cell: str) -> float | None:
    bare = cell.strip().strip('"')
    if not bare[:1].isdigit() and bare[:1] not in {"-", "+", "."}:
        return None
    try:
        return float(bare)
    except ValueError:
        return None
