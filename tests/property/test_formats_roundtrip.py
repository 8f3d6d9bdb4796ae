"""Laws of the message formats: the same format gives the same JSON, and crossing keeps calls and answers together."""

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.gemini_strategies import gemini_messages, gemini_turns
from support.responses_strategies import responses_messages, responses_turns
from support.strategies import (
    anthropic_messages,
    anthropic_turns,
    any_messages,
    ids,
    openai_messages,
    openai_turns,
    patient,
)

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.formats import detect_format, read_native, write_context
from tailrace.schemas.records.message import Format, Message, message_from_json

OPENAI, ANTHROPIC = Format.OPENAI_CHAT, Format.ANTHROPIC_MESSAGES
RESPONSES, GEMINI = Format.OPENAI_RESPONSES, Format.GEMINI

_TURNS = {OPENAI: openai_turns, ANTHROPIC: anthropic_turns, RESPONSES: responses_turns, GEMINI: gemini_turns}

_decode = msgspec.json.Decoder(Message).decode


def canonical(value: Any) -> str:
    """JSON text that tells 1 from 1.0 and from true, but not one order of keys from another."""
    return json.dumps(value, sort_keys=True)


@st.composite
def conversations(draw: st.DrawFn, *formats: Format) -> list[Message]:
    """Messages with all calls answered, each turn in one of the formats."""
    read = []
    call_ids = draw(st.lists(ids, unique=True, max_size=4))
    for start in range(0, 6, 2):
        turn_ids = call_ids[start : start + 2]
        message_format = draw(st.sampled_from(formats))
        read += [read_native(message_format, data) for data in draw(_TURNS[message_format](turn_ids))]
    return read


def calls_of(messages: list[Message]) -> list[str]:
    return [call_id for message in messages for call_id in message.call_ids]


def answers_of(messages: list[Message]) -> list[str]:
    return [call_id for message in messages for call_id in message.answered_ids]


def assert_answers_follow_calls(messages: list[Message]) -> None:
    """Check what both providers demand: after calls come their answers, all of them, and nothing in between."""
    open_ids: set[str] = set()
    for message in messages:
        assert open_ids.issuperset(message.answered_ids)
        assert message.answered_ids or not open_ids
        open_ids.difference_update(message.answered_ids)
        open_ids.update(message.call_ids)
    assert not open_ids


def assert_not_empty(data: dict[str, Any]) -> None:
    content = data["content"]
    if isinstance(content, list):
        assert content
        texts = [item["text"] for item in content if item["type"] == "text"]
        assert all(text.strip() for text in texts)
    elif content is None:
        assert data["tool_calls"]
    else:
        assert content.strip() or data["role"] == "tool"


@patient
@given(openai_messages)
def test_an_openai_message_is_written_as_it_came_also_after_our_own_wire(data: dict[str, Any]) -> None:
    message = read_native(OPENAI, data)
    assert canonical(write_context([message], OPENAI)) == canonical([data])
    assert canonical(write_context([_decode(msgspec.json.encode(message))], OPENAI)) == canonical([data])


@patient
@given(anthropic_messages)
def test_an_anthropic_message_is_written_as_it_came_also_after_our_own_wire(data: dict[str, Any]) -> None:
    message = read_native(ANTHROPIC, data)
    assert canonical(write_context([message], ANTHROPIC)) == canonical([data])
    assert canonical(write_context([_decode(msgspec.json.encode(message))], ANTHROPIC)) == canonical([data])


@patient
@given(responses_messages)
def test_a_responses_item_is_written_as_it_came_also_after_our_own_wire(data: dict[str, Any]) -> None:
    message = read_native(RESPONSES, data)
    assert canonical(write_context([message], RESPONSES)) == canonical([data])
    assert canonical(write_context([_decode(msgspec.json.encode(message))], RESPONSES)) == canonical([data])


@patient
@given(gemini_messages)
def test_a_gemini_content_is_written_as_it_came_also_after_our_own_wire(data: dict[str, Any]) -> None:
    message = read_native(GEMINI, data)
    assert canonical(write_context([message], GEMINI)) == canonical([data])
    assert canonical(write_context([_decode(msgspec.json.encode(message))], GEMINI)) == canonical([data])


@patient
@given(st.one_of(openai_messages, anthropic_messages, responses_messages, gemini_messages))
def test_a_message_survives_in_whatever_format_it_is_taken_for(data: dict[str, Any]) -> None:
    try:
        message = read_native(detect_format(data), data)
    except PoisonEvent:  # anything else would stop a worker
        return
    if message.format != Format.TAILRACE:
        assert canonical(write_context([message], message.format)) == canonical([data])


@patient
@given(any_messages)
def test_the_plain_form_reads_back_as_the_same_message(message: Message) -> None:
    (data,) = write_context([message], Format.TAILRACE)
    assert message_from_json(data) == message
    assert canonical(data) == canonical({"parts": [], **json.loads(msgspec.json.encode(message))})


@patient
@given(st.lists(any_messages, max_size=4), st.sampled_from(Format))
def test_whatever_a_message_holds_it_can_be_written(messages: list[Message], message_format: Format) -> None:
    written = write_context(messages, message_format)
    assert all(isinstance(data["type" if "role" not in data else "role"], str) for data in written)
    json.dumps(written)


@patient
@given(conversations(OPENAI, ANTHROPIC, GEMINI), st.sampled_from([OPENAI, ANTHROPIC, GEMINI]))
def test_every_call_and_answer_crosses_and_answers_follow_their_calls(messages: list[Message], target: Format) -> None:
    written = [read_native(target, data) for data in write_context(messages, target)]
    assert calls_of(written) == calls_of(messages)
    assert answers_of(written) == answers_of(messages)
    assert_answers_follow_calls(written)


@patient
@given(conversations(OPENAI, ANTHROPIC, RESPONSES, GEMINI), st.sampled_from([OPENAI, ANTHROPIC, RESPONSES, GEMINI]))
def test_every_call_and_answer_crosses_in_its_order(messages: list[Message], target: Format) -> None:
    written = [read_native(target, data) for data in write_context(messages, target)]
    assert calls_of(written) == calls_of(messages)
    assert answers_of(written) == answers_of(messages)


@patient
@given(conversations(OPENAI))
def test_nothing_that_crosses_to_anthropic_is_empty(messages: list[Message]) -> None:
    for data in write_context(messages, ANTHROPIC):
        assert_not_empty(data)


@patient
@given(conversations(ANTHROPIC))
def test_nothing_that_crosses_to_openai_is_empty(messages: list[Message]) -> None:
    for data in write_context(messages, OPENAI):
        assert_not_empty(data)
