"""Text in general: what a command printed, a page in Markdown, an answer in words.

The general case has to be strong, because what a shell prints is a mixture: errors, the exit code and rows with a
number that is rare come first, then headings, then the beginning and the end, then whatever names most.
"""

from collections.abc import Sequence
from typing import Final

from tailrace.agents.distill.line_numbers import divider_of, read_file
from tailrace.agents.distill.odd_rows import odd_rows_of
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.agents.distill.trouble import exit_rows, trouble_rows

_HEAD_ROWS: Final = 3
_TAIL_ROWS: Final = 5
_HEADINGS: Final = ("#", "===", "**", "@@ ", "diff --git ")
_HEADING_LETTERS: Final = frozenset(heading[0] for heading in _HEADINGS)


def sketch_text(reading: Reading) -> Sketch:
    """Return text whose errors, headings, beginning and end come first."""
    text = reading.text
    rows = text.split("\n")
    headings = [place for place, row in enumerate(rows) if row[:1] in _HEADING_LETTERS and row.startswith(_HEADINGS)]
    ends = [*range(min(_HEAD_ROWS, len(rows))), *range(max(0, len(rows) - _TAIL_ROWS), len(rows))]
    trouble = [*trouble_rows(text, rows), *odd_rows_of(text, rows)]
    return Sketch(rows, text=text, first=[*exit_rows(rows), *trouble, *ends, *headings])


def sketch_markdown(reading: Reading) -> Sketch:
    """Return Markdown with its headings first; with line numbers where the tool showed some."""
    text = reading.text
    numbers: Sequence[int] = ()
    if divider := divider_of(text):
        file = read_file(text, divider)
        text, rows, numbers = file.text, file.rows, file.numbers
    else:
        rows = text.split("\n")
    headings = [place for place, row in enumerate(rows) if row[:1] == "#"]
    return Sketch(rows, text=text, first=headings, numbers=numbers)
