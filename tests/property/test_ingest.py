"""Laws of reading input: any bytes become an event or a reason, never another error, and what is not known survives."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.conversations import Published, laws, rules
from support.strategies import anthropic_messages, any_messages, json_objects, json_values, openai_messages

import tailrace.schemas.errors
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.decoder import EVENT_DEPTH_MAX as DEPTH_MAX
from tailrace.schemas.errors import Invalid, Misplaced, PoisonEvent, Undecodable, UnknownVersion
from tailrace.schemas.ingest import ID_CHARACTERS_MAX, decode_event
from tailrace.schemas.records.dead_letter import ERROR_HEADERS
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, InputRecord, Topic, encode

VALUE_BYTES_MAX = 1_000_000

CLOUD_EVENT = (
    ("ce_specversion", b"1.0"),
    ("ce_type", MESSAGE_TYPE.encode()),
    ("ce_source", b"/test"),
    ("ce_id", b"event-1"),
)
HELLO: dict[str, Any] = {"message": {"role": "user", "parts": [{"type": "text", "content": "hello"}]}}
HELLO_BYTES = json.dumps(HELLO).encode()

header_names = st.sampled_from(
    ["ce_id", "ce_time", "ce_type", "ce_specversion", "CE_ID", "ce_", "ce_source", "content-type", *ERROR_HEADERS]
) | st.text(max_size=5)
header_values = st.none() | st.sampled_from([b"", b"1.0", MESSAGE_TYPE.encode()]) | st.binary(max_size=8)
headers = st.lists(st.tuples(header_names, header_values), max_size=4).map(tuple) | st.just(CLOUD_EVENT)
keys = st.none() | st.just(b"thread") | st.binary(max_size=8) | st.text(max_size=4).map(str.encode)

#: Envelopes whose fields may hold anything.
_envelope_names = st.sampled_from([*Event.__struct_fields__, "native", "format", "role", "content", "parts", "version"])
envelopes = st.dictionaries(_envelope_names, json_values, max_size=5)
messages = st.one_of(openai_messages, anthropic_messages, json_objects)
values = st.one_of(
    st.none(),
    st.binary(max_size=20),
    st.one_of(json_values, envelopes, messages, messages.map(lambda message: {"native": message})).map(
        lambda value: json.dumps(value).encode()
    ),
)


def record(
    value: bytes | None,
    *,
    key: bytes | None = b"thread",
    headers: tuple[tuple[str, bytes | None], ...] = (),
    timestamp_ms: int = 0,
) -> InputRecord:
    return InputRecord(
        topic="conversations",
        partition=3,
        offset=7,
        timestamp_ms=timestamp_ms,
        key=key,
        value=value,
        headers=headers,
    )


def decoded(value: object, **fields: Any) -> Event:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return decode_event(record(data, **fields), value_bytes_max=VALUE_BYTES_MAX)


@laws
@given(values, keys, headers)
@example(b"{" * 100_000, b"t", ())
@example(b'{"a":' * 100_000, b"t", ())
@example(b'{"role":"user","content":"\\ud800"}', b"t", ())
@example(b'{"role":"user","content":"hi","n":1e999}', b"t", ())
@example(b'{"usage":{"input_tokens":99999999999999999999999},"message":{"role":"user"}}', b"t", ())
@example(b'{"role":"user","content":"hi"}', b"t", (("ce_id", None),))
def test_any_record_is_an_event_or_poison(
    value: bytes | None, key: bytes | None, headers: tuple[tuple[str, bytes | None], ...]
) -> None:
    try:
        event = decode_event(record(value, key=key, headers=headers), value_bytes_max=VALUE_BYTES_MAX)
    except PoisonEvent:
        return
    assert event.thread.encode() == key
    assert event.id


@laws
@given(st.lists(st.tuples(values, keys, headers), min_size=1, max_size=8))
def test_whatever_comes_can_be_processed_and_all_it_causes_can_be_written(
    records: list[tuple[bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]],
) -> None:
    partition = PartitionView()
    for offset, (value, key, sent_headers) in enumerate(records):
        outcome = process(partition, Published(key, value, sent_headers).at(offset), rules())
        for written in [encode(emission, 1) for emission in outcome.written]:
            if written.topic is Topic.DLQ:
                assert (written.key, written.value) == (key, value)
                names = [name for name, _ in written.headers]
                assert all(names.count(name) == 1 for name in ERROR_HEADERS)
                kept = [header for header in written.headers if header[0] not in ERROR_HEADERS]
                assert kept == [header for header in sent_headers if header[0] not in ERROR_HEADERS]


@laws
@given(any_messages)
def test_any_message_of_ours_can_be_processed(message: Any) -> None:
    import msgspec  # noqa: PLC0415  only to write the message as a producer would

    value = msgspec.json.encode({"message": message})
    outcome = process(PartitionView(), Published(b"t", value).at(0), rules())
    assert [encode(emission, 1) for emission in outcome.written]


@laws
@given(json_objects)
def test_unknown_fields_of_the_envelope_survive(extra: dict[str, Any]) -> None:
    unknown = {f"x-{name}": value for name, value in extra.items()}
    assert decoded({**unknown, **HELLO}).extra == unknown


@laws
@given(st.text(max_size=ID_CHARACTERS_MAX + 5))
def test_an_id_is_taken_as_it_is_or_refused(event_id: str) -> None:
    usable = 0 < len(event_id) <= ID_CHARACTERS_MAX and not any(ord(one) < 32 or ord(one) == 127 for one in event_id)
    try:
        assert decoded({"id": event_id, **HELLO}).id == event_id
    except PoisonEvent:
        assert not usable
    else:
        assert usable


@laws
@given(st.datetimes(timezones=st.timezones()))
def test_any_time_with_a_zone_is_read_to_the_millisecond(moment: Any) -> None:
    event = decoded(HELLO, headers=(*CLOUD_EVENT, ("ce_time", moment.isoformat().encode())))
    assert abs(event.created_at_ms - moment.timestamp() * 1000) <= 1


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.500Z", -500),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2026-01-02T03:04:05.678+02:00", 1_767_315_845_678),
    ],
)
def test_clocks_in_1970_and_9999_are_data(text: str, milliseconds: int) -> None:
    assert decoded(HELLO, headers=(*CLOUD_EVENT, ("ce_time", text.encode()))).created_at_ms == milliseconds


@pytest.mark.parametrize("timestamp_ms", [-1, 0, 253_402_300_799_999, 2**63 - 1])
def test_without_a_time_the_record_s_own_counts(timestamp_ms: int) -> None:
    assert decoded(HELLO, timestamp_ms=timestamp_ms).created_at_ms == timestamp_ms


def test_the_id_comes_from_the_header_the_value_or_the_place_in_the_log() -> None:
    assert decoded({"id": "mine", **HELLO}, headers=CLOUD_EVENT).id == "event-1"
    assert decoded({"id": "mine", **HELLO}).id == "mine"
    assert decoded({"role": "user", "content": "hi", "id": "mine"}).id == "mine"
    assert decoded({"role": "user", "content": "hi"}).id == "p3-o7"


def test_a_bare_message_and_its_envelope_are_the_same_message() -> None:
    bare = {"role": "user", "content": "hi", "name": "Ann"}
    assert decoded(bare).message == decoded({"native": bare}).message


def test_the_message_of_a_bare_provider_message_has_no_event_id_in_it() -> None:
    assert "id" not in decoded({"role": "user", "content": "hi", "id": "mine"}).message.extra


def test_half_a_character_costs_that_character_and_not_the_message() -> None:
    cut = b'{"id":"m-1","role":"tool","tool_call_id":"c1","content":"cut \\ud83d here","own":["\\udc00"]}'
    event = decode_event(record(cut), value_bytes_max=VALUE_BYTES_MAX)

    whole = {"id": "m-1", "role": "tool", "tool_call_id": "c1", "content": "cut \ufffd here", "own": ["\ufffd"]}
    assert event == decoded(whole)


def test_an_id_may_hold_the_sign_for_a_lost_character() -> None:
    assert decoded({"id": "a\ufffd", "role": "user", "content": "x"}).id == "a\ufffd"


DEEP = DEPTH_MAX + 1

#: What must be refused, as which kind, and a word that the reason has to say.
REFUSED: dict[str, tuple[bytes | None, dict[str, Any], type[PoisonEvent], str]] = {
    "no JSON": (b"hello", {}, Undecodable, "JSON"),
    "half a JSON": (b'{"role":', {}, Undecodable, "JSON"),
    "invalid UTF-8": (b'{"role":"user","content":"\xff\xfe"}', {}, Undecodable, "UTF-8"),
    "half a character in an id": (
        b'{"id":"a\\ud800","role":"user","content":"x"}',
        {},
        Undecodable,
        "half a character",
    ),
    "half a character and half a JSON": (b'{"role":"user","content":"\\ud800"', {}, Undecodable, "JSON"),
    "a list": (b"[]", {}, Undecodable, "object"),
    "a string": (b'"hi"', {}, Undecodable, "object"),
    "empty": (b"", {}, Invalid, "empty"),
    "null": (None, {}, Invalid, "empty"),
    "too large": (b" " * (VALUE_BYTES_MAX + 1), {}, Invalid, "ingest.value_bytes_max"),
    "too deep": (b'{"role":"user","content":"x","y":' + b"[" * DEEP + b"]" * DEEP + b"}", {}, Undecodable, "deep"),
    "1,000 levels": (b'{"role":"user","content":"x","y":' + b"[" * 1000 + b"]" * 1000 + b"}", {}, Undecodable, "deep"),
    "no key": (b"{}", {"key": None}, Invalid, "key"),
    "empty key": (b"{}", {"key": b""}, Invalid, "key"),
    "binary key": (b"{}", {"key": b"\xff"}, Undecodable, "key"),
    "long key": (b"{}", {"key": b"x" * (ID_CHARACTERS_MAX + 1)}, Invalid, "key"),
    "key with a separator": (b"{}", {"key": b"a\x1fb"}, Invalid, "control"),
    "neither message nor envelope": (b"{}", {}, Invalid, "role"),
    "both message and native": (b'{"message":{},"native":{}}', {}, Invalid, "either"),
    "role of the wrong type": (b'{"role":7,"content":"x"}', {}, Invalid, "role"),
    "unknown role": (b'{"role":"wizard","content":"x"}', {}, Invalid, "wizard"),
    "content of the wrong type": (b'{"role":"user","content":7}', {}, Invalid, "content"),
    "message of the wrong type": (b'{"message":7}', {}, Invalid, "message"),
    "id of the wrong type": (b'{"id":7,"message":{"role":"user"}}', {}, Invalid, "id"),
    "pinned of the wrong type": (b'{"pinned":"yes","message":{"role":"user"}}', {}, Invalid, "pinned"),
    "unknown sensitivity": (b'{"sensitivity":"x","message":{"role":"user"}}', {}, Invalid, "sensitivity"),
    "unknown format": (b'{"native":{"role":"user"},"format":"cohere"}', {}, UnknownVersion, "cohere"),
    "id of our own kind": (b'{"id":"tailrace:stub:1","message":{"role":"user"}}', {}, Invalid, "tailrace:"),
    "newer format": (b'{"message":{"role":"user"},"format":"tailrace/2"}', {}, UnknownVersion, "tailrace/2"),
    "newer type": (b"{}", {"headers": (("ce_specversion", b"1.0"), ("ce_type", b"x.v2"))}, UnknownVersion, "x.v2"),
    "newer CloudEvents": (b"{}", {"headers": (("ce_specversion", b"2.0"),)}, UnknownVersion, "2.0"),
    "no specversion": (b"{}", {"headers": (("ce_id", b"1"),)}, UnknownVersion, "specversion"),
    "binary header": (b"{}", {"headers": (("ce_id", b"\xff"),)}, Undecodable, "UTF-8"),
    "null header": (b"{}", {"headers": (("ce_id", None),)}, Undecodable, "null"),
    "no time": (HELLO_BYTES, {"headers": (*CLOUD_EVENT, ("ce_time", b"soon"))}, Invalid, "ce_time"),
    "no zone": (HELLO_BYTES, {"headers": (*CLOUD_EVENT, ("ce_time", b"2026-01-01T00:00:00"))}, Invalid, "zone"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_t_be_read_is_refused_with_a_reason(name: str) -> None:
    value, fields, kind, word = REFUSED[name]
    with pytest.raises(kind, match=word):
        decode_event(record(value, **fields), value_bytes_max=VALUE_BYTES_MAX)


def test_every_kind_of_poison_has_a_code_of_its_own() -> None:
    kinds = [Undecodable, Invalid, UnknownVersion, Misplaced]
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(hasattr(tailrace.schemas.errors, kind.__name__) for kind in kinds)


@pytest.mark.parametrize("field", ["agent", "group", "source", "model", "parent_thread"])
def test_labels_of_the_envelope_are_short(field: str) -> None:
    with pytest.raises(Invalid, match=field):
        decoded({field: "x" * (ID_CHARACTERS_MAX + 1), **HELLO})


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"message": {"role": "user", "parts": [{}] * 240_000}}, id="many parts"),
        pytest.param({"role": "user", "content": "x" * 999_900}, id="long text"),
        pytest.param({"role": "user", "content": "\u0001" * 160_000}, id="escapes"),
        pytest.param(
            {
                "role": "assistant",
                "tool_calls": [{"id": "x" * 990_000, "type": "function", "function": {"name": "f", "arguments": ""}}],
            },
            id="long call id",
        ),
        pytest.param({"native": {"role": "user", "content": "x"}, "format": "x" * 900_000}, id="long format"),
        pytest.param({"role": "tool", "tool_call_id": "x" * 900_000, "content": ""}, id="long answer id"),
    ],
)
def test_what_is_written_fits_into_the_topics_that_a_worker_accepts(value: dict[str, Any]) -> None:
    """The limit is that of `topics.record_bytes_needed`.

    A topic that takes no more than this passes the start-up check.
    """
    data = json.dumps(value).encode()
    assert len(data) <= VALUE_BYTES_MAX
    outcome = process(PartitionView(), Published(b"t", data).at(0), rules())
    for written in [encode(emission, 1) for emission in outcome.written]:
        headers_bytes = sum(len(name) + len(content or b"") for name, content in written.headers)
        assert len(written.key or b"") + len(written.value or b"") + headers_bytes < VALUE_BYTES_MAX + 256 * 1024
