"""One event on one thread: what has to be written because of it.

`step` looks at a thread's view and an event and returns the records to write; it changes nothing. Whoever runs it
applies the context changes to the view, just as every reader of the contexts topic does.

The order of the context changes matters, because a worker may die between any two of them. An event counts as
covered as soon as its entry is live, so an event that begins a new epoch writes its entry first, with that epoch:
it waits, invisible, until the head makes entry and compaction live in one stroke.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from tailrace.agents.budget_trigger import STRATEGY, Marks, Verdict, compaction_id, judge, marks
from tailrace.agents.groups import Group, is_reasoning_only, place
from tailrace.agents.sliding_window import gaps
from tailrace.agents.tokens import REPLY_PRIMING_TOKENS
from tailrace.agents.view import ThreadView, id_hash
from tailrace.schemas.compaction import Action, CompactionRecord, LossReceipt, SpanDecision, SpanReference, Trigger
from tailrace.schemas.context import RANKS_PER_GROUP, CoversThrough, Departed, Entry, Head, Totals
from tailrace.schemas.errors import Invalid
from tailrace.schemas.event import Event
from tailrace.schemas.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import Emission, Tombstone

_encode_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event at its place in the log, with what counting and the model catalogue say about it."""

    event: Event
    offset: int
    tokens: int
    #: Window of the event's model; None where the event names no model.
    window_tokens: int | None


def step(view: ThreadView, counted: CountedEvent, policy: Policy) -> list[Emission]:
    """Records to write because of an event that the thread doesn't know yet. Raises a PoisonEvent where it doesn't belong here."""
    return _Step(view, counted, policy).emissions()


def cover(view: ThreadView, event_id: str, offset: int, policy: Policy) -> list[Emission]:
    """Head that says: this event is taken into account, though it adds nothing. Empty where there is no thread."""
    if view.head is None:
        return []
    covers = CoversThrough(event_id=event_id, offset=offset)
    window_tokens = view.window_tokens or view.head.window_tokens
    return [
        msgspec.structs.replace(
            view.head,
            tokens=view.tokens + REPLY_PRIMING_TOKENS,
            limit_tokens=policy.limit_tokens(window_tokens),
            policy_version=policy.version,
            covers_through=covers,
            totals=view.totals,
            model=view.model,
            window_tokens=window_tokens,
        )
    ]


