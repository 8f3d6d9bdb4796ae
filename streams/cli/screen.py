"""Where people read what a command prints: a terminal, a file or a pipe."""

import re
import sys
from dataclasses import dataclass
from typing import Any, Final, TextIO, cast

from rich.console import Console

#: Wide enough that no line of a file or pipe is ever broken: `grep` and `cut` want whole lines.
_PIPE_WIDTH: Final = 10_000
_PADDING: Final = re.compile(r"(?<! ) ++(?=\n)")


def screen() -> Console:
    """Return where people read: a terminal is as wide as it is, a pipe or file so wide that no line is ever broken."""
    console = Console(highlight=False)
    if console.is_terminal:
        return console
    return Console(file=cast("TextIO", _Unpadded(sys.stdout)), highlight=False, width=_PIPE_WIDTH)


@dataclass(frozen=True, slots=True)
class _Unpadded:
    """A pipe or file in which no line ends with the blanks that rich fills its tables with."""

    file: TextIO

    def write(self, text: str) -> int:
        return self.file.write(_PADDING.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)
