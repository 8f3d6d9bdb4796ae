"""Whether an output ends with the report of an error that nobody caught: a trace of Python, Node, Java or Rust."""

import re

_TRACEBACK = "Traceback (most recent call last):\n"
#: A deep recursion has long traces.
_TRACE_CHARS_MAX = 20_000
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?::|$)")
#: Lines of a message that go on, and what is said after it.
_AFTER_LINES_MAX = 3
#: Frames as Java and JavaScript write them, and the line above them that says what went wrong.
_FRAME = re.compile(r"\s+(?:at \S.*[:(]|\.\.\. \d+ more)")
_THROWN = re.compile(r"(?:Error|Exception)\b")
_NODE = re.compile(r"Node\.js v\d")
_PANICKED = re.compile(r"thread '[^']*' (?:\(\d+\) )?panicked at ")
_READ_CHARS = 4_000


def ends_with_trace(text: str) -> bool:
    """Tell whether a text ends so."""
    text = text[-_TRACE_CHARS_MAX:].rstrip()
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
