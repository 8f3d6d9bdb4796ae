"""What happened to threads, as the API gives it."""

from typing import Annotated

from msgspec import Meta, Struct

from tailrace.schemas.api.context import ThreadSummary
from tailrace.schemas.api.parameters import SinceMs, TenantName, ThreadNames
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.lifecycle import LifecycleEvent


class HistoryQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which part of a history."""

    limit: Annotated[int, Meta(description="The newest so many.", ge=1, le=1_000, examples=[100])] = 100
    before: (
        Annotated[int, Meta(description="`before` of the answer before: what was earlier.", ge=0, examples=[41])] | None
    ) = None


class Happened(Struct, frozen=True, kw_only=True):
    """One thing that happened: a compaction, or an event that belongs to none."""

    compaction: CompactionRecord | None = None
    event: LifecycleEvent | None = None
    #: Why what a compaction did was not enough.
    failed: str | None = None


class HistoryReply(Struct, frozen=True, kw_only=True):
    """What happened to a thread, oldest first."""

    thread: str
    #: How it stands; None where it has no context.
    now: ThreadSummary | None
    happened: tuple[Happened, ...]
    #: For the part before this one; None where there is nothing earlier.
    before: int | None
    #: Records about it that this release can't read; they are left out.
    skipped_records: int = 0


class CompactionsReply(Struct, frozen=True, kw_only=True):
    """Records of compactions, oldest first."""

    compactions: tuple[CompactionRecord, ...]
    before: int | None


class WatchQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which events of the audit a stream has."""

    #: Only of these threads.
    thread: ThreadNames = ()
    tenant: TenantName | None = None
    #: By default now.
    since_ms: SinceMs | None = None
