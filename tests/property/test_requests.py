"""Laws of requests.

Whatever a thread holds, what is sent breaks no rule of its API, and a sound thread is not changed.
"""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.gemini_strategies import gemini_messages, gemini_turns
from support.responses_strategies import responses_messages, responses_turns
from support.strategies import (
    anthropic_messages,
    anthropic_split_turns,
    anthropic_turns,
    any_messages,
    json_values,
    openai_messages,
    openai_turns,
    patient,
)

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.openai_responses.items import ID_PREFIXES, kind_of_item
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format, Message

TARGETS = [Format.OPENAI_CHAT, Format.OPENAI_RESPONSES, Format.ANTHROPIC_MESSAGES, Format.GEMINI]


def _anthropic(call_ids: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    return anthropic_turns(call_ids) | anthropic_split_turns(call_ids)


def _responses(call_ids: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    # Reasoning and ids of items are sent only where OpenAI could have given these ids.
    return responses_turns(call_ids) | responses_turns(call_ids).map(lambda turn: [_known(item) for item in turn])


def _known(item: dict[str, Any]) -> dict[str, Any]:
    prefix = ID_PREFIXES.get(kind_of_item(item))
    return {**item, "id": f"{prefix}_{item['id']}"} if prefix and "id" in item else item


_TURNS = dict(zip(TARGETS, [openai_turns, _responses, _anthropic, gemini_turns], strict=True))
_ALONE = dict(zip(TARGETS, [openai_messages, responses_messages, anthropic_messages, gemini_messages], strict=True))

#: Few, so that ids come again and again: answered, unanswered, twice, and in the wrong place.
_few_ids = st.lists(st.sampled_from(["a", "b", "call_1", "x.y:z", "i" * 70]), min_size=1, max_size=3, unique=True)


def read(source: Format, data: dict[str, Any]) -> list[Message]:
    """Read a message; none where an unknown field happened to have a name that means something."""
    try:
        return [read_native(source, data)]
    except PoisonEvent:
        return []


@st.composite
def threads(draw: st.DrawFn, *formats: Format) -> list[Message]:
    """Messages of these formats: whole turns, torn ones, single messages, and such as no reader makes."""
    messages: list[Message] = []
    for _ in range(draw(st.integers(min_value=0, max_value=4))):
        source = draw(st.sampled_from(formats))
        if draw(st.booleans()):
            turn = [message for data in draw(_TURNS[source](draw(_few_ids))) for message in read(source, data)]
            kept = draw(st.lists(st.integers(0, max(len(turn) - 1, 0)), max_size=len(turn), unique=True))
            messages += [turn[index] for index in (kept if draw(st.booleans()) else range(len(turn)))]
        elif draw(st.booleans()):
            messages += read(source, draw(_ALONE[source]))
        else:
            messages.append(draw(any_messages))
    return messages


@patient
@given(threads(*TARGETS), st.sampled_from(TARGETS))
def test_a_request_breaks_no_rule_of_its_api(messages: list[Message], target: Format) -> None:
    request = request_of(messages, target)
    json.dumps(request)
    found = violations(request, target)
    assert [violation for violation in found if violation.rule != "nothing_to_send"] == []


@patient
@given(threads(*TARGETS), st.sampled_from(TARGETS))
def test_a_request_that_is_read_and_made_again_is_the_same(messages: list[Message], target: Format) -> None:
    request = request_of(messages, target)
    key = {"openai.responses": "input", "gemini": "contents"}.get(target, "messages")
    again = [message for data in request[key] for message in read(target, data)]
    if len(again) == len(request[key]):  # parts that no reader made may be written as what no reader takes
        assert request_of(again, target)[key] == request[key]


@patient
@given(json_values, st.sampled_from(TARGETS))
def test_a_validator_says_something_about_anything(value: Any, target: Format) -> None:
    key = {"openai.responses": "input", "gemini": "contents"}.get(target, "messages")
    for request in (value, {key: value}, {key: [value]}, {key: [{"role": "user", "content": value, "parts": value}]}):
        for violation in violations(request, target):
            assert violation.rule in PROVIDERS[target].api.rules
            assert violation.path
            assert violation.text
