"""Stack traces: the type and the message, then the frames in one's own code."""

import re
from typing import Final

from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.agents.distill.trouble import exit_rows, trouble_rows

_FRAME: Final = re.compile(r"\s+(?:File \"|at |\d+: )|^\S[^\s(]*+\(.*\)$|^\t\S+:\d+")
_FOREIGN: Final = re.compile(
    r"site-packages|node_modules|node:|/usr/lib|\.cargo/|/go/pkg/|internal/|<frozen|java\.base|sun\.reflect"
)


def sketch_stack_trace(reading: Reading) -> Sketch:
    """Return a trace without the frames of libraries, if there is no room for them."""
    rows = reading.text.split("\n")
    frames = [place for place, row in enumerate(rows) if _FRAME.match(row)]
    own = [place for place in frames if not _FOREIGN.search(rows[place])]
    # The newest frame stands last in Python and first elsewhere: both ends come before the middle.
    ends = [place for pair in zip(own, reversed(own), strict=True) for place in pair]
    return Sketch(rows, text=reading.text, first=[*exit_rows(rows), *trouble_rows(reading.text, rows), *ends])
