"""The threads of one partition of the contexts topic, as every reader of it knows them.

The worker, the client, the verifier.

Apart from what decides about threads, because a reader needs none of that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Misplaced
from tailrace.schemas.records.context import REBUILT_KEY, Entry, Head
from tailrace.schemas.records.kafka_records import ContextChange, Tombstone, decode_context, term_of


@dataclass(slots=True)
class PartitionView:
    """The threads of one partition of the contexts topic, as its records tell them."""

    threads: dict[str, ThreadView] = field(default_factory=dict)
    #: Highest term seen; records below it are late writes of a former owner.
    term: int = 0

    def apply_record(
        self,
        key: bytes,
        value: bytes | None,
        headers: Iterable[tuple[str, bytes | None]],
        *,
        input_end: int | None = None,
    ) -> str | None:
        """Take a record of the contexts topic into account. Returns its thread, or None where it counts for nothing.

        Raises a PoisonEvent for one that can't be read, or that rests on input from `input_end` on; it has changed
        nothing but the term.
        """
        term = term_of(headers)
        if term is None or term < self.term:
            return None
        self.term = term
        if key == REBUILT_KEY:
            self.threads.clear()
            return None
        change = decode_context(key, value)
        if change is None:
            return None
        if input_end is not None and _input_offset(change) >= input_end:
            raise Misplaced(f"it rests on input that is not there: the log ends at offset {input_end}")
        self.apply(change)
        return change.thread

    def apply(self, change: ContextChange) -> None:
        """Take a change into account that needs no check of its term."""
        view = self.threads.get(change.thread)
        if view is None:
            view = self.threads[change.thread] = ThreadView()
        view.apply(change)

    def unswept(self) -> list[Tombstone]:
        """Tombstones that a former owner still owed when it died."""
        return [
            Tombstone(thread=thread, message_id=message_id)
            for thread, view in self.threads.items()
            for message_id in sorted(view.owed())
        ]


def _input_offset(change: ContextChange) -> int:
    """Offset of the newest input that a change takes into account; -1 where it names none."""
    match change:
        case Head():
            return change.covers_through.offset
        case Entry():
            return change.offset
        case _:
            return -1
