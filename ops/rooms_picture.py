"""Draws docs/rooms.svg: the rooms of agents/ and which imports which, taken from the imports themselves.

A room is a folder with modules. Where one imports another that imports a third, the line to the third is left out: it
is said by the two others. `make schemas` writes the picture again, and a test fails when it no longer fits the code.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
PICTURE = "docs/rooms.svg"

#: Measures of the picture, in pixels.
_WIDTH, _BOX, _HIGH, _GAP, _ROW, _MARGIN, _BAND = 860, 140, 34, 22, 76, 20, 62

_STYLE = """
    text { font: 14px system-ui, sans-serif; fill: #24292f; text-anchor: middle }
    .layer { font-weight: 600 }
    .rooms, .note { font-size: 11px; fill: #6e7781 }
    .box { fill: #fff; stroke: #0969da; stroke-width: 1.5 }
    .band { fill: #f6f8fa; stroke: #d0d7de }
    .way { fill: none; stroke: #8b949e; stroke-width: 1.2 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .rooms, .note { fill: #8b949e } .way { stroke: #6e7681 }
      .box { fill: #0d1117; stroke: #58a6ff } .band { fill: #161b22; stroke: #30363d }
    }
"""

#: Which rooms a room imports, by their paths.
Imports = Mapping[str, frozenset[str]]


def rooms_of(layer: str) -> list[str]:
    """Return the folders of a layer that hold modules, by their paths."""
    folders = {file.parent for file in (ROOT / layer).rglob("*.py") if file.name != "__init__.py"}
    return sorted(folder.relative_to(ROOT).as_posix() for folder in folders - {ROOT / layer})


def imports_of(layer: str) -> Imports:
    """Return, for each room of a layer, the other rooms of it that its modules import."""
    rooms = rooms_of(layer)
    return {
        room: frozenset(
            other
            for file in (ROOT / room).glob("*.py")
            for name in _imported(file)
            if (other := _room(name, rooms)) not in {None, room}
        )
        for room in rooms
    }


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _room(module: str, rooms: list[str]) -> str | None:
    """Return the room in which a module lies; None for a package itself and for what is not of the layer."""
    path = module.removeprefix("tailrace.").replace(".", "/")
    folder = path.rpartition("/")[0]
    return folder if folder in rooms and (ROOT / path).with_suffix(".py").is_file() else None


def rows_of(imports: Imports) -> list[list[str]]:
    """Return the rooms in rows, each room below all that it imports and as near as can be to what imports it."""

    @cache
    def first(room: str) -> int:
        return max((first(other) + 1 for other in imports[room]), default=0)

    @cache
    def row(room: str) -> int:
        importers = [other for other in imports if room in imports[other]]
        return min(map(row, importers)) - 1 if importers else first(room)

    return [sorted(room for room in imports if row(room) == number) for number in range(1 + max(map(first, imports)))]


def lines_of(imports: Imports) -> list[tuple[str, str]]:
    """Return the imports that no two others say: from the room that imports to the one that is imported."""

    @cache
    def reached(room: str) -> frozenset[str]:
        return frozenset({room}).union(*(reached(other) for other in imports[room]))

    return sorted(
        (room, other)
        for room, others in imports.items()
        for other in others
        if not any(other in reached(between) for between in others - {other})
    )


def picture() -> str:
    """Return the picture: schemas above, the rooms of agents in rows, streams below."""
    imports = imports_of("agents")
    lines = lines_of(imports)
    rows = rows_of(imports)
    ways = _ways(rows, lines)
    places = _places(rows, ways)
    height = 2 * _BAND + _ROW * len(rows) + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">',
        f"<title>The rooms of agents/, and which imports which</title><style>{_STYLE}</style>",
        _band("schemas", "what travels", _MARGIN // 2),
        *(_line([places[stop] for stop in way]) for way in ways),
        *(_box(room, *places[room]) for row in rows for room in row),
        _band("streams", "what moves", height - _BAND - _MARGIN // 2),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _ways(rows: list[list[str]], lines: list[tuple[str, str]]) -> list[list[str]]:
    """Return the stops of each line, from the upper room to the lower one: a gap in every row that it passes."""
    depth = {room: number for number, row in enumerate(rows) for room in row}
    return [
        [upper, *(f"{upper}>{lower}@{number}" for number in range(depth[upper] + 1, depth[lower])), lower]
        for lower, upper in lines
    ]


def _places(rows: list[list[str]], ways: list[list[str]]) -> dict[str, tuple[float, float]]:
    """Return where each room and each gap lies: in its row, near the middle of what leads to it."""
    depth = {room: number for number, row in enumerate(rows) for room in row}
    filled = [list(row) for row in rows]
    above: dict[str, list[str]] = {}
    for way in ways:
        for number, stop in enumerate(way[1:-1], start=depth[way[0]] + 1):
            filled[number].append(stop)
        for upper, lower in pairwise(way):
            above.setdefault(lower, []).append(upper)
    places: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(filled):
        middle = {stop: fmean([places[other][0] for other in above.get(stop, ())] or [_WIDTH / 2]) for stop in row}
        widths = [(stop, _GAP if "@" in stop else _BOX + _GAP) for stop in sorted(row, key=lambda at: (middle[at], at))]
        left = (_WIDTH - sum(width for _, width in widths)) / 2
        for stop, width in widths:
            places[stop] = (left + width / 2, _BAND + 2 * _MARGIN + _ROW * number)
            left += width
    return places


def _band(layer: str, does: str, top: int) -> str:
    names = sorted({room.split("/")[1] for room in rooms_of(layer)})
    half = (len(names) + 1) // 2 if len(names) > _NAMES_A_LINE else len(names)
    lines = [", ".join(part) for part in (names[:half], names[half:]) if part]
    texts = [
        f'<text class="rooms" x="{_WIDTH / 2:g}" y="{top + 36 + 15 * number}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    return (
        f'<rect class="band" x="{_MARGIN}" y="{top}" width="{_WIDTH - 2 * _MARGIN}" height="{_BAND}" rx="6"/>'
        f'<text class="layer" x="{_WIDTH / 2:g}" y="{top + 19}">{layer}: {does}</text>{"".join(texts)}'
    )


#: More names than this are written in two lines.
_NAMES_A_LINE = 12


def _box(room: str, x: float, y: float) -> str:
    name = escape(room.removeprefix("agents/"))
    return (
        f'<rect class="box" x="{x - _BOX / 2:g}" y="{y:g}" width="{_BOX}" height="{_HIGH}" rx="6"/>'
        f'<text x="{x:g}" y="{y + 22:g}">{name}</text>'
    )


def _line(stops: list[tuple[float, float]]) -> str:
    """A line from the lower edge of a room, through the gaps, to the upper edge of one that imports it."""
    (x, y), *others = stops
    drawn = [f"M{x:g} {y + _HIGH:g}"]
    top = y + _HIGH
    for x_next, y_next in others:
        bend = (y_next - top) / 2
        drawn.append(f"C{x:g} {top + bend:g} {x_next:g} {y_next - bend:g} {x_next:g} {y_next:g}")
        # Straight down beside the boxes of a row that it passes.
        drawn.append(f"V{y_next + _HIGH:g}")
        x, top = x_next, y_next + _HIGH
    return f'<path class="way" d="{"".join(drawn[:-1])}"/>'


def generate() -> dict[str, str]:
    """Return the text of the file, by its path in the repository."""
    return {PICTURE: picture()}
