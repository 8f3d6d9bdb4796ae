"""JSON as rows: tables for lists of like objects, ranges for lists of numbers, a row for each other value."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from tailrace.agents.distill.selection import ROW_CHARS_MAX, Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.parts import Json

_decode = decoder()
_encode = msgspec.json.Encoder().encode

#: Deeper values are written as JSON in one row.
_DEPTH_MAX = 12
#: Lists of so many objects with the same keys become a table.
_TABLE_ROWS_MIN = 3
#: Longer lists of numbers are told by their range, and by their first and last numbers.
_NUMBERS_MAX = 40
_NUMBERS_SHOWN = 8
#: Where it has to begin and to end.
_OPENING_ROWS = 10
_CLOSING_CHARS = 200
_OPENING, _CLOSING = ("{", "["), ("}", "]")
_LINES_MIN = 2


@dataclass(frozen=True, slots=True)
class JsonOutput:
    """An output that is JSON, and the rows that a tool wrote before it."""

    before: list[str]
    value: Json


def read_json(reading: Reading) -> JsonOutput | None:
    """Return the JSON of an output: one document, or a list of the documents in its lines; None for any other text."""
    text = reading.text
    if text[-_CLOSING_CHARS:].rstrip()[-1:] not in _CLOSING:
        return None
    before: list[str] = []
    body = text
    while body[:1] not in _OPENING:
        row, _, body = body.partition("\n")
        before.append(row)
        if len(before) == _OPENING_ROWS:
            return None
    try:
        return JsonOutput(before, _decode(body))
    except PoisonEvent:
        pass
    lines = [row for row in body.split("\n") if row.strip()]
    try:
        return JsonOutput(before, [_decode(line) for line in lines]) if len(lines) >= _LINES_MIN else None
    except PoisonEvent:
        return None


def sketch_json(output: JsonOutput) -> Sketch:
    """Return JSON as rows of paths and values."""
    rows = [*output.before, *_rows("", output.value, 0)]
    headers = [place for place, row in enumerate(rows) if isinstance(row, _Header)]
    return Sketch(rows, head=_shape(output.value), first=[*range(len(output.before)), *headers])


class _Header(str):
    """A row that says what the rows below it are."""

    __slots__ = ()


def _shape(value: Json) -> str:
    if isinstance(value, dict):
        return f"JSON object with {len(value)} keys: {', '.join(list(value)[:20])}"[:ROW_CHARS_MAX]
    if isinstance(value, list):
        kinds = Counter(type(item).__name__ for item in value)
        return f"JSON list of {len(value)}: " + ", ".join(f"{number} {kind}" for kind, number in kinds.most_common(4))
    return "JSON value"


def _rows(path: str, value: Json, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and depth < _DEPTH_MAX:
        yield from _object_rows(path, value, depth)
    elif isinstance(value, list) and depth < _DEPTH_MAX:
        yield from _list_rows(path, value, depth)
    else:
        yield from _scalar_rows(path, value)


def _object_rows(path: str, value: dict[str, Json], depth: int) -> Iterator[str]:
    flat: list[str] = []
    chars = 0
    for key, item in value.items():
        text = None if isinstance(item, dict | list) and item else _short(item)
        if text is None or len(text) > ROW_CHARS_MAX // 2 or "\n" in text:
            if flat:
                yield f"{path} {', '.join(flat)}".lstrip()
                flat, chars = [], 0
            yield from _rows(f"{path}.{key}" if path else key, item, depth + 1)
            continue
        if flat and chars + len(text) + len(key) > ROW_CHARS_MAX // 2:
            yield f"{path} {', '.join(flat)}".lstrip()
            flat, chars = [], 0
        flat.append(f"{key}: {text}")
        chars += len(key) + len(text) + 4
    if flat:
        yield f"{path} {', '.join(flat)}".lstrip()


def _list_rows(path: str, items: list[Json], depth: int) -> Iterator[str]:
    columns = _columns(items)
    if columns is not None:
        yield from _table_rows(path, items, columns)
    elif len(items) > _NUMBERS_MAX and all(isinstance(item, int | float) for item in items):
        numbers = [item for item in items if isinstance(item, int | float)]
        ends = [*map(str, numbers[:_NUMBERS_SHOWN]), "…", *map(str, numbers[-_NUMBERS_SHOWN:])]
        yield f"{path}: {len(numbers)} numbers from {min(numbers)} to {max(numbers)}: {' '.join(ends)}"
    elif not any(isinstance(item, dict | list) for item in items):
        yield from f"{path}[{len(items)}] {', '.join(map(_short, items))}".split("\n")
    else:
        for place, item in enumerate(items):
            yield from _rows(f"{path}[{place}]", item, depth + 1)


def _columns(items: list[Json]) -> list[str] | None:
    """Return the keys of a list of objects that all have those of the first few; None for any other list."""
    if len(items) < _TABLE_ROWS_MIN or not all(isinstance(item, dict) for item in items):
        return None
    keys = dict.fromkeys(key for item in items[:_TABLE_ROWS_MIN] if isinstance(item, dict) for key in item)
    return list(keys) if all(isinstance(item, dict) and item.keys() <= keys.keys() for item in items) else None


def _table_rows(path: str, items: list[Json], columns: list[str]) -> Iterator[str]:
    yield _Header(f"{path or 'list'}: {len(items)} objects with {' | '.join(columns)}")
    for item in items:
        cells = [_short(item[key]) if isinstance(item, dict) and key in item else "" for key in columns]
        yield from " | ".join(cells).split("\n")


def _scalar_rows(path: str, value: Json) -> Iterator[str]:
    yield from f"{path}: {_short(value)}".split("\n")


def _short(value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return _encode(value).decode()
    except (UnicodeEncodeError, RecursionError):
        return "…"
