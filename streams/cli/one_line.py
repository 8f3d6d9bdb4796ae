"""Text of others on one line of a terminal."""

from rich.text import Text

from tailrace.streams.cli.output import printable


def one_line(text: str) -> Text:
    """Return the text on one line, as text and never as markup, with nothing in it that could move a cursor."""
    return Text(printable(text).replace("\n", " ").replace("\t", " "))
