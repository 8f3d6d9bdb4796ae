"""From the bytes of a conversations record to an event, or to the reason why not.

Three forms are read: CloudEvents binary mode with an envelope as data; the envelope alone; and a bare provider
message, so that anyone with kcat can publish. The key is always the thread.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from tailrace.schemas.decoder import EVENT_DEPTH_MAX, decoder
from tailrace.schemas.errors import Invalid, PoisonEvent, TooLarge, Undecodable, UnknownVersion
from tailrace.schemas.half_characters import REPLACEMENT, decode_json
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.records.context import DERIVED_ID_PREFIX
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, SPEC_VERSION, InputRecord
from tailrace.schemas.records.message import Format, Message, message_from_json

#: Longest thread, tenant or event id. Ids are keys and labels; anything longer is content in the wrong place.
ID_CHARACTERS_MAX = 256

_ENVELOPE_FIELDS = frozenset(Event.__struct_fields__) - {"message", "thread", "created_at_ms", "extra"}
_BODY_FIELDS = frozenset({"message", "native", "format"})

#: By name, because an enum's constructor takes longer than everything else about the format.
_FORMATS = {str(message_format): message_format for message_format in Format}
_OWN_FORMAT = {str(Format.TAILRACE): Format.TAILRACE}

_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f]")

_decode_json = decoder(depth_max=EVENT_DEPTH_MAX)


def decode_event(record: InputRecord, *, value_bytes_max: int) -> Event:
    """Event that a conversations record carries. Raises a PoisonEvent that says what is wrong and what to do."""
    thread = _thread_of(record.key)
    attributes = _cloud_event_attributes(record)
    data = _json_object(record.value, value_bytes_max)
    created_at_ms = _milliseconds(attributes["time"]) if "time" in attributes else record.timestamp_ms
    if "id" in attributes:
        data = {**data, "id": attributes["id"]}
    return event_in(data, thread, default_id=f"p{record.partition}-o{record.offset}", created_at_ms=created_at_ms)


def event_in(data: dict[str, Any], thread: str, *, default_id: str, created_at_ms: int) -> Event:
    """Event that an envelope or a bare message says. Raises a PoisonEvent that says what is wrong and what to do."""
    envelope, message = _take_apart(data)
    event_id = envelope.pop("id", default_id)
    fields = {name: value for name, value in envelope.items() if name in _ENVELOPE_FIELDS}
    unknown = {name: value for name, value in envelope.items() if name not in _ENVELOPE_FIELDS}
    try:
        event = msgspec.convert(
            {
                **fields,
                "id": _message_id(event_id),
                "thread": thread,
                "message": message,
                "created_at_ms": created_at_ms,
                "extra": unknown,
            },
            Event,
        )
    except msgspec.ValidationError as error:
        raise Invalid(f"envelope: {error}") from error
    check_id(event.tenant, "tenant")
    return event


def decode_signal(record: InputRecord, *, value_bytes_max: int) -> tuple[str, str, dict[str, Any]]:
    """Thread and id of a signal, and what it says. Raises a PoisonEvent where that can't be told."""
    thread = _thread_of(record.key)
    event_id = next((value for name, value in record.headers if name.lower() == "ce_id" and value), None)
    data = _json_object(record.value, value_bytes_max)
    own_id = data.get("id", f"p{record.partition}-o{record.offset}")
    return thread, check_id(event_id.decode(errors="replace") if event_id else own_id, "id"), data


def event_type(record: InputRecord) -> str | None:
    """Type that a record's headers give it; None where they give none."""
    return next((value.decode(errors="replace") for name, value in record.headers if name == "ce_type" and value), None)


def check_id(value: object, what: str) -> str:
    """Return `value` if it can serve as an id, else raise Invalid."""
    if not isinstance(value, str):
        raise Invalid(f"{what} must be a string, got {type(value).__name__}")
    if not 0 < len(value) <= ID_CHARACTERS_MAX:
        raise Invalid(f"{what} must have 1 to {ID_CHARACTERS_MAX} characters, got {len(value)}")
    if _CONTROL_CHARACTER.search(value):
        raise Invalid(f"{what} must not contain control characters")
    return str.__str__(value)  # a runtime's subclass of str can't be written


def _message_id(value: object) -> str:
    message_id = check_id(value, "id")
    if message_id.startswith(DERIVED_ID_PREFIX):
        raise Invalid(f"id must not begin with {DERIVED_ID_PREFIX!r}: such ids are for what stands for other messages")
    return message_id


