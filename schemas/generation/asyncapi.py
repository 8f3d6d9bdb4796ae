"""The AsyncAPI document: topics, keys, headers and payloads, for whoever writes a client in any language.

It describes an application that uses Tailrace: it sends to `conversations` and receives from the other topics.
"""

from typing import Any

from msgspec import Struct

from tailrace.schemas.generation.event_schema import id_schema
from tailrace.schemas.generation.json_schema import Schema, components, needed_by
from tailrace.schemas.records.context import SEPARATOR
from tailrace.schemas.records.kafka_records import (
    COMPACTION_TYPE,
    DEPARTED_TYPE,
    DISTILLATION_TYPE,
    ENTRY_TYPE,
    HEAD_TYPE,
    LIFECYCLE_TYPE,
    MESSAGE_TYPE,
    REJECTION_TYPE,
    SIGNAL_TYPE,
    SOURCE,
    SPEC_VERSION,
    SUMMARY_TYPE,
    TERM_HEADER,
    TOMBSTONE_TYPE,
    UNANSWERED_TYPE,
    WORK_TYPE,
    Topic,
)

ASYNCAPI_VERSION = "3.1.0"
_KAFKA_BINDING_VERSION = "0.5.0"
_SCHEMA_REF = "#/components/schemas/{name}"

#: Topics as `tailrace topics apply` makes them if no setting says otherwise: a test holds these to what it makes.
PREFIX = "tailrace."
PARTITIONS = 8

_DAY_MS = 24 * 60 * 60 * 1000
_KEEP = {"cleanup.policy": ["delete"], "retention.ms": -1}
_COMPACT = {"cleanup.policy": ["compact"]}
_FOR_14_DAYS = {"cleanup.policy": ["delete"], "retention.ms": 14 * _DAY_MS}
_FOR_7_DAYS = {"cleanup.policy": ["delete"], "retention.ms": 7 * _DAY_MS}

#: Written by applications, too.
_FROM_OUTSIDE = frozenset({MESSAGE_TYPE, SIGNAL_TYPE})
#: Written by whoever takes the work, not by the owner of a partition.
_WITHOUT_TERM = frozenset({SUMMARY_TYPE, REJECTION_TYPE, UNANSWERED_TYPE})


class _Message(Struct, frozen=True, kw_only=True):
    """One kind of record: `ce_type` is None where a record may have any headers."""

    topic: Topic
    summary: str
    payload: Schema
    key: Schema
    ce_type: str | None = None
    headers: Schema | None = None
    content_type: str = "application/json"


def _schema(name: str) -> Schema:
    return {"$ref": _SCHEMA_REF.format(name=name)}


_THREAD_KEY = id_schema("The thread.")


def _state_key(description: str, pattern: str) -> Schema:
    return {"description": description, "type": "string", "pattern": pattern.replace(SEPARATOR, r"\u001f")}


_ENTRY_KEY = _state_key("Thread and message id, with U+001F between.", f"^[^{SEPARATOR}]+{SEPARATOR}[^{SEPARATOR}]+$")
_DEPARTED_KEY = _state_key(
    "Thread, U+001F twice, `departed`, U+001F, epoch.",
    f"^[^{SEPARATOR}]+{SEPARATOR}{SEPARATOR}departed{SEPARATOR}[0-9]+$",
)

_CHANNELS: dict[Topic, tuple[str, dict[str, Any]]] = {
    Topic.CONVERSATIONS: ("Everything that changes a thread, in one order.", _KEEP),
    Topic.DISTILLATIONS: (
        "Tool outputs that were made smaller as they arrived, and where the whole of them is.",
        _KEEP,
    ),
    Topic.SUMMARIES: ("Summaries that models made, each bound to its span, and those that were refused.", _KEEP),
    Topic.COMPACTIONS: ("What was compacted, why, and where everything is now.", _KEEP),
    Topic.CONTEXTS: ("The context of every thread: its head and its live messages.", _COMPACT),
    Topic.LIFECYCLE: ("Audit trail of what the triggers saw and did.", _FOR_14_DAYS),
    Topic.WORK: ("Requests for a model, for any worker of the role `summarize`.", _FOR_7_DAYS),
    Topic.DLQ: ("Records that could not be processed, untouched, with the reason in six headers.", _KEEP),
}

