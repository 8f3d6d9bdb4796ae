"""A tool output as the kinds read it: clean of terminal codes."""

import re
from dataclasses import dataclass
from typing import Final

#: Colours, cursor moves and titles that programs write for a terminal.
_TERMINAL_CODE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tool answered, ready to be recognised. Splitting it into rows is left to whoever needs them all."""

    text: str
    tool: str
    called_with: str


def read(text: str, tool: str, called_with: str) -> Reading:
    """Return the text without what only a terminal needs."""
    return Reading(cleaned(text), tool, called_with)


def cleaned(text: str) -> str:
    """Return a text without colours and without what a progress bar wrote over."""
    if "\x1b" in text:
        text = _TERMINAL_CODE.sub("", text)
    if "\x00" in text:
        text = text.replace("\x00", " ")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        # Where nothing else ends a line, this does.
        rows = text.split("\n") if "\n" in text else text.split("\r")
        text = "\n".join([row.rstrip("\r").rpartition("\r")[2] for row in rows])
    return text
