"""In which line of a TOML file a key is: what reads TOML doesn't say, so the file is read again, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tailrace.schemas.decoder import decode_toml
from tailrace.schemas.errors import Undecodable


class TomlLines:
    """The lines of one TOML document."""

    def __init__(self, text: str) -> None:
        """Read every beginning of the document that is a document itself."""
        self._lines = text.splitlines()
        self._beginnings = list(self._read())

    def line_of(self, path: Sequence[str]) -> int | None:
        """Return the number of the line in which the key begins, or the table that should hold it; None for neither.

        An element of a list goes by its place; of a value over several lines the first counts.
        """
        for length in range(len(path), 0, -1):
            former = 0
            for number, values in self._beginnings:
                if _has(values, path[:length]):
                    return next(line for line in range(former + 1, number + 1) if self._says_something(line))
                former = number
        return None

    def _read(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        for number in range(1, len(self._lines) + 1):
            try:
                yield number, decode_toml("\n".join(self._lines[:number]))
            except Undecodable:
                continue  # in the middle of a value

    def _says_something(self, line: int) -> bool:
        text = self._lines[line - 1].strip()
        return bool(text) and not text.startswith("#")


def _has(values: Any, path: Sequence[str]) -> bool:
    for step in path:
        if isinstance(values, Mapping) and step in values:
            values = values[step]
        elif isinstance(values, list) and step.isdecimal() and int(step) < len(values):
            values = values[int(step)]
        else:
            return False
    return True
