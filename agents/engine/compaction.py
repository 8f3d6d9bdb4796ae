"""From a plan to records: the compaction itself, its audit, and the changes of the context.

The order is the one that a crash can't hurt: what describes comes first, then what waits for the head, then the head,
which makes everything live in one stroke, then tombstones, which only free space.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from tailrace.agents.artifacts.names import content_id, content_of
from tailrace.agents.engine.audit import ACTION_KINDS, begun, lifecycle
from tailrace.agents.engine.compaction_context import Occasion, hash_of_prefix, next_head
from tailrace.agents.engine.receipt import Departure, make_receipt
from tailrace.agents.messages.envelope import rule_for, ttl_seconds_of
from tailrace.agents.plan.derived_entries import compaction_id, derived_entry, ledger_entry, removed_ranges
from tailrace.agents.plan.plan import Change, Plan
from tailrace.agents.secrets.mask import mask_message
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Conflict
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.compaction import Action, CompactionRecord, LossReceipt, SpanDecision, SpanReference
from tailrace.schemas.records.context import (
    DERIVED_ID_PREFIX,
    RANKS_PER_GROUP,
    Departed,
    Entry,
    EntryKind,
    HeldCandidates,
    SpentSummary,
    id_hash,
)
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import ContextChange, Emission, Stored, Tombstone, Topic, decode_message
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.parts import ToolCallPart
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Compaction",
    does="a trigger fired and the planner has a plan: carry it out, and say what and why",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

#: What a record calls the ledger that takes the place of the former one.
LEDGER_STRATEGY = "ledger"


def commit(view: ThreadView, plan: Plan, occasion: Occasion) -> list[Emission]:
    """Records that carry a plan out. Raises `Conflict` where the thread has moved on since the plan was made."""
    if plan.expected_version != view.version:
        raise Conflict(
            f"the plan is for version {plan.expected_version} of the thread, which is now at {view.version}; plan again"
        )
    return _Commit(view, plan, occasion).emissions()


class _Commit:
    """The parts of one compaction, each computed once."""

    def __init__(self, view: ThreadView, plan: Plan, occasion: Occasion) -> None:
        self.view = view
        self.plan = plan
        self.occasion = occasion
        self.epoch = view.epoch + 1
        self.id = compaction_id(occasion.thread, self.epoch, occasion.policy_hash, plan)
        self.changed = {message_id for change in plan.changes for message_id in change.ids}
        self.derived = {change.first.id: entry for change in plan.changes if (entry := self._derive(change))}
        self.ledger = (
            ledger_entry(plan.ledger, epoch=self.epoch, offset=occasion.offset, compaction=self.id)
            if plan.ledger
            else None
        )
        if plan.ledger is not None:
            self.changed.update(plan.ledger.former_ids)
        self.new = self._new()

    def _derive(self, change: Change) -> Entry | None:
        group = self.view.groups.get(change.first.rank // RANKS_PER_GROUP)
        arriving = self.occasion.arriving
        open_calls = group.open_calls if group is not None else frozenset()
        if arriving is not None and arriving.rank // RANKS_PER_GROUP == change.first.rank // RANKS_PER_GROUP:
            open_calls = open_calls.union(arriving.calls).difference(arriving.answers)
        return derived_entry(
            change, epoch=self.epoch, offset=self.occasion.offset, compaction=self.id, open_calls=open_calls
        )

    def emissions(self) -> list[Emission]:
        """Everything to write, in order."""
        live = self._live()
        record = self._record(live) if self.plan.compacts else None
        return [*self._stored(), *([record] if record else []), *self._audit(record), *self._changes(live)]

    def _live(self) -> list[Entry]:
        """Return the entries of the context as it will be."""
        stay = [entry for entry in self.view.entries.values() if entry.id not in self.changed]
        return sorted([*stay, *self.new], key=lambda entry: entry.rank)

    def _changes(self, live: Sequence[Entry]) -> list[ContextChange]:
        """Return what makes the context what it will be, in order."""
        occasion, plan = self.occasion, self.plan
        gone = {message_id for message_id in self.changed if message_id in self.view.entries}
        # Entries of a plan that somebody before us could not finish, under another policy, are void from now on.
        gone.update(self.view.staged.keys() - {entry.id for entry in self.new})
        head = next_head(
            self.view,
            occasion,
            epoch=self.epoch,
            tokens=plan.after_tokens,
            prefix_hash=hash_of_prefix(live),
            removed=removed_ranges(live, self.epoch, self._groups()),
            compaction=self.id,
            compactions=plan.compacts,
            ledger=self._ledger_id(),
            stuck=bool(plan.reason),
            quiet_tokens=self._quiet_tokens(),
        )
        return [
            Departed(
                version=1,
                thread=occasion.thread,
                epoch=self.epoch,
                id_hashes=self._departed(),
                call_hashes=tuple(id_hash(call_id) for call_id in self._dead_calls(live)),
            ),
            *self.new,
            head,
            *(Tombstone(thread=occasion.thread, message_id=message_id) for message_id in sorted(gone)),
            *self._spent(),
            *self._held(),
        ]

    def _dead_calls(self, live: Sequence[Entry]) -> list[str]:
        """Calls that leave without a result of a tool: before it has come, or with what stood in for it."""
        arriving = self.occasion.arriving
        entries = [*self.view.entries.values(), *([arriving] if arriving else [])]
        stay = {entry.id for entry in live if entry.kind is EntryKind.STAND_IN}
        stand_ins = [entry for entry in entries if entry.kind is EntryKind.STAND_IN and entry.id not in stay]
        return [*self._left_calls(live), *(call_id for entry in stand_ins for call_id in entry.answers)]

    def _left_calls(self, live: Sequence[Entry]) -> tuple[str, ...]:
        """Calls that leave before their results have come, in the order in which they were made."""
        waiting = list(self.view.opened_at_ms)
        if (arriving := self.occasion.arriving) is not None:
            waiting += [(call_id, arriving.rank // RANKS_PER_GROUP) for call_id in arriving.calls]
        stay = (
            {(call_id, entry.rank // RANKS_PER_GROUP) for entry in live for call_id in entry.calls} if waiting else ()
        )
        answered = arriving.answers if arriving is not None else ()
        return tuple(call_id for call_id, group in waiting if (call_id, group) not in stay and call_id not in answered)

    def _quiet_tokens(self) -> int:
        """The size up to which the thread is left alone: a rule that still holds would take message after message."""
        above = self.plan.after_tokens > self.plan.budget.lower_tokens
        return self.plan.after_tokens + self.occasion.retry_tokens if above and self.occasion.retry_tokens else 0

    def _new(self) -> list[Entry]:
        """What is there for the first time: the message that arrives, and what stands for others."""
        arriving = self.occasion.arriving
        new = [msgspec.structs.replace(arriving, epoch=self.epoch)] if arriving else []
        new = [entry for entry in new if entry.id not in self.changed]
        derived = [*self.derived.values(), *([self.ledger] if self.ledger else [])]
        return [*new, *sorted(derived, key=lambda entry: entry.rank)]

    def _stored(self) -> Iterator[Stored]:
        """Yield what pointers and notes name, and what no call brings again, unless it was stored as it arrived."""
        tool_names = self._tool_names()
        for entry in self._to_store():
            message = decode_message(entry.message)
            media_type, content = content_of(message)
            secret = self.occasion.mask_secrets and mask_message(message) is not message
            yield Stored(
                tenant=entry.tenant,
                ttl_seconds=ttl_seconds_of(
                    (rule_for(tool_names.get(call_id, ""), self.occasion.tools) for call_id in entry.answers),
                    self.occasion.artifact_ttl_seconds,
                ),
                artifact=NewArtifact(
                    id=content_id(media_type, content),
                    media_type=media_type,
                    content=content,
                    created_at_ms=entry.created_at_ms,
                    sensitivity=Sensitivity.RESTRICTED if secret else entry.sensitivity,
                    thread=entry.thread,
                    message_id=entry.id,
                ),
            )

    def _tool_names(self) -> dict[str, str]:
        """Names of the tools that are called in the context, by the id of the call.

        None where no rule sets a time by them.
        """
        if not any(rule.ttl_seconds for rule in self.occasion.tools.values()):
            return {}
        entries = [entry for entry in self.view.entries.values() if entry.role == "assistant"]
        parts = [part for entry in entries for part in decode_message(entry.message).parts]
        return {part.id: part.name for part in parts if isinstance(part, ToolCallPart)}

    def _to_store(self) -> Iterator[Entry]:
        arriving = self.occasion.arriving
        for change in self.plan.changes:
            for message_id in change.ids:
                entry = arriving if arriving and arriving.id == message_id else self.view.entries.get(message_id)
                if entry is None or entry.artifact_id is not None:
                    continue
                named = change.artifact_id is not None and message_id == change.first.id
                named = named or bool(change.artifact_ids)
                # What stands for a message has left it behind when it was made.
                lasting = entry.durability is Durability.NON_REPLAYABLE and not entry.sources
                if named or lasting:
                    yield entry

    def _spent(self) -> Iterator[SpentSummary]:
        """Yield the summaries that are used now, and those whose chunk is no longer what they were made from."""
        for ready in self.view.ready.values():
            if any(message_id in self.changed or message_id not in self.view.entries for message_id in ready.span.ids):
                yield SpentSummary(thread=ready.thread, id=ready.id)

    def _held(self) -> Iterator[HeldCandidates]:
        """Yield what models pointed out and is still stated where it was; the rest is in the ledger now.

        Nothing where that is all.
        """
        held = self.view.candidates
        stay = tuple(
            directive
            for directive in held
            if directive.source in self.view.entries and directive.source not in self.changed
        )
        if len(stay) < len(held):
            yield HeldCandidates(version=1, thread=self.occasion.thread, directives=stay)

    def _groups(self) -> int:
        arriving = self.occasion.arriving
        newest = arriving.rank // RANKS_PER_GROUP + 1 if arriving is not None else 0
        return max(self.view.totals.groups, newest)

    def _departed(self) -> tuple[str, ...]:
        """Hashes of what producers may send again; ids of our own making never come in."""
        ids = [key for change in self.plan.changes for key in change.ids if not key.startswith(DERIVED_ID_PREFIX)]
        return tuple(id_hash(message_id) for message_id in ids)

    def _ledger_id(self) -> str | None:
        if self.plan.ledger is None:
            return self.view.head.ledger if self.view.head is not None else None
        return self.ledger.id if self.ledger is not None else None

    def _receipt(self, live: Sequence[Entry]) -> LossReceipt:
        """What became of all that has left."""
        former = next((entry for entry in self.view.entries.values() if entry.kind is EntryKind.LEDGER), None)
        ledger = self.plan.ledger.ledger if self.plan.ledger else former.ledger if former is not None else None
        left = [entry for entry in self.view.entries.values() if entry.id in self.changed]
        # What stands for others, and the ledger, is nobody's message: each message counts once, where it stands or
        # where it can be had.
        made = {entry.id for entry in self.derived.values()}
        stay = sum(entry.kind is not EntryKind.LEDGER and entry.id not in made for entry in live)
        changed = sum(len(change.ids) for change in self.plan.changes)
        departure = Departure(left, live, ledger or Ledger(), stay)
        listed_max, masked = self.occasion.receipt_listed_max, self.occasion.mask_secrets
        return make_receipt(departure, changed=changed, listed_max=listed_max, masked=masked)

    def _record(self, live: Sequence[Entry]) -> CompactionRecord:
        occasion, plan = self.occasion, self.plan
        return CompactionRecord(
            version=1,
            id=self.id,
            thread=occasion.thread,
            tenant=occasion.tenant,
            epoch=self.epoch,
            trigger=occasion.trigger,
            strategy=plan.strategy,
            policy_version=occasion.policy_hash,
            event_id=occasion.event_id,
            offset=occasion.offset,
            before_tokens=plan.before_tokens,
            after_tokens=plan.after_tokens,
            limit_tokens=plan.budget.limit_tokens,
            decisions=(*map(self._decision, plan.recorded), *self._ledger_decision()),
            receipt=self._receipt(live),
            warnings=(*plan.warnings, *([plan.missed] if plan.missed else [])),
            rule=occasion.rule,
            condition=occasion.condition,
            at_ms=occasion.at_ms,
        )

    def _decision(self, change: Change) -> SpanDecision:
        derived = self.derived.get(change.first.id)
        return SpanDecision(
            action=change.action,
            span=SpanReference(ids=change.ids, first_turn=change.first.turn, last_turn=change.last_turn),
            tokens=change.before_tokens,
            entry_id=derived.id if derived else None,
            after_tokens=change.after_tokens,
            strategy=change.strategy,
            reason=change.reason,
            artifact_id=change.artifact_id,
            artifact_ids=change.artifact_ids,
        )

    def _ledger_decision(self) -> Iterator[SpanDecision]:
        """Yield what became of the former ledger; a first one has nobody's place, and still has its price."""
        change = self.plan.ledger
        if change is not None:
            yield SpanDecision(
                action=Action.INCLUDE,
                span=SpanReference(ids=change.former_ids, first_turn=change.first.turn, last_turn=change.first.turn),
                tokens=change.before_tokens,
                entry_id=self.ledger.id if self.ledger is not None else None,
                after_tokens=change.tokens,
                strategy=LEDGER_STRATEGY,
                reason="what holds is told on",
            )

    def _audit(self, record: CompactionRecord | None) -> list[LifecycleEvent]:
        """One event for each kind of thing that was done, between the start of the check and its end."""
        plan = self.plan
        events = begun(self.occasion, plan)
        for action, kind in ACTION_KINDS.items():
            ids = tuple(key for change in plan.changes if change.action is action for key in change.ids)
            if ids:
                events.append(lifecycle(self.occasion, kind, plan, record=record, message_ids=ids))
        if plan.ledger is not None:
            former = plan.ledger.former_ids
            events.append(lifecycle(self.occasion, LifecycleKind.NOTED, plan, record=record, message_ids=former))
        events.append(lifecycle(self.occasion, LifecycleKind.COMPLETED, plan, record=record, reason=plan.missed))
        # That a thread can't be brought under its limit is said once.
        if plan.reason and not self.view.standing.stuck:
            events.append(lifecycle(self.occasion, LifecycleKind.FAILED, plan, record=record, reason=plan.reason))
        return events
