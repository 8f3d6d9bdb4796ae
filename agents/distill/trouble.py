"""The rows of an output that report that something went wrong, and its exit code."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, islice

from tailrace.agents.cues import is_error
from tailrace.agents.distill.reading import Reading

#: Nearly every report of an error has one of these in it; looking for them is much faster than looking at every row.
_STEMS = ("rror", "ERROR", "xception", "FAIL", "ailed", "fatal", "panic: ", "Traceback", "enied")
#: These are only looked for where programs end.
_LAST_STEMS = (
    "annot ",
    "o such",
    "ot found",
    "imed out",
    "nable to",
    "xit code",
    "xit status",
    "exited with",
    "WARN",
    "arning",
)
_LAST_CHARS = 2_000
_SOFT_STEMS = frozenset({"WARN", "arning"})
#: Rows looked at for each stem, from the beginning; the last one is looked at as well.
_HITS_MAX = 6
_EXIT = re.compile(r"(?:exit(?:ed with)?(?: code| status)?|return code|code)[:= ]+(-?\d{1,3})\b", re.IGNORECASE)
_EXIT_ROWS = 8
_ROW_CHARS = 200


def trouble_rows(reading: Reading) -> list[int]:
    """Return the rows with errors, the first and the last error before the others, warnings last; at most some dozens."""
    text = reading.text
    last = text[-_LAST_CHARS:]
    present = [stem for stem in _STEMS if stem in text]
    present += [stem for stem in _LAST_STEMS if stem in last]
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
    places = sorted(errors)
    ends = (_first_error(reading.rows, places), _first_error(reading.rows, reversed(places)))
    return list(dict.fromkeys((*chain(*ends), *places, *sorted(warnings))))


def _first_error(rows: list[str], places: Iterable[int]) -> list[int]:
    """Return the first of these rows that surely reports an error, if it is among the first few."""
    return next(([place] for place in islice(places, _HITS_MAX) if is_error(rows[place][:_ROW_CHARS])), [])


def exit_rows(rows: Sequence[str]) -> list[int]:
    """Return the rows at the beginning and the end that say with which code a program ended."""
    places = [*range(min(_EXIT_ROWS, len(rows))), *range(max(_EXIT_ROWS, len(rows) - _EXIT_ROWS), len(rows))]
    beginnings = [rows[place][:_ROW_CHARS].lower() for place in places]
    return [
        place
        for place, row in zip(places, beginnings, strict=True)
        if ("exit" in row or "code" in row) and _EXIT.search(row)
    ]
