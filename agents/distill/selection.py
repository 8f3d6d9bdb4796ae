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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from tailrace.agents.distill.spotted import Names, Words, words_of

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
_ROWS_SEEN_MIN = 4


@dataclass(frozen=True, slots=True)
class Sketch:
    """An output as rows to choose from, none with a line end in it."""

    rows: list[str]
    #: What is said of the whole, before all rows.
    head: str = ""
    #: Rows that are chosen before the others, the most important first.
    first: Sequence[int] = ()
    #: Finds more of them in `Words.spaced`.
    find: Callable[[bytes], Iterable[int]] | None = None
    #: For each row the row that stands above it and is shown with it, or itself.
    owners: Sequence[int] = ()
    #: The line of each row, where that is worth showing and the rows don't begin with it.
    numbers: Sequence[int] = ()
    begin_with_numbers: bool = False
    #: How a row is shown, where that is not as it is.
    show: Callable[[str], str] | None = None

    def shown(self, place: int) -> str:
        """Return a row as it is written."""
        row = self.rows[place]
        if self.show:
            row = self.show(row)
        return f"{self.numbers[place]} {row}" if self.numbers else row

    @property
    def is_numbered(self) -> bool:
        """Whether gaps can be seen from the numbers of lines."""
        return self.begin_with_numbers or bool(self.numbers)


class _Choice:
    """Rows chosen so far, and the room that is left."""

    def __init__(self, sketch: Sketch, words: Words, room_chars: int) -> None:
        self.sketch = sketch
        self.words = words
        self.room_chars = room_chars
        #: The chosen rows, as they are written.
        self.chosen: dict[int, str] = {}
        #: Words whose names are listed unless a chosen row has them.
        self.listed: Iterable[bytes] = ()
        #: For each row how many of the characters of the list it saves.
        self.credits: dict[int, int] = {}

    def take(self, places: Iterable[int], least_chars: float = 0) -> None:
        """Choose rows in this order, each with the one above it, until there is no room."""
        chosen, saved, owners, shown = self.chosen, self.credits, self.sketch.owners, self.sketch.shown
        room_chars = self.room_chars
        misses = 0
        for place in places:
            if room_chars <= least_chars or misses > _MISSES_MAX:
                break
            misses += 1
            if place in chosen:
                misses = 0
                continue
            row = shown(place)
            chars = len(row) + _ROW_CHARS - saved.get(place, 0)
            if owners and (owner := owners[place]) != place and owner not in chosen:
                above = shown(owner)
                chars += len(above) + _ROW_CHARS - saved.get(owner, 0)
                if chars <= room_chars:
                    chosen[owner] = above
            if chars <= room_chars:
                room_chars -= chars
                chosen[place] = row
                misses = 0
        self.room_chars = room_chars

    def list_names(self, chars_max: int) -> dict[int, int]:
        """Set room aside for names that no chosen row has; return for each other row the characters of the names it has first."""
        shown = self.words.of(self.chosen)
        self.listed = waiting = [word for word in self.words.names if word not in shown]
        self.credits = gains = self._gains(waiting)
        chars = sum(gains.values())
        if chars > chars_max:
            self.listed = _affordable(waiting, self.words.names, chars_max)
            self.credits = self._gains(self.listed)
            chars = sum(self.credits.values())
        self.room_chars -= chars
        return gains

    def _gains(self, words: Iterable[bytes]) -> dict[int, int]:
        """Return for each row that is the first to have some of these words what they take in a list, each with a space."""
        firsts, names = self.words.firsts, self.words.names
        gains: dict[int, int] = {}
        for word in words:
            place = firsts[word]
            gains[place] = gains.get(place, 0) + names[word].chars
        return gains

    def left(self) -> list[str]:
        """Return the names to list: those that no chosen row has."""
        shown = self.words.of(self.chosen)
        names = self.words.names
        left = [names[word].names for word in self.listed if word not in shown]
        return list(dict.fromkeys(chain.from_iterable(left)))


