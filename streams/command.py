"""The installed command `tailrace`: the command line, or one line that says how to install it."""

import sys

from tailrace.schemas.errors import MissingExtra
from tailrace.streams.extras import missing_extras_named

_EXIT_CONFIG = 2


def main() -> None:
    """Run the command line."""
    try:
        with missing_extras_named():
            from tailrace.streams import cli  # noqa: PLC0415  what it needs comes with an extra

            cli.main()
    except MissingExtra as error:
        sys.exit(_refused(error))


def _refused(error: MissingExtra) -> int:
    sys.stderr.write(f"error: {error}\n")
    return _EXIT_CONFIG
