"""The code with which a program ended, read from what its tool returned.

A program may tell of many exit codes: the last one is its own. What a harness puts before an output (`Exit code: 0`,
then `Output:`) is the word of somebody who knows, and comes before anything that the program printed. Text may be JSON
inside JSON: quotes may have backslashes before them.
"""

import re
from collections.abc import Mapping
from typing import Any

#: How much of an output is read at each of its ends: marks of its own stand there.
_READ_CHARS = 4_000
_FIELDS = ("exit_code", "exitCode", "returncode", "return_code")
#: Windows has codes of 32 bits, with a sign, without one, and in hexadecimal.
_BEHIND = r"[\\\"'>]*\s*[:=]?\s*(0x[0-9a-f]{1,8}|-?\d{1,10})(?!\w|\.\d)"
_EXIT, _RETURN = r"exit(?:ed)?(?:[ _-]?with)?[ _-]?(?:code|status)", r"return[ _-]?code"
#: The word of whoever ran a program, in small letters, by what stands in it. A pattern that begins with one word is
#: much faster.
_LABELLED = {
    (True, False): re.compile(_EXIT + _BEHIND),
    (False, True): re.compile(_RETURN + _BEHIND),
    (True, True): re.compile(f"(?:{_EXIT}|{_RETURN}){_BEHIND}"),
}
#: May be a line of a script.
_BARE = re.compile(r"exit(?:ed)?(?: with)?[:= ]+(0x[0-9a-f]{1,8}|-?\d{1,10})(?!\w|\.\d)")
#: A tool that says how it ended before it shows what was printed.
_HEADING = re.compile(r"exit(?:ed with)? code:? (0x[0-9a-f]{1,8}|-?\d{1,10})\b[^\n]*\n(?:[^\n]{0,80}\n){0,3}output:")
#: A code is an exit code beside what a program printed; elsewhere it may be anything.
_CODE = re.compile(r"\"code\\*\": ?(-?\d{1,3})(?!\w|\.\d)")
_STREAMS = re.compile(r"\"std(?:out|err)\\*\"")


def exit_code_of(text: str, fields: Mapping[str, Any]) -> int | None:
    """The code, from the fields of an output or from its text; None where nothing is said."""
    for name in _FIELDS:
        if type(fields.get(name)) is int:
            return int(fields[name])
    if len(text) <= 2 * _READ_CHARS:
        return exit_code(text)
    return exit_code(f"{text[:_READ_CHARS]}\n{text[-_READ_CHARS:]}")


def exit_code(ends: str) -> int | None:
    """The exit code that a result tells, the last where it tells several; None where it tells none."""
    labels = "xit" in ends, "eturn" in ends
    if True in labels:
        small = ends.lower()
        heading = _HEADING.search(small) if "output:" in small else None
        codes = [heading[1]] if heading else _LABELLED[labels].findall(small) or _BARE.findall(small)
        if codes:
            return int(codes[-1], 16 if codes[-1].startswith("0x") else 10)
    codes = _CODE.findall(ends) if '"code' in ends and _STREAMS.search(ends) else []
    return int(codes[-1]) if codes else None
