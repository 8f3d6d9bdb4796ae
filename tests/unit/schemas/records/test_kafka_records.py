"""Records on Kafka: keys, headers and the way back. The `cloudevents` package says whether the headers are right."""

import json
from dataclasses import replace

import pytest
from cloudevents.core.bindings.kafka import KafkaMessage, from_binary
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from support.conversations import Move, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import (
    SEPARATOR,
    ContextKey,
    Departed,
    Entry,
    Head,
    departed_key,
    entry_key,
    head_key,
    parse_key,
)
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import (
    ContextChange,
    Emission,
    OutputRecord,
    Tombstone,
    Topic,
    decode_compaction,
    decode_context,
    decode_lifecycle,
    encode,
    term_of,
)
from tailrace.schemas.records.lifecycle import LifecycleEvent


def emissions(thread: str = "thread", *, ids_of: str = "thread") -> list[Emission]:
    """What a conversation causes in a thread whose messages have the ids of another."""
    kinds = ("user", "calls", "answer", "assistant", "pinned", "stray_answer")
    partition = PartitionView()
    return [
        emission
        for offset, published in enumerate(
            replace(one, key=thread.encode()) for one in play([Move(kind, 60) for kind in kinds * 4], ids_of)
        )
        for emission in process(partition, published.at(offset), small_engine()).written
    ]


ALL = emissions()
OURS = [one for one in ALL if not isinstance(one, DeadLetter)]


def cloud_event(record: OutputRecord) -> CloudEvent:
    """The record as the CloudEvents SDK reads it."""
    headers = {name: value or b"" for name, value in record.headers}
    message = KafkaMessage(headers=headers, key=record.key, value=record.value or b"null")
    event = from_binary(message, JSONFormat(), CloudEvent)
    assert isinstance(event, CloudEvent)
    return event


def test_every_kind_of_emission_is_tried() -> None:
    kinds = {Entry, Head, Departed, Tombstone, CompactionRecord, LifecycleEvent, DeadLetter}
    assert {type(one) for one in ALL} == kinds


@pytest.mark.parametrize("kind", [Entry, Head, Departed, Tombstone, CompactionRecord, LifecycleEvent])
def test_everything_we_write_is_a_cloud_event(kind: type) -> None:
    for emission in OURS:
        if not isinstance(emission, kind):
            continue
        event = cloud_event(encode(emission, term=12))
        assert event.get_specversion() == "1.0"
        assert event.get_id()
        assert event.get_source() == "/tailrace"
        assert event.get_type().startswith("io.tailrace.")
        assert event.get_datacontenttype() == "application/json"
        assert event.get_extension("term") == "12"


def test_the_value_is_the_data_alone() -> None:
    for emission in OURS:
        record = encode(emission, term=1)
        if isinstance(emission, Tombstone):
            assert record.value is None
        else:
            data = cloud_event(record).get_data()
            parsed = data if isinstance(data, dict) else json.loads(data or b"")
            assert parsed["version"] == 1
            assert parsed["thread"] == "thread"


def test_source_and_id_name_one_record_whatever_the_term_and_however_ids_repeat() -> None:
    seen: dict[tuple[str, str], tuple[bytes | None, bytes | None]] = {}
    other_thread = [one for one in emissions("other") if not isinstance(one, DeadLetter)]
    for emission in [*OURS, *other_thread]:
        for term in (1, 2):
            record = encode(emission, term)
            event = cloud_event(record)
            content = (record.key, record.value)
            assert seen.setdefault((event.get_source(), event.get_id()), content) == content


def test_context_records_come_back_as_they_were() -> None:
    for emission in ALL:
        record = encode(emission, term=3)
        if isinstance(emission, ContextChange):
            assert record.topic is Topic.CONTEXTS
            assert decode_context(record.key or b"", record.value) == emission


def test_compactions_and_lifecycle_events_come_back_as_they_were() -> None:
    for emission in ALL:
        value = encode(emission, term=3).value
        if isinstance(emission, CompactionRecord):
            assert decode_compaction(value or b"") == emission
        if isinstance(emission, LifecycleEvent):
            assert decode_lifecycle(value or b"") == emission


def test_the_header_of_a_lifecycle_event_names_it() -> None:
    events = [one for one in ALL if isinstance(one, LifecycleEvent)]
    subjects = [dict(encode(one, term=3).headers)["ce_subject"].decode() for one in events]
    assert subjects == [f"compaction.{one.kind}" for one in events]
    assert subjects


def test_compactions_reference_ids_and_never_content() -> None:
    for emission in ALL:
        if isinstance(emission, CompactionRecord | LifecycleEvent):
            assert b"word1" not in (encode(emission, 1).value or b"")


def test_everything_about_a_thread_has_its_thread_in_the_key() -> None:
    for emission in OURS:
        record = encode(emission, 1)
        assert (record.key or b"").split(SEPARATOR.encode())[0] == b"thread"


@pytest.mark.parametrize(
    ("key", "parsed"),
    [
        (head_key("t"), ContextKey("t")),
        (entry_key("t", "m"), ContextKey("t", message_id="m")),
        (departed_key("t", 7), ContextKey("t", state_name=f"departed{SEPARATOR}7")),
        (head_key("日本"), ContextKey("日本")),
    ],
)
def test_a_key_can_be_taken_apart(key: bytes, parsed: ContextKey) -> None:
    assert parse_key(key) == parsed


def test_state_of_a_later_release_is_left_alone() -> None:
    assert decode_context(f"t{SEPARATOR}{SEPARATOR}ledger".encode(), b"\xff no json") is None


def test_an_entry_of_another_version_is_an_error() -> None:
    entry = next(encode(one, 1) for one in ALL if isinstance(one, Entry))
    assert entry.value is not None
    with pytest.raises(Invalid):
        decode_context(entry.key or b"", entry.value.replace(b'"version":1', b'"version":2'))


@pytest.mark.parametrize(
    ("headers", "term"),
    [
        ((("ce_term", b"5"),), 5),
        ((("other", b"5"), ("ce_term", b"0")), 0),
        ((), None),
        ((("ce_term", None),), None),
        ((("ce_term", b"five"),), None),
    ],
)
def test_the_term_is_read_from_the_headers(headers: tuple[tuple[str, bytes | None], ...], term: int | None) -> None:
    assert term_of(headers) == term
