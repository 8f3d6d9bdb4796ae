"""What happened to a thread, in the order in which it met it: each compaction once, and what belongs to none."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.observability.audit_trail import Trail

#: What stands by itself in a history; the rest is part of a compaction, and its record says it better.
_BY_ITSELF: Final = frozenset(
    {
        LifecycleKind.NOOP,
        LifecycleKind.FAILED,
        LifecycleKind.FLAGGED,
        LifecycleKind.REFUSED,
        LifecycleKind.REHYDRATED,
    }
)


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened: a compaction, or something that was none."""

    what: CompactionRecord | LifecycleEvent
    #: The compaction that it followed from does not fit its limit.
    reason: str | None = None


def in_order(trail: Trail) -> Iterator[Happening]:
    """Yield what happened, oldest first: each compaction once, and what belongs to none."""
    failed = {event.compaction_id: event.reason for event in trail.events if event.kind is LifecycleKind.FAILED}
    alone = [event for event in trail.events if event.kind in _BY_ITSELF and not event.compaction_id]
    both: list[CompactionRecord | LifecycleEvent] = [*alone, *trail.compactions]
    # A thread's offsets are the order in which it met what happened; a clock may say otherwise.
    for what in sorted(both, key=lambda record: record.offset):
        yield Happening(what, failed.get(what.id) if isinstance(what, CompactionRecord) else None)
