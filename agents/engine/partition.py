"""One partition: the views of its threads, and what one input record does to them.

The worker, the simulator and every test run this same function; what surrounds it only moves bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import msgspec

from tailrace.agents.distill.fleet_cache import SharedFound, SharedWanted
from tailrace.agents.engine.audit import unreadable
from tailrace.agents.engine.claim_check import ClaimedText
from tailrace.agents.engine.early_summaries import ask_ahead, note_summary
from tailrace.agents.engine.fleet_lookups import shared_wanted
from tailrace.agents.engine.lookups import NOTHING, Contents, Needs
from tailrace.agents.engine.open_calls import find_call, repeats_results
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.engine.recall_documents import claim_document, document_sensitivity, message_document
from tailrace.agents.engine.rehydration import wanted
from tailrace.agents.engine.signalled_thread import LoggedSignal
from tailrace.agents.engine.signals import model_named, take_signal
from tailrace.agents.engine.spend import primary_call
from tailrace.agents.engine.thread import CountedEvent, CountTokens, Engine, cover, step
from tailrace.agents.messages.groups import begins_turn
from tailrace.agents.plan.steps.registry import Strategies
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Invalid, Misplaced, PoisonEvent
from tailrace.schemas.ingest import decode_event, decode_signal, event_type
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.dead_letter import DeadLetter
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
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.schemas.records.recall import RecallDocument
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


@dataclass(frozen=True, slots=True)
class Rules:
    """What processing a record depends on besides the record and the views. Both functions must be pure."""

    policy: Policy
    #: Tokens of a message as the named model counts them.
    count_tokens: CountTokens
    #: Context window of the named model.
    window_tokens: Callable[[str], int]
    value_bytes_max: int = 1_000_000
    #: A value may be far larger than the record that carried it, compressed.
    letter_bytes_max: int = 8_000_000
    #: Distillations of outputs from so many characters on are looked for in the artifact store, and kept there; None for none.
    shared_chars_min: int | None = None
    #: Strategies of the operator's own, by name.
    custom: Strategies = field(default_factory=dict)
    #: The part that decides about contexts, made once: it reads the policy's conditions.
    engine: Engine = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the engine. Raises a ConditionError for a condition that can't be used."""
        object.__setattr__(self, "engine", Engine(self.policy, self.count_tokens, self.custom))

    def count_text(self, text: str) -> int:
        """Tokens of a text as a message of its own, as a model that nobody named counts them."""
        return self.count_tokens(Message(role="assistant", parts=(TextPart(content=text),)), None)


#: What can become of an input record: a new message, something about the thread, one that is known already, one that was processed before a crash,
#: one that can't be processed, a signal that changes nothing, and a tick that came too late to.
OUTCOMES = ("appended", "noted", "duplicate", "covered", "dead_letter", "refused", "overtaken")