_MESSAGES = {
    "messageEvent": _Message(
        topic=Topic.CONVERSATIONS,
        summary="A message as a CloudEvent in binary mode.",
        payload=_schema("MessageEvent"),
        key=_THREAD_KEY,
        ce_type=MESSAGE_TYPE,
    ),
    "plainMessage": _Message(
        topic=Topic.CONVERSATIONS,
        summary="The same without headers: whatever can write JSON to Kafka can publish.",
        payload=_schema("MessageEvent"),
        key=_THREAD_KEY,
    ),
    "signal": _Message(
        topic=Topic.CONVERSATIONS,
        summary="What a runtime does, what somebody asks for, or a timer that is due: it changes the thread without "
        "being said in it.",
        payload=_schema("Signal"),
        key=_THREAD_KEY,
        ce_type=SIGNAL_TYPE,
    ),
    "threadSummary": _Message(
        topic=Topic.CONVERSATIONS,
        summary="A finished summary, written by the role `summarize`: the owner of the thread meets it in the log.",
        payload=_schema("ChunkSummary"),
        key=_THREAD_KEY,
        ce_type=SUMMARY_TYPE,
    ),
    "workRequest": _Message(
        topic=Topic.WORK,
        summary="One span to summarise, or one tool output to distil, with all that the answer depends on.",
        payload=_schema("WorkRequest"),
        key=_THREAD_KEY,
        ce_type=WORK_TYPE,
    ),
    "chunkSummary": _Message(
        topic=Topic.SUMMARIES,
        summary="A finished summary of one span.",
        payload=_schema("ChunkSummary"),
        key=_THREAD_KEY,
        ce_type=SUMMARY_TYPE,
    ),
    "summaryRejection": _Message(
        topic=Topic.SUMMARIES,
        summary="A request whose summaries were all refused, and why.",
        payload=_schema("SummaryRejection"),
        key=_THREAD_KEY,
        ce_type=REJECTION_TYPE,
    ),
    "unansweredRequest": _Message(
        topic=Topic.SUMMARIES,
        summary="A request that no model has answered, with the calls that it took.",
        payload=_schema("UnansweredRequest"),
        key=_THREAD_KEY,
        ce_type=UNANSWERED_TYPE,
    ),
    "contextHead": _Message(
        topic=Topic.CONTEXTS,
        summary="What holds for a thread as a whole. It commits the entries of its epoch.",
        payload=_schema("Head"),
        key=_THREAD_KEY,
        ce_type=HEAD_TYPE,
    ),
    "contextEntry": _Message(
        topic=Topic.CONTEXTS,
        summary="One live message of a context. The context is its entries in the order of rank.",
        payload=_schema("Entry"),
        key=_ENTRY_KEY,
        ce_type=ENTRY_TYPE,
    ),
    "contextDeparted": _Message(
        topic=Topic.CONTEXTS,
        summary="State of the worker, not part of the context: readers skip it.",
        payload=_schema("Departed"),
        key=_DEPARTED_KEY,
        ce_type=DEPARTED_TYPE,
    ),
    "contextTombstone": _Message(
        topic=Topic.CONTEXTS,
        summary="Frees the space of an entry that a head has removed. The value is null.",
        payload={"type": "null"},
        key=_ENTRY_KEY,
        ce_type=TOMBSTONE_TYPE,
    ),
    "distillation": _Message(
        topic=Topic.DISTILLATIONS,
        summary="One tool output that stands distilled in its context.",
        payload=_schema("Distillation"),
        key=_THREAD_KEY,
        ce_type=DISTILLATION_TYPE,
    ),
    "compactionRecord": _Message(
        topic=Topic.COMPACTIONS,
        summary="One compaction: its decisions reference message ids, never content.",
        payload=_schema("CompactionRecord"),
        key=_THREAD_KEY,
        ce_type=COMPACTION_TYPE,
    ),
    "lifecycleEvent": _Message(
        topic=Topic.LIFECYCLE,
        summary="One step of one check.",
        payload=_schema("LifecycleEvent"),
        key=_THREAD_KEY,
        ce_type=LIFECYCLE_TYPE,
    ),
    "deadLetter": _Message(
        topic=Topic.DLQ,
        summary="A record as it arrived, with the reason why it could not be processed.",
        payload={"description": "The bytes as they arrived, whatever they are."},
        key={"description": "As it arrived; may be missing.", "type": ["string", "null"]},
        headers=_schema("DeadLetterHeaders"),
        content_type="application/octet-stream",
    ),
}


