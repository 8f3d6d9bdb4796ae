"""How a tool ended, told from what it printed: its exit code, and an error that it ended with.

A program may tell of many exit codes: the last one is its own. What a harness puts before an output (`Exit code: 0`, then `Output:`)
is the word of somebody who knows, and comes before anything that the program printed.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from tailrace.schemas.envelope import Outcome

#: How much of an output is read for marks of its own: they stand at its beginning or its end.
_READ_CHARS: Final = 4_000
#: Windows has codes of 32 bits, with a sign, without one, and in hexadecimal.
_EXIT: Final = re.compile(
    r"\b(?:exit(?:ed with)?(?: code| status)?|return ?code|exit_code)\b[^\w-]{0,3}(0x[0-9a-f]{1,8}|-?\d{1,10})\b",
    re.IGNORECASE,
)
_EXIT_FIELDS: Final = ("exit_code", "exitCode", "returncode", "return_code")
#: The end of what a harness says before an output, and where that is at the latest.
_OUTPUT: Final = "\nOutput:\n"
_HARNESS_CHARS_MAX: Final = 400
_FAILED: Final = re.compile(r"^(?:Error|Exception|Traceback|fatal|panic|FAILED)\b[^\n]{0,200}", re.MULTILINE)

_TRACEBACK: Final = "Traceback (most recent call last):\n"
#: A deep recursion has long traces.
_TRACE_CHARS_MAX: Final = 20_000
_RAISED: Final = re.compile(r"[A-Za-z_][\w.]*(?::|$)")
#: Lines of a message that go on, and what is said after it.
_AFTER_LINES_MAX: Final = 3
#: Frames as Java and JavaScript write them, and the line above them that says what went wrong.
_FRAME: Final = re.compile(r"\s+(?:at \S.*[:(]|\.\.\. \d+ more)")
_THROWN: Final = re.compile(r"\S*(?:Error|Exception)\b")
_NODE: Final = re.compile(r"Node\.js v\d")
_PANICKED: Final = re.compile(r"thread '[^']*' (?:\(\d+\) )?panicked at ")


def exit_code_of(text: str, fields: Mapping[str, Any]) -> int | None:
    """The code with which a program ended, from the fields of its output or from its text; None where nothing is said."""
    for name in _EXIT_FIELDS:
        if type(fields.get(name)) is int:
            return int(fields[name])
    head_end = text.find(_OUTPUT, 0, _HARNESS_CHARS_MAX)
    found = _EXIT.search(text[:head_end]) if head_end >= 0 else None
    found = found or _last_exit(text[-_READ_CHARS:]) or _EXIT.search(text[:_READ_CHARS])
    if found is None:
        return None
    said = found[1].lower()
    return int(said, 16) if said.startswith("0x") else int(said)


def _last_exit(text: str) -> re.Match[str] | None:
    last = None
    for found in _EXIT.finditer(text):
        last = found
    return last


def outcome_of(text: str, exit_code: int | None, *, only_looked: bool) -> Outcome:
    """The outcome. What a tool that only looked has shown may end with an error of somebody else."""
    if exit_code is not None:
        return Outcome.OK if exit_code == 0 else Outcome.ERROR
    failed = _FAILED.match(text) is not None or (
        not only_looked and _ends_with_trace(text[-_TRACE_CHARS_MAX:].rstrip())
    )
    return Outcome.ERROR if failed else Outcome.UNKNOWN


def _ends_with_trace(text: str) -> bool:
    """Tell whether a text ends with the report of an error that nobody caught."""
    begin = text.rfind(_TRACEBACK)
    if begin >= 0 and _is_raised([line for line in text[begin + len(_TRACEBACK) :].split("\n") if line.strip()]):
        return True
    last = [line for line in text[-_READ_CHARS:].split("\n") if line.strip() and not _NODE.match(line)]
    if any(_PANICKED.match(line) for line in last[-_AFTER_LINES_MAX:]):
        return True
    above = next((line for line in reversed(last) if not _FRAME.match(line)), "")
    return bool(last) and last[-1] is not above and _THROWN.search(above) is not None


def _is_raised(lines: list[str]) -> bool:
    """Tell whether frames of Python are followed by what was raised, and by nothing else."""
    frames = next((number for number, line in enumerate(lines) if not line[0].isspace()), len(lines))
    rest = lines[frames:]
    return bool(rest) and len(rest) <= 1 + _AFTER_LINES_MAX and _RAISED.match(rest[0]) is not None
