"""Statements that carry the heading of the list they stood in: it is shown once, with its items beneath it.

Each item is held with its heading, because without it "open the vents" says the contrary of what was meant. A reader needs it once:

    - Never do the following:
      - open the vents
      - feed the swans

`unfolded` gives the items back as they are held, so that whoever looks for one finds it.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter

from msgspec import Struct

from tailrace.schemas.records.ledger import Directive

BULLET = "- "
_ITEM = "  - "
#: Ends of a heading; where words have no spaces between them, none follows.
_COLONS = (": ", "\uff1a")


class Line(Struct, frozen=True):
    """A statement as it is shown, and where it begins to be its own."""

    text: str
    #: What it shares with others of the same message, colon included.
    heading: str = ""
    source: str = ""

    @property
    def list(self) -> tuple[str, str]:
        """What tells the lists apart that lines stand in."""
        return self.heading, self.source

    @property
    def whole(self) -> str:
        """The line by itself."""
        return f"{BULLET}{self.text}"

    @property
    def item(self) -> str:
        """The line beneath its heading."""
        return f"{_ITEM}{self.text[len(self.heading) :].lstrip()}"


def headings_of(directives: Sequence[Directive]) -> list[str]:
    """The heading that each shares with one beside it, of the same message; empty where it has none."""
    found = [""] * len(directives)
    for place, (before, after) in enumerate(pairwise(directives)):
        heading = _shared(before.text, after.text) if before.source == after.source else ""
        found[place] = max(found[place], heading, key=len)
        found[place + 1] = heading
    return found


def folded(lines: Iterable[Line]) -> Iterator[str]:
    """Yield the lines as bullets; those that follow each other under one heading stand beneath it."""
    for (heading, _), run in groupby(lines, key=attrgetter("list")):
        together = [*run]
        if heading and len(together) > 1:
            yield f"{BULLET}{heading.rstrip()}"
            yield from (line.item for line in together)
        else:
            yield from (line.whole for line in together)


def added_lines(lines: Iterable[Line], headed: Container[tuple[str, str]]) -> Iterator[str]:
    """Yield what lines add where these headings stand already; one that is new is paid for as if others were to follow."""
    for line in lines:
        if not line.heading:
            yield line.whole
            continue
        if line.list not in headed:
            yield f"{BULLET}{line.heading.rstrip()}"
        yield line.item


def unfolded(text: str) -> str:
    """The text of a ledger with every item behind its headings and labels again."""
    label = heading = ""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith(_ITEM):
            lines.append(f"{label}{heading} {line.removeprefix(_ITEM)}")
        elif line.startswith(BULLET):
            heading = line.removeprefix(BULLET)
            lines.append(f"{label}{heading}")
        else:
            label, heading = f"{line} ", ""
            lines.append(line)
    return "\n".join(lines)


def _shared(one: str, other: str) -> str:
    """The beginning that two statements share up to a colon; empty where nothing is left of one of them behind it."""
    shorter = min(len(one), len(other))
    same = one[: next((place for place in range(shorter) if one[place] != other[place]), shorter)]
    ends = [same.rfind(colon) + len(colon) for colon in _COLONS if colon in same]
    end = max(ends, default=0)
    return same[:end] if end < shorter else ""
