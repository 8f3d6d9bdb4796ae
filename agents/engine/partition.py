"""One partition: the views of its threads, and what one input record does to them.

The worker, the simulator and every test run this same function; what surrounds it only moves bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tailrace.agents.distill.fleet_cache import SharedFound, SharedWanted
from tailrace.agents.engine.audit import unreadable
from tailrace.agents.engine.dead_letter import dead_letter
from tailrace.agents.engine.early_summaries import ask_ahead, note_summary
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.entrance import CountedEvent, Incoming, look_at
from tailrace.agents.engine.fleet_lookups import shared_wanted
from tailrace.agents.engine.lookups import NOTHING, Contents, Needs
from tailrace.agents.engine.open_calls import repeats_results
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.rehydration import wanted
from tailrace.agents.engine.senders import sender_line
from tailrace.agents.engine.signalled_thread import LoggedSignal
from tailrace.agents.engine.signals import model_named, take_signal
from tailrace.agents.engine.spend import primary_call
from tailrace.agents.engine.thread import advance, cover
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Invalid, Misplaced, PoisonEvent
from tailrace.schemas.ingest import decode_event, decode_signal, event_type
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import (
    SIGNAL_TYPE,
    SUMMARY_TYPE,
    ContextChange,
    Emission,
    InputRecord,
    Stored,
    Topic,
    Written,
)
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import signal_of
from tailrace.schemas.records.spend import Spent
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Intake",
    does="any record: to its thread, refused with a reason, or to the dead letters",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.LIFECYCLE, Topic.CONTEXTS, Topic.DLQ),
)

#: What our own field names may add to a message; the topics have room for it.
ENTRY_GROWTH_BYTES = 128 * 1024


#: What can become of an input record: a new message, something about the thread, one that is known already, one that
#: was processed before a crash, one that can't be processed, a signal that changes nothing, and a tick that came too
#: late to.
OUTCOMES = ("appended", "noted", "duplicate", "covered", "dead_letter", "refused", "overtaken")

#: In the place of the kind of a signal that says nothing we know.
UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of one input record."""

    emissions: Sequence[Emission]
    #: One of OUTCOMES.
    result: str
    #: Kind of the signal that the record was, where it was a new one.
    signal: str | None = None
    #: The calls of models that the record tells of, without their prices where it tells none.
    spent: tuple[Spent, ...] = ()
    #: Distillations that another worker has made.
    shared_hits: int = 0

    @property
    def written(self) -> list[Written]:
        """What goes to topics; the rest is for the artifact store."""
        return [emission for emission in self.emissions if not isinstance(emission, Stored)]


@dataclass(frozen=True, slots=True)
class New:
    """A record with an event that the thread does not know yet."""

    record: InputRecord
    incoming: Incoming
    #: None where it can be decided without the artifact store.
    needs: Needs | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A record whose outcome needs nothing more: no event, or one that is taken into account already."""

    record: InputRecord
    outcome: RecordOutcome


@dataclass(frozen=True, slots=True)
class Poison:
    """A record that can't be processed, with its event as far as it could be read."""

    record: InputRecord
    error: PoisonEvent
    event: Event | None = None


#: A record that was read and not decided yet.
Pending = New | Settled | Poison


def process(
    partition: PartitionView, record: InputRecord, engine: Engine, contents: Contents = NOTHING
) -> RecordOutcome:
    """Outcome of one input record; the context changes in it are already applied to `partition`."""
    return decide(partition, read(partition, record, engine), engine, contents)


def read(partition: PartitionView, record: InputRecord, engine: Engine) -> Pending:
    """Read a record, and say what has to be looked up before it can be decided. Changes nothing."""
    event: Event | None = None
    try:
        kind = event_type(record)
        if kind == SUMMARY_TYPE:
            noted = note_summary(partition.threads, record, engine.policy, engine.count_text)
            return Settled(record, RecordOutcome(noted.emissions, noted.result, spent=noted.spent))
        if kind == SIGNAL_TYPE:
            return Settled(record, _signalled(partition, record, engine))
        event = decode_event(record, value_bytes_max=engine.value_bytes_max)
        view = _view_of(partition, event)
        settled = _settled_before(view, record, event, engine.policy)
        if settled is not None:
            return Settled(record, settled)
        incoming = look_at(view, _counted(view, record, event, engine), engine)
    except PoisonEvent as error:
        return Poison(record, error, event)
    return New(record, incoming, _needs(view, incoming, engine))


def _view_of(partition: PartitionView, event: Event) -> ThreadView:
    return partition.threads.get(event.thread) or ThreadView()


def _counted(view: ThreadView, record: InputRecord, event: Event, engine: Engine) -> CountedEvent:
    model = event.model
    return CountedEvent(
        event=event,
        offset=record.offset,
        tokens=engine.count_tokens(event.message, model or view.model),
        window_tokens=engine.window_tokens(model) if model and model != view.model else None,
        logged_at_ms=record.timestamp_ms,
    )


def _needs(view: ThreadView, incoming: Incoming, engine: Engine) -> Needs | None:
    event = incoming.counted.event
    named = wanted(view, event, incoming.counted.offset, engine.policy)
    shared: tuple[SharedWanted, ...] = ()
    if engine.shared_chars_min is not None and (incoming.large or event.claim):
        model = event.model or view.model or ""
        shared = shared_wanted(incoming, engine.policy, model=model, chars_min=engine.shared_chars_min)
    return Needs(event.tenant, event.claim, named, shared) if event.claim or named or shared else None