def _thread_of(key: bytes | None) -> str:
    if not key:
        raise Invalid("the record has no key; use the thread id as its key")
    try:
        return check_id(key.decode(), "the key (thread id)")
    except UnicodeDecodeError as error:
        raise Undecodable("the key is not UTF-8; use the thread id as text") from error


def _cloud_event_attributes(record: InputRecord) -> dict[str, str]:
    """Attributes of a CloudEvent in binary mode; empty where the record is not one."""
    if not record.headers:
        return {}
    headers = [(name[3:].lower(), value) for name, value in record.headers if name.lower().startswith("ce_")]
    try:
        attributes = {name: value.decode() for name, value in headers if value is not None}
    except UnicodeDecodeError as error:
        raise Undecodable("a ce_ header is not UTF-8") from error
    if len(attributes) < len(headers):
        raise Undecodable("a ce_ header is null or there twice")
    if not attributes:
        return {}
    spec_version = attributes.get("specversion")
    if spec_version != SPEC_VERSION:
        raise UnknownVersion(f"ce_specversion is {spec_version!r}; this release reads {SPEC_VERSION!r}")
    if attributes.get("type") != MESSAGE_TYPE:
        raise UnknownVersion(f"ce_type is {attributes.get('type')!r}; this release reads {MESSAGE_TYPE!r}")
    return attributes


def _json_object(value: bytes | None, value_bytes_max: int) -> dict[str, Any]:
    if not value:
        raise Invalid("the value is empty; it must be a JSON object")
    if len(value) > value_bytes_max:
        raise TooLarge(
            f"the value has {len(value)} bytes, more than ingest.value_bytes_max ({value_bytes_max}); "
            "shorten it, or raise the limit on workers and topics"
        )
    data = _decoded(value)
    if not isinstance(data, dict):
        raise Undecodable(f"the value must be a JSON object, got {type(data).__name__}")
    return data


def _decoded(value: bytes) -> Any:
    try:
        return _decode_json(value)
    except PoisonEvent:
        data = _mended(value)
    # Two ids of which halves are left may have been different; the second message would be taken for a repetition.
    if isinstance(data, dict) and REPLACEMENT in str(data.get("id", "")):
        raise Undecodable(
            "the id holds half a character (a lone surrogate), which JSON in UTF-8 can't have; use another id"
        )
    return data


def _mended(value: bytes) -> Any:
    try:
        return decode_json(value, _decode_json)
    except PoisonEvent as error:
        raise Undecodable(f"the value is no JSON in UTF-8: {error}") from error


def _take_apart(data: dict[str, Any]) -> tuple[dict[str, Any], Message]:
    """Envelope fields and message of any of the accepted forms."""
    if "role" in data:
        # A bare message. `id` names the event; providers know no such field in what they are sent.
        body = {name: value for name, value in data.items() if name != "id"} if "id" in data else data
        return {"id": data["id"]} if "id" in data else {}, read_native(detect_format(body), body)
    envelope = {name: value for name, value in data.items() if name not in _BODY_FIELDS}
    if ("message" in data) == ("native" in data):
        raise Invalid(
            "the value must be a message with a role, or an envelope with either `message` (tailrace/1) or "
            "`native` (with its `format`)"
        )
    if "message" in data:
        _known_format(data.get("format", Format.TAILRACE), _OWN_FORMAT)
        return envelope, message_from_json(_object(data["message"], "message"))
    native = _object(data["native"], "native")
    message_format = _known_format(data["format"]) if "format" in data else detect_format(native)
    return envelope, read_native(message_format, native)


def is_envelope(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is an envelope, readable or not, and no bare message."""
    return "role" not in data and ("message" in data or "native" in data)


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Invalid(f"{where} must be an object, got {type(value).__name__}")
    return value


def _known_format(name: object, allowed: Mapping[str, Format] = _FORMATS) -> Format:
    message_format = allowed.get(name) if isinstance(name, str) else None
    if message_format is None:
        raise UnknownVersion(f"format is {str(name)[:64]!r}; this release reads {', '.join(allowed)} here")
    return message_format


def _milliseconds(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(f"ce_time must be an RFC 3339 time, got {text[:64]!r}") from error
    if moment.tzinfo is None:
        raise Invalid(f"ce_time must have a time zone, got {text[:64]!r}")
    return int(moment.timestamp() * 1000)
