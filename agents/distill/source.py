"""Source files: an outline with line numbers, then the lines that name most."""

import re
from collections import defaultdict

from tailrace.agents.distill.numbered import numbered_rows
from tailrace.agents.distill.reading import Reading
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.spotted import LINE_NUMBER

#: First words of lines that declare something, wherever they are indented to; signs around them are spaces by then.
_DECLARING = (
    "def class func function fn interface trait impl enum struct type module namespace record object protocol extension async "
    "export public private protected internal static abstract final override pub unsafe describe template CREATE ALTER "
    "macro_rules defmodule defp defmacro sub package resource data service message rpc"
)
#: First words that do so only at the left margin.
_DECLARING_AT_MARGIN = "const let var val global declare use import from #include #define require using"


def _one_of(words: str) -> bytes:
    """Return an expression for these words that looks at the first letter only once."""
    rests: dict[str, list[str]] = defaultdict(list)
    for word in words.split():
        rests[word[0]].append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(some)})(?= )" for letter, some in rests.items()).encode()


#: For every row its number, if it has one, then the word that declares something, or nothing.
_BEGINNINGS = re.compile(
    b"\n(?:%b)?+( *+(?:%b)|%b|)" % (LINE_NUMBER, _one_of(_DECLARING), _one_of(_DECLARING_AT_MARGIN))
)
_AT_MARGIN = frozenset(_DECLARING_AT_MARGIN.encode().split())


def sketch_source(reading: Reading) -> Sketch:
    """Return a source file whose declarations come first."""
    file = numbered_rows(reading)
    numbers = () if file.divider else range(1, len(file.rows) + 1)
    return Sketch(file.rows, find=_declarations, numbers=numbers, begin_with_numbers=bool(file.divider), show=file.show)


def _declarations(spaced: bytes) -> list[int]:
    """Return the rows that begin with a word that declares something, those last where only the left margin makes it one."""
    found = {place: word for place, word in enumerate(_BEGINNINGS.findall(spaced)) if word}
    return sorted(found, key=lambda place: (found[place] in _AT_MARGIN, place))
