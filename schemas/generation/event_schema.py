"""What the value of a conversations record may look like, as JSON Schema.

The forms that ingest reads are no Structs of their own, so their schemas are cut from those of Event and Message.
"""

from typing import Any

from tailrace.schemas.ingest import ID_CHARACTERS_MAX
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.parts import PART_TYPES

Schema = dict[str, Any]

#: Fields of an Event that don't come from the data: the key, a header, and the place for what has no name.
_NOT_IN_DATA = frozenset({"message", "thread", "created_at_ms", "extra"})


def id_schema(description: str) -> Schema:
    """Return the schema of a thread, tenant or event id."""
    return {
        "description": description,
        "type": "string",
        "minLength": 1,
        "maxLength": ID_CHARACTERS_MAX,
        "pattern": r"^[^\u0000-\u001f\u007f]*$",
    }


def event_components(event: Schema, message: Schema, ref_template: str) -> dict[str, Schema]:
    """Return the schemas of the accepted forms, and `MessageEvent`, which is any of them."""

    def reference(name: str) -> Schema:
        return {"$ref": ref_template.format(name=name)}

    event_id = id_schema(
        "Id of the event, where no ce_id header holds it. Without either, partition and offset are its id."
    )
    envelope = {name: schema for name, schema in event["properties"].items() if name not in _NOT_IN_DATA}
    envelope |= {
        "id": event_id,
        "tenant": {**id_schema("Who owns the thread."), "default": envelope["tenant"]["default"]},
    }
    return {
        "MessageEvent": {
            "title": "MessageEvent",
            "description": event["description"],
            "anyOf": [reference("MessageEnvelope"), reference("NativeEnvelope"), reference("BareMessage")],
        },
        "MessageEnvelope": _form(
            "MessageEnvelope",
            "An envelope around a message in Tailrace's own format. Fields that have no name here are kept.",
            {**envelope, "format": {"const": Format.TAILRACE}, "message": reference("IncomingMessage")},
            required="message",
            forbidden=("native", "role"),
        ),
        "NativeEnvelope": _form(
            "NativeEnvelope",
            "An envelope around a message as its provider wrote it. Without `format`, the message's shape tells.",
            {**envelope, "format": reference("Format"), "native": {"type": "object"}},
            required="native",
            forbidden=("message", "role"),
        ),
        "BareMessage": _form(
            "BareMessage",
            "A provider's message without an envelope. Its shape tells the format; everything but `id` is the message.",
            {"id": event_id, "role": {"type": "string"}},
            required="role",
            forbidden=(),
        ),
        "IncomingMessage": _incoming(message, reference("OtherPart")),
        "OtherPart": {
            "title": "OtherPart",
            "description": "A part of a type that has no name here. It is kept whole, as a generic part.",
            "type": "object",
            "not": {"properties": {"type": {"enum": sorted(PART_TYPES)}}, "required": ["type"]},
        },
    }


def _form(title: str, description: str, properties: Schema, *, required: str, forbidden: tuple[str, ...]) -> Schema:
    form = {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": [required],
    }
    if not forbidden:
        return form
    return {**form, "not": {"anyOf": [{"required": [name]} for name in forbidden]}}


def _incoming(message: Schema, other_part: Schema) -> Schema:
    parts = message["properties"]["parts"]
    any_part = {"anyOf": [*parts["items"]["anyOf"], other_part]}
    return {
        **message,
        "title": "IncomingMessage",
        "properties": {**message["properties"], "parts": {**parts, "items": any_part}},
    }
