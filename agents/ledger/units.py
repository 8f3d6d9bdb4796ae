"""From what a person wrote to units that may each state something: a short line, otherwise a sentence.

So a condition stays with what it governs: behind a heading that is a condition every item carries it, and a line that goes on with an
exception belongs to the one before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from tailrace.agents.cues import holds_any
from tailrace.agents.ledger.form_words import HEADINGS
from tailrace.agents.ledger.lexicon import CONDITIONS
from tailrace.agents.ledger.pasted import own_lines
from tailrace.agents.ledger.when_words import CONTINUING

#: A line up to here is one statement; a longer one is taken apart.
LINE_CHARS_MAX = 240
STATEMENT_CHARS_MIN = 8
STATEMENT_CHARS_MAX = 400
STATEMENT_BYTES_MIN = 15
#: An editor breaks lines that are as long as this, and a paragraph of its lines is not longer than that.
BROKEN_CHARS_MIN, PARAGRAPH_CHARS_MAX = 60, 2_000

_MARKS = " \t-*•#>"
#: A box of a list of tasks.
_BOX = re.compile(r"^\[[ xX]\]\s+")
#: The point behind the number of an item ("1. this") ends nothing.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<![\s`(]\d\.) +(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")
_NUMBERED = re.compile(r"^\(?\d{1,2}[.)]\s+")
#: Items in the midst of a line, behind what they are listed under.
_INLINE_FIRST = (": 1. ", ": 1) ", ": (1) ")
_INLINE_ITEM = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+")
#: What ends a line that nothing continues.
_ENDS = (".", "!", "?", ":", ";", "\u3002")


class Unit(Struct, frozen=True):
    """What may state something: its text, the condition it is listed under, and the list that it is an item of."""

    text: str
    condition: str = ""
    #: Number of the list; 0 where it stands alone.
    listed: int = 0
    #: The list is called one of rules.
    ruled: bool = False

    @property
    def whole(self) -> str:
        """The unit behind its condition."""
        return f"{self.condition} {self.text}" if self.condition else self.text


def units(text: str, *, typed: bool) -> Iterator[Unit]:
    """Yield all that a text could state, in its order."""
    place = _Place()
    for line in _joined(own_lines(text, typed=typed)):
        bare = " ".join(line.strip(_MARKS).split())
        if bare.startswith("["):
            bare = _BOX.sub("", bare)
        if bare:
            yield from place.read(bare, line.lstrip())
        elif not line:
            place.end_paragraph()


@dataclass(slots=True)
class _Place:
    """Where in a text a line stands: under which condition, under a heading of rules or not, in which of its lists."""

    condition: str = ""
    ruled: bool = False
    listing: bool = False
    #: Lists so far.
    lists: int = 0

    def end_paragraph(self) -> None:
        """An empty line: a heading may have one behind it, and no more."""
        self.condition, self.ruled, self.listing = "", self.ruled and not self.listing, False

    def read(self, bare: str, begun: str) -> Iterator[Unit]:
        """Yield what a line could state; a heading states nothing by itself."""
        listed = _is_listed(begun)
        bare = _NUMBERED.sub("", bare, count=1) if listed else bare
        if bare.endswith(":"):
            words = bare.rstrip(" :").lower().split()
            self.condition = bare if not CONDITIONS.isdisjoint(words[:1]) else ""
            self.ruled, self.listing = not HEADINGS.isdisjoint(words), False
            return
        if not listed:
            self.condition, self.ruled = "", False
        elif not self.listing:
            self.lists += 1
        self.listing = listed
        if holds_any(bare, _INLINE_FIRST):
            self.lists += 1
            yield from _inline(bare, self.lists)
            return
        for one in [bare] if len(bare) <= LINE_CHARS_MAX else _SENTENCE_END.split(bare):
            if _is_long_enough(one, self.condition) and len(one) <= STATEMENT_CHARS_MAX:
                yield Unit(one, self.condition, self.lists if listed else 0, self.ruled)


def _is_long_enough(one: str, condition: str) -> bool:
    """Where words are written with few characters, these are long in bytes."""
    if len(one) + len(condition) >= STATEMENT_CHARS_MIN:
        return True
    return not one.isascii() and len(one.encode()) >= STATEMENT_BYTES_MIN


def _is_listed(begun: str) -> bool:
    return begun[:1] in "-*•" or (begun[:1] in "(0123456789" and _NUMBERED.match(begun) is not None)


def _first(line: str) -> str:
    return line.split(None, 1)[0].rstrip(",:").lower()


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """The lines, each with those that go on with it: with an exception, or because an editor broke it."""
    before: str | None = None
    for line in lines:
        if before and not before.endswith(_ENDS) and line.strip() and _goes_on(before, line):
            before = f"{before} {line.strip()}"
            continue
        if before is not None:
            yield before
        before = line.rstrip() if line.strip() else line
    if before is not None:
        yield before


def _goes_on(before: str, line: str) -> bool:
    """Tell whether a line goes on with the one before it."""
    if len(before) <= LINE_CHARS_MAX and _first(line) in CONTINUING:
        return True
    return BROKEN_CHARS_MIN < len(before) <= PARAGRAPH_CHARS_MAX and line.lstrip()[0].islower()


def _inline(line: str, number: int) -> Iterator[Unit]:
    """The items of a list that stands in one line, each behind its condition; the line itself where that is none."""
    head, *items = _INLINE_ITEM.split(line)
    if _first(head) in CONDITIONS:
        for item in items:
            yield Unit(item.strip(" ,;"), head.strip(), number)
    else:
        yield Unit(line)
