"""Source files: an outline with line numbers, then the lines that name most."""

from tailrace.agents.distill.numbered import numbered_rows
from tailrace.agents.distill.reading import Reading
from tailrace.agents.distill.selection import Sketch

#: First words of lines that declare something, wherever they are indented to.
_DECLARING = (
    "def class func function fn interface trait impl enum struct type module namespace record object protocol extension async "
    "export public private protected internal static abstract final override pub unsafe describe( template CREATE ALTER "
    "macro_rules! defmodule defp defmacro sub package resource data service message rpc"
)
#: First words that do so only at the left margin.
_DECLARING_AT_MARGIN = "const let var val global declare use import from #include #define require using"
_DECLARES, _DECLARES_AT_MARGIN = frozenset(_DECLARING.split()), frozenset(_DECLARING_AT_MARGIN.split())
#: Four spaces are a step of indentation, which one character shows as well.
_STEP, _SHORT_STEP = "    ", "\t"


def sketch_source(reading: Reading) -> Sketch:
    """Return a source file whose declarations come first."""
    numbers, rows = numbered_rows(reading)
    if _STEP in reading.text:
        rows = "\n".join(rows).replace(_STEP, _SHORT_STEP).split("\n")
    words = [row.partition(" ")[0].lstrip() for row in rows]
    outline = [place for place, word in enumerate(words) if word in _DECLARES]
    margin = [place for place, word in enumerate(words) if word in _DECLARES_AT_MARGIN and rows[place].startswith(word)]
    return Sketch(rows, numbers or [*map(str, range(1, len(rows) + 1))], first=[*outline, *margin])
