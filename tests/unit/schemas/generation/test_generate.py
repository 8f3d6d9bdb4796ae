"""The checked-in JSON Schemas and the AsyncAPI document say what the code does: no drift, no gap, no dead reference."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator
from msgspec import Raw
from support.signal_moves import random_signal

from tailrace.schemas import ingest
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.generation import asyncapi, json_schema
from tailrace.schemas.generation.generate import generate, stale_paths, write
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import (
    Action,
    CompactionRecord,
    LossReceipt,
    SpanDecision,
    SpanReference,
    Trigger,
)
from tailrace.schemas.records.context import CoversThrough, Departed, Entry, EntryKind, Head, RemovedRange, Totals
from tailrace.schemas.records.dead_letter import ERROR_HEADERS, DeadLetter
from tailrace.schemas.records.event import Sensitivity, Usage
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, Emission, InputRecord, Tombstone, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import PART_TYPES
from tailrace.schemas.records.signal import SIGNAL_KINDS, signal_to_json
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import topic_specs

SCHEMAS = Path(__file__).resolve().parents[4] / "schemas" / "generated"

DOCUMENTS = json_schema.documents()
ASYNCAPI = asyncapi.document()
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in DOCUMENTS.items()}

PARTS = [
    {"type": "text", "content": "What does the log say?"},
    {"type": "reasoning", "content": "I should look.", "extra": {"signature": "c2ln"}},
    {"type": "refusal", "content": "I can't do that."},
    {"type": "tool_call", "id": "call_1", "name": "read", "arguments": {"path": "app.log"}},
    {"type": "tool_call_response", "id": "call_1", "response": "3 errors"},
    {"type": "blob", "content": "aGk=", "modality": "image", "mime_type": "image/png"},
    {"type": "file", "file_id": "file_1", "modality": "document"},
    {"type": "uri", "uri": "s3://bucket/cat.png", "modality": "image"},
    {"type": "compaction", "content": "Earlier: the deployment failed."},
    {"type": "generic", "value": {"type": "hologram", "depth": 3}},
]
MESSAGE = msgspec.convert({"role": "assistant", "parts": PARTS, "name": "ops"}, Message)

HEAD = Head(
    version=1,
    thread="t-1",
    tenant="default",
    epoch=2,
    tokens=120,
    limit_tokens=1000,
    policy_version="0123456789ab",
    covers_through=CoversThrough(event_id="e-9", offset=41),
    prefix_hash="ff",
    totals=Totals(messages=12, tokens=900, turns=4, groups=6, compactions=1),
    window_tokens=2000,
    removed=(RemovedRange(0, 5, 1), RemovedRange(1 << 20, 1 << 21, 2)),
)
ENTRY = Entry(
    version=1,
    thread="t-1",
    tenant="default",
    id="e-9",
    epoch=2,
    rank=7 << 20,
    turn=4,
    tokens=17,
    offset=41,
    role="assistant",
    message=Raw(msgspec.json.encode(MESSAGE)),
    kind=EntryKind.SUMMARY,
    calls=("call_1",),
    sources=("e-1", "e-2"),
    window_tokens=2000,
    usage=Usage(input_tokens=3),
    sensitivity=Sensitivity.RESTRICTED,
    created_at_ms=1,
)
DEPARTED = Departed(version=1, thread="t-1", epoch=2, id_hashes=("a1", "b2"))
COMPACTION = CompactionRecord(
    version=1,
    id="c-1",
    thread="t-1",
    tenant="default",
    epoch=2,
    trigger=Trigger.BUDGET,
    strategy="sliding_window",
    policy_version="0123456789ab",
    event_id="e-9",
    offset=41,
    before_tokens=900,
    after_tokens=120,
    limit_tokens=1000,
    decisions=(
        SpanDecision(action=Action.DROP, span=SpanReference(ids=("e-3", "e-4"), first_turn=1, last_turn=2), tokens=780),
    ),
    receipt=LossReceipt(retained=3, recoverable=9, lost=0, recover_from="conversations"),
    warnings=("one message is larger than the window",),
)
LIFECYCLE = LifecycleEvent(
    version=1,
    id="l-1",
    kind=LifecycleKind.COMPLETED,
    thread="t-1",
    tenant="default",
    trigger=Trigger.BUDGET,
    event_id="e-9",
    offset=41,
    before_tokens=900,
    after_tokens=120,
    limit_tokens=1000,
    policy_version="0123456789ab",
    message_ids=("e-3",),
)
DEAD_LETTER = DeadLetter(
    key=b"t-1",
    value=b"\xff",
    headers=(("trace", b"1"),),
    topic="tailrace.conversations",
    partition=3,
    offset=41,
    code="undecodable",
    error="Undecodable",
    message="the value is no JSON in UTF-8",
)

#: Each record that is written, with the name of its schema and of its AsyncAPI message.
WRITTEN: list[tuple[Emission, str, str]] = [
    (HEAD, "context-head", "contextHead"),
    (ENTRY, "context-entry", "contextEntry"),
    (DEPARTED, "context-departed", "contextDeparted"),
    (COMPACTION, "compaction-record", "compactionRecord"),
    (LIFECYCLE, "lifecycle-event", "lifecycleEvent"),
]


def errors(name: str, instance: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATORS[name].iter_errors(instance)]


def accepted(value: object) -> bool:
    record = InputRecord(
        topic="tailrace.conversations",
        partition=0,
        offset=0,
        timestamp_ms=0,
        key=b"t-1",
        value=json.dumps(value).encode(),
    )
    try:
        decode_event(record, value_bytes_max=1_000_000)
    except PoisonEvent:
        return False
    return True


def resolve(reference: str) -> Any:
    """Return what a reference inside the AsyncAPI document points to."""
    assert reference.startswith("#/"), f"{reference} leaves the document"
    node: Any = ASYNCAPI
    for step in reference[2:].split("/"):
        node = node[step]
    return node


def in_asyncapi(schema: dict[str, Any]) -> Draft7Validator:
    """Return a validator as an AsyncAPI tool has it: draft 7, references into the document."""
    return Draft7Validator({"allOf": [schema], "components": ASYNCAPI["components"]})


# Files


def test_checked_in_files_are_what_the_code_generates() -> None:
    assert stale_paths(SCHEMAS) == [], "run `make schemas` and commit the result"


def test_generated_text_does_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-m", "tailrace.schemas.generation.generate", "--check"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "4711"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_writing_changes_only_what_is_stale_and_removes_what_is_no_longer_generated(tmp_path: Path) -> None:
    assert sorted(write(tmp_path)) == sorted(generate())
    (tmp_path / "json" / "retired.json").write_text("{}")
    (tmp_path / "asyncapi.json").write_text("{}")
    assert stale_paths(tmp_path) == ["asyncapi.json", "json/retired.json"]

    assert write(tmp_path) == ["asyncapi.json", "json/retired.json"]

    assert write(tmp_path) == []
    assert {path: (tmp_path / path).read_text() for path in generate()} == generate()


def test_files_end_with_one_newline_and_name_no_host() -> None:
    for path, text in generate().items():
        assert text.endswith("}\n"), path
        assert "://" not in text.replace(json_schema.DIALECT, "").replace("s3://", ""), path


# JSON Schemas


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_document_is_a_valid_2020_12_schema_with_its_own_id(name: str) -> None:
    schema = DOCUMENTS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == json_schema.DIALECT
    assert schema["$id"] == f"urn:tailrace:schema:{name}:v1"
    assert schema["title"]
    assert schema["description"]


def descriptions(schema: Any) -> Iterator[str]:
    """Yield every description in a schema."""
    values = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict) and isinstance(schema.get("description"), str):
        yield schema["description"]
    for value in values:
        yield from descriptions(value)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_descriptions_stand_on_one_line_however_docstrings_are_wrapped(name: str) -> None:
    texts = list(descriptions(DOCUMENTS[name]))
    assert texts
    assert [text for text in texts if text != " ".join(text.split())] == []


def test_a_docstring_of_several_paragraphs_becomes_one_line() -> None:
    assert json_schema.portable({"description": "One.\n\n    Two\n    and three.\n    "}) == {
        "description": "One. Two and three."
    }


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_document_is_complete_in_itself_and_holds_nothing_else(name: str) -> None:
    schema = DOCUMENTS[name]
    wanted = {reference.removeprefix("#/$defs/") for reference in json_schema.references(schema)}
    assert wanted == set(schema.get("$defs", {}))


@pytest.mark.parametrize(("emission", "name", "_message"), WRITTEN)
def test_records_as_written_fit_their_schema(emission: Emission, name: str, _message: str) -> None:
    value = encode(emission, term=1).value
    assert value is not None
    assert errors(name, json.loads(value)) == []


@pytest.mark.parametrize(("emission", "name", "_message"), WRITTEN)
def test_a_record_of_another_version_or_without_a_field_does_not_fit(
    emission: Emission, name: str, _message: str
) -> None:
    instance = json.loads(encode(emission, term=1).value or b"")
    assert errors(name, {**instance, "version": 2})
    assert errors(name, {key: value for key, value in instance.items() if key != "thread"})
    assert errors(name, {**instance, "later": "unknown fields are for later releases"}) == []


def test_the_message_of_an_entry_has_the_schema_of_a_message() -> None:
    instance = json.loads(encode(ENTRY, term=1).value or b"")
    assert errors("context-entry", {**instance, "message": {"parts": []}})
    assert errors("context-entry", {**instance, "message": {"role": "user", "parts": [{"type": "text"}]}})


def test_no_struct_hides_a_message_as_raw_bytes_from_the_schemas() -> None:
    hidden = [
        f"{struct.__name__}.{field.name}"
        for struct in (Head, Entry, Departed, CompactionRecord, LifecycleEvent, Policy, Message)
        for field in msgspec.structs.fields(struct)
        if field.type is Raw
    ]
    assert hidden == ["Entry.message"], "give the new field its schema in json_schema.components"


def test_removed_ranges_have_a_first_a_last_and_an_epoch() -> None:
    instance = json.loads(encode(HEAD, term=1).value or b"")
    assert errors("context-head", {**instance, "removed": [[1, 2]]})
    assert errors("context-head", {**instance, "removed": [[1]]})


def test_policies_fit_their_schema_and_unknown_keys_do_not() -> None:
    assert errors("policy", json.loads(msgspec.json.encode(Policy()))) == []
    assert errors("policy", {}) == []
    assert errors("policy", {"upper_fracton": 0.9})


@pytest.mark.parametrize("seed", range(40))
def test_signals_as_sent_fit_their_schema(seed: int) -> None:
    data = signal_to_json(random_signal(Random(seed)), "ours")
    VALIDATORS["signal"].validate(data)
    assert VALIDATORS["signal"].is_valid({**data, "id": "s-1"})
    assert not VALIDATORS["signal"].is_valid({**data, "kind": "explode"})
    assert not VALIDATORS["signal"].is_valid({**data, "type": data["kind"]})


def test_a_tick_fits_and_every_kind_of_signal_is_named() -> None:
    VALIDATORS["signal"].validate({"kind": "tick", "timer": "idle", "due_ms": 5})
    assert not VALIDATORS["signal"].is_valid({"kind": "tick", "timer": "idle", "due_ms": "soon"})
    named = [schema["properties"]["kind"]["enum"] for schema in DOCUMENTS["signal"]["$defs"].values()]
    assert sorted(kind for kinds in named for kind in kinds) == sorted(SIGNAL_KINDS)
    assert "signal" in ASYNCAPI["channels"]["conversations"]["messages"]


def test_headers_of_a_dead_letter_fit_their_schema() -> None:
    headers = {name: value.decode() for name, value in DEAD_LETTER.to_headers()}
    assert errors("dead-letter-headers", headers) == []
    assert DOCUMENTS["dead-letter-headers"]["required"] == list(ERROR_HEADERS)
    for name in ERROR_HEADERS:
        assert errors("dead-letter-headers", {key: value for key, value in headers.items() if key != name})


# What may be published


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "content": "hi"},
        {"role": "user", "content": "hi", "id": "e-1"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "ls", "input": {}}]},
        {"role": "user", "parts": PARTS},
        {"message": {"role": "user", "parts": PARTS}},
        {"message": {"role": "user"}, "format": "tailrace/1", "tenant": "acme", "turn": 3, "pinned": True},
        {"message": {"role": "user", "parts": [{"type": "hologram", "depth": 3}]}, "later": {"kept": True}},
        {"native": {"role": "user", "content": "hi"}, "format": "openai.chat", "usage": {"input_tokens": 3}},
        {"native": {"role": "user", "content": "hi"}, "agent": "ops", "sensitivity": "restricted"},
    ],
)
def test_what_is_read_fits_the_schema(value: dict[str, Any]) -> None:
    assert accepted(value)
    assert errors("message-event", value) == []


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"role": 7, "content": "hi"},
        {"message": {"role": "user"}, "native": {"role": "user", "content": "hi"}},
        {"message": {"role": "user"}, "format": "openai.chat"},
        {"message": {"parts": []}},
        {"message": {"role": "user", "parts": [{"type": "text"}]}},
        {"message": {"role": "user"}, "id": "line\nbreak"},
        {"message": {"role": "user"}, "tenant": ""},
        {"message": {"role": "user"}, "agent": "a", "turn": "third"},
        {"native": "hi", "format": "openai.chat"},
        {"native": {"role": "user", "content": "hi"}, "format": "gemini/1"},
    ],
)
def test_what_is_refused_does_not_fit_the_schema(value: object) -> None:
    assert not accepted(value)
    assert errors("message-event", value)


def test_the_schema_names_exactly_the_envelope_fields_that_ingest_reads() -> None:
    named = set(DOCUMENTS["message-event"]["$defs"]["MessageEnvelope"]["properties"])
    assert named == ingest._ENVELOPE_FIELDS | {"message", "format"}


names = st.sampled_from(
    [*Message.__struct_fields__, *(field for part in PART_TYPES.values() for field in part.__struct_fields__), "x"]
)
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from([*Format, *ContentShape])
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=3))
parts = st.builds(
    lambda kind, fields: {**kind, **fields},
    st.fixed_dictionaries({}, optional={"type": st.sampled_from([*PART_TYPES, "hologram", 3, None])}),
    st.dictionaries(names.filter(lambda name: name != "type"), values, max_size=4),
)
messages = st.fixed_dictionaries(
    {"role": st.text(max_size=5) | leaves},
    optional={
        "parts": st.lists(parts | st.sampled_from(PARTS), max_size=3) | values,
        "extra": values,
        "format": leaves,
        "content_shape": leaves,
        "name": leaves,
        "x": values,
    },
)


@given(message=messages)
def test_the_schema_of_a_message_and_the_code_that_reads_it_refuse_the_same(message: dict[str, Any]) -> None:
    value = {"message": message}
    assert accepted(value) == (errors("message-event", value) == [])


# AsyncAPI


def test_every_topic_has_a_channel_with_the_shape_that_the_command_line_gives_it() -> None:
    channels = ASYNCAPI["channels"]
    assert list(channels) == [topic.value for topic in Topic]
    defaults = Settings()
    for channel, spec in zip(channels.values(), topic_specs(defaults), strict=True):
        kafka = channel["bindings"]["kafka"]
        assert channel["address"] == kafka["topic"] == spec.name
        assert kafka["partitions"] == spec.partitions
        assert kafka["bindingVersion"] == "0.5.0"
        for key, value in kafka["topicConfiguration"].items():
            assert (",".join(value) if isinstance(value, list) else str(value)) == spec.configs[key], spec.name


def test_every_reference_of_the_asyncapi_document_resolves() -> None:
    found = list(json_schema.references(ASYNCAPI))
    assert found
    for reference in found:
        assert resolve(reference), reference


def test_every_operation_uses_only_messages_of_its_channel_and_every_message_is_used() -> None:
    used = set()
    for name, operation in ASYNCAPI["operations"].items():
        channel = operation["channel"]["$ref"]
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{channel}/messages/"), name
            used.add(message["$ref"].rpartition("/")[2])
    assert used == set(ASYNCAPI["components"]["messages"])
    assert {name: operation["action"] for name, operation in ASYNCAPI["operations"].items()} == {
        "sendConversations": "send",
        "receiveContexts": "receive",
        "receiveCompactions": "receive",
        "receiveDistillations": "receive",
        "receiveSummaries": "receive",
        "receiveWork": "receive",
        "receiveLifecycle": "receive",
        "receiveDlq": "receive",
    }


def test_schemas_in_the_asyncapi_document_are_valid_draft_7_and_none_is_unused() -> None:
    used = {reference.rpartition("/")[2] for reference in json_schema.references(ASYNCAPI)}
    for name, schema in ASYNCAPI["components"]["schemas"].items():
        Draft7Validator.check_schema(schema)
        assert name in used, f"no message needs {name}"


@pytest.mark.parametrize(
    ("emission", "name"),
    [
        *((emission, message) for emission, _, message in WRITTEN),
        (Tombstone(thread="t-1", message_id="e-3"), "contextTombstone"),
        (DEAD_LETTER, "deadLetter"),
    ],
)
def test_records_as_written_have_the_key_headers_and_payload_that_the_document_says(
    emission: Emission, name: str
) -> None:
    record = encode(emission, term=7)
    message = ASYNCAPI["components"]["messages"][name]
    headers = {header: value.decode() for header, value in record.headers}

    assert name in ASYNCAPI["channels"][record.topic]["messages"]
    in_asyncapi(message["headers"]).validate(headers)
    in_asyncapi(message["bindings"]["kafka"]["key"]).validate((record.key or b"").decode())
    if name != "deadLetter":
        in_asyncapi(message["payload"]).validate(json.loads(record.value) if record.value is not None else None)
        assert headers["ce_type"] == message["name"]
        assert not in_asyncapi(message["headers"]).is_valid({**headers, "ce_type": "io.tailrace.unknown.v1"})


def test_a_key_of_the_contexts_topic_fits_only_its_own_kind() -> None:
    kinds: dict[str, Emission] = {"contextHead": HEAD, "contextEntry": ENTRY, "contextDeparted": DEPARTED}
    for name in kinds:
        key_schema = in_asyncapi(ASYNCAPI["components"]["messages"][name]["bindings"]["kafka"]["key"])
        fitting = [
            kind for kind, emission in kinds.items() if key_schema.is_valid((encode(emission, 1).key or b"").decode())
        ]
        assert fitting == [name]


def test_headers_that_the_document_asks_of_a_producer_are_read() -> None:
    headers = {"ce_specversion": "1.0", "ce_type": MESSAGE_TYPE, "ce_id": "e-1", "ce_source": "/agent"}
    headers |= {"ce_time": "2026-01-02T03:04:05Z", "content-type": "application/json"}
    in_asyncapi(ASYNCAPI["components"]["messages"]["messageEvent"]["headers"]).validate(headers)
    record = InputRecord(
        topic="tailrace.conversations",
        partition=0,
        offset=0,
        timestamp_ms=0,
        key=b"t-1",
        value=b'{"role":"user","content":"hi"}',
        headers=tuple((name, value.encode()) for name, value in headers.items()),
    )

    event = decode_event(record, value_bytes_max=1000)

    assert (event.id, event.created_at_ms) == ("e-1", 1767323045000)
