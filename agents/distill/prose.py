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
    return Sketch(rows, first=_important(reading, rows))


def sketch_markdown(reading: Reading) -> Sketch:
    """Return Markdown with its headings first; with line numbers where the tool showed some."""
    numbers, rows = numbered_rows(reading)
    headings = [place for place, row in enumerate(rows) if row.startswith("#")]
    return Sketch(rows, numbers, first=headings)


def _important(reading: Reading, rows: list[str]) -> list[int]:
    headings = [place for place, row in enumerate(rows) if row.startswith(_HEADINGS)]
    ends = [*range(min(_HEAD_ROWS, len(rows))), *range(max(0, len(rows) - _TAIL_ROWS), len(rows))]
    return list(dict.fromkeys([*exit_rows(reading), *trouble_rows(reading), *ends, *headings]))