def document() -> Schema:
    """Return the AsyncAPI document, with topics under their default prefix."""
    messages = {name: _message(name, message) for name, message in _MESSAGES.items()}
    schemas = components(_SCHEMA_REF)
    return {
        "asyncapi": ASYNCAPI_VERSION,
        "id": "urn:tailrace:asyncapi:v1",
        "info": {
            "title": "Tailrace",
            # The version of what travels: it is in the type of every event and in every record.
            "version": "1",
            "description": (
                "Keeps every agent conversation inside its model's context window. Seen from an application that "
                "uses it: send messages and signals keyed by thread to `conversations`, read ready contexts from "
                "`contexts`."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {topic.value: _channel(topic) for topic in Topic},
        "operations": {_operation_name(topic): _operation(topic) for topic in Topic if _messages_of(topic)},
        "components": {
            "messages": messages,
            # A policy travels in no message.
            "schemas": {name: schemas[name] for name in needed_by(messages, schemas)},
        },
    }


def _messages_of(topic: Topic) -> list[str]:
    return [name for name, message in _MESSAGES.items() if message.topic is topic]


def _channel(topic: Topic) -> Schema:
    description, configuration = _CHANNELS[topic]
    kafka = {
        "topic": f"{PREFIX}{topic.value}",
        "partitions": PARTITIONS,
        "topicConfiguration": configuration,
        "bindingVersion": _KAFKA_BINDING_VERSION,
    }
    return {
        "address": f"{PREFIX}{topic.value}",
        "description": description,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in _messages_of(topic)},
        "bindings": {"kafka": kafka},
    }


def _action(topic: Topic) -> str:
    return "send" if topic is Topic.CONVERSATIONS else "receive"


def _operation_name(topic: Topic) -> str:
    return f"{_action(topic)}{topic.value.capitalize()}"


def _operation(topic: Topic) -> Schema:
    channel = f"#/channels/{topic.value}"
    return {
        "action": _action(topic),
        "channel": {"$ref": channel},
        "summary": _CHANNELS[topic][0],
        "messages": [{"$ref": f"{channel}/messages/{name}"} for name in _messages_of(topic)],
    }


def _message(name: str, message: _Message) -> Schema:
    headers = message.headers
    if message.ce_type is not None:
        headers = _cloud_event_headers(message.ce_type)
    return {
        "name": message.ce_type or name,
        "summary": message.summary,
        "contentType": message.content_type,
        **({"headers": headers} if headers is not None else {}),
        "payload": message.payload,
        "bindings": {"kafka": {"key": message.key, "bindingVersion": _KAFKA_BINDING_VERSION}},
    }


def _cloud_event_headers(ce_type: str) -> Schema:
    headers: dict[str, Schema] = {
        "ce_specversion": {"const": SPEC_VERSION},
        "ce_type": {"const": ce_type},
        "ce_id": id_schema("Id of the event; the same id is the same event."),
        "ce_source": {"type": "string", "minLength": 1},
    }
    required = list(headers)
    if ce_type == MESSAGE_TYPE:
        headers["ce_time"] = {
            "description": "When it was said. Without it, the record's timestamp counts.",
            "type": "string",
            "format": "date-time",
        }
    if ce_type in _FROM_OUTSIDE:
        return _headers(headers, required)
    headers["ce_source"] = {"const": SOURCE}
    headers["ce_id"] = {"description": "The same id is the same record, written again.", "type": "string"}
    if ce_type not in _WITHOUT_TERM:
        headers[TERM_HEADER] = {
            "description": (
                "Grows whenever a partition changes hands: a record with a lower term than one before it counts for "
                "nothing."
            ),
            "type": "string",
            "pattern": "^[0-9]+$",
        }
        required.append(TERM_HEADER)
    return _headers(headers, required)


def _headers(headers: dict[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": {**headers, "content-type": {"type": "string"}}, "required": required}
