"""How commands run and print: JSON for programs, tables for people, nothing that moves the terminal."""

import asyncio
import logging
import re
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Final, TextIO, TypeVar, cast

import msgspec
import typer
from rich.console import Console

from tailrace.streams.kafka.clients import silence_client_logs

T = TypeVar("T")

#: Wide enough that no line of a file or pipe is ever broken: `grep` and `cut` want whole lines.
_PIPE_WIDTH: Final = 10_000
_PADDING: Final = re.compile(r" +(?=\n)")

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what the coroutine returns; the Kafka client's own log lines stay away from the terminal."""
    silence_client_logs()
    client_logger = logging.getLogger("tailrace.client")
    level = client_logger.level
    client_logger.setLevel(logging.CRITICAL)  # a command says itself what went wrong
    try:
        return asyncio.run(work)
    finally:
        client_logger.setLevel(level)


def print_json(value: object) -> None:
    """Print one line of JSON."""
    typer.echo(msgspec.json.encode(value).decode())


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


def printable(text: str) -> str:
    """Return the text with everything escaped that could move a cursor or hide something; lines stay lines."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else character.encode("unicode_escape").decode()
        for character in text
    )
