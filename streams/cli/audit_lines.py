"""Lifecycle events as lines for people: when, which thread, what happened, what fired, and what it did to the context.

On a terminal the lines of one check stand below each other under one time and thread; in a pipe every line says all,
for `grep`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tailrace.agents.engine.audit import ACTION_KINDS
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.tables import bar_colour

_BAR_CELLS: Final = 10
#: With the gap behind it, what a line is moved to the right below its title. No more, so that most lines fit into 80
#: columns.
_INDENT_CHARACTERS: Final = 0
#: Enough of a hash to tell two policies, or two compactions of a thread, apart.
SHORT_CHARACTERS: Final = 8


@dataclass(frozen=True, slots=True)
class _Look:
    """How a kind of event looks."""

    sign: str
    word: str
    style: str


_LOOKS: Final = {
    LifecycleKind.CHECK_STARTED: _Look("○", "check", "cyan"),
    LifecycleKind.PROPOSAL_GENERATED: _Look("◇", "proposal", "cyan"),
    LifecycleKind.EXTERNALIZED: _Look("↗", "externalized", "blue"),
    LifecycleKind.SUMMARIZED: _Look("≡", "summarized", "blue"),
    LifecycleKind.CLEARED: _Look("▫", "cleared", "blue"),
    LifecycleKind.DROPPED: _Look("✕", "dropped", "blue"),
    LifecycleKind.NOTED: _Look("✎", "noted", "blue"),
    LifecycleKind.REHYDRATED: _Look("↩", "rehydrated", "green"),
    LifecycleKind.COMPLETED: _Look("●", "completed", "green"),
    LifecycleKind.NOOP: _Look("·", "noop", "dim"),
    LifecycleKind.FAILED: _Look("✗", "failed", "bold red"),
    LifecycleKind.FLAGGED: _Look("!", "flagged", "yellow"),
    LifecycleKind.RECEIVED: _Look("→", "received", "cyan"),
    LifecycleKind.REFUSED: _Look("⊘", "refused", "magenta"),
    LifecycleKind.LOST: _Look("✂", "lost", "bold red"),
}
#: What begins with how full the context is.
_WITH_BAR: Final = frozenset({LifecycleKind.CHECK_STARTED, LifecycleKind.COMPLETED})
_WORD_CHARACTERS: Final = max(len(look.word) for look in _LOOKS.values())


class LifecycleLines:
    """Prints lifecycle events in the order in which they come.

    `thread` is the only one there is, if there is only one.
    """

    def __init__(self, console: Console, *, thread: str | None = None) -> None:
        """Nothing is printed yet."""
        self._console = console
        self._thread = thread
        self._check: tuple[str, str, int] | None = None
        self._begun = False
        self._day = ""

    def print(self, event: LifecycleEvent) -> None:
        """Print one event."""
        check = (event.thread, event.event_id, event.offset)
        first = check != self._check
        if first:
            self._check, self._begun = check, False
        line = event_line(event, fired=not self._begun)
        self._begun = self._begun or event.kind is LifecycleKind.CHECK_STARTED
        if self._console.is_terminal:
            if first:
                self._print_title(event)
            self._console.print(_indented(line))
        else:
            parts = [Text(moment(event.at_ms)), *self._whose(event), *line, _policy(event)]
            self._console.print(Text("  ").join(part for part in parts if part.plain), soft_wrap=True)

    def _print_title(self, event: LifecycleEvent) -> None:
        """When, and which thread; above that the day, where it is another."""
        day, _, clock = moment(event.at_ms).rstrip("Z").rpartition(" ")
        if day != self._day:
            self._day = day
            self._console.print(Text(day, style="dim"))
        self._console.print(Text("  ").join([Text(clock, style="dim"), *self._whose(event), _policy(event)]))

    def _whose(self, event: LifecycleEvent) -> list[Text]:
        tenant = "" if event.tenant == DEFAULT_TENANT else f"{event.tenant}/"
        return [] if self._thread else [Text(one_line(f"{tenant}{event.thread}").plain, style="bold")]


def _indented(line: tuple[Text, Text]) -> Table:
    """A line below its title; what is too long for the terminal goes on below itself."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_INDENT_CHARACTERS)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("", *line)
    return grid


def _policy(event: LifecycleEvent) -> Text:
    return Text(f"policy {event.policy_version[:SHORT_CHARACTERS]}", style="dim")


def event_line(event: LifecycleEvent, *, fired: bool) -> tuple[Text, Text]:
    """What happened, as a mark with a word, and the lines that explain it.

    `fired` is the event that fired, where the lines must name that too.
    """
    details, causes = _DETAILS.get(event.kind, _reason)(event), [cause(event)] if fired else []
    # Bars stand below each other, whatever fired.
    parts = [*details, *causes] if event.kind in _WITH_BAR else [*causes, *details]
    return mark(event.kind), Text("  ").join(part for part in parts if part.plain)


