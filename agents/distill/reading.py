"""A tool output as the kinds read it: clean of terminal codes, in rows."""

import re
from dataclasses import dataclass

#: Colours, cursor moves and titles that programs write for a terminal.
_TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")
#: What of a line a progress bar wrote over.
_OVERWRITTEN = re.compile(r"^[^\n\r]*\r(?=[^\n\r])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tool answered, ready to be recognised."""

    text: str
    #: The lines of the text.
    rows: list[str]
    tool: str
    told: str


def read(text: str, tool: str, told: str) -> Reading:
    """Return the text without what only a terminal needs, in rows."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        while "\r" in text and _OVERWRITTEN.search(text):
            text = _OVERWRITTEN.sub("", text)
    if "\x1b" in text:
        text = _TERMINAL_CODE.sub("", text)
    if "\x00" in text:
        text = text.replace("\x00", " ")
    return Reading(text, text.split("\n"), tool, told)
