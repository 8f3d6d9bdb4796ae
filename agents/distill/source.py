"""Source files: an outline with line numbers, then the lines that name most."""

import re
from typing import Final

from tailrace.agents.distill.line_numbers import divider_of, read_file
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading

#: First words of lines that declare something, wherever they are indented to.
_DECLARING: Final = (
    "def class func function fn interface trait impl enum struct type module namespace record object protocol "
    "extension async "
    "export public private protected internal static abstract final override pub unsafe describe template CREATE ALTER "
    "macro_rules defmodule defp defmacro sub package resource data service message rpc"
)
#: First words that do so only at the left margin.
_DECLARING_AT_MARGIN: Final = "const let var val global declare use import from #include #define require using"


_DECLARED: Final = frozenset(_DECLARING.split())
_DECLARED_AT_MARGIN: Final = frozenset(_DECLARING_AT_MARGIN.split())
#: Nearly all rows are dismissed by their first letters.
_LETTERS: Final = 3
_BEGINNINGS: Final = frozenset(f"{word} "[:_LETTERS] for word in _DECLARED | _DECLARED_AT_MARGIN)
_FIRST_WORD: Final = re.compile(r"[#\w]++(?![.:=,])")


def sketch_source(reading: Reading) -> Sketch:
    """Return a source file whose declarations come first."""
    file = read_file(reading.text, divider_of(reading.text))
    numbers = file.numbers or range(1, len(file.rows) + 1)
    return Sketch(file.rows, text=file.text, first=_declarations(file.rows), numbers=numbers)


def _declarations(rows: list[str]) -> list[int]:
    """Return the rows that begin with a declaring word; those where it counts only at the left margin come last."""
    declared: list[int] = []
    at_margin: list[int] = []
    for place in [place for place, row in enumerate(rows) if row.lstrip()[:_LETTERS] in _BEGINNINGS]:
        word = _FIRST_WORD.match(rows[place].lstrip())
        if word and word[0] in _DECLARED:
            declared.append(place)
        elif word and word[0] in _DECLARED_AT_MARGIN and rows[place].startswith(word[0]):
            at_margin.append(place)
    return declared + at_margin