def mark(kind: LifecycleKind) -> Text:
    """A sign and a word for what happened, always of the same width."""
    look = _LOOKS[kind]
    return Text(f"{look.sign} {look.word:<{_WORD_CHARACTERS}}", style=look.style)


def cause(event: LifecycleEvent | CompactionRecord) -> Text:
    """What fired, with its values."""
    rule, condition = event.rule or "", event.condition or ""
    # A timer or a tool call is part of its own condition.
    named = condition if condition.startswith(rule) else ": ".join(text for text in (rule, condition) if text)
    return Text.assemble((str(event.trigger), "bold"), " ", one_line(named)) if named else Text(str(event.trigger))


def _started(event: LifecycleEvent) -> list[Text]:
    bar = change_bar(event.before_tokens, event.before_tokens, event.limit_tokens)
    full = Text(f" {event.before_tokens / max(1, event.limit_tokens):.0%}")
    return [bar + full]


def _proposed(event: LifecycleEvent) -> list[Text]:
    steps = [
        f"{proposal.strategy}: {proposal.messages:,} {_LOOKS[ACTION_KINDS[proposal.action]].word}, "
        f"-{proposal.freed_tokens:,}"
        for proposal in event.proposals
    ]
    freed_tokens = event.before_tokens - event.after_tokens
    return [one_line("; ".join(steps)), Text(f"frees {freed_tokens:,} of {event.before_tokens:,} tokens", style="dim")]


def _acted(event: LifecycleEvent) -> list[Text]:
    return [Text(count(len(event.message_ids), "message"))]


def _completed(event: LifecycleEvent) -> list[Text]:
    bar = change_bar(event.before_tokens, event.after_tokens, event.limit_tokens)
    receipt = Text(f"receipt {event.compaction_id[:SHORT_CHARACTERS]}", style="dim") if event.compaction_id else Text()
    change = change_text(event.before_tokens, event.after_tokens, event.limit_tokens)
    return [bar, change, receipt, *_reason(event)]


def _noted(event: LifecycleEvent) -> list[Text]:
    return [Text("the ledger, in the place of the former one" if event.message_ids else "a first ledger")]


def _rehydrated(event: LifecycleEvent) -> list[Text]:
    return [one_line(f"artifact {', '.join(event.message_ids)}")]


def _reason(event: LifecycleEvent) -> list[Text]:
    return [one_line(event.reason or "")]


def _received(event: LifecycleEvent) -> list[Text]:
    return [one_line(f"from {event.actor}" if event.actor else ""), *_reason(event)]


def _failed(event: LifecycleEvent) -> list[Text]:
    return [one_line(": ".join(text for text in (event.strategy, event.reason) if text))]


_DETAILS: Final = {
    LifecycleKind.CHECK_STARTED: _started,
    LifecycleKind.PROPOSAL_GENERATED: _proposed,
    LifecycleKind.EXTERNALIZED: _acted,
    LifecycleKind.SUMMARIZED: _acted,
    LifecycleKind.CLEARED: _acted,
    LifecycleKind.DROPPED: _acted,
    LifecycleKind.NOTED: _noted,
    LifecycleKind.REHYDRATED: _rehydrated,
    LifecycleKind.COMPLETED: _completed,
    LifecycleKind.FAILED: _failed,
    LifecycleKind.RECEIVED: _received,
}


def change_bar(before_tokens: int, after_tokens: int, limit_tokens: int, cells: int = _BAR_CELLS) -> Text:
    """How full the context is now, what was freed of it, and what was free before, as a bar."""
    limit = max(1, limit_tokens)
    filled = min(cells, round(after_tokens / limit * cells))
    freed = max(0, min(cells, round(before_tokens / limit * cells)) - filled)
    colour = bar_colour(after_tokens / limit)
    return Text.assemble(("█" * filled, colour), ("▒" * freed, "cyan"), ("░" * (cells - filled - freed), "dim"))


def change_text(before_tokens: int, after_tokens: int, limit_tokens: int) -> Text:
    """The same in numbers."""
    freed = (before_tokens - after_tokens) / max(1, before_tokens)
    shown = f"{before_tokens:,} → {after_tokens:,} of {limit_tokens:,}"
    return Text.assemble(shown, (f" -{freed:.0%}", "green") if freed > 0 else "")


def moment(at_ms: int) -> str:
    """A moment in UTC, to the second; whatever is no moment, as a number."""
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"{at_ms} ms"


def count(number: int, noun: str) -> str:
    """So many of them, in words."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
