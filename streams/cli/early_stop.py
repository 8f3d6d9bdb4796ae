"""Signals that come while a command is still starting.

A command that stays until it is told to stop listens to signals by itself once it has something to finish. Before that
it has nothing: it ends at once, and with 0, since that is what it was told to do.
"""

import os
import signal
from collections.abc import Sequence
from typing import Final, NoReturn

#: Commands that stay until they are told to stop.
_STAYING: Final = frozenset({"demo", "mcp", "worker"})


def end_when_told(arguments: Sequence[str]) -> None:
    """From now on end at SIGTERM and SIGINT, where the arguments name a command that stays."""
    command = next((argument for argument in arguments if not argument.startswith("-")), None)
    if command in _STAYING:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end)


def _end(*_: object) -> NoReturn:
    """End now: nothing was read, written or promised yet, and a half imported module is no place to clean up from."""
    os._exit(0)
