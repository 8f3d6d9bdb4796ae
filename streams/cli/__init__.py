"""The command line: `tailrace`.

Everything that a worker is made of takes a second to load. Who ends a worker in that time has to be heard as well, so
signals come first.
"""

import sys
from typing import TYPE_CHECKING, Any

from tailrace.streams.cli.early_stop import end_when_told

if TYPE_CHECKING:
    from tailrace.streams.cli.commands import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line."""
    end_when_told(sys.argv[1:])
    from tailrace.streams.cli.commands import app  # noqa: PLC0415  only after the signals

    app()


def __getattr__(name: str) -> Any:
    """Load the commands."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tailrace.streams.cli.commands import app  # noqa: PLC0415  only where it is asked for

    return app
