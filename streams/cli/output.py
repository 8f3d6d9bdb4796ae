"""What commands print: JSON for programs, and texts in which nothing moves the terminal."""

from typing import Annotated

import msgspec
import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def print_json(value: object) -> None:
    """Print one line of JSON."""
    typer.echo(msgspec.json.encode(value).decode())


def printable(text: str) -> str:
    """Return the text with everything escaped that could move a cursor or hide something; lines stay lines."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else character.encode("unicode_escape").decode()
        for character in text
    )