def decide(partition: PartitionView, pending: Pending, engine: Engine, contents: Contents = NOTHING) -> RecordOutcome:
    """Outcome of a record that was read, with what it needed; the context changes in it are applied to `partition`."""
    record = pending.record
    outcome = _outcome(partition, pending, engine, contents)
    sender = sender_line(record, engine.policy) if outcome.result != "covered" else None
    if sender is not None:
        outcome = replace(outcome, emissions=[sender, *outcome.emissions])
    _apply(partition, outcome.emissions)
    changed = next((change.thread for change in outcome.emissions if isinstance(change, ContextChange)), None)
    ahead = ask_ahead(partition.threads[changed], record.offset, engine.policy) if changed is not None else []
    if not ahead:
        return outcome
    _apply(partition, ahead)
    # In front of what makes the event covered.
    return replace(outcome, emissions=[*ahead, *outcome.emissions])


def _outcome(partition: PartitionView, pending: Pending, engine: Engine, contents: Contents) -> RecordOutcome:
    match pending:
        case Settled(outcome=outcome):
            return outcome
        case Poison(record=record, error=error, event=event):
            return _refused(partition, record, error, event, engine)
        case New(record=record, incoming=incoming):
            try:
                return _advanced(partition, incoming, engine, contents)
            except PoisonEvent as error:
                return _refused(partition, record, error, incoming.counted.event, engine)


def _refused(
    partition: PartitionView, record: InputRecord, error: PoisonEvent, event: Event | None, engine: Engine
) -> RecordOutcome:
    letter = dead_letter(record, error, engine.letter_bytes_max)
    return RecordOutcome([letter, *_cover(partition, record, event, engine.policy)], "dead_letter")


def _apply(partition: PartitionView, emissions: Iterable[Emission]) -> None:
    for emission in emissions:
        if isinstance(emission, ContextChange):
            partition.apply(emission)


def _signalled(partition: PartitionView, record: InputRecord, engine: Engine) -> RecordOutcome:
    """Outcome of a signal. Raises a PoisonEvent only for one without a thread, about which nobody could be told."""
    thread, signal_id, data = decode_signal(record, value_bytes_max=engine.value_bytes_max)
    view = partition.threads.get(thread) or ThreadView()
    if view.covers is not None and record.offset <= view.covers.offset:
        return RecordOutcome((), "covered")
    try:
        signal = signal_of(data, signal_id=signal_id, thread=thread, logged_at_ms=record.timestamp_ms)
    except Invalid as error:
        return RecordOutcome(
            [unreadable(thread, signal_id, record, str(error), engine.policy)], "refused", signal=UNREADABLE
        )
    model = model_named(signal)
    logged = LoggedSignal(signal, record.offset, engine.window_tokens(model) if model else None)
    emissions = take_signal(view, logged, engine)
    if not emissions:
        return RecordOutcome((), "overtaken", signal=signal.kind)
    first = emissions[0]
    refused = isinstance(first, LifecycleEvent) and first.kind is LifecycleKind.REFUSED
    return RecordOutcome(emissions, "refused" if refused else "noted", signal=signal.kind)


def _settled_before(view: ThreadView, record: InputRecord, event: Event, policy: Policy) -> RecordOutcome | None:
    """Outcome of an event that is taken into account already; None for a new one.

    Raises Misplaced for another's thread.
    """
    # Before anything else: a replayed event that is refused again would take the thread's coverage back to its offset.
    if view.covers is not None and record.offset <= view.covers.offset:
        return RecordOutcome((), "covered")
    if view.head is not None and view.head.tenant != event.tenant:
        raise Misplaced("the thread belongs to another tenant; use a thread id of your own")
    if view.knows(event.id) or repeats_results(view, event.message):
        return RecordOutcome(cover(view, event.id, record.offset, policy), "duplicate")
    return None


def _advanced(partition: PartitionView, incoming: Incoming, engine: Engine, contents: Contents) -> RecordOutcome:
    counted = incoming.counted
    event, offset = counted.event, counted.offset
    view = _view_of(partition, event)
    emissions = advance(view, incoming, engine, contents)
    for emission in emissions:
        if isinstance(emission, Entry) and _size_bytes(emission) > engine.value_bytes_max + ENTRY_GROWTH_BYTES:
            raise Invalid("the message is too large once it is written out; use fewer parts and shorter ids of calls")
    call = primary_call(event, event.model or view.model, offset=offset, at_ms=counted.logged_at_ms)
    spent = (call,) if call is not None else ()
    return RecordOutcome(emissions, "appended", spent=spent, shared_hits=_hits(emissions, contents.shared))


def _hits(emissions: Iterable[Emission], shared: Iterable[SharedFound]) -> int:
    """How many distillations were those of others: looked up, used, and nothing else kept in their place."""
    there = {distillation.id for distillation in shared if distillation.kept is not None}
    if not there or not any(isinstance(emission, Distillation) for emission in emissions):
        return 0
    return len(there - {emission.artifact.id for emission in emissions if isinstance(emission, Stored)})


def _size_bytes(entry: Entry) -> int:
    """Size of what the producer determines: the message, and the ids of calls that are written a second time."""
    size_bytes = len(bytes(entry.message))
    if entry.calls or entry.answers:
        size_bytes += sum(len(call_id.encode()) for call_id in (*entry.calls, *entry.answers))
    return size_bytes


def _cover(partition: PartitionView, record: InputRecord, event: Event | None, policy: Policy) -> list[Emission]:
    """Head that covers a refused event, so that whoever waits for it is told; none where no thread can be named."""
    view = partition.threads.get(event.thread) if event else None
    return cover(view, event.id, record.offset, policy) if event and view else []
