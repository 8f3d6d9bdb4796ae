"""Choosing lines: as many as fit, those first that say most, and a list of the names that only the others have.

A kind of output becomes a `Sketch`: rows to choose from, in their order, and those among them that matter by what they are.
The rest is chosen by what they name. A name that no chosen row has costs its own length in the list at the end, so a row
that names much is nearly free, and nearly all names survive whatever is left out. The list comes behind rows, never in
their place: three fifths of the room at most are its own.

A name counts for the first row that has it: each row is looked at once, and what a row is worth does not change with what
else is chosen.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tailrace.agents.distill.spotted import names_in, tokens_of, worth

#: A row is cut after so many characters at the latest; what follows is a row of its own.
ROW_CHARS_MAX = 240
#: Of the room, so much may be taken by rows that matter by what they are, and by names of what is left out.
FIRST_FRACTION = 0.4
INDEX_FRACTION = 0.6
_ROW_CHARS = 4
#: Rows in a row that don't fit before the search ends.
_MISSES_MAX = 8
#: Where line numbers show a gap, only a wide one is marked.
_GAP_ROWS_MIN = 10
#: Room for the marks of gaps, and for the last of them.
_MARKS_FRACTION = 0.02
_MARK_CHARS = 20
#: Attempts to make a text fit that these did not hold.
_FITTINGS_MAX = 6
INDEX_LEAD = "Named only in what is left out: "

#: How wide rows may be, and how wider ones are cut, at the end of a word where there is one. Where the room is small, so
#: are rows: of any output, several should be seen.
_CUTS = {chars: re.compile(rf".{{1,{chars - 1}}}(?:[\s,;}}]|$)|.{{{chars}}}") for chars in (ROW_CHARS_MAX, 120, 60)}
_ROWS_SEEN_MIN = 8


@dataclass(frozen=True, slots=True)
class Sketch:
    """An output as rows to choose from, none with a line end in it."""

    rows: list[str]
    #: The line of each row, where that is worth showing.
    numbers: Sequence[str] = ()
    #: What is said of the whole, before all rows.
    head: str = ""
    #: Rows that are chosen before the others, the most important first.
    first: Sequence[int] = ()
    #: For each row the row that stands above it and is shown with it, or itself.
    owners: Sequence[int] = ()


class _Choice:
    """Rows chosen so far, and the room that is left."""

    def __init__(self, sketch: Sketch, token_rows: list[list[bytes]], room_chars: int) -> None:
        self.sketch = sketch
        self.token_rows = token_rows
        self.room_chars = room_chars
        #: What a row costs beside its text: its line's end, its number, and a part of the mark for the gap before it.
        self.row_chars = _ROW_CHARS + (len(sketch.numbers[-1]) + 1 if sketch.numbers else 0)
        self.chosen: dict[int, None] = {}
        #: Tokens whose names are listed unless a chosen row has them, with the characters that this takes.
        self.listed: dict[bytes, int] = {}
        #: For each row how many of these characters it saves.
        self.credits: dict[int, int] = {}

    def take(self, place: int) -> bool:
        """Choose a row, and the one above it, if there is room for them."""
        if place in self.chosen:
            return True
        sketch = self.sketch
        chars = len(sketch.rows[place]) + self.row_chars - self.credits.get(place, 0)
        if sketch.owners and (owner := sketch.owners[place]) != place and not self.take(owner):
            return False
        if chars > self.room_chars:
            return False
        self.room_chars -= chars
        self.chosen[place] = None
        return True

    def shown(self) -> set[bytes]:
        """Return the tokens of the chosen rows."""
        return set(chain.from_iterable([self.token_rows[place] for place in self.chosen]))

    def list_names(self, costs: dict[bytes, int], chars_max: int) -> dict[int, int]:
        """Set room aside for names that no chosen row has; return for each other row the characters of the names it has first."""
        shown = self.shown()
        waiting = {token: cost for token, cost in costs.items() if token not in shown}
        self.listed = waiting if sum(waiting.values()) <= chars_max else _affordable(waiting, chars_max)
        self.room_chars -= sum(self.listed.values())
        gains = _gains(self.token_rows, waiting)
        self.credits = gains if self.listed is waiting else _gains(self.token_rows, self.listed)
        return gains

    def left(self) -> list[str]:
        """Return the names to list: those that no chosen row has."""
        left = sorted(self.listed.keys() - self.shown())
        return list(dict.fromkeys(name for token in left for name in names_in(token)))


def compose(sketch: Sketch, chars_max: int) -> str:
    """Return the head, the chosen rows in their order, and the names that are only in the others."""
    width_chars = next((width for width in _CUTS if width * _ROWS_SEEN_MIN <= chars_max), min(_CUTS))
    sketch = _narrow(sketch, width_chars)
    rows = sketch.rows
    tokens = tokens_of(rows)
    room_chars = int(chars_max * (1 - _MARKS_FRACTION)) - len(sketch.head) - len(INDEX_LEAD) - _MARK_CHARS
    choice = _Choice(sketch, tokens.rows, room_chars)
    _take(choice, sketch.first, room_chars * (1 - FIRST_FRACTION))
    gains = choice.list_names(tokens.costs, int(room_chars * INDEX_FRACTION))
    densities = {place: gain / (len(rows[place]) + _ROW_CHARS) for place, gain in gains.items()}
    _take(choice, sorted(densities, key=densities.__getitem__, reverse=True), 0)
    # What is left goes to the rows after chosen ones, so that those can be understood, then to the others.
    _take(choice, [place + 1 for place in choice.chosen if place + 1 < len(rows)], 0)
    _take(choice, range(len(rows)), 0)
    return _fitted(choice, chars_max)


def _gains(token_rows: list[list[bytes]], costs: dict[bytes, int]) -> dict[int, int]:
    """Return for each row that is the first to have some of these tokens what they cost."""
    waiting = set(costs)
    cost_of = costs.__getitem__
    all_known = waiting.isdisjoint
    gains: dict[int, int] = {}
    for place, tokens in enumerate(token_rows):
        if all_known(tokens):
            continue
        new = waiting.intersection(tokens)
        waiting -= new
        gains[place] = sum(map(cost_of, new))
        if not waiting:
            break
    return gains


def _take(choice: _Choice, places: Iterable[int], least_chars: float) -> None:
    """Choose rows in this order until there is no room."""
    misses = 0
    for place in places:
        if choice.room_chars <= least_chars or misses > _MISSES_MAX:
            return
        misses = 0 if choice.take(place) else misses + 1


def _affordable(costs: dict[bytes, int], chars_max: int) -> dict[bytes, int]:
    """Tokens whose names may be listed: those that are worth most for their length."""
    listed = {}
    for token in sorted(costs, key=lambda token: (costs[token] / worth(names_in(token)[0]), token)):
        chars_max -= costs[token]
        if chars_max < 0:
            break
        listed[token] = costs[token]
    return listed


def _fitted(choice: _Choice, chars_max: int) -> str:
    """Return the text of what was chosen; where the marks of gaps made it too long, without what was chosen last."""
    text = _written(choice)
    for _ in range(_FITTINGS_MAX):
        excess_chars = len(text) - chars_max
        if excess_chars <= 0 or not choice.chosen:
            break
        while choice.chosen and excess_chars > 0:
            place, _ = choice.chosen.popitem()
            excess_chars -= max(1, len(choice.sketch.rows[place]) - choice.credits.get(place, 0))
        text = _written(choice)
    return text if len(text) <= chars_max else text[: max(0, chars_max)]


def _written(choice: _Choice) -> str:
    sketch = choice.sketch
    lines = [sketch.head] if sketch.head else []
    before = -1
    for place in sorted(choice.chosen):
        gap = place - before - 1
        if gap and (not sketch.numbers or gap >= _GAP_ROWS_MIN):
            lines.append(f"… {gap} lines …" if gap >= _GAP_ROWS_MIN else "…")
        lines.append(f"{sketch.numbers[place]} {sketch.rows[place]}" if sketch.numbers else sketch.rows[place])
        before = place
    gap = len(sketch.rows) - before - 1
    if gap:
        lines.append(f"… {gap} lines …")
    left = choice.left()
    if left:
        lines.append(INDEX_LEAD + " ".join(left))
    return "\n".join(lines)


def _narrow(sketch: Sketch, chars_max: int) -> Sketch:
    """Cut rows that are too long; the pieces of a row share its number and stand below the same row."""
    wide = [place for place, row in enumerate(sketch.rows) if len(row) > chars_max]
    if not wide:
        return sketch
    rows: list[str] = []
    origins: list[int] = []
    #: How many rows more there are behind each wide row than before.
    added = [0]
    begin = 0
    for place in wide:
        rows += sketch.rows[begin:place]
        pieces = _CUTS[chars_max].findall(sketch.rows[place])
        rows += pieces
        origins += range(begin, place)
        origins += [place] * len(pieces)
        added.append(added[-1] + len(pieces) - 1)
        begin = place + 1
    rows += sketch.rows[begin:]
    origins += range(begin, len(sketch.rows))

    def moved(place: int) -> int:
        return place + added[bisect_left(wide, place)]

    return replace(
        sketch,
        rows=rows,
        numbers=[sketch.numbers[origin] for origin in origins] if sketch.numbers else (),
        first=[moved(place) for place in sketch.first],
        owners=[moved(sketch.owners[origin]) for origin in origins] if sketch.owners else (),
    )
