"""Records as Kafka carries them: which topic, key, value and headers each thing that travels gets, and back.

Output follows the CloudEvents 1.0 Kafka binding in binary mode: attributes are `ce_*` headers, the value is the data
alone, so that a null value is a tombstone.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from tailrace.schemas.artifact import NewArtifact
from tailrace.schemas.compaction import CompactionRecord
from tailrace.schemas.context import Departed, Entry, Head, departed_key, entry_key, head_key, parse_key
from tailrace.schemas.dead_letter import DeadLetter, Headers
from tailrace.schemas.distillation import Distillation
from tailrace.schemas.lifecycle import LifecycleEvent

SPEC_VERSION = "1.0"
#: `ce_source` of everything a worker writes.
SOURCE = "/tailrace"

MESSAGE_TYPE = "io.tailrace.message.v1"
HEAD_TYPE = "io.tailrace.context.head.v1"
ENTRY_TYPE = "io.tailrace.context.entry.v1"
DEPARTED_TYPE = "io.tailrace.context.departed.v1"
TOMBSTONE_TYPE = "io.tailrace.context.tombstone.v1"
COMPACTION_TYPE = "io.tailrace.compaction.v1"
LIFECYCLE_TYPE = "io.tailrace.lifecycle.v1"
DISTILLATION_TYPE = "io.tailrace.distillation.v1"

TERM_HEADER = "ce_term"


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


ContextChange = Head | Entry | Departed | Tombstone
#: What a worker writes to topics.
Written = ContextChange | CompactionRecord | LifecycleEvent | DeadLetter | Distillation
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


def _tombstone(tombstone: Tombstone, term: bytes) -> OutputRecord:
    key = entry_key(tombstone.thread, tombstone.message_id)
    headers = _ce_headers(TOMBSTONE_TYPE, f"{tombstone.thread}/{tombstone.message_id}@gone", term)
    return OutputRecord(Topic.CONTEXTS, key, None, headers)


def _compaction(record: CompactionRecord, term: bytes) -> OutputRecord:
    headers = _ce_headers(COMPACTION_TYPE, record.id, term)
    return OutputRecord(Topic.COMPACTIONS, record.thread.encode(), _encode_json(record), headers)


def _lifecycle(event: LifecycleEvent, term: bytes) -> OutputRecord:
    headers = _ce_headers(LIFECYCLE_TYPE, event.id, term)
    return OutputRecord(Topic.LIFECYCLE, event.thread.encode(), _encode_json(event), headers)


def _distillation(distillation: Distillation, term: bytes) -> OutputRecord:
    headers = _ce_headers(DISTILLATION_TYPE, distillation.id, term)
    return OutputRecord(Topic.DISTILLATIONS, distillation.thread.encode(), _encode_json(distillation), headers)


def _dead_letter(letter: DeadLetter, _term: bytes) -> OutputRecord:
    return OutputRecord(Topic.DLQ, letter.key, letter.value, letter.to_headers())


_ENCODERS: dict[type, Callable[[Any, bytes], OutputRecord]] = {
    Entry: _entry,
    Head: _head,
    Departed: _departed,
    Tombstone: _tombstone,
    CompactionRecord: _compaction,
    LifecycleEvent: _lifecycle,
    Distillation: _distillation,
    DeadLetter: _dead_letter,
}


def encode(emission: Written, term: int) -> OutputRecord:
    """Record to write for an emission. `term` tells readers which owner of the partition wrote it."""
    return _ENCODERS[type(emission)](emission, b"%d" % term)


_decode_head = msgspec.json.Decoder(Head).decode
_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_departed = msgspec.json.Decoder(Departed).decode
decode_compaction = msgspec.json.Decoder(CompactionRecord).decode
decode_lifecycle = msgspec.json.Decoder(LifecycleEvent).decode
decode_distillation = msgspec.json.Decoder(Distillation).decode


def decode_context(key: bytes, value: bytes | None) -> ContextChange | None:
    """Change that a record of the contexts topic makes; None for a kind of state record that this release doesn't know."""
    parsed = parse_key(key)
    if parsed.state_name is not None:
        known = value is not None and parsed.state_name.startswith("departed")
        return _decode_departed(value) if known and value is not None else None
    if parsed.message_id is None:
        return _decode_head(value) if value is not None else None
    if value is None:
        return Tombstone(thread=parsed.thread, message_id=parsed.message_id)
    return _decode_entry(value)


def term_of(headers: Iterable[tuple[str, bytes | None]]) -> int | None:
    """Term in a record's headers; None where there is none, so that no worker of ours wrote it."""
    for name, value in headers:
        if name == TERM_HEADER and value is not None and value.isdigit():
            return int(value)
    return None
