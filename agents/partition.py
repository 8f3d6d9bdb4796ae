"""One partition: the views of its threads, and what one input record does to them.

The worker, the simulator and every test run this same function; what surrounds it only moves bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tailrace.agents.strategies import Strategies
from tailrace.agents.thread import CountedEvent, CountTokens, Engine, cover, step
from tailrace.agents.view import ThreadView
from tailrace.schemas.context import Entry
from tailrace.schemas.dead_letter import DeadLetter
from tailrace.schemas.errors import Invalid, Misplaced, PoisonEvent
from tailrace.schemas.event import Event
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import ContextChange, Emission, InputRecord, Tombstone, decode_context, term_of

#: What our own field names may add to a message; the topics have room for it.
ENTRY_GROWTH_BYTES = 128 * 1024


@dataclass(slots=True)
class PartitionView:
    """The threads of one partition of the contexts topic, as its records tell them."""

    threads: dict[str, ThreadView] = field(default_factory=dict)
    #: Highest term seen; records below it are late writes of a former owner.
    term: int = 0

    def apply_record(self, key: bytes, value: bytes | None, headers: Iterable[tuple[str, bytes | None]]) -> str | None:
        """Take a record of the contexts topic into account. Returns its thread, or None where it counts for nothing."""
        term = term_of(headers)
        if term is None or term < self.term:
            return None
        self.term = term
        change = decode_context(key, value)
        if change is None:
            return None
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
            for message_id in sorted(view.unswept)
        ]


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
    #: Strategies of the operator's own, by name.
    custom: Strategies = field(default_factory=dict)

    @property
    def engine(self) -> Engine:
        """The part that decides about contexts."""
        return Engine(self.policy, self.count_tokens, self.custom)


#: What can become of an input record: a new message, one that is known already, one that was processed before a crash,
#: one that can't be processed.
OUTCOMES = ("appended", "duplicate", "covered", "dead_letter")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one input record."""

    emissions: Sequence[Emission]
    #: One of OUTCOMES.
    result: str


def process(partition: PartitionView, record: InputRecord, rules: Rules) -> Outcome:
    """Outcome of one input record; the context changes in it are already applied to `partition`."""
    event: Event | None = None
    try:
        event = decode_event(record, value_bytes_max=rules.value_bytes_max)
        outcome = _advance(partition, record, event, rules)
    except PoisonEvent as error:
        letter = _dead_letter(record, error, rules.letter_bytes_max)
        covering = _cover(partition, record, event, rules.policy)
        outcome = Outcome([letter, *covering], "dead_letter")
    for emission in outcome.emissions:
        if isinstance(emission, ContextChange):
            partition.apply(emission)
    return outcome


def _advance(partition: PartitionView, record: InputRecord, event: Event, rules: Rules) -> Outcome:
    view = partition.threads.get(event.thread) or ThreadView()
    # Before anything else: a replayed event that is refused again would take the thread's coverage back to its offset.
    if view.covers is not None and record.offset <= view.covers.offset:
        return Outcome((), "covered")
    if view.head is not None and view.head.tenant != event.tenant:
        raise Misplaced("the thread belongs to another tenant; use a thread id of your own")
    if view.knows(event.id):
        return Outcome(cover(view, event.id, record.offset, rules.policy), "duplicate")
    model = event.model or view.model
    counted = CountedEvent(
        event=event,
        offset=record.offset,
        tokens=rules.count_tokens(event.message, model),
        window_tokens=rules.window_tokens(event.model) if event.model and event.model != view.model else None,
    )
    emissions = step(view, counted, rules.engine)
    for emission in emissions:
        if isinstance(emission, Entry) and _size_bytes(emission) > rules.value_bytes_max + ENTRY_GROWTH_BYTES:
            raise Invalid("the message is too large once it is written out; use fewer parts and shorter ids of calls")
    return Outcome(emissions, "appended")


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