class _Step:
    """The parts of one step, each computed once."""

    def __init__(self, view: ThreadView, counted: CountedEvent, policy: Policy) -> None:
        self.view = view
        self.counted = counted
        self.policy = policy
        self.policy_version = policy.version
        new_model = counted.window_tokens is not None and counted.event.model != view.model
        known_window = counted.window_tokens if new_model else view.window_tokens
        self.model = counted.event.model if new_model else view.model
        self.window_tokens = known_window or policy.default_window_tokens
        self.marks: Marks = marks(policy, self.window_tokens)
        self.entry = self._entry(window_tokens=self.window_tokens if new_model else None)

    def _entry(self, window_tokens: int | None) -> Entry:
        event = self.counted.event
        rank, turn = place(self.view, event)
        try:
            # Copied, because the encoder's buffer is larger than what it wrote, and the entry may live for long.
            message = msgspec.Raw(bytes(memoryview(_encode_json(event.message))))
        except (RecursionError, OverflowError, UnicodeEncodeError) as error:
            raise Invalid(f"the message can't be written as JSON: {error}") from error
        return Entry(
            version=1,
            thread=event.thread,
            tenant=event.tenant,
            id=event.id,
            epoch=self.view.epoch,
            rank=rank,
            turn=turn,
            tokens=self.counted.tokens,
            offset=self.counted.offset,
            role=event.message.role,
            message=message,
            group=event.group,
            calls=event.message.call_ids,
            answers=event.message.answered_ids,
            reasoning_only=is_reasoning_only(event.message),
            pinned=event.pinned,
            source=event.source,
            agent=event.agent,
            model=event.model,
            window_tokens=window_tokens,
            usage=event.usage,
            sensitivity=event.sensitivity,
            created_at_ms=event.created_at_ms,
        )

    def emissions(self) -> list[Emission]:
        """Everything to write, in order."""
        verdict = judge(
            self._groups_with_entry(),
            before_tokens=self.view.tokens + self.entry.tokens + REPLY_PRIMING_TOKENS,
            was_over=self._was_over(),
            arriving=self.entry.rank // RANKS_PER_GROUP,
            marks=self.marks,
        )
        if verdict is None:
            return self._append()
        if not verdict.drops:
            return [*self._noop(verdict), *self._append()]
        return self._compact(verdict)

    def _was_over(self) -> bool:
        """Tell whether the context was over the upper mark of its window before this event."""
        before = marks(self.policy, self.view.window_tokens or self.policy.default_window_tokens)
        return self.view.tokens + REPLY_PRIMING_TOKENS > before.upper_tokens

    def _groups_with_entry(self) -> Iterable[Group]:
        """Yield the thread's groups as they will be with the new entry."""
        sequence = self.entry.rank // RANKS_PER_GROUP
        for group in self.view.groups.values():
            if group.sequence != sequence:
                yield group
        known = self.view.groups.get(sequence)
        grown = known.copy() if known else Group(sequence=sequence, turn=self.entry.turn)
        grown.add(self.entry)
        yield grown

    def _append(self) -> list[Emission]:
        if self.view.head is not None:
            return [self.entry]
        entry = msgspec.structs.replace(self.entry, epoch=0)
        return [entry, self._head(epoch=0, tokens=entry.tokens + REPLY_PRIMING_TOKENS, live=[entry])]

    def _compact(self, verdict: Verdict) -> list[Emission]:
        epoch = self.view.epoch + 1
        entry = msgspec.structs.replace(self.entry, epoch=epoch)
        dropped_ids = [message_id for group in verdict.drops for message_id in group.ids]
        gone = set(dropped_ids)
        live = [known for known in self.view.entries.values() if known.id not in gone]
        live = sorted([*live, entry], key=lambda known: known.rank)
        record = self._record(epoch, verdict, retained=len(live))
        live_groups = {known.rank // RANKS_PER_GROUP for known in live}
        removed = tuple(
            (first * RANKS_PER_GROUP, last * RANKS_PER_GROUP + RANKS_PER_GROUP - 1) for first, last in gaps(live_groups)
        )
        return [
            record,
            self._lifecycle(LifecycleKind.CHECK_STARTED, verdict),
            self._lifecycle(LifecycleKind.DROPPED, verdict, record=record, message_ids=tuple(dropped_ids)),
            self._lifecycle(LifecycleKind.COMPLETED, verdict, record=record),
            *self._still_over(verdict, record),
            Departed(
                version=1,
                thread=entry.thread,
                epoch=epoch,
                id_hashes=tuple(id_hash(message_id) for message_id in dropped_ids),
            ),
            entry,
            self._head(epoch=epoch, tokens=verdict.after_tokens, live=live, removed=removed, compactions=1),
            *(Tombstone(thread=entry.thread, message_id=message_id) for message_id in dropped_ids),
        ]

    def _record(self, epoch: int, verdict: Verdict, *, retained: int) -> CompactionRecord:
        event = self.counted.event
        ids = [message_id for group in verdict.drops for message_id in group.ids]
        return CompactionRecord(
            version=1,
            id=compaction_id(event.thread, epoch, self.policy_version, ids),
            thread=event.thread,
            tenant=event.tenant,
            epoch=epoch,
            trigger=Trigger.BUDGET,
            strategy=STRATEGY,
            policy_version=self.policy_version,
            event_id=event.id,
            offset=self.counted.offset,
            before_tokens=verdict.before_tokens,
            after_tokens=verdict.after_tokens,
            limit_tokens=self.marks.limit_tokens,
            decisions=_decisions(verdict.drops),
            receipt=LossReceipt(
                retained=retained, recoverable=len(ids), lost=0, recover_from="the conversations topic, by id"
            ),
        )

    def _head(
        self,
        *,
        epoch: int,
        tokens: int,
        live: list[Entry],
        removed: tuple[tuple[int, int], ...] = (),
        compactions: int = 0,
    ) -> Head:
        event = self.counted.event
        totals = self.view.totals
        return Head(
            version=1,
            thread=event.thread,
            tenant=event.tenant,
            epoch=epoch,
            tokens=tokens,
            limit_tokens=self.marks.limit_tokens,
            policy_version=self.policy_version,
            covers_through=CoversThrough(event_id=event.id, offset=self.counted.offset),
            prefix_hash=prefix_hash(live),
            totals=Totals(
                messages=totals.messages + 1,
                tokens=totals.tokens + self.entry.tokens,
                turns=max(totals.turns, self.entry.turn),
                groups=max(totals.groups, self.entry.rank // RANKS_PER_GROUP + 1),
                compactions=totals.compactions + compactions,
            ),
            model=self.model,
            window_tokens=self.window_tokens,
            parent_thread=self.view.head.parent_thread if self.view.head else event.parent_thread,
            removed=removed,
        )

    def _noop(self, verdict: Verdict) -> list[Emission]:
        return [self._lifecycle(LifecycleKind.NOOP, verdict, reason=verdict.reason)] if verdict.reason else []

    def _still_over(self, verdict: Verdict, record: CompactionRecord) -> list[Emission]:
        if not verdict.reason:
            return []
        return [self._lifecycle(LifecycleKind.FAILED, verdict, record=record, reason=verdict.reason)]

    def _lifecycle(
        self,
        kind: LifecycleKind,
        verdict: Verdict,
        *,
        record: CompactionRecord | None = None,
        message_ids: tuple[str, ...] = (),
        reason: str | None = None,
    ) -> LifecycleEvent:
        event = self.counted.event
        return LifecycleEvent(
            version=1,
            id=f"{event.thread}/{event.id}/{kind}",
            kind=kind,
            thread=event.thread,
            tenant=event.tenant,
            trigger=Trigger.BUDGET,
            event_id=event.id,
            offset=self.counted.offset,
            before_tokens=verdict.before_tokens,
            after_tokens=verdict.before_tokens if kind is LifecycleKind.CHECK_STARTED else verdict.after_tokens,
            limit_tokens=self.marks.limit_tokens,
            policy_version=self.policy_version,
            strategy=STRATEGY,
            compaction_id=record.id if record else None,
            message_ids=message_ids,
            reason=reason,
        )


def _decisions(drops: Iterable[Group]) -> tuple[SpanDecision, ...]:
    """One decision for each group: a span is never wider than what belongs together."""
    return tuple(
        SpanDecision(
            action=Action.DROP,
            span=SpanReference(ids=group.ids, first_turn=group.turn, last_turn=group.turn),
            tokens=group.tokens,
        )
        for group in drops
    )


def prefix_hash(live: Iterable[Entry]) -> str:
    """Hash of a context's messages in order: equal as long as a prompt cache can be hit. An id stands for one content."""
    ids = "\0".join(entry.id for entry in live)
    return hashlib.blake2b(ids.encode(), digest_size=16).hexdigest()
