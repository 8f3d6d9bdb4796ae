"""Diffs: files and hunks, then changed lines, then what stands around them."""

from typing import Final

from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading

_FILE: Final = ("diff --git ", "+++ ", "--- ", "*** ", "rename ", "new file", "deleted file", "Binary files ")
_HUNK: Final = "@@"


def sketch_diff(reading: Reading) -> Sketch:
    """Return a diff whose changed lines stand below their file and hunk."""
    rows = reading.text.split("\n")
    files: list[int] = []
    hunks: list[int] = []
    added: list[int] = []
    removed: list[int] = []
    owners: list[int] = []
    owner = -1
    for place, row in enumerate(rows):
        if row.startswith(_FILE):
            # The line with the new name stands for the file; the others repeat it.
            if row.startswith(("+++ ", "diff --git ", "*** ")):
                files.append(place)
            owner = -1
        elif row.startswith(_HUNK):
            hunks.append(place)
            owner = place
        elif row[:1] == "+":
            added.append(place)
        elif row[:1] == "-":
            removed.append(place)
        owners.append(place if owner < 0 else owner)
    return Sketch(rows, text=reading.text, first=[*files, *hunks, *added, *removed], owners=owners)
