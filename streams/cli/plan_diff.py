"""A plan as a diff of the context: what goes, what stands in its place word for word, and how much stays as it is."""

from typing import Final, NamedTuple

from rich.console import Console
from rich.text import Text

from tailrace.agents.messages.part_text import text_of
from tailrace.agents.plan.plan import Change
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallPart
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import printable
from tailrace.streams.library.plan_report import Planned


class _Kind(NamedTuple):
    sign: str
    style: str


_GONE: Final = _Kind("- ", "red")
_NEW: Final = _Kind("+ ", "green")
_ROLE_WIDTH: Final = 9


def print_diff(planned: Planned, console: Console) -> None:
    """Print the diff, in the order of the context. What stands for others comes behind the first of them."""
    ledger = planned.plan.ledger
    waiting = None if ledger is None or ledger.message is None else _New(ledger.rank, ledger.message, ledger.tokens)
    former_ids = ledger.former_ids if ledger is not None else ()
    diff = _Diff(console)
    for entry in planned.entries:
        if waiting is not None and entry.rank > waiting.rank:
            diff.add(waiting)
            waiting = None
        change = planned.changes.get(entry.id)
        if change is None and entry.id not in former_ids:
            diff.keep()
            continue
        text = one_line(planned.beginning(decode_message(entry.message))).plain
        diff.remove(change, _row(_GONE, entry.role, entry.tokens, text))
        if change is not None and entry.id == change.ids[0] and change.replacement is not None:
            diff.stand(change, _New(entry.rank, change.replacement, change.after_tokens))
    diff.end(waiting)


class _New(NamedTuple):
    """A message that the plan puts into the context."""

    rank: int
    message: Message
    tokens: int


class _Diff:
    """The rows so far.

    How many messages stay since the last of them, and what comes behind the span that is leaving.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._same = 0
        self._standing: tuple[Change, _New] | None = None

    def keep(self) -> None:
        self._end_span()
        self._same += 1

    def remove(self, change: Change | None, row: Text) -> None:
        if self._standing is not None and self._standing[0] is not change:
            self._end_span()
        self._end_unchanged()
        self._console.print(row, no_wrap=True, overflow="ellipsis")

    def stand(self, change: Change, new: _New) -> None:
        self._standing = change, new

    def add(self, new: _New) -> None:
        self._end_span()
        self._end_unchanged()
        _print_new(new, self._console)

    def end(self, new: _New | None) -> None:
        self._end_span()
        if new is not None:
            self.add(new)
        self._end_unchanged()

    def _end_span(self) -> None:
        if self._standing is not None:
            _print_new(self._standing[1], self._console)
            self._standing = None

    def _end_unchanged(self) -> None:
        if self._same:
            what = "1 message" if self._same == 1 else f"{self._same:,} messages"
            self._console.print(Text(f"  … {what} unchanged", style="dim"))
            self._same = 0


def _print_new(new: _New, console: Console) -> None:
    first, *rest = _written(new.message).split("\n")
    lines = [_row(_NEW, new.message.role, new.tokens, printable(first))]
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
