"""Files as tools show them, with a number before each line: rows that begin with their number, and how to show them."""

import re
from dataclasses import dataclass

from tailrace.agents.distill.reading import Reading

#: What tools write between the number of a line and the line; `-` where search tools show a line beside a match.
_DIVIDERS = ("→", "\t", ": ", "| ", ":", "-")
_PROBE_ROWS = 12
#: Nothing stands between these and the line, so they would join the number and its first word.
_JOINING = frozenset({":", "-"})
_JOINED = re.compile(r"^(\s*\d+)[:-]")
#: Four spaces are a step of indentation, which one character shows as well.
_STEP, _SHORT_STEP = "    ", "\t"


@dataclass(frozen=True, slots=True)
class NumberedRows:
    """Rows, and what divides each from the number before it; empty where there are no numbers."""

    rows: list[str]
    divider: str = ""

    def show(self, row: str) -> str:
        """Return a row with its number, and an indentation that takes a quarter of the characters."""
        if self.divider:
            number, divided, line = row.partition(self.divider)
            if divided and (number := number.lstrip()).isdigit():
                return f"{number} {line.replace(_STEP, _SHORT_STEP)}"
        return row.replace(_STEP, _SHORT_STEP)

    def line(self, row: str) -> str:
        """Return a row without its number."""
        return row.partition(self.divider)[2] if self.divider else row


def numbered_rows(reading: Reading) -> NumberedRows:
    """Return the rows of a file; without numbers where few rows have any."""
    rows = reading.rows
    probe = rows[len(rows) // 3 : len(rows) // 3 + _PROBE_ROWS]
    for divider in _DIVIDERS:
        numbered = sum(row.partition(divider)[0].strip().isdigit() for row in probe)
        if numbered * 2 >= len(probe):
            if divider in _JOINING:
                return NumberedRows([_JOINED.sub(r"\1\t", row) for row in rows], "\t")
            return NumberedRows(rows, divider)
    return NumberedRows(rows)
