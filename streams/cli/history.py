"""`tailrace history`: what happened to one thread, and why."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tailrace.agents.engine.audit import ACTION_KINDS
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.compaction import CompactionRecord, SpanDecision
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.streams.cli.audit_lines import (
    SHORT_CHARACTERS,
    cause,
    change_bar,
    change_text,
    count,
    event_line,
    mark,
    moment,
)
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.cli.receipt_lines import receipt_summary
from tailrace.streams.cli.screen import screen
from tailrace.streams.cli.tables import context_header, thread_row
from tailrace.streams.client.contexts_reader import contexts_reader
from tailrace.streams.observability.audit_trail import Trail, read_trail
from tailrace.streams.observability.thread_history import Happening, in_order
from tailrace.streams.settings.settings import Settings, load_settings

_VERBS: Final = {LifecycleKind.REHYDRATED: "brought"}
_INDENT: Final = 4


def history(
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="Id of the thread.")],
    *,
    as_json: Json = False,
) -> None:
    """Show what happened to a thread and why, oldest first.

    Every compaction with what fired and its values, what became of which turns and by which step, and what is no longer
    said; checks that came to nothing, with the reason; what was refused; tool calls that were given up; artifacts that
    were brought back. Compactions are known for ever, the rest for as long as the lifecycle topic keeps it (14 days by
    default). Times are UTC.

    For example:

        tailrace history t1
        tailrace history t1 --json | jq '.happened[].compaction | select(. != null) | .receipt'
    """
    view, trail = run(_read(load_settings(), thread))
    happened = list(in_order(trail))
    if as_json:
        print_json(_value(thread, view, happened, trail.skipped))
        return
    console = screen()
    if view is not None:
        console.print(context_header(thread_row(thread, view)))
    for happening in happened:
        console.print()
        print_happening(console, happening)
    if trail.skipped:
        console.print(
            f"\n{count(trail.skipped, 'record')} about it can't be read by this release, and "
            f"{'is' if trail.skipped == 1 else 'are'} left out."
        )
    elif not happened:
        console.print(
            "\nNothing has happened to it but what was said: it was never compacted, and nothing was refused."
        )


async def _read(settings: Settings, thread: str) -> tuple[ThreadView | None, Trail]:
    """The thread as it is, and what happened to it. Raises Unavailable where nothing is known of it."""
    async with contexts_reader(settings, thread) as reader:
        reader.check_readable(thread)
        view = reader.views().get(thread)
        numbers = [place.partition for place, part in reader.partitions.items() if thread in part.view.threads]
    # Where there is no context, something may still have been refused, on whatever partition it came.
    trail = await read_trail(settings, thread, numbers or None)
    if view is None and not (trail.compactions or trail.events or trail.skipped):
        raise Unavailable(f"nothing is known of a thread {thread}; `tailrace threads` lists those there are")
    return view, trail


def _value(thread: str, view: ThreadView | None, happened: Iterable[Happening], skipped: int) -> dict[str, Any]:
    return {
        "thread": thread,
        "now": thread_row(thread, view) if view is not None else None,
        "happened": [
            {"compaction": happening.what, "failed": happening.reason}
            if isinstance(happening.what, CompactionRecord)
            else {"event": happening.what}
            for happening in happened
        ],
        "skipped": skipped,
    }


def print_happening(console: Console, happening: Happening) -> None:
    """Show one thing that happened."""
    what = happening.what
    if isinstance(what, CompactionRecord):
        console.print(compaction_lines(what, happening.reason))
        return
    sign, detail = event_line(what, fired=False)
    title = Text("  ").join([Text(moment(what.at_ms), style="dim"), sign])
    if not console.is_terminal:
        console.print(Text("  ").join([title, cause(what), detail]), soft_wrap=True)
        return
    console.print(Group(title, _rows([("because", cause(what)), (_VERBS.get(what.kind, "reason"), detail)])))


def compaction_lines(record: CompactionRecord, failed: str | None) -> Group:
    """A compaction in a few lines; `failed` is why what it did was not enough."""
    title = Text("  ").join(
        [
            Text(moment(record.at_ms), style="dim"),
            mark(LifecycleKind.COMPLETED),
            change_bar(record.before_tokens, record.after_tokens, record.limit_tokens),
            change_text(record.before_tokens, record.after_tokens, record.limit_tokens),
        ]
    )
    rows: list[tuple[str, RenderableType]] = [("because", cause(record))]
    rows += [(_word(decisions), _spans(decisions)) for decisions in _alike(record.decisions)]
    rows += [("note", one_line(warning)) for warning in record.warnings]
    if failed is not None:
        rows.append(("failed", Text(failed, style="red")))
    rows.append(("receipt", receipt_summary(record)))
    rows.append(
        (
            "decided by",
            one_line(f"{record.strategy}, policy {record.policy_version[:SHORT_CHARACTERS]}, at {record.event_id}"),
        )
    )
    return Group(title, _rows(rows))


def _rows(rows: Iterable[tuple[str, RenderableType]]) -> Table:
    """What is to be said below a title, each under its name."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_INDENT - 2)
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row("", name, text)
    return grid


def _alike(decisions: Sequence[SpanDecision]) -> Iterator[list[SpanDecision]]:
    """Yield the decisions by step and action, in the order of the first of each."""
    alike: dict[tuple[str, str], list[SpanDecision]] = {}
    for decision in decisions:
        alike.setdefault((decision.strategy, decision.action), []).append(decision)
    yield from alike.values()


def _word(decisions: Sequence[SpanDecision]) -> str:
    # What is included stands for nothing that left: it is the ledger.
    return str(ACTION_KINDS.get(decisions[0].action, LifecycleKind.NOTED))


def _spans(decisions: Sequence[SpanDecision]) -> Text:
    messages = sum(len(decision.span.ids) for decision in decisions)
    before_tokens = sum(decision.tokens for decision in decisions)
    after_tokens = sum(decision.after_tokens for decision in decisions)
    reasons = list(dict.fromkeys(decision.reason for decision in decisions if decision.reason))
    more = f" and {count(len(reasons) - 1, 'other reason')}" if len(reasons) > 1 else ""
    size = f"{before_tokens:,} → {after_tokens:,} tokens"
    size = f"{count(messages, 'message')}, {size}" if messages else size
    why = f"by {decisions[0].strategy}" + (f": {reasons[0]}{more}" if reasons else "")
    return Text("  ").join([Text(turns(decisions)), Text(size), one_line(why)])


def turns(decisions: Iterable[SpanDecision]) -> str:
    """Turns that spans reach over, those that follow each other as one range."""
    ranges: list[tuple[int, int]] = []
    for first, last in sorted((decision.span.first_turn, decision.span.last_turn) for decision in decisions):
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(last, ranges[-1][1])
        else:
            ranges.append((first, last))
    shown = ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in ranges)
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"turn {shown}" if single else f"turns {shown}"