def compose(sketch: Sketch, chars_max: int) -> str:
    """Return the head, the chosen rows in their order, and the names that are only in the others."""
    width_chars = next((width for width in _CUTS if width * _ROWS_SEEN_MIN <= chars_max), min(_CUTS))
    sketch = _narrow(sketch, width_chars)
    rows = sketch.rows
    words = words_of(rows, numbered=sketch.begin_with_numbers)
    room_chars = int(chars_max * (1 - _MARKS_FRACTION)) - len(sketch.head) - len(INDEX_LEAD) - _MARK_CHARS
    choice = _Choice(sketch, words, room_chars)
    choice.take(
        chain(sketch.first, sketch.find(words.spaced) if sketch.find else ()), room_chars * (1 - FIRST_FRACTION)
    )
    gains = choice.list_names(int(room_chars * INDEX_FRACTION))
    densities = {place: gain / (len(rows[place]) + _ROW_CHARS) for place, gain in gains.items()}
    choice.take(sorted(densities, key=densities.__getitem__, reverse=True))
    # What is left goes to the rows after chosen ones, so that those can be understood, then to the others.
    choice.take([place + 1 for place in choice.chosen if place + 1 < len(rows)])
    choice.take(range(len(rows)))
    return _fitted(choice, chars_max)


def _affordable(words: Iterable[bytes], names: dict[bytes, Names], chars_max: int) -> list[bytes]:
    """Words whose names may be listed: those that are worth most for their length."""
    listed = []
    for word in sorted(words, key=lambda word: names[word].rank):
        chars_max -= names[word].chars
        if chars_max < 0:
            break
        listed.append(word)
    return listed


def _fitted(choice: _Choice, chars_max: int) -> str:
    """Return the text of what was chosen; where the marks of gaps made it too long, without what was chosen last."""
    text = _written(choice)
    for _ in range(_FITTINGS_MAX):
        excess_chars = len(text) - chars_max
        if excess_chars <= 0 or not choice.chosen:
            break
        while choice.chosen and excess_chars > 0:
            place, row = choice.chosen.popitem()
            excess_chars -= max(1, len(row) - choice.credits.get(place, 0))
        text = _written(choice)
    return text if len(text) <= chars_max else text[: max(0, chars_max)]


def _written(choice: _Choice) -> str:
    sketch = choice.sketch
    lines = [sketch.head] if sketch.head else []
    marked_from = _GAP_ROWS_MIN if sketch.is_numbered else 1
    before = -1
    for place in sorted(choice.chosen):
        gap = place - before - 1
        if gap >= marked_from:
            lines.append(f"… {gap} lines …" if gap >= _GAP_ROWS_MIN else "…")
        lines.append(choice.chosen[place])
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
    if max(map(len, sketch.rows), default=0) <= chars_max:
        return sketch
    wide = [place for place, row in enumerate(sketch.rows) if len(row) > chars_max]
    rows: list[str] = []
    #: How many rows more there are behind each wide row than before.
    added = [0]
    begin = 0
    for place in wide:
        rows += sketch.rows[begin:place]
        rows += _CUTS[chars_max].findall(sketch.rows[place])
        begin = place + 1
        added.append(len(rows) - begin)
    rows += sketch.rows[begin:]

    def moved(place: int) -> int:
        return place + added[bisect_left(wide, place)]

    origins: list[int] = []
    if sketch.numbers or sketch.owners:
        pieces = {place: behind - before + 1 for place, (before, behind) in zip(wide, pairwise(added), strict=True)}
        origins = [origin for origin in range(len(sketch.rows)) for _ in range(pieces.get(origin, 1))]
    return replace(
        sketch,
        rows=rows,
        numbers=[sketch.numbers[origin] for origin in origins] if sketch.numbers else (),
        first=[moved(place) for place in sketch.first],
        owners=[moved(sketch.owners[origin]) for origin in origins] if sketch.owners else (),
    )
