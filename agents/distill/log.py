"""Logs: counts by level, the first and the last error, and repeated lines once with their number.

A repeated line is shown again where a number in it is rare.
"""

from collections import Counter
from typing import Final

from tailrace.agents.distill.odd_rows import keys_of, odd_rows
from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.agents.distill.trouble import exit_rows, trouble_rows

_LEVELS: Final = ("FATAL", "CRITICAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE")
#: From so many on, repetitions are folded into the first.
_FOLDED_MIN: Final = 3


def sketch_log(reading: Reading) -> Sketch:
    """Return a log with its repetitions folded."""
    text = reading.text
    rows = text.split("\n")
    keys = keys_of(text)
    times = Counter(keys)
    seen: set[bytes] = set()
    shown: list[str] = []
    place_of: dict[int, int] = {}
    trouble = trouble_rows(text, rows)
    odd = odd_rows(rows, keys, times)
    kept = {*trouble[:2], *odd, len(rows) - 1}
    for place, (row, key) in enumerate(zip(rows, keys, strict=True)):
        repeated = times[key] >= _FOLDED_MIN and row != ""
        if repeated and key in seen and place not in kept:
            continue
        place_of[place] = len(shown)
        shown.append(f"{row} (and {times[key] - 1} more like it)" if repeated and key not in seen else row)
        seen.add(key)
    counts = ", ".join(f"{level} {number}" for level in _LEVELS if (number := text.count(level)))
    first = [place_of[place] for place in (*exit_rows(rows), *trouble[:2], *odd, *trouble[2:]) if place in place_of]
    head = f"{len(rows)} lines, {len(shown)} different." + (f" By level: {counts}." if counts else "")
    return Sketch(shown, head=head, first=first)
