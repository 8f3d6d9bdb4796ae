"""Records as Kafka carries them: which topic, key, value and headers each thing that travels gets, and back.

Output follows the CloudEvents 1.0 Kafka binding in binary mode: attributes are `ce_*` headers, the value is the data
alone, so that a null value is a tombstone.
"""

import hashlib
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Misplaced
from tailrace.schemas.records.artifact import NewArtifact
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import (
    REBUILT_KEY,
    SEPARATOR,
    ChunkMark,
    ContextKey,
    Departed,
    Entry,
    Head,
    HeldCandidates,
    ReadySummary,
    SpentSummary,
    candidates_key,
    chunk_key,
    departed_key,
    entry_key,
    head_key,
    parse_key,
    summary_key,
)
from tailrace.schemas.records.dead_letter import DeadLetter, Headers
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.signal import AnySignal, signal_to_json
from tailrace.schemas.records.summary import Answered, ChunkSummary, SummaryRejection, UnansweredRequest
from tailrace.schemas.records.work import WorkRequest

SPEC_VERSION = "1.0"
#: `ce_source` of everything a worker writes.
SOURCE = "/tailrace"

MESSAGE_TYPE = "io.tailrace.message.v1"
HEAD_TYPE = "io.tailrace.context.head.v1"
ENTRY_TYPE = "io.tailrace.context.entry.v1"
DEPARTED_TYPE = "io.tailrace.context.departed.v1"
READY_TYPE = "io.tailrace.context.summary.v1"
CHUNK_TYPE = "io.tailrace.context.chunk.v1"
CANDIDATES_TYPE = "io.tailrace.context.candidates.v1"
REBUILT_TYPE = "io.tailrace.context.rebuilt.v1"
TOMBSTONE_TYPE = "io.tailrace.context.tombstone.v1"
COMPACTION_TYPE = "io.tailrace.compaction.v1"
LIFECYCLE_TYPE = "io.tailrace.lifecycle.v1"
DISTILLATION_TYPE = "io.tailrace.distillation.v1"
WORK_TYPE = "io.tailrace.work.v1"
SIGNAL_TYPE = "io.tailrace.signal.v1"
#: On `summaries`, and on `conversations`, where the owner of the thread meets it.
SUMMARY_TYPE = "io.tailrace.summary.v1"
REJECTION_TYPE = "io.tailrace.summary.rejected.v1"
UNANSWERED_TYPE = "io.tailrace.summary.unanswered.v1"

TERM_HEADER = "ce_term"
#: A term is a generation of a consumer group, which the broker counts in 32 bits, or one more than another term.
TERM_DIGITS_MAX = 18


class Topic(StrEnum):
    """The topics, by the name they have behind the prefix."""

    CONVERSATIONS = "conversations"
    DISTILLATIONS = "distillations"
    SUMMARIES = "summaries"
    COMPACTIONS = "compactions"
    CONTEXTS = "contexts"
    LIFECYCLE = "lifecycle"
    WORK = "work"
    DLQ = "dlq"


