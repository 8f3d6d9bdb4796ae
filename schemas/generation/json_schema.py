"""JSON Schemas of everything that travels, made from the Structs that read and write it.

They mean the same under draft 2020-12 and under draft 7, because AsyncAPI knows only the latter.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from tailrace.schemas.generation.event_schema import event_components
from tailrace.schemas.generation.signal_schema import SIGNALS, signal_components
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Departed, Entry, Head
from tailrace.schemas.records.dead_letter import (
    EXCEPTION_HEADER,
    MESSAGE_HEADER,
    OFFSET_HEADER,
    PARTITION_HEADER,
    STACKTRACE_HEADER,
    TOPIC_HEADER,
)
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.summary import ChunkSummary, SummaryRejection, UnansweredRequest
from tailrace.schemas.records.work import WorkRequest

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_STRUCTS = (
    *(Event, Message, Head, Entry, Departed, CompactionRecord, Distillation, LifecycleEvent, Policy),
    *(WorkRequest, ChunkSummary, SummaryRejection, UnansweredRequest),
    *SIGNALS,
)

#: Published documents: name of the file, name of the component.
DOCUMENTS = {
    "message-event": "MessageEvent",
    "signal": "Signal",
    "context-head": "Head",
    "context-entry": "Entry",
    "context-departed": "Departed",
    "compaction-record": "CompactionRecord",
    "distillation": "Distillation",
    "work-request": "WorkRequest",
    "chunk-summary": "ChunkSummary",
    "summary-rejection": "SummaryRejection",
    "unanswered-request": "UnansweredRequest",
    "lifecycle-event": "LifecycleEvent",
    "dead-letter-headers": "DeadLetterHeaders",
    "policy": "Policy",
}


def components(ref_template: str) -> dict[str, Schema]:
    """Return the schemas by name. They refer to each other as `ref_template` says, with `{name}` in it."""
    _, definitions_by_name = msgspec.json.schema_components(_STRUCTS, ref_template=ref_template)
    schemas: dict[str, Schema] = {name: portable(schema) for name, schema in definitions_by_name.items()}
    # Entry holds the message as bytes so that it is never written again; a reader finds a Message there.
    schemas["Entry"]["properties"]["message"] = {"$ref": ref_template.format(name="Message")}
    schemas |= event_components(schemas.pop("Event"), schemas["Message"], ref_template)
    schemas |= signal_components(schemas, ref_template)
    schemas["DeadLetterHeaders"] = _dead_letter_headers()
    return dict(sorted(schemas.items()))


def documents() -> dict[str, Schema]:
    """Return the published JSON Schemas by the name of their file, each complete in itself."""
    schemas = components("#/$defs/{name}")
    return {name: _document(name, component, schemas) for name, component in DOCUMENTS.items()}


def references(schema: Any) -> Iterator[str]:
    """Yield every `$ref` in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def _document(name: str, component: str, schemas: dict[str, Schema]) -> Schema:
    root = schemas[component]
    document = {"$schema": DIALECT, "$id": f"urn:tailrace:schema:{name}:v1", **root}
    needed = needed_by(root, schemas)
    return {**document, "$defs": {key: schemas[key] for key in needed}} if needed else document


def needed_by(root: Schema, schemas: dict[str, Schema]) -> list[str]:
    """Return the names of all schemas that a document refers to, directly or through others."""
    needed: set[str] = set()
    waiting = [root]
    while waiting:
        for reference in references(waiting.pop()):
            name = reference.rpartition("/")[2]
            if name not in needed:
                needed.add(name)
                waiting.append(schemas[name])
    return sorted(needed)


def portable(value: Any) -> Any:
    """Say it in words that draft 2020-12, draft 7 and AsyncAPI understand alike."""
    if isinstance(value, list):
        return [portable(item) for item in value]
    if not isinstance(value, dict):
        return value
    schema = {key: portable(item) for key, item in value.items()}
    if isinstance(text := schema.get("description"), str):
        # It comes from a docstring, which has line breaks and indents where it is long.
        schema["description"] = " ".join(text.split())
    if "anyOf" in schema:
        # OpenAPI's discriminator is an object, AsyncAPI's a string, JSON Schema has none. The tags are enums anyway.
        schema.pop("discriminator", None)
    if "prefixItems" in schema:
        # Under draft 7 the `items: false` that stands beside it would refuse every item.
        first, *others = schema.pop("prefixItems")
        if any(other != first for other in others):
            raise TypeError(f"a tuple of different types can't be said in draft 7; use a Struct instead: {value}")
        schema["items"] = first
    return schema


def _dead_letter_headers() -> Schema:
    number = {"type": "string", "pattern": "^[0-9]+$"}
    headers = {
        EXCEPTION_HEADER: {"type": "string", "description": "Class of the error."},
        MESSAGE_HEADER: {"type": "string", "description": "What is wrong and what to do."},
        STACKTRACE_HEADER: {"type": "string", "description": "Where it was refused; never holds text of the record."},
        TOPIC_HEADER: {"type": "string", "description": "Topic that the record was read from."},
        PARTITION_HEADER: {**number, "description": "Partition that the record was read from."},
        OFFSET_HEADER: {**number, "description": "Offset that the record was read from."},
    }
    return {
        "title": "DeadLetterHeaders",
        "description": (
            "The six headers of a dead letter, beside those that the record had. Key and value are untouched."
        ),
        "type": "object",
        "properties": headers,
        "required": list(headers),
    }