#: In the place of the kind of a signal that says nothing we know.
UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of one input record."""

    emissions: Sequence[Emission]
    #: One of OUTCOMES.
    result: str
    #: What of a new message can be found again.
    documents: tuple[RecallDocument, ...] = ()
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
class Pending:
    """A record that was read and not decided yet."""

    record: InputRecord
    event: Event | None = None
    #: Decided already: not new, or not to be read.
    outcome: RecordOutcome | None = None
    error: PoisonEvent | None = None
    needs: Needs | None = None


def process(partition: PartitionView, record: InputRecord, rules: Rules, contents: Contents = NOTHING) -> RecordOutcome:
    """Outcome of one input record; the context changes in it are already applied to `partition`."""
    return decide(partition, read(partition, record, rules), rules, contents)


def read(partition: PartitionView, record: InputRecord, rules: Rules) -> Pending:
    """Read a record, and say what has to be looked up before it can be decided. Changes nothing."""
    event: Event | None = None
    try:
        kind = event_type(record)
        if kind == SUMMARY_TYPE:
            noted = note_summary(partition.threads, record, rules.policy, rules.count_text)
            return Pending(record, outcome=RecordOutcome(noted.emissions, noted.result, spent=noted.spent))
        if kind == SIGNAL_TYPE:
            return Pending(record, outcome=_signalled(partition, record, rules))
        event = decode_event(record, value_bytes_max=rules.value_bytes_max)
        view = partition.threads.get(event.thread) or ThreadView()
        known = _known(view, record, event, rules)
    except PoisonEvent as error:
        return Pending(record, event, error=error)
    if known is not None:
        return Pending(record, event, outcome=known)
    named = wanted(view, event, record.offset, rules.policy)
    shared = _shared_wanted(view, record, event, rules)
    needs = Needs(event.tenant, event.claim, named, shared) if event.claim or named or shared else None
    return Pending(record, event, needs=needs)


def _shared_wanted(view: ThreadView, record: InputRecord, event: Event, rules: Rules) -> tuple[SharedWanted, ...]:
    chars_min = rules.shared_chars_min
    # Nothing in a record is longer than the record.
    if chars_min is None or (len(record.value or b"") < chars_min and event.claim is None):
        return ()
    model = event.model or view.model or ""
    call = partial(find_call, view)
    return shared_wanted(event, rules.policy, model=model, chars_min=chars_min, find_call=call)


def decide(partition: PartitionView, pending: Pending, rules: Rules, contents: Contents = NOTHING) -> RecordOutcome:
    """Outcome of a record that was read, with what it needed; the context changes in it are applied to `partition`."""
    record, event = pending.record, pending.event
    outcome = pending.outcome
    error = pending.error
    if outcome is None and error is None and event is not None:
        try:
            outcome = _advance(partition, record, event, rules, contents)
        except PoisonEvent as poison:
            error = poison
    if outcome is None:
        letter = _dead_letter(record, error or PoisonEvent("not an event"), rules.letter_bytes_max)
        outcome = RecordOutcome([letter, *_cover(partition, record, event, rules.policy)], "dead_letter")
    _apply(partition, outcome.emissions)
    changed = next((one.thread for one in outcome.emissions if isinstance(one, ContextChange)), None)
    ahead = ask_ahead(partition.threads[changed], record.offset, rules.policy) if changed is not None else []
    if not ahead:
        return outcome
    _apply(partition, ahead)
    # In front of what makes the event covered.
    return replace(outcome, emissions=[*ahead, *outcome.emissions])


def _apply(partition: PartitionView, emissions: Iterable[Emission]) -> None:
    for emission in emissions:
        if isinstance(emission, ContextChange):
            partition.apply(emission)


def _signalled(partition: PartitionView, record: InputRecord, rules: Rules) -> RecordOutcome:
    """Outcome of a signal. Raises a PoisonEvent only for one without a thread, about which nobody could be told."""
    thread, signal_id, data = decode_signal(record, value_bytes_max=rules.value_bytes_max)
    view = partition.threads.get(thread) or ThreadView()
    if view.covers is not None and record.offset <= view.covers.offset:
        return RecordOutcome((), "covered")
    try:
        signal = signal_of(data, signal_id=signal_id, thread=thread, logged_at_ms=record.timestamp_ms)
    except Invalid as error:
        return RecordOutcome(
            [unreadable(thread, signal_id, record, str(error), rules.policy)], "refused", signal=UNREADABLE
        )
    model = model_named(signal)
    logged = LoggedSignal(signal, record.offset, rules.window_tokens(model) if model else None)
    emissions = take_signal(view, logged, rules.engine)
    if not emissions:
        return RecordOutcome((), "overtaken", signal=signal.kind)
    first = emissions[0]
    refused = isinstance(first, LifecycleEvent) and first.kind is LifecycleKind.REFUSED
    return RecordOutcome(emissions, "refused" if refused else "noted", signal=signal.kind)


def _known(view: ThreadView, record: InputRecord, event: Event, rules: Rules) -> RecordOutcome | None:
    """Outcome of an event that is taken into account already; None for a new one. Raises Misplaced for another's thread."""
    # Before anything else: a replayed event that is refused again would take the thread's coverage back to its offset.
    if view.covers is not None and record.offset <= view.covers.offset:
        return RecordOutcome((), "covered")
    if view.head is not None and view.head.tenant != event.tenant:
        raise Misplaced("the thread belongs to another tenant; use a thread id of your own")
    if view.knows(event.id) or repeats_results(view, event.message):
        return RecordOutcome(cover(view, event.id, record.offset, rules.policy), "duplicate")
    return None


