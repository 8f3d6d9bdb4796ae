"""The rows of an output that report that something went wrong, and its exit code."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain, islice

from tailrace.agents.cues import has_error

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
_EXIT = re.compile(r"(?:exit(?:ed with)?(?: code| status)?|return code|code)[:= ]+(-?\d{1,3})\b")
_EXIT_ROWS = 8
_ROW_CHARS = 200


def trouble_rows(text: str, rows: list[str]) -> list[int]:
    """Return the rows with errors, the first and the last error before the others, warnings last; at most some dozens."""
    last = text[-_LAST_CHARS:]
    present = [stem for stem in _STEMS if stem in text]
    present += [stem for stem in _LAST_STEMS if stem in last]
    if not present:
        return []
    starts = list(accumulate([len(row) + 1 for row in rows], initial=0))
    #: By their rows, where in the text they are first hinted at.
    errors: dict[int, int] = {}
    warnings: dict[int, int] = {}
    for stem in present:
        found = warnings if stem in _SOFT_STEMS else errors
        at = text.find(stem)
        last_at = text.rfind(stem)
        for _ in range(_HITS_MAX):
            place = bisect_right(starts, at) - 1
            found[place] = min(found.get(place, at), at)
            at = text.find(stem, starts[place + 1]) if at < last_at else -1
            if at < 0:
                break
        else:
            found.setdefault(bisect_right(starts, last_at) - 1, last_at)
    places = sorted(errors)

    def surely(place: int) -> bool:
        at = errors[place]
        return has_error(text, at - 1, min(at + _ROW_CHARS, starts[place + 1]))

    ends = [[place for place in islice(some, _HITS_MAX) if surely(place)][:1] for some in (places, reversed(places))]
    return list(dict.fromkeys((*chain(*ends), *places, *sorted(warnings))))


def exit_rows(rows: Sequence[str]) -> list[int]:
    """Return the rows at the beginning and the end that say with which code a program ended."""
    places = [*range(min(_EXIT_ROWS, len(rows))), *range(max(_EXIT_ROWS, len(rows) - _EXIT_ROWS), len(rows))]
    beginnings = [rows[place][:_ROW_CHARS].lower() for place in places]
    return [
        place
        for place, row in zip(places, beginnings, strict=True)
        if ("exit" in row or "code" in row) and _EXIT.search(row)
    ]
