"""Choosing lines: as many as fit, those first that say most, and a list of the names that only the others have.

A kind of output becomes a `Sketch`: rows to choose from, in their order, and those among them that matter by what they
are. The rest is chosen by what they name. A name that no chosen row has costs its own length in the list at the end, so
a row that names much is nearly free, and nearly all names survive whatever is left out. The list comes behind rows,
never in their place: three fifths of the room at most are its own.

A name counts for the first row that has it: each row is looked at once, and what a row is worth does not change with
what else is chosen.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tailrace.agents.distill.literals import Spotted, by_worth, spot, written

#: A row is cut after so many characters at the latest; what follows is a row of its own.
ROW_CHARS_MAX: Final = 240
#: Of the room, so much may be taken by rows that matter by what they are, and by names of what is left out.
FIRST_FRACTION: Final = 0.4
INDEX_FRACTION: Final = 0.6
_ROW_CHARS: Final = 4
#: Rows in a row that don't fit before the search ends.
_MISSES_MAX: Final = 8
#: Where line numbers show a gap, only a wide one is marked.
_GAP_ROWS_MIN: Final = 10
#: Room for the marks of gaps, and for the last of them.
_MARKS_FRACTION: Final = 0.02
_MARK_CHARS: Final = 20
#: Attempts to make a text fit that these did not hold.
_FITTINGS_MAX: Final = 6
INDEX_LEAD: Final = "Named only in what is left out: "

#: How wide rows may be, and how wider ones are cut, at the end of a word where there is one. Where the room is small,
#: so are rows: of any output, several should be seen.
_CUTS: Final = {
    chars: re.compile(rf".{{1,{chars - 1}}}(?:[\s,;}}]|$)|.{{{chars}}}") for chars in (ROW_CHARS_MAX, 120, 60)
}
_ROWS_SEEN_MIN: Final = 4


@dataclass(frozen=True, slots=True)
class Sketch:
    """An output as rows to choose from, none with a line end in it."""

    rows: list[str]
    #: The same rows as one text, where that is at hand.
    text: str | None = None
    #: What is said of the whole, before all rows.
    head: str = ""
    #: Rows that are chosen before the others, the most important first.
    first: Sequence[int] = ()
    #: For each row the row that stands above it and is shown with it, or itself.
    owners: Sequence[int] = ()
    #: The line of each row, where that is worth showing; 0 for a row that has none.
    numbers: Sequence[int] = ()

    @property
    def row_chars(self) -> int:
        """What a row takes beside its own characters: the end of its line, and the mark of a gap or its number."""
        if not self.numbers:
            return _ROW_CHARS
        return len(f"{max(self.numbers[len(self.numbers) // 2], self.numbers[-1])} \n")


class _Choice:
    """Rows chosen so far, and the room that is left."""

    def __init__(self, sketch: Sketch, spotted: Spotted, lengths: list[int], room_chars: int) -> None:
        self.sketch = sketch
        self.spotted = spotted
        self.lengths = lengths
        self.owners = list(sketch.owners)
        self.row_chars = sketch.row_chars
        self.room_chars = room_chars
        self.is_chosen = [False] * len(lengths)
        #: The chosen rows, in the order in which they were chosen.
        self.chosen: list[int] = []
        #: Names that are listed unless a chosen row has them, by their places.
        self.listed: list[int] = []
        #: For each row how many of the characters of the list it saves.
        self.credits = [0] * len(lengths)
        #: How many rows were chosen before it was decided what is listed: none of it is in these.
        self.first_rows = 0

    def take(self, places: Iterable[int], least_chars: int = 0) -> None:
        """Choose rows in this order, each with the one above it, until there is no room."""
        is_chosen, lengths, saved, owners = self.is_chosen, self.lengths, self.credits, self.owners
        room_chars, row_chars = self.room_chars, self.row_chars
        misses = 0
        for place in places:
            if is_chosen[place]:
                continue
            if room_chars <= least_chars:
                break
            chars = lengths[place] + row_chars - saved[place]
            above = owners[place] if owners else place
            is_apart = above != place and not is_chosen[above]
            if is_apart:
                chars += lengths[above] + row_chars - saved[above]
            if chars <= room_chars:
                room_chars -= chars
                if is_apart:
                    is_chosen[above] = True
                    self.chosen.append(above)
                is_chosen[place] = True
                self.chosen.append(place)
                misses = 0
            elif misses == _MISSES_MAX:
                break
            else:
                misses += 1
        self.room_chars = room_chars

    def list_names(self, chars_max: int) -> list[int]:
        """Set room aside for a list of the names that no chosen row has.

        Return for each row how many characters of that list it would save: those of the names that it is the first to
        have.
        """
        self.first_rows = len(self.chosen)
        shown = self.spotted.shown_by(self.chosen)
        self.listed = waiting = [place for place in range(len(shown)) if not shown[place]]
        self.credits = gains = self._gains(waiting)
        chars = sum(gains)
        if chars > chars_max:
            self.listed = _affordable(self.spotted.names, waiting, chars_max)
            self.credits = self._gains(self.listed)
            chars = sum(self.credits)
        self.room_chars -= chars
        return gains

    def _gains(self, places: list[int]) -> list[int]:
        """Return for each row how many characters its names take in a list, with a space behind each.

        A name counts for the first row that has it.
        """
        names, firsts = self.spotted.names, self.spotted.firsts
        gains = [0] * len(self.lengths)
        for place in places:
            gains[firsts[place]] += len(names[place]) + 1
        return gains

    def give_up(self, chars: int) -> None:
        """Let go of what was chosen last, until so many characters are saved."""
        while self.chosen and chars > 0:
            place = self.chosen.pop()
            chars -= max(1, self.lengths[place] - self.credits[place])

    def left(self) -> str:
        """Return the names to list: those that no chosen row has."""
        shown = self.spotted.shown_by(self.chosen[self.first_rows :])
        names = self.spotted.names
        return written([names[place] for place in self.listed if not shown[place]])


def compose(sketch: Sketch, chars_max: int) -> str:
    """Return the head, the chosen rows in their order, and the names that are only in the others."""
    width_chars = next((width for width in _CUTS if width * _ROWS_SEEN_MIN <= chars_max), min(_CUTS))
    lengths = [len(row) for row in sketch.rows]
    if lengths and max(lengths) > width_chars:
        sketch = _narrow(sketch, lengths, width_chars)
        lengths = [len(row) for row in sketch.rows]
    spotted = spot("\n".join(sketch.rows) if sketch.text is None else sketch.text)
    room_chars = int(chars_max * (1 - _MARKS_FRACTION)) - len(sketch.head) - len(INDEX_LEAD) - _MARK_CHARS
    choice = _Choice(sketch, spotted, lengths, room_chars)
    choice.take(sketch.first, int(room_chars * (1 - FIRST_FRACTION)))
    gains = choice.list_names(int(room_chars * INDEX_FRACTION))
    densities = [gains[place] / (lengths[place] + _ROW_CHARS) for place in range(len(gains))]
    naming = [place for place in range(len(gains)) if gains[place]]
    choice.take(sorted(naming, key=densities.__getitem__, reverse=True))
    # What is left goes to the rows after chosen ones, so that those can be understood, then to the others.
    choice.take([place + 1 for place in choice.chosen if place + 1 < len(lengths)])
    choice.take(range(len(lengths)))
    return _fitted(choice, chars_max)


def _affordable(names: list[bytes], waiting: list[int], chars_max: int) -> list[int]:
    """Names that may be listed: those that are worth most for their length."""
    listed: list[int] = []
    for place in by_worth(names, waiting):
        chars_max -= len(names[place]) + 1
        if chars_max < 0:
            break
        listed.append(place)
    return listed


def _fitted(choice: _Choice, chars_max: int) -> str:
    """Return the text of what was chosen; where the marks of gaps made it too long, without what was chosen last."""
    text = _written(choice)
    for _ in range(_FITTINGS_MAX):
        excess_chars = len(text) - chars_max
        if excess_chars <= 0 or not choice.chosen:
            break
        choice.give_up(excess_chars)
        text = _written(choice)
    return text if len(text) <= chars_max else text[: max(0, chars_max)]


def _written(choice: _Choice) -> str:
    sketch = choice.sketch
    rows, numbers = sketch.rows, sketch.numbers
    lines = [sketch.head] if sketch.head else []
    marked_from = _GAP_ROWS_MIN if numbers else 1
    before = -1
    for place in sorted(choice.chosen):
        gap = place - before - 1
        if gap >= marked_from:
            lines.append(f"… {gap} lines …" if gap >= _GAP_ROWS_MIN else "…")
        lines.append(f"{numbers[place]} {rows[place]}" if numbers and numbers[place] else rows[place])
        before = place
    gap = len(sketch.rows) - before - 1
    if gap:
        lines.append(f"… {gap} lines …")
    left = choice.left()
    if left:
        lines.append(INDEX_LEAD + left)
    return "\n".join(lines)


def _narrow(sketch: Sketch, lengths: list[int], chars_max: int) -> Sketch:
    """Cut rows that are too long; the pieces of a row share its number and stand below the same row."""
    cut = _CUTS[chars_max].findall
    wide = [place for place, chars in enumerate(lengths) if chars > chars_max]
    rows: list[str] = []
    numbers: list[int] = []
    #: How many rows more there are behind each wide row than before.
    added = [0]
    begin = 0
    for place in wide:
        rows += sketch.rows[begin:place]
        before = len(rows)
        rows += cut(sketch.rows[place])
        if sketch.numbers:
            numbers += sketch.numbers[begin:place]
            numbers += [sketch.numbers[place]] * (len(rows) - before)
        begin = place + 1
        added.append(len(rows) - begin)
    rows += sketch.rows[begin:]
    if sketch.numbers:
        numbers += sketch.numbers[begin:]

    def moved(place: int) -> int:
        return place + added[bisect_left(wide, place)]

    owners: list[int] = []
    if sketch.owners:
        pieces = {place: behind - before + 1 for place, (before, behind) in zip(wide, pairwise(added), strict=True)}
        owners = [moved(owner) for place, owner in enumerate(sketch.owners) for _ in range(pieces.get(place, 1))]
    return Sketch(
        rows,
        head=sketch.head,
        first=[moved(place) for place in sketch.first],
        owners=owners,
        numbers=numbers,
    )
