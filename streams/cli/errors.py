"""Errors of the command line: one line that says what to do, and an exit code.

A traceback is for our own mistakes only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from tailrace.schemas.errors import ConfigError, TailraceError
from tailrace.streams.extras import missing_extras_named

EXIT_ERROR: Final = 1
#: Also what typer gives for wrong options: both are for the user to correct.
EXIT_CONFIG: Final = 2


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Turn an error of Tailrace into `error: …` on standard error and an exit code.

    Ctrl-C (130) and a closed pipe are typer's: it ends quietly on both.
    """
    try:
        with missing_extras_named():
            yield
    except TailraceError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(EXIT_CONFIG if isinstance(error, ConfigError) else EXIT_ERROR) from None


class ErrorsInOneLine(TyperGroup):
    """A group whose commands, at any depth, report their errors in one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        with errors_in_one_line():
            return super().invoke(ctx)
