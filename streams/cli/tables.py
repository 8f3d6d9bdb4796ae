"""Tables of threads and of one context, with the budget as a bar: `threads`, `context` and the demo show the same."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Group
from rich.text import Text

from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Entry, EntryKind
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Message
from tailrace.streams.cli.fitted_table import Column, FittedTable
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.client.context import context_tokens, limit_tokens
from tailrace.streams.library.preview import preview

_BAR_CELLS: Final = 8
#: Colours by how full a context is: the default marks of a policy.
_COLOURS: Final = ((Policy().lower_fraction, "green"), (Policy().upper_fraction, "yellow"))
_FULL_COLOUR: Final = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRow:
    """What one line says about a thread."""

    thread: str
    tenant: str
    model: str | None
    #: Said since the thread began, compacted or not.
    messages: int
    tokens_said: int
    #: In the context now.
    messages_live: int
    #: Of these messages, without what the request costs around them.
    tokens_in_context: int
    #: What a model would be sent: with the start of its reply, and with what stands for results that are not there.
    tokens: int
    limit_tokens: int
    compactions: int
    #: When the newest message of the context was said.
    last_at_ms: int


def thread_row(thread: str, view: ThreadView, policy: Policy | None = None) -> ThreadRow:
    """Return the row of a thread. `policy` is only needed where a thread has just changed its model."""
    head = view.head
    limit = limit_tokens(view, policy or Policy()) if policy or head is None else head.limit_tokens
    return ThreadRow(
        thread=thread,
        tenant=head.tenant if head else DEFAULT_TENANT,
        model=view.model,
        messages=view.totals.messages,
        tokens_said=view.totals.tokens,
        messages_live=len(view.entries),
        tokens_in_context=sum(entry.tokens for entry in view.entries.values() if entry.kind is not EntryKind.STAND_IN),
        tokens=context_tokens(view),
        limit_tokens=limit,
        compactions=view.totals.compactions,
        last_at_ms=max((entry.created_at_ms for entry in view.entries.values()), default=0),
    )


def budget_bar(tokens: int, limit: int, cells: int = _BAR_CELLS) -> Text:
    """Return how much of the budget is used, as a bar with its percentage."""
    fraction = tokens / max(1, limit)
    filled = min(cells, round(fraction * cells))
    return Text.assemble(("█" * filled, bar_colour(fraction)), ("░" * (cells - filled), "dim"), f" {fraction:4.0%}")


def bar_colour(fraction: float) -> str:
    """Return the colour of a context that is so full."""
    return next((name for mark, name in _COLOURS if fraction <= mark), _FULL_COLOUR)


def threads_table(rows: Iterable[ThreadRow]) -> FittedTable:
    """Return the threads as a table, in the given order; columns that add little are left out where it is narrow."""
    listed = list(rows)
    tenants = any(row.tenant != DEFAULT_TENANT for row in listed)
    cells = {column: cell for column, cell in _CELLS.items() if tenants or column is not _TENANT}
    return FittedTable(tuple(cells), [[cell(row) for cell in cells.values()] for row in listed])


_TENANT: Final = Column("tenant")
_CELLS: Final[dict[Column, Callable[[ThreadRow], Text]]] = {
    Column("thread", width_min=18): lambda row: one_line(row.thread),
    _TENANT: lambda row: one_line(row.tenant),
    Column("messages", "right", dispensable=1): lambda row: Text(f"{row.messages:,}"),
    Column("said", "right"): lambda row: Text(f"{row.tokens_said:,}"),
    Column("in context", "right"): lambda row: Text(f"{row.tokens_in_context:,}"),
    Column("budget"): lambda row: budget_bar(row.tokens, row.limit_tokens),
    Column("compactions", "right", dispensable=2): lambda row: Text(f"{row.compactions:,}"),
    Column("model", dispensable=3): lambda row: one_line(row.model or "unknown"),
}


def context_header(row: ThreadRow) -> Group:
    """Return two lines on a thread: who and what, and how full."""
    title = Text.assemble((one_line(row.thread).plain, "bold"), "  ", one_line(row.model or "model unknown"))
    if row.tenant != DEFAULT_TENANT:
        title.append_text(Text.assemble("  tenant ", one_line(row.tenant)))
    size = f"  {row.tokens:,} of {row.limit_tokens:,} tokens"
    if row.tokens > row.tokens_in_context:
        size += f", {row.tokens - row.tokens_in_context:,} of them around the messages"
    text = f"{row.messages_live:,} of {row.messages:,} messages, {row.tokens_said:,} tokens said, "
    text += f"{row.compactions:,} {'compaction' if row.compactions == 1 else 'compactions'}"
    return Group(title, Text.assemble(budget_bar(row.tokens, row.limit_tokens), size), Text(text))


def messages_table(view: ThreadView, rows_max: int | None = None) -> FittedTable:
    """Return the messages of a context, or the last of them: role, tokens, and how they begin."""
    columns = Column("role", width_min=9), Column("tokens", "right", width_min=7), Column("message", cut=True)
    pairs = list(zip(view.live(), view.messages(), strict=True))
    hidden = max(0, len(pairs) - (rows_max or len(pairs)))
    rows = [_message_row(entry, message) for entry, message in pairs[hidden:]]
    if hidden:
        tokens = sum(entry.tokens for entry, _ in pairs[:hidden])
        rows.insert(0, [Text(text, "dim") for text in ("…", f"{tokens:,}", f"{hidden:,} earlier ones")])
    return FittedTable(columns, rows)


def _message_row(entry: Entry, message: Message) -> list[Text]:
    marks = [*(["pinned"] if entry.pinned else []), *([entry.kind] if entry.kind != EntryKind.VERBATIM else [])]
    note = (f"[{', '.join(marks)}] " if marks else "", "cyan")
    return [one_line(entry.role), Text(f"{entry.tokens:,}"), Text.assemble(note, one_line(preview(message)))]


def context_view(thread: str, view: ThreadView, rows_max: int | None = None) -> Group:
    """Return everything about one context for a person to look at, with the last `rows_max` of its messages."""
    return Group(context_header(thread_row(thread, view)), Text(), messages_table(view, rows_max))


def newest_first(rows: Iterable[ThreadRow]) -> Sequence[ThreadRow]:
    """Return the rows with the threads first in which something was said last."""
    now_ms = int(time.time() * 1000)
    # A producer's clock in the year 9999 must not keep a thread first for ever.
    return sorted(rows, key=lambda row: (-min(row.last_at_ms, now_ms), row.thread))