class InputRecord(Struct, frozen=True, kw_only=True):
    """A record as it was read from a topic."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


class OutputRecord(Struct, frozen=True):
    """A record as it is to be written. The partition is that of the input that caused it."""

    topic: Topic
    key: bytes | None
    value: bytes | None
    headers: Headers


class Tombstone(Struct, frozen=True, kw_only=True):
    """Frees the space of an entry that a head has removed."""

    thread: str
    message_id: str


class Stored(Struct, frozen=True, kw_only=True):
    """Something for the artifact store. It is there before anything is sent that names it."""

    tenant: str
    artifact: NewArtifact
    #: Counted from the moment of storing, by the worker's clock: a producer's may be wrong by years.
    ttl_seconds: int | None = None


ContextChange = Head | Entry | Departed | Tombstone | ReadySummary | SpentSummary | ChunkMark | HeldCandidates
#: What a worker writes to topics.
Written = ContextChange | CompactionRecord | LifecycleEvent | DeadLetter | Distillation | WorkRequest
Emission = Written | Stored

_encode_json = msgspec.json.Encoder().encode


def _ce_headers(ce_type: str, ce_id: str, term: bytes) -> Headers:
    # The source is the same for all, so an id must name the thread: message ids may repeat from thread to thread.
    return (
        ("ce_specversion", b"1.0"),
        ("ce_id", ce_id.encode()),
        ("ce_source", b"/tailrace"),
        ("ce_type", ce_type.encode()),
        (TERM_HEADER, term),
        ("content-type", b"application/json"),
    )


def _entry(entry: Entry, term: bytes) -> OutputRecord:
    key = entry_key(entry.thread, entry.id)
    headers = _ce_headers(ENTRY_TYPE, f"{entry.thread}/{entry.id}@{entry.epoch}", term)
    return OutputRecord(Topic.CONTEXTS, key, _encode_json(entry), headers)


def _head(head: Head, term: bytes) -> OutputRecord:
    headers = _ce_headers(HEAD_TYPE, f"{head.thread}/head@{head.epoch}@{head.covers_through.offset}", term)
    return OutputRecord(Topic.CONTEXTS, head_key(head.thread), _encode_json(head), headers)


def _departed(departed: Departed, term: bytes) -> OutputRecord:
    key = departed_key(departed.thread, departed.epoch)
    headers = _ce_headers(DEPARTED_TYPE, f"{departed.thread}/departed@{departed.epoch}", term)
    return OutputRecord(Topic.CONTEXTS, key, _encode_json(departed), headers)


def _ready(ready: ReadySummary, term: bytes) -> OutputRecord:
    headers = _ce_headers(READY_TYPE, f"{ready.thread}/summary/{ready.id}", term)
    return OutputRecord(Topic.CONTEXTS, summary_key(ready.thread, ready.id), _encode_json(ready), headers)


def _spent(spent: SpentSummary, term: bytes) -> OutputRecord:
    headers = _ce_headers(TOMBSTONE_TYPE, f"{spent.thread}/summary/{spent.id}@gone", term)
    return OutputRecord(Topic.CONTEXTS, summary_key(spent.thread, spent.id), None, headers)


def _chunk(mark: ChunkMark, term: bytes) -> OutputRecord:
    headers = _ce_headers(CHUNK_TYPE, f"{mark.thread}/chunk@{mark.next_group}", term)
    return OutputRecord(Topic.CONTEXTS, chunk_key(mark.thread), _encode_json(mark), headers)


def _candidates(held: HeldCandidates, term: bytes) -> OutputRecord:
    key = candidates_key(held.thread)
    if not held.directives:
        return OutputRecord(
            Topic.CONTEXTS, key, None, _ce_headers(TOMBSTONE_TYPE, f"{held.thread}/candidates@gone", term)
        )
    value = _encode_json(held)
    version = hashlib.blake2b(value, digest_size=8).hexdigest()
    headers = _ce_headers(CANDIDATES_TYPE, f"{held.thread}/candidates@{version}", term)
    return OutputRecord(Topic.CONTEXTS, key, value, headers)


def _tombstone(tombstone: Tombstone, term: bytes) -> OutputRecord:
    key = entry_key(tombstone.thread, tombstone.message_id)
    headers = _ce_headers(TOMBSTONE_TYPE, f"{tombstone.thread}/{tombstone.message_id}@gone", term)
    return OutputRecord(Topic.CONTEXTS, key, None, headers)


def _compaction(record: CompactionRecord, term: bytes) -> OutputRecord:
    headers = _ce_headers(COMPACTION_TYPE, record.id, term)
    return OutputRecord(Topic.COMPACTIONS, record.thread.encode(), _encode_json(record), headers)


def _lifecycle(event: LifecycleEvent, term: bytes) -> OutputRecord:
    # All are of one type, and so of one schema; the subject tells them apart for whoever reads headers alone.
    headers = (*_ce_headers(LIFECYCLE_TYPE, event.id, term), ("ce_subject", f"compaction.{event.kind}".encode()))
    return OutputRecord(Topic.LIFECYCLE, event.thread.encode(), _encode_json(event), headers)


def _distillation(distillation: Distillation, term: bytes) -> OutputRecord:
    headers = _ce_headers(DISTILLATION_TYPE, distillation.id, term)
    return OutputRecord(Topic.DISTILLATIONS, distillation.thread.encode(), _encode_json(distillation), headers)


def _work(request: WorkRequest, term: bytes) -> OutputRecord:
    headers = _ce_headers(WORK_TYPE, request.id, term)
    return OutputRecord(Topic.WORK, request.thread.encode(), _encode_json(request), headers)


def _dead_letter(letter: DeadLetter, _term: bytes) -> OutputRecord:
    return OutputRecord(Topic.DLQ, letter.key, letter.value, letter.to_headers())


_ENCODERS: dict[type, Callable[[Any, bytes], OutputRecord]] = {
    Entry: _entry,
    Head: _head,
    Departed: _departed,
    Tombstone: _tombstone,
    ReadySummary: _ready,
    SpentSummary: _spent,
    ChunkMark: _chunk,
    HeldCandidates: _candidates,
    CompactionRecord: _compaction,
    LifecycleEvent: _lifecycle,
    Distillation: _distillation,
    WorkRequest: _work,
    DeadLetter: _dead_letter,
}


def encode(emission: Written, term: int) -> OutputRecord:
    """Record to write for an emission. `term` tells readers which owner of the partition wrote it."""
    return _ENCODERS[type(emission)](emission, b"%d" % term)


def rebuilt_record(term: int) -> OutputRecord:
    """Record that begins contexts which were made again."""
    headers = _ce_headers(REBUILT_TYPE, f"rebuilt@{term}", b"%d" % term)
    return OutputRecord(Topic.CONTEXTS, REBUILT_KEY, b'{"version":1}', headers)


def swept_record(key: bytes, term: int) -> OutputRecord:
    """Record that frees the space of whatever a key of the contexts holds."""
    headers = _ce_headers(TOMBSTONE_TYPE, f"{key.decode(errors='replace')}@swept@{term}", b"%d" % term)
    return OutputRecord(Topic.CONTEXTS, key, None, headers)


_ANSWER_TYPES: dict[type[Answered], str] = {
    ChunkSummary: SUMMARY_TYPE,
    SummaryRejection: REJECTION_TYPE,
    UnansweredRequest: UNANSWERED_TYPE,
}


def answer_records(answer: Answered) -> list[OutputRecord]:
    """Records of what became of a request. They have no term.

    Any worker may answer, and an answer's id is the same whoever does.
    """
    headers = _without_term(_ANSWER_TYPES[type(answer)], answer.id)
    key, value = answer.thread.encode(), _encode_json(answer)
    kept = OutputRecord(Topic.SUMMARIES, key, value, headers)
    if not isinstance(answer, ChunkSummary):
        return [kept]
    return [kept, OutputRecord(Topic.CONVERSATIONS, key, value, headers)]


def signal_record(what: AnySignal, *, thread: str, tenant: str, signal_id: str) -> OutputRecord:
    """Record of a signal. It has no term: whoever sends it, what it says counts only if the thread agrees."""
    value = _encode_json(signal_to_json(what, tenant))
    return OutputRecord(Topic.CONVERSATIONS, thread.encode(), value, _without_term(SIGNAL_TYPE, signal_id))


def _without_term(ce_type: str, ce_id: str) -> Headers:
    return tuple(header for header in _ce_headers(ce_type, ce_id, b"") if header[0] != TERM_HEADER)


_decode_head = decoder(Head)
_decode_entry = decoder(Entry)
_decode_departed = decoder(Departed)
decode_message = decoder(Message)
decode_compaction = decoder(CompactionRecord)
decode_lifecycle = decoder(LifecycleEvent)
decode_distillation = decoder(Distillation)
decode_work = decoder(WorkRequest)
decode_summary = decoder(ChunkSummary)
decode_rejection = decoder(SummaryRejection)
decode_unanswered = decoder(UnansweredRequest)


def decode_context(key: bytes, value: bytes | None) -> ContextChange | None:
    """Change that a record of the contexts topic makes; None for a kind of state record that this release doesn't know.

    Raises a PoisonEvent for what can't be read.
    """
    parsed = parse_key(key)
    change = _decode_change(parsed, value)
    elsewhere = change is not None and change.thread != parsed.thread
    if elsewhere or (isinstance(change, Entry) and change.id != parsed.message_id):
        raise Misplaced("the record is about something else than its key names")
    return change


def _decode_change(parsed: ContextKey, value: bytes | None) -> ContextChange | None:
    if parsed.state_name is not None:
        return _decode_state(parsed.thread, parsed.state_name, value)
    if parsed.message_id is None:
        return _decode_head(value) if value is not None else None
    if value is None:
        return Tombstone(thread=parsed.thread, message_id=parsed.message_id)
    entry: Entry = _decode_entry(value)
    # Looked at now: whoever needs the message later could do nothing about one that is none.
    decode_message(entry.message)
    return entry


def _decode_state(thread: str, state_name: str, value: bytes | None) -> ContextChange | None:
    kind, _, name = state_name.partition(SEPARATOR)
    if kind == "summary" and value is None:
        return SpentSummary(thread=thread, id=name)
    if kind == "candidates" and value is None:
        return HeldCandidates(version=1, thread=thread)
    decode = _STATES.get(kind)
    return decode(value) if decode is not None and value is not None else None


#: The worker's own notes, by the first word of their name.
_STATES: dict[str, Callable[[bytes | None], ContextChange]] = {
    "departed": _decode_departed,
    "summary": decoder(ReadySummary),
    "chunk": decoder(ChunkMark),
    "candidates": decoder(HeldCandidates),
}


def term_of(headers: Iterable[tuple[str, bytes | None]]) -> int | None:
    """Term in a record's headers; None where there is none, so that no worker of ours wrote it."""
    for name, value in headers:
        if name == TERM_HEADER and value is not None and value.isdigit() and len(value) <= TERM_DIGITS_MAX:
            return int(value)
    return None
