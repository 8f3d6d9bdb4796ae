"""From a message to a record: what travels, and what is refused before it does."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from cloudevents.core.bindings.kafka import KafkaMessage, from_binary
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from tailrace.schemas.errors import Invalid, PoisonEvent, UnknownVersion
from tailrace.schemas.records.event import Sensitivity, Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.client.publication import Publication, make_publication, named

HELLO = {"role": "user", "content": "hello"}


def publication(message: Message | Mapping[str, Any] = HELLO, thread: str = "t1", **options: Any) -> Publication:
    return make_publication("tailrace.conversations", thread, message, options, value_bytes_max=1_000)


def test_a_message_becomes_a_cloud_event_that_others_read_too() -> None:
    record = publication().record
    message = KafkaMessage(headers=dict(record.headers), key=record.key, value=record.value)

    event = from_binary(message, JSONFormat(), CloudEvent)

    assert event.get_type() == "io.tailrace.message.v1"
    assert event.get_subject() == "t1"
    assert event.get_time() is not None
    assert record.key == b"t1"
    assert json.loads(record.value or b"") == {"format": "openai.chat", "native": HELLO}


def test_an_id_in_the_message_names_the_event_unless_an_option_does() -> None:
    message, options = named({"id": "m1", **HELLO}, {"model": "gpt-4o"})
    assert (message, options) == (HELLO, {"model": "gpt-4o", "id": "m1"})
    assert named({"id": "m1", **HELLO}, {"id": "m2"}) == (HELLO, {"id": "m2"})
    assert named(HELLO, {}) == (HELLO, {})
    # An item of a provider's own has an id that is part of it.
    item = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "arguments": "{}"}
    assert named(item, {}) == (item, {})
    assert named({"id": 7, **HELLO}, {})[1] == {"id": 7}


def test_the_default_id_is_a_uuid_that_grows_with_time() -> None:
    first, second = publication().id, publication().id

    assert UUID(first).version == 7
    assert first < second


def test_everything_that_is_said_about_a_message_arrives() -> None:
    event = publication(
        id="m1",
        tenant="acme",
        model="gpt-4o",
        agent="planner",
        parent_thread="t0",
        turn=3,
        group="step",
        source="tool",
        usage=Usage(input_tokens=5),
        sensitivity=Sensitivity.RESTRICTED,
        pinned=True,
        extra={"mine": [1]},
    ).event

    assert (event.id, event.tenant, event.model, event.agent) == ("m1", "acme", "gpt-4o", "planner")
    assert (event.parent_thread, event.turn, event.group, event.source) == ("t0", 3, "step", "tool")
    assert event.usage == Usage(input_tokens=5)
    assert event.sensitivity is Sensitivity.RESTRICTED
    assert event.pinned
    assert event.extra == {"mine": [1]}


def test_a_message_of_our_own_form_arrives_as_it_is() -> None:
    message = Message(role="user", parts=(TextPart(content="hi"),), name="ann")

    assert publication(message).event.message == message


def test_the_format_is_recognised_or_named() -> None:
    blocks = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "y"}]}

    assert publication(blocks).event.message.format is Format.ANTHROPIC_MESSAGES
    assert publication(HELLO, format="anthropic.messages").event.message.format is Format.ANTHROPIC_MESSAGES


@pytest.mark.parametrize(
    ("message", "options", "error", "words"),
    [
        ({"content": "no role"}, {}, PoisonEvent, "role"),
        ({"role": "user", "content": 7}, {}, Invalid, "content"),
        ({"role": "user", "content": object()}, {}, Invalid, "model_dump"),
        ({"role": "user", "content": "x" * 2_000}, {}, Invalid, "value_bytes_max"),
        ("hi", {}, Invalid, "dict with a role"),
        (HELLO, {"format": "wire/9"}, UnknownVersion, "wire/9"),
        (HELLO, {"id": "a\x1fb"}, Invalid, "control characters"),
        (HELLO, {"id": 7}, Invalid, "id must be a string"),
        (HELLO, {"id": "\ud800"}, Invalid, "UTF-8"),
        (HELLO, {"turn": "one"}, Invalid, "turn"),
        (HELLO, {"sensitivity": "whatever"}, Invalid, "sensitivity"),
        (HELLO, {"tenant": "x" * 600}, Invalid, "tenant"),
        (HELLO, {"extra": {"role": "user"}}, Invalid, "rename"),
    ],
)
def test_what_a_worker_could_not_read_is_refused_at_once(
    message: Any, options: dict[str, Any], error: type[PoisonEvent], words: str
) -> None:
    with pytest.raises(error, match=words):
        publication(message, **options)


@pytest.mark.parametrize("thread", ["", "a\nb", "x" * 600, "\ud800", 7])
def test_a_thread_id_that_can_not_be_a_key_is_refused(thread: Any) -> None:
    with pytest.raises(Invalid, match="thread"):
        publication(thread=thread)


def test_a_misspelt_option_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="modell"):
        publication(modell="gpt-4o")


class RuntimesText(str):
    """What LangChain's `message.text` is: a subclass of str."""

    __slots__ = ()


def test_text_of_a_runtimes_own_kind_is_published_as_any_text() -> None:
    own = publication(
        {"role": RuntimesText("user"), "content": RuntimesText("hello")},
        RuntimesText("t1"),
        id=RuntimesText("m1"),
        model=RuntimesText("gpt-4o"),
    )
    plain = publication({"role": "user", "content": "hello"}, "t1", id="m1", model="gpt-4o")

    assert own.record.value == plain.record.value
    assert own.key == plain.key
    assert [type(part) for part in own.key] == [str, str]
