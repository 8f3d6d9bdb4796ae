"""The rows of an output that report that something went wrong, and its exit code."""

import re
from bisect import bisect_right
from itertools import accumulate

from tailrace.agents.cues import is_error
from tailrace.agents.distill.reading import Reading

#: Every report of an error has one of these in it; looking for them is much faster than looking at every row.
_STEMS = (
    *(
        "rror",
        "ERROR",
        "xception",
        "FAIL",
        "ailed",
        "ailure",
        "fatal",
        "panic",
        "Traceback",
        "enied",
        "o such",
        "ot found",
    ),
    *("imed out", "annot ", "nable to", "xit code", "xit status", "exited with", "WARN", "arning"),
)
_SOFT_STEMS = frozenset({"WARN", "arning"})
#: Rows looked at for each stem, from the beginning; the last one is looked at as well.
_HITS_MAX = 10
_EXIT = re.compile(r"(?:exit(?:ed with)?(?: code| status)?|return code|code)[:= ]+(-?\d{1,3})\b", re.IGNORECASE)
_EXIT_ROWS = 8


def trouble_rows(reading: Reading) -> list[int]:
    """Return the rows with errors, the first and the last error before the others, warnings last; at most some dozens."""
    text = reading.text
    present = [stem for stem in _STEMS if stem in text]
    if not present:
        return []
    starts = list(accumulate([len(row) + 1 for row in reading.rows], initial=0))
    errors: set[int] = set()
    warnings: set[int] = set()
    for stem in present:
        found = warnings if stem in _SOFT_STEMS else errors
        at = text.find(stem)
        for _ in range(_HITS_MAX):
            if at < 0:
                break
            found.add(place := bisect_right(starts, at) - 1)
            at = text.find(stem, starts[place + 1])
        found.add(bisect_right(starts, text.rfind(stem)) - 1)
    sure = sorted(place for place in errors if is_error(reading.rows[place]))
    ends = sure[:1] + sure[-1:]
    return list(dict.fromkeys((*ends, *sure, *sorted(errors), *sorted(warnings))))


def exit_rows(reading: Reading) -> list[int]:
    """Return the rows at the beginning and the end that say with which code a program ended."""
    rows = reading.rows
    places = [*range(min(_EXIT_ROWS, len(rows))), *range(max(_EXIT_ROWS, len(rows) - _EXIT_ROWS), len(rows))]
    return [place for place in places if _EXIT.search(rows[place][:200])]
