"""Listings and search results: paths by folder, matches by file."""

import re
from collections.abc import Iterator
from typing import Final

from tailrace.agents.distill.selection import ROW_CHARS_MAX, Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.agents.distill.trouble import exit_rows

#: A line beside a match in a file that no match has named yet.
_BESIDE: Final = re.compile(r"([^\s:]{1,250}?\.\w{1,8})-(\d{1,7})-")
_PROBE_ROWS: Final = 12
_PATH_CHARS_MAX: Final = 250


def sketch_listing(reading: Reading) -> Sketch:
    """Return matches below their files, or paths gathered by folder; other rows as they are."""
    rows = reading.text.split("\n")
    probe = rows[len(rows) // 4 : len(rows) // 4 + _PROBE_ROWS]
    if sum(1 for row in probe if _match(row)) * 2 >= len(probe):
        return _matches(rows)
    gathered = list(_by_folder(rows))
    return Sketch(gathered, head=f"{len(rows)} lines.", first=exit_rows(gathered))


def _in_file(row: str, file: str) -> tuple[str, str, str] | None:
    """Return file, line number and text of a row of search results in this file; None for any other row.

    The row is a match (`file:12:text`) or a line beside one (`file-12-text`).
    """
    end = len(file) + 1
    number, mark, text = row[end:].partition(row[end - 1])
    return (file, number, text) if mark and number.isdigit() else None


def _match(row: str) -> tuple[str, str, str] | None:
    """Return file, line number and text of a match, or of a line beside one, in whatever file."""
    at, begin = row[:_PATH_CHARS_MAX], 0
    if at[1:3] in {":\\", ":/"}:
        begin = 2  # a drive
    colon = at.find(":", begin)
    if colon > 0:
        number, colons, text = row[colon + 1 :].partition(":")
        if colons and number.isdigit():
            return row[:colon], number, text
    beside = _BESIDE.match(row)
    return (beside[1], beside[2], row[beside.end() :]) if beside else None


def _matches(lines: list[str]) -> Sketch:
    rows: list[str] = []
    owners: list[int] = []
    files: list[int] = []
    file = ""
    owner = matches = 0
    again: tuple[str, ...] = ()
    for row in lines:
        # Most matches are in the file of the one before them.
        match = _in_file(row, file) if row.startswith(again) else None
        match = match or _match(row)
        if match is None:
            owners.append(len(rows))
            rows.append(row)
            continue
        if match[0] != file:
            file = match[0]
            again = (f"{file}:", f"{file}-")
            owner = len(rows)
            files.append(owner)
            owners.append(owner)
            rows.append(file)
        matches += 1
        owners.append(owner)
        rows.append(f" {match[1]} {match[2].strip()}")
    different = len({rows[place] for place in files})
    return Sketch(rows, head=f"{matches} lines of {different} files.", first=files, owners=owners)


def _by_folder(rows: list[str]) -> Iterator[str]:
    """Yield paths that follow each other in one folder as one row: the folder, then the names in it."""
    folder = ""
    names: list[str] = []
    chars = 0
    for row in rows:
        above, slash, name = row.rstrip("/").rpartition("/")
        listed = slash != "" and " " not in row
        if names and (not listed or above != folder or chars + len(name) > ROW_CHARS_MAX):
            yield _folder_row(folder, names)
            names = []
        if not listed:
            yield row
            continue
        if not names:
            folder, chars = above, len(above)
        names.append(name)
        chars += len(name) + 1
    if names:
        yield _folder_row(folder, names)


def _folder_row(folder: str, names: list[str]) -> str:
    return f"{folder}/{names[0]}" if len(names) == 1 else f"{folder}/: {' '.join(names)}"