def _advance(
    partition: PartitionView, record: InputRecord, event: Event, rules: Rules, contents: Contents
) -> RecordOutcome:
    view = partition.threads.get(event.thread) or ThreadView()
    model = event.model or view.model
    counted = CountedEvent(
        event=event,
        offset=record.offset,
        tokens=rules.count_tokens(event.message, model),
        window_tokens=rules.window_tokens(event.model) if event.model and event.model != view.model else None,
        brought_back=contents.brought_back,
        claimed=contents.claimed,
        shared=contents.shared,
        logged_at_ms=record.timestamp_ms,
    )

    def called(call_id: str) -> str:
        call = find_call(view, call_id)
        return call.part.name if call else ""

    emissions = step(view, counted, rules.engine)
    for emission in emissions:
        if isinstance(emission, Entry) and _size_bytes(emission) > rules.value_bytes_max + ENTRY_GROWTH_BYTES:
            raise Invalid("the message is too large once it is written out; use fewer parts and shorter ids of calls")
    place = LogPosition(record.offset, view.totals.turns + begins_turn(event))
    documents = documents_of(event, place, contents.claimed, rules.policy, called=called)
    call = primary_call(event, model, offset=record.offset, at_ms=record.timestamp_ms)
    spent = (call,) if call is not None else ()
    return RecordOutcome(emissions, "appended", documents, spent=spent, shared_hits=_hits(emissions, contents.shared))


def _hits(emissions: Iterable[Emission], shared: Iterable[SharedFound]) -> int:
    """How many distillations were those of others: found, used, and nothing else kept in their place."""
    there = {one.id for one in shared if one.kept is not None}
    if not there or not any(isinstance(one, Distillation) for one in emissions):
        return 0
    return len(there - {one.artifact.id for one in emissions if isinstance(one, Stored)})


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where a message stands."""

    offset: int
    turn: int


def documents_of(
    event: Event, place: LogPosition, claimed: ClaimedText | None, policy: Policy, *, called: Callable[[str], str]
) -> tuple[RecallDocument, ...]:
    """What of a message can be found again; a worker that grows the index and one that builds it again ask here.

    `called` names the tool that a call is to.
    """
    sensitivity = document_sensitivity(event, policy.tools, called)
    found = [message_document(event, place.offset, masked=policy.mask_secrets)]
    if claimed is not None and claimed.missing is None and not claimed.claim.media:
        found.append(claim_document(event, claimed, place.offset, masked=policy.mask_secrets))
    return tuple(
        msgspec.structs.replace(one, turn=place.turn, sensitivity=strictest([sensitivity, one.sensitivity]))
        for one in found
    )


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


def _dead_letter(record: InputRecord, error: PoisonEvent, value_bytes_max: int) -> DeadLetter:
    """Letter about a record. A value that no record of ours can hold stays where it is, in the log that is never edited."""
    size_bytes = len(record.value or b"")
    fits = size_bytes <= value_bytes_max
    note = "" if fits else f" (the value of {size_bytes} bytes is only in the source topic)"
    return DeadLetter(
        key=record.key,
        value=record.value if fits else None,
        headers=record.headers,
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        code=error.code,
        error=f"tailrace.schemas.errors.{type(error).__name__}",
        message=f"{error}{note}",
        stacktrace=_where(error),
    )


def _where(error: PoisonEvent) -> str:
    """Place in our code where a record was refused: file names, lines and functions, no values."""
    lines = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        lines.append(f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno} in {code.co_qualname}")
        traceback = traceback.tb_next
    return "\n".join(lines)
