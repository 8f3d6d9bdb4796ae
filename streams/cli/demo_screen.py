"""What the demo shows: every context, what is said at the moment, and what compactions make of it."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tailrace.agents.engine.audit import ACTION_KINDS
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.cli.audit_lines import change_bar
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.tables import ThreadRow, thread_row, threads_table
from tailrace.streams.demo.sample_conversations import Sample
from tailrace.streams.library.preview import preview

#: Threads that fit on a screen.
_ROWS_MAX: Final = 16
_SAID_ROWS: Final = 3
#: Lines around the compactions: title, gaps, headings, the last line, and the table's own heading.
_OTHER_LINES: Final = 10
_COMPACTIONS_MAX: Final = 8
_THREAD_CHARACTERS: Final = 14
_BAR_CELLS: Final = 8


class DemoScreen:
    """What was shown so far, and how it looks now."""

    def __init__(self, console: Console, samples: Sequence[Sample], window_tokens: int) -> None:
        """Nothing was said yet; the policy takes every model to have this window."""
        self._console = console
        self._samples = samples
        self._window_tokens = window_tokens
        self._total = sum(len(sample.messages) for sample in samples)
        self._published = 0
        self._messages: deque[Text] = deque(maxlen=_SAID_ROWS)
        self._acted: dict[tuple[str, str], Counter[LifecycleKind]] = {}
        self._compactions: deque[Text] = deque(maxlen=_COMPACTIONS_MAX)

    def show_message(self, sample: Sample, message: dict[str, Any]) -> None:
        """Take a message that was just published."""
        self._published += 1
        read = read_native(detect_format(message), message)
        self._messages.append(Text.assemble(_name(sample.thread), (f"{read.role:<10}", "dim"), one_line(preview(read))))

    def happened(self, event: LifecycleEvent) -> None:
        """Take an event of the audit trail: those of one compaction come before its end."""
        key = event.thread, event.event_id
        if event.kind in _ACTIONS:
            self._acted.setdefault(key, Counter())[event.kind] += len(event.message_ids)
        elif event.kind is LifecycleKind.COMPLETED:
            line = _compaction_line(event, self._acted.pop(key, Counter()))
            self._compactions.append(line)
            if not self._console.is_terminal:
                self._console.print(line, soft_wrap=True)

    def playing(self, views: Mapping[str, ThreadView]) -> RenderableType:
        """Return the screen while conversations play."""
        rows = self.rows(views)
        free = self._console.height - _OTHER_LINES - len(rows) - _SAID_ROWS
        room = max(1, min(_COMPACTIONS_MAX, free))
        heading = Text(f"{len(self._samples)} conversations play, each in a window of {self._window_tokens:,} tokens\n")
        return Group(
            heading,
            self._table(rows),
            Text("\nsaid", style="bold"),
            *_padded(self._messages, _SAID_ROWS),
            Text("\ncompacted", style="bold"),
            *_padded(list(self._compactions)[-room:], room),
            self._progress(),
        )

    def contexts(self, views: Mapping[str, ThreadView]) -> RenderableType:
        """Return the table alone, with what was published by anybody since."""
        return self._table(self.rows(views))

    def rows(self, views: Mapping[str, ThreadView]) -> list[ThreadRow]:
        """Return the rows: the longest conversation first, each always in its place.

        Then what others have published.
        """
        order = sorted(self._samples, key=lambda sample: -len(sample.messages))
        names = [*(sample.thread for sample in order), *sorted(views)]
        return [thread_row(name, views.get(name, ThreadView())) for name in dict.fromkeys(names)]

    def _table(self, rows: Sequence[ThreadRow]) -> RenderableType:
        hidden = len(rows) - _ROWS_MAX
        more = [Text(f"{hidden} more: tailrace threads", style="dim")] if hidden > 0 else []
        return Group(threads_table(rows[:_ROWS_MAX]), *more)

    def _progress(self) -> RenderableType:
        grid = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=self._total, completed=self._published, width=min(40, self._console.width // 2))
        grid.add_row(bar, Text(f"{self._published} of {self._total} messages"), Text("Ctrl-C ends", style="dim"))
        return grid


_ACTIONS: Final = frozenset(ACTION_KINDS.values())


def summary(rows: Iterable[ThreadRow]) -> str:
    """What the whole play came to, in two lines."""
    listed = list(rows)
    messages, said_tokens = sum(row.messages for row in listed), sum(row.tokens_said for row in listed)
    tokens, compactions = sum(row.tokens_in_context for row in listed), sum(row.compactions for row in listed)
    return (
        f"{messages:,} messages of {len(listed)} conversations: {said_tokens:,} tokens said, {tokens:,} in contexts.\n"
        f"{compactions:,} compactions kept them under their budget; what left can be had again."
    )


def _compaction_line(event: LifecycleEvent, acted: Counter[LifecycleKind]) -> Text:
    bar = change_bar(event.before_tokens, event.after_tokens, event.limit_tokens, _BAR_CELLS)
    change = f"{event.before_tokens:,} → {event.after_tokens:,}"
    what = ", ".join(f"{number} {kind}" for kind, number in acted.items() if number)
    return Text.assemble(_name(event.thread), bar, "  ", change, "  ", (what, "dim"))


def _name(thread: str) -> Text:
    return Text(f"{one_line(thread).plain:<{_THREAD_CHARACTERS}}", style="cyan")


def _padded(lines: Iterable[Text], count: int) -> list[Text]:
    """The lines, each cut at the edge of the screen, and empty ones up to `count`: nothing below them moves."""
    shown = [Text(no_wrap=True, overflow="ellipsis").append_text(line) for line in lines]
    return [*shown, *(Text() for _ in range(count - len(shown)))]
