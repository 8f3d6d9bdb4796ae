"""A plan as a diff of the context: what goes, what stands in its place word for word, and how much stays as it is."""

from typing import Final, NamedTuple

from rich.console import Console
from rich.text import Text

from tailrace.agents.draft import decode_message
from tailrace.agents.part_text import text_of
from tailrace.agents.plan import Change
from tailrace.schemas.message import Message
from tailrace.schemas.parts import ToolCallPart
from tailrace.streams.cli.output import printable
from tailrace.streams.cli.planned import Planned
from tailrace.streams.cli.tables import one_line


class _Kind(NamedTuple):
    sign: str
    style: str


_GONE: Final = _Kind("- ", "red")
_NEW: Final = _Kind("+ ", "green")
_ROLE_WIDTH: Final = 9


def print_diff(planned: Planned, console: Console) -> None:
    """Print the diff, in the order of the context. What stands for others comes behind the first of them."""
    same = 0
    standing: Change | None = None
    for entry in planned.entries:
        change = planned.changes.get(entry.id)
        if standing is not None and change is not standing:
            _print_new(standing, console)
            standing = None
        if change is None:
            same += 1
            continue
        _print_unchanged(same, console)
        same = 0
        text = one_line(planned.beginning(decode_message(entry.message))).plain
        console.print(_row(_GONE, entry.role, entry.tokens, text), no_wrap=True, overflow="ellipsis")
        if entry.id == change.ids[0]:
            standing = change
    if standing is not None:
        _print_new(standing, console)
    _print_unchanged(same, console)


def _print_unchanged(messages: int, console: Console) -> None:
    if messages:
        what = "1 message" if messages == 1 else f"{messages:,} messages"
        console.print(Text(f"  … {what} unchanged", style="dim"))


def _print_new(change: Change, console: Console) -> None:
    if change.replacement is None:
        return
    first, *rest = _written(change.replacement).split("\n")
    lines = [_row(_NEW, change.replacement.role, change.after_tokens, printable(first))]
    lines += [Text(f"{_NEW.sign}{printable(line).expandtabs(4)}", style=_NEW.style) for line in rest]
    for line in lines:
        _print_whole(line, console)


def _print_whole(line: Text, console: Console) -> None:
    """Print a line with nothing left out; on a terminal each of its rows has the sign, in a file it is one row."""
    if not console.is_terminal:
        console.print(line, soft_wrap=True)
        return
    sign, body = line.divide([len(_NEW.sign)])
    for row in body.wrap(console, max(1, console.width - len(sign))):
        console.print(Text.assemble(sign, row), no_wrap=True, overflow="ignore", crop=False)


def _row(kind: _Kind, role: str, tokens: int, text: str) -> Text:
    shown = one_line(role).plain
    return Text(f"{kind.sign}{shown:{_ROLE_WIDTH}} {tokens:>7,}  {text}", style=kind.style)


def _written(message: Message) -> str:
    """The message as a model reads it, calls with their names."""
    return "\n".join(
        f"→ {part.name}({text_of(part)})" if isinstance(part, ToolCallPart) else text_of(part) for part in message.parts
    )
