"""The live context of a thread, built from the records of the contexts topic.

This is the one place that knows the rules of `schemas/records/context.py`. A worker's state, a recovering worker, a
subscriber and a verifier all apply the same records here, so a worker's state is by construction what anyone else
reads. Applying a record costs O(1); applying a head that removes entries costs O(live entries), which the budget
bounds.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter

from tailrace.agents.messages.groups import Group, is_system
from tailrace.agents.tokens.calibration import calibrated
from tailrace.agents.tokens.counts import NO_RESULT_TOKENS, REPLY_PRIMING_TOKENS
from tailrace.agents.tokens.learned_window import after_answer, learned_tokens
from tailrace.agents.view.trigger_memory import after_entry
from tailrace.schemas.records.context import (
    RANKS_PER_GROUP,
    Calibration,
    ChunkMark,
    CoversThrough,
    Departed,
    Entry,
    EntryKind,
    Head,
    HeldCandidates,
    ReadySummary,
    RemovedRange,
    SpentSummary,
    Standing,
    Totals,
    id_hash,
    totals_with,
)
from tailrace.schemas.records.kafka_records import ContextChange, Tombstone, decode_message
from tailrace.schemas.records.ledger import Directive
from tailrace.schemas.records.message import Message

_REHYDRATED, _STAND_IN = EntryKind.REHYDRATED, EntryKind.STAND_IN


def noted(brought_back: Mapping[str, int], entry: Entry) -> dict[str, int]:
    """In which turn artifacts were brought back last, once this message has got those that it asked for."""
    return {**brought_back, **dict.fromkeys(entry.brought_back, entry.turn)}


@dataclass(slots=True)
class ThreadView:
    """Everything that is known of one thread. Changed only by `apply`."""

    head: Head | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    #: What was brought back for this turn. It is behind the context, and no part of what is counted or compacted.
    rehydrated: dict[str, Entry] = field(default_factory=dict)
    #: Summaries of chunks that are ready for the next compaction, by their id.
    ready: dict[str, ReadySummary] = field(default_factory=dict)
    #: The group that the next chunk begins with at the earliest.
    chunk_group: int = 0
    #: Directives that models pointed out; the source of each is, or was a moment ago, live.
    candidates: tuple[Directive, ...] = ()
    #: In which turn an artifact was brought back last, as the head says and what came after it.
    brought_back: Mapping[str, int] = field(default_factory=dict)
    #: Atomic groups by their sequence number.
    groups: dict[int, Group] = field(default_factory=dict)
    #: Groups in which a tool call has no result yet. Mostly one, but models may use an id again.
    open_calls: dict[str, tuple[int, ...]] = field(default_factory=dict)
    #: When each of them was made, by the broker's clock; by the id of the call and its group.
    opened_at_ms: dict[tuple[str, int], int] = field(default_factory=dict)
    #: Hashes of the ids of calls that got a stand-in for their result, or left without one: it may still come.
    dead_calls: set[str] = field(default_factory=set)
    #: Entries whose head has not arrived yet.
    staged: dict[str, Entry] = field(default_factory=dict)
    departed: set[str] = field(default_factory=set)
    #: What leaves with an epoch whose head has not arrived yet.
    departing: dict[int, Departed] = field(default_factory=dict)
    #: Removed by a head, but no tombstone seen yet: what a worker that died in between left behind.
    unswept: set[str] = field(default_factory=set)
    tokens: int = 0
    #: Tokens of system messages alone: the part of the context that no compaction takes away.
    system_tokens: int = 0
    #: Tokens of tool results alone.
    tool_tokens: int = 0
    totals: Totals = field(default_factory=Totals)
    covers: CoversThrough | None = None
    model: str | None = None
    window_tokens: int | None = None
    agent: str | None = None
    calibration: Calibration | None = None
    #: What triggers remember.
    standing: Standing = field(default_factory=Standing)
    #: Compacting was tried in vain; it is tried again above this many tokens.
    quiet_tokens: int = 0

    @property
    def epoch(self) -> int:
        """Epoch of the head; -1 before there is one."""
        return -1 if self.head is None else self.head.epoch

    @property
    def version(self) -> tuple[int, int]:
        """Epoch, and offset of the last event that is taken into account.

        Equal versions of a thread in the log are equal contexts.
        """
        return self.epoch, -1 if self.covers is None else self.covers.offset

    @property
    def request_tokens(self) -> int:
        """What a request with this context costs.

        Its messages, the start of the reply, and a word for each result that is missing.
        """
        return self.tokens + REPLY_PRIMING_TOKENS + NO_RESULT_TOKENS * len(self.opened_at_ms)

    def believed_tokens(self, window_tokens: int) -> int:
        """What is believed of a window of so many tokens of the thread's model, after all that it has refused."""
        return learned_tokens(self.standing, self.model, window_tokens) if self.standing.windows else window_tokens

    def request_tokens_with(self, entry: Entry) -> int:
        """The same once this message is part of it."""
        tokens = self.request_tokens + entry.tokens
        if not entry.calls and not entry.answers:
            return tokens
        sequence = entry.rank // RANKS_PER_GROUP
        for call_id in {*entry.calls, *entry.answers}:
            waits, waited = call_id not in entry.answers, (call_id, sequence) in self.opened_at_ms
            tokens += NO_RESULT_TOKENS * (waits - waited)
        return tokens

    def copy(self) -> "ThreadView":
        """Return a view of its own with the same live context; what waits for a head is left behind."""
        return replace(
            self,
            entries=dict(self.entries),
            rehydrated=dict(self.rehydrated),
            ready=dict(self.ready),
            groups={sequence: group.copy() for sequence, group in self.groups.items()},
            open_calls=dict(self.open_calls),
            opened_at_ms=dict(self.opened_at_ms),
            dead_calls=set(self.dead_calls),
            staged={},
            departing={},
            departed=set(self.departed),
            unswept=set(),
        )

    def knows(self, message_id: str) -> bool:
        """Tell whether a message with this id is or was part of the thread."""
        return message_id in self.entries or (bool(self.departed) and id_hash(message_id) in self.departed)

    def gave_up(self, call_id: str) -> bool:
        """Tell whether nobody waits for the result of this call any more, though it never came."""
        return bool(self.dead_calls) and id_hash(call_id) in self.dead_calls

    def live(self) -> list[Entry]:
        """Return the entries of the context in their order."""
        return sorted([*self.entries.values(), *self.rehydrated.values()], key=attrgetter("rank"))

    def messages(self) -> list[Message]:
        """Return the messages of the context in their order."""
        return [decode_message(entry.message) for entry in self.live()]

    def owed(self) -> set[str]:
        """Ids that a tombstone is due for: what a head removed, and what was brought back for a turn that is over."""
        over = {key for key, entry in self.rehydrated.items() if entry.turn < self.totals.turns}
        return self.unswept | over

    def apply(self, change: ContextChange) -> None:
        """Take one record of the contexts topic into account."""
        match change:
            case Entry():
                self._apply_entry(change)
            case Head():
                self._apply_head(change)
            case Tombstone():
                self.staged.pop(change.message_id, None)
                self.rehydrated.pop(change.message_id, None)
                self.unswept.discard(change.message_id)
                self._remove(change.message_id)
            case ReadySummary():
                self.ready[change.id] = change
            case SpentSummary():
                self.ready.pop(change.id, None)
            case ChunkMark():
                self.chunk_group = max(self.chunk_group, change.next_group)
            case HeldCandidates():
                self.candidates = change.directives
            case Departed() if change.epoch > self.epoch:
                self.departing[change.epoch] = change
            case Departed():
                self._depart(change)

    def _apply_entry(self, entry: Entry) -> None:
        if entry.kind is _REHYDRATED:
            self.rehydrated[entry.id] = entry
        elif entry.epoch > self.epoch:
            self.staged[entry.id] = entry
        elif entry.epoch == self.epoch:
            # A plan for this very message, whose head never came, is void: this record has replaced it.
            self.staged.pop(entry.id, None)
            self._add(entry)
        # An entry of an earlier epoch behind its head is a late write of a worker that lost the partition.

    def _apply_head(self, head: Head) -> None:
        if self.head is not None and self._is_older(head):
            return
        if head.removed:
            for entry in self._removed_by(head):
                self.unswept.add(entry.id)
                self._remove(entry.id)
        self._retire_ledger(head)
        self.head = head
        self.totals = head.totals
        self.covers = head.covers_through
        self.model = head.model
        self.window_tokens = head.window_tokens
        self.agent = head.agent
        self.quiet_tokens = head.quiet_tokens
        self.brought_back = head.brought_back
        ready = [entry for entry in self.staged.values() if entry.epoch <= head.epoch]
        for entry in sorted(ready, key=lambda entry: (entry.offset, entry.rank)):
            del self.staged[entry.id]
            void = entry.epoch == head.epoch and entry.compaction not in {None, head.compaction}
            void = void or (entry.kind is EntryKind.LEDGER and entry.id != head.ledger)
            if void or _is_removed(entry, head.removed):
                self.unswept.add(entry.id)
            else:
                self._add(entry)
        self.calibration = head.calibration
        self.standing = head.standing
        for epoch in [epoch for epoch in self.departing if epoch <= head.epoch]:
            self._depart(self.departing.pop(epoch))

    def _depart(self, departed: Departed) -> None:
        self.departed.update(departed.id_hashes)
        self.dead_calls.update(departed.call_hashes)

    def _retire_ledger(self, head: Head) -> None:
        """Take the former ledger out once another holds: it may stand in the group of a summary that stays."""
        former = self.head.ledger if self.head is not None else None
        if former is not None and former != head.ledger and former in self.entries:
            self.unswept.add(former)
            self._remove(former)

    def _is_older(self, head: Head) -> bool:
        """Tell whether a head is behind what is known: a late write, or a repetition by the next owner."""
        if head.epoch != self.epoch or self.covers is None:
            return head.epoch < self.epoch
        return head.covers_through.offset < self.covers.offset

    def _removed_by(self, head: Head) -> Iterator[Entry]:
        entries = list(self.entries.values())
        return (entry for entry in entries if _is_removed(entry, head.removed))

    def _add(self, entry: Entry) -> None:
        if entry.id in self.entries:
            return
        self.entries[entry.id] = entry
        self.tokens += entry.tokens
        if entry.answers:
            self.tool_tokens += entry.tokens
        elif is_system(entry):
            self.system_tokens += entry.tokens
        sequence = entry.rank // RANKS_PER_GROUP
        group = self.groups.get(sequence)
        if group is None:
            group = self.groups[sequence] = Group(sequence=sequence)
        group.add(entry)
        for call_id in entry.calls:
            self._close_call(call_id, sequence)
            self.open_calls[call_id] = (*self.open_calls.get(call_id, ()), sequence)
            self.opened_at_ms[call_id, sequence] = entry.logged_at_ms
        for call_id in entry.answers:
            self._close_call(call_id, sequence)
        if entry.kind is _STAND_IN:
            self.dead_calls.update(map(id_hash, entry.answers))
        if self.covers is None or entry.offset > self.covers.offset:
            self._count(entry)

    def _count(self, entry: Entry) -> None:
        """Add what came after the head to what the head says."""
        self.covers = CoversThrough(event_id=entry.id, offset=entry.offset)
        self.standing = after_entry(self.standing, entry)
        if entry.kind is _STAND_IN:
            return  # nobody said it
        self.totals = totals_with(self.totals, entry)
        if entry.window_tokens is not None:
            self.model = entry.model
            self.window_tokens = entry.window_tokens
        if self.standing.windows:
            self.standing = after_answer(self.standing, entry, self.model, self.calibration, self.tokens)
        if self.agent is None:
            self.agent = entry.agent
        if entry.quiet_tokens:
            self.quiet_tokens = entry.quiet_tokens
        if entry.brought_back:
            self.brought_back = noted(self.brought_back, entry)
        if entry.usage is not None:
            self.calibration = calibrated(self.calibration, entry, self.tokens, self.model)

    def _remove(self, message_id: str) -> None:
        entry = self.entries.pop(message_id, None)
        if entry is None:
            return
        self.tokens -= entry.tokens
        if entry.answers:
            self.tool_tokens -= entry.tokens
        elif is_system(entry):
            self.system_tokens -= entry.tokens
        sequence = entry.rank // RANKS_PER_GROUP
        group = self.groups[sequence]
        group.remove(entry)
        if not group.entries:
            del self.groups[sequence]
        for call_id in entry.calls:
            self._close_call(call_id, sequence)

    def _close_call(self, call_id: str, sequence: int) -> None:
        """Forget that a call is open in this group; it may still be in another."""
        opened = self.open_calls.get(call_id)
        if opened is None:
            return
        self.opened_at_ms.pop((call_id, sequence), None)
        elsewhere = tuple([other for other in opened if other != sequence])
        if elsewhere:
            self.open_calls[call_id] = elsewhere
        else:
            del self.open_calls[call_id]


def _is_removed(entry: Entry, ranges: tuple[RemovedRange, ...]) -> bool:
    """Tell whether an entry lies in one of the ranges, which are ascending and apart, and was there before it."""
    place = bisect_right(ranges, entry.rank, key=attrgetter("first"))
    return place > 0 and entry.rank <= ranges[place - 1].last and entry.epoch < ranges[place - 1].epoch
