"""The rows of an output that report that something went wrong, and its exit code."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Final

from tailrace.agents.distill.selection import Sketch
from tailrace.agents.language.cues import has_error, is_error

if TYPE_CHECKING:
    from mypy_extensions import i64

#: Nearly every report of an error has one of these in it; looking for them is much faster than looking at every row.
#: Beside each are two letters of it that few other words have.
_STEMS: Final = (
    ("rror", "rr"),
    ("ERROR", "RR"),
    ("xception", "xc"),
    ("FAIL", "FA"),
    ("ailed", "ai"),
    ("fatal", "fa"),
    ("panic: ", "c:"),
    ("Traceback", "Tr"),
    ("enied", "ie"),
)
#: These are only looked for where programs end.
_LAST_STEMS: Final = (
    ("annot ", "nn"),
    ("o such", "uc"),
    ("ot found", "fo"),
    ("imed out", "d "),
    ("nable to", "bl"),
    ("xit code", "xi"),
    ("xit status", "it"),
    ("exited with", "ex"),
    ("WARN", "WA"),
    ("arning", "rn"),
)
_LAST_CHARS: Final = 2_000
#: How many of the stems are looked for in all of a text.
_EVERYWHERE: Final = 9
_ALL_STEMS: Final = [stem for stem, _ in (*_STEMS, *_LAST_STEMS)]
_STEM_BYTES: Final = [stem.encode() for stem in _ALL_STEMS]
#: Where in its stem the second of the two letters stands.
_PAIR_ENDS: Final = [stem.index(pair) + 1 for stem, pair in (*_STEMS, *_LAST_STEMS)]
_HASHES: Final = 4_096
_HASH_SHIFT: Final = 5


def _table() -> bytes:
    """Return for each hash of two letters the number of their stem, from 1 on."""
    table = bytearray(_HASHES)
    for number, (_, pair) in enumerate((*_STEMS, *_LAST_STEMS), 1):
        table[(ord(pair[0]) << _HASH_SHIFT ^ ord(pair[1])) % _HASHES] = number
    return bytes(table)


_STEM_OF: Final = _table()
_SOFT_STEMS: Final = frozenset({"WARN", "arning"})
#: Rows looked at for each stem, from the beginning; the last one is looked at as well.
_HITS_MAX: Final = 6
#: In small letters. Windows has codes of 32 bits, with a sign, without one, and in hexadecimal.
_EXIT: Final = re.compile(
    r"(?:exit(?:ed with)?(?: code| status)?|return code|code)[:= ]+(?:-?\d{1,3}|-\d{10}|\d{10}|0x[0-9a-f]{8})\b"
)
_EXIT_ROWS: Final = 8
_ROW_CHARS: Final = 200


def trouble_rows(text: str, rows: list[str]) -> list[int]:
    """Return the rows with errors and warnings, at most some dozens.

    The first and the last error come first, then the other errors, then the warnings.
    """
    present = _present(text)
    if not present:
        return []
    starts = list(accumulate([len(row) + 1 for row in rows], initial=0))
    #: By their rows, where in the text they are first hinted at.
    errors: dict[int, int] = {}
    warnings: dict[int, int] = {}
    for stem in present:
        hits = warnings if stem in _SOFT_STEMS else errors
        at = text.find(stem)
        last_at = text.rfind(stem)
        for _ in range(_HITS_MAX):
            place = bisect_right(starts, at) - 1
            hits[place] = min(hits.get(place, at), at)
            at = text.find(stem, starts[place + 1]) if at < last_at else -1
            if at < 0:
                break
        else:
            hits.setdefault(bisect_right(starts, last_at) - 1, last_at)
    places = sorted(errors)

    def surely(place: int) -> bool:
        at = errors[place]
        return has_error(text, at - 1, min(at + _ROW_CHARS, starts[place + 1]))

    ends = [[place for place in islice(some, _HITS_MAX) if surely(place)][:1] for some in (places, reversed(places))]
    return list(dict.fromkeys((*chain(*ends), *places, *sorted(warnings))))


def _present(text: str) -> list[str]:
    """Return the stems that a text has, after one walk over it."""
    data = text.encode("utf-8", "surrogatepass")
    stem_of = _STEM_OF
    stems: set[int] = set()
    size: i64 = len(data)
    last_from: i64 = size - _LAST_CHARS
    at: i64 = 0
    before: i64 = 0
    while at < size:
        byte: i64 = data[at]
        number: i64 = stem_of[(before << _HASH_SHIFT ^ byte) & (_HASHES - 1)]
        if number and (number <= _EVERYWHERE or at >= last_from):
            place = number - 1
            if place not in stems and data.startswith(_STEM_BYTES[place], at - _PAIR_ENDS[place]):
                stems.add(place)
        before = byte
        at += 1
    return [_ALL_STEMS[place] for place in sorted(stems)]


def exit_rows(rows: Sequence[str]) -> list[int]:
    """Return the rows at the beginning and the end that say with which code a program ended."""
    places = [*range(min(_EXIT_ROWS, len(rows))), *range(max(_EXIT_ROWS, len(rows) - _EXIT_ROWS), len(rows))]
    beginnings = [rows[place][:_ROW_CHARS].lower() for place in places]
    return [
        place
        for place, row in zip(places, beginnings, strict=True)
        if ("exit" in row or "code" in row) and _EXIT.search(row)
    ]


def with_ending(sketch: Sketch) -> Sketch:
    """Return the sketch with the exit code, and errors in the last rows, before all other rows.

    So what a program printed last is seen whatever else it printed.
    """
    rows = sketch.rows
    begin = max(0, len(rows) - _EXIT_ROWS)
    last = [row[:_ROW_CHARS] for row in rows[begin:]]
    if not _present("\n".join(last)):
        return sketch
    errors = [place for place, row in enumerate(last, begin) if is_error(row)]
    return Sketch(
        rows,
        text=sketch.text,
        head=sketch.head,
        first=[*exit_rows(rows), *errors, *sketch.first],
        owners=sketch.owners,
        numbers=sketch.numbers,
    )
