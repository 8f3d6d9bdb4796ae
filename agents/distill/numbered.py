"""Files as tools show them, with a number before each line: numbers and lines apart."""

from tailrace.agents.distill.reading import Reading

#: What tools write between the number of a line and the line; `-` where search tools show a line beside a match.
_DIVIDERS = ("→", "\t", ": ", "| ", ":", "-")
_PROBE_ROWS = 12


def numbered_rows(reading: Reading) -> tuple[list[str], list[str]]:
    """Return the number before each row, empty where there is none, and the rows without them.

    There are no numbers where few rows have any.
    """
    rows = reading.rows
    probe = rows[len(rows) // 3 : len(rows) // 3 + _PROBE_ROWS]
    for divider in _DIVIDERS:
        numbered = sum(row.partition(divider)[0].strip().isdigit() for row in probe)
        if numbered * 2 >= len(probe):
            # Lines beside matches have the other divider.
            other = {":": "-", "-": ":"}.get(divider, "")
            parts = [_divided(row, divider, other) for row in rows]
            return [number for number, _ in parts], [row for _, row in parts]
    return [], rows


def _divided(row: str, divider: str, other: str) -> tuple[str, str]:
    number, divided, rest = row.partition(divider)
    if divided and (number := number.lstrip()).isdigit():
        return number, rest
    return _divided(row, other, "") if other else ("", row)
