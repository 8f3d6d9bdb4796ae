"""Private keys, line by line: blocks of PEM, OpenSSH, PGP and PuTTY, as they are and as others show them.

A block may stand behind what a log, a listing, a diff or an indentation puts before each of its lines, in strings of a
program, or on one line with its line ends written as escapes. Each line is a secret of its own, so that a text has as
many lines after masking.
"""

import re
from collections.abc import Iterator
from typing import Final

from tailrace.agents.secrets.rules import compiled

_BEGIN: Final = compiled(
    r"-{4,5}[ ]?BEGIN [A-Z0-9 ]{0,32}?PRIVATE KEY(?: BLOCK)?[ ]?-{4,5}|PuTTY-User-Key-File-[23](?=:)"
)
_PUTTY: Final = "PuTTY"
#: The body on one line, its line ends written as escapes.
_ONE_LINE: Final = compiled(
    r"(?:[A-Za-z0-9+/=]|[ ](?=[A-Za-z0-9+/=]{8})|\\{1,4}[nr]){16,16384}(?:-{4,5}[ ]?END [A-Z0-9 ]{0,40}-{4,5})?"
)
#: A line of the body: the secret; in a program, a string and what joins it to the next.
_ENCODED: Final = (
    r"(?:([A-Za-z0-9+/=]{4,128})"
    r"|(?P<quote>\\?[\"'`])([A-Za-z0-9+/=]{4,128})(?:\\{1,4}[nr]){0,2}(?P=quote)[ \t]{0,4}[,+.;)\\]{0,3})"
    r"[ \t\r]*(?:\n|\Z)"
)
#: Behind what stood before the first line as well; elsewhere behind what a file's listing or a diff puts before it.
_BODY_BEHIND: Final = compiled(r"[ \t]{0,16}" + _ENCODED)
_BODY: Final = compiled(r"[^\n]{0,16}?(?<![A-Za-z0-9+/=])" + _ENCODED)
_END: Final = compiled(r"[^\n]{0,16}?(-{4,5}[ ]?END [A-Z0-9 ]{0,40}-{4,5})")
#: Lines before the body, or between: names with values, or nothing.
_HEADER: Final = compiled(r"[^\n]{0,16}?(?:[A-Za-z0-9-]{3,24}: [^\n]{0,200})?[ \t\r]*\n")
_LINES_MAX: Final = 256
#: In a row, without any of the body: no key has so many.
_OTHERS_MAX: Final = 16
_CHARS_MIN: Final = 40
_LINE_REST_CHARS_MAX: Final = 64
#: Numbers in what a program puts before its lines change from one line to the next: times, numbers of lines.
_NUMBER: Final = compiled(r"([ ]{0,8}[0-9]{1,20})")
_LEAD_CHARS_MAX: Final = 160

#: Where a secret begins and ends.
_Place = tuple[int, int]


def in_private_key(data: str, hyphen: int) -> Iterator[_Place]:
    """Look at a block whose first hyphen this is, and yield the secret on each of its lines."""
    start = hyphen - len(_PUTTY) if data.startswith("-User", hyphen) else hyphen
    begin = _BEGIN.match(data, max(0, start))
    if begin is None:
        return
    one_line = _ONE_LINE.match(data, begin.end())
    if one_line:
        yield begin.start(), one_line.end()
        return
    lines = list(_lines(data, begin))
    # A beginning without a body is how programs look for keys.
    if sum(end - start for start, end in lines) >= _CHARS_MIN:
        yield begin.span()
        yield from lines


def _lines(data: str, begin: re.Match[str]) -> Iterator[_Place]:
    lead = _NUMBER.split(_lead(data, begin.start()))
    # At most the rest of a line that holds nothing else.
    at = data.find("\n", begin.end(), begin.end() + _LINE_REST_CHARS_MAX) + 1
    others = 0
    for _ in range(_LINES_MAX if at else 0):
        behind = _behind(data, at, lead)
        end = _END.match(data, behind)
        if end:
            yield end.span(1)
            return
        body = (_BODY_BEHIND if behind > at else _BODY).match(data, behind)
        if body:
            yield body.span(1 if body[1] else 3)
        others = 0 if body else others + 1
        line = body or _HEADER.match(data, behind)
        if others > _OTHERS_MAX or line is None or line.end() == at or line.end() >= len(data):
            return
        at = line.end()


def _lead(data: str, start: int) -> str:
    """Return what stands before a place on its line; nothing where that is too long to be put before every line."""
    line_start = data.rfind("\n", max(0, start - _LEAD_CHARS_MAX), start) + 1
    # A quote is looked for at both ends of each line.
    return data[line_start:start].rstrip("\\\"'`") if start - line_start <= _LEAD_CHARS_MAX else ""


def _behind(data: str, at: int, lead: list[str]) -> int:
    """Return where the text of a line begins behind the same lead as the first line's, whatever the lead's numbers.

    Where the line has another lead, that is its own beginning.
    """
    place = at
    for position, part in enumerate(lead):
        if position % 2 == 0:
            if not data.startswith(part, place):
                return at
            place += len(part)
        else:
            number = _NUMBER.match(data, place)
            if number is None:
                return at
            place = number.end()
    return place
