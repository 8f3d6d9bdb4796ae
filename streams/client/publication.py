"""From a message as an agent has it to the record that travels, checked by the worker's own code before it is sent.

What a worker would put to the dead letters for its shape never leaves the process: the caller learns it at once.
"""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypedDict

import uuid_utils
from msgspec import Struct

from tailrace.schemas.errors import Invalid
from tailrace.schemas.ingest import check_id, decode_event
from tailrace.schemas.providers.formats import detect_format, write_context
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.event import Claim, Event, Sensitivity, Usage
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, SPEC_VERSION, InputRecord
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.plain_values import json_bytes

#: `ce_source` of what a client publishes.
CLIENT_SOURCE: Final = "/tailrace/client"

#: Where a record stands that is not in the log yet.
NOWHERE: Final = -1


class PublishOptions(TypedDict, total=False):
    """What can be said about a message. Everything may be left out or None."""

    #: Names the event: the same id twice is one message. By default a new UUID of version 7.
    id: str | None
    #: Whose thread it is; a thread belongs to the tenant of its first message.
    tenant: str | None
    #: Whose window counts. Once for a thread is enough, and again when it changes.
    model: str | None
    agent: str | None
    parent_thread: str | None
    turn: int | None
    #: Consecutive messages with one group stay or go together.
    group: str | None
    source: str | None
    usage: Usage | Mapping[str, int] | None
    sensitivity: Sensitivity | str | None
    #: Never leaves the context.
    pinned: bool | None
    #: What is known of the tool results in the message beside their content.
    tools: Sequence[ToolEnvelope | Mapping[str, Any]] | None
    #: Ids of artifacts that the next model call is likely to need.
    hints: Sequence[str] | None
    #: Fields of your own; they travel with the event.
    extra: Mapping[str, Any] | None
    #: Format of a message that is a dict; by default it is recognised.
    format: Format | str | None


class Publication(Struct, frozen=True):
    """A message that is ready to send; its record stands nowhere yet."""

    event: Event
    record: InputRecord

    @property
    def id(self) -> str:
        """Id of the event."""
        return self.event.id

    @property
    def thread(self) -> str:
        """Thread it belongs to."""
        return self.event.thread

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same message: thread and id."""
        return self.event.thread, self.event.id

    @property
    def size_bytes(self) -> int:
        """Size of its value."""
        return len(self.record.value or b"")


class Published(Struct, frozen=True, kw_only=True):
    """Where a message stands in the conversations topic. The offset is -1 where only the broker knows it."""

    event_id: str
    thread: str
    partition: int
    offset: int


_BODY_OPTIONS: Final = frozenset({"id", "format", "extra"})
_KNOWN_OPTIONS: Final = PublishOptions.__optional_keys__
#: Fields that would change how the record is read.
_TAKEN_NAMES: Final = _KNOWN_OPTIONS | {"role", "message", "native", "claim"}


def make_publication(
    topic: str,
    thread: str,
    message: Message | Mapping[str, Any],
    options: PublishOptions,
    *,
    value_bytes_max: int,
    claim: Claim | None = None,
) -> Publication:
    """Return the message as a checked record. Raises a PoisonEvent that says what is wrong and what to do."""
    if unknown := sorted(options.keys() - _KNOWN_OPTIONS):
        raise TypeError(f"unknown option {unknown[0]!r}; known: {', '.join(sorted(_KNOWN_OPTIONS))}")
    now_ms = time.time_ns() // 1_000_000
    event_id = check_id(options.get("id") or new_id(), "id")
    envelope = {name: value for name, value in options.items() if name not in _BODY_OPTIONS and value is not None}
    if claim is not None:
        envelope["claim"] = claim
    record = InputRecord(
        topic=topic,
        partition=NOWHERE,
        offset=NOWHERE,
        timestamp_ms=now_ms,
        key=_utf8(check_id(thread, "thread"), "thread"),
        value=_json({**_extra(options.get("extra")), **envelope, **_body(message, options.get("format"))}),
        headers=cloud_event_headers(MESSAGE_TYPE, event_id, thread, now_ms),
    )
    return Publication(decode_event(record, value_bytes_max=value_bytes_max), record)


def new_id() -> str:
    """An id that no other event has; later ones sort behind it."""
    return str(uuid_utils.uuid7())


def named(
    message: Message | Mapping[str, Any], options: PublishOptions
) -> tuple[Message | Mapping[str, Any], PublishOptions]:
    """The message without an `id` of its own, and options with it.

    As on the topic, it names the event, unless an option does.
    """
    if isinstance(message, Message) or not isinstance(message, Mapping) or not {"id", "role"} <= message.keys():
        return message, options
    rest = {name: value for name, value in message.items() if name != "id"}
    return rest, {**options, "id": options.get("id") or message["id"]}


def cloud_event_headers(ce_type: str, event_id: str, thread: str, now_ms: int) -> tuple[tuple[str, bytes], ...]:
    """Headers of what a client publishes."""
    moment = datetime.fromtimestamp(now_ms / 1000, UTC).isoformat(timespec="milliseconds")
    attributes = {
        "ce_specversion": SPEC_VERSION,
        "ce_id": event_id,
        "ce_source": CLIENT_SOURCE,
        "ce_type": ce_type,
        "ce_time": moment.replace("+00:00", "Z"),
        "ce_subject": thread,
        "content-type": "application/json",
    }
    return tuple((name, _utf8(value, name)) for name, value in attributes.items())


def _body(message: Message | Mapping[str, Any], message_format: Format | str | None) -> dict[str, Any]:
    if isinstance(message, Message):
        return {"message": write_context([message], Format.TAILRACE)[0]}
    if not isinstance(message, Mapping):
        raise Invalid(f"the message must be a dict with a role, or a Message, got {type(message).__name__}")
    return {"format": message_format or detect_format(message), "native": message}


def _extra(extra: Mapping[str, Any] | None) -> Mapping[str, Any]:
    for name in extra or {}:
        if name in _TAKEN_NAMES:
            raise Invalid(f"extra can't hold a field named {name!r}: it has a meaning of its own; rename it")
    return extra or {}


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        return json_bytes(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Invalid(
            f"the message can't be written as JSON: {error}; an object of a provider's SDK has to become a dict first "
            "(for example with model_dump(exclude_none=True))"
        ) from error


def _utf8(text: str, what: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Invalid(f"{what} can't be written in UTF-8: {error.reason}") from error
