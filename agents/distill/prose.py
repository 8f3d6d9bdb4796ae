"""Text in general: what a command printed, a page in Markdown, an answer in words.

The general case has to be strong, because what a shell prints is a mixture: errors and the exit code come first, then
headings, then the beginning and the end, then whatever names most.
"""

from tailrace.agents.distill.numbered import numbered_rows
from tailrace.agents.distill.reading import Reading
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.trouble import exit_rows, trouble_rows

_HEAD_ROWS, _TAIL_ROWS = 3, 5
_HEADINGS = ("#", "===", "**", "@@ ", "diff --git ")


def sketch_text(reading: Reading) -> Sketch:
    """Return text whose errors, headings, beginning and end come first."""
    rows = reading.rows
    headings = [place for place, row in enumerate(rows) if row.startswith(_HEADINGS)]
    ends = [*range(min(_HEAD_ROWS, len(rows))), *range(max(0, len(rows) - _TAIL_ROWS), len(rows))]
    return Sketch(rows, first=[*exit_rows(reading.rows), *trouble_rows(reading), *ends, *headings])


def sketch_markdown(reading: Reading) -> Sketch:
    """Return Markdown with its headings first; with line numbers where the tool showed some."""
    file = numbered_rows(reading)
    if not file.divider:
        return Sketch(file.rows, first=[place for place, row in enumerate(file.rows) if row[:1] == "#"])
    headings = [place for place, row in enumerate(file.rows) if "#" in row and file.line(row)[:1] == "#"]
    return Sketch(file.rows, first=headings, begin_with_numbers=True, show=file.show)
