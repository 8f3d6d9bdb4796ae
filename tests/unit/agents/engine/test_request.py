"""Injections: where they stand in each format, what they may cost, and what can't be one."""

from typing import Any

import pytest

from tailrace.agents.engine.request import Injection, render
from tailrace.schemas.errors import InjectionTooLarge, Invalid, UnknownVersion
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart


def said(role: str, text: str) -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


CALL = Message(role="assistant", parts=(ToolCallPart(id="c1", name="look", arguments="{}"),))
ANSWER = Message(role="tool", parts=(ToolCallResponsePart(id="c1", response="a tree"),))
CONTEXT = [said("system", "Be brief."), said("user", "What is there?"), CALL, ANSWER]
DATE = Injection("date", said("system", "Today is Monday."))


def rendered(target: str, *injections: Injection, reserve_tokens: int = 100) -> dict[str, Any]:
    return render(
        CONTEXT,
        target,
        injections=injections,
        injection_reserve_tokens=reserve_tokens,
        count=lambda message: len(message.parts[0].content),
    )


def test_without_injections_a_context_is_what_it_is_as_a_request() -> None:
    for target in Format:
        assert rendered(target) == request_of(CONTEXT, target)


def test_an_injected_system_message_stays_one_where_a_provider_takes_it_at_the_end() -> None:
    assert rendered("openai.chat", DATE)["messages"][-1] == {"role": "system", "content": "Today is Monday."}
    assert rendered("openai.responses", DATE)["input"][-1]["role"] == "system"


def test_an_injected_system_message_is_the_users_where_the_system_prompt_stands_in_front() -> None:
    request = rendered("anthropic.messages", DATE)
    assert request["system"] == "Be brief."
    assert request["messages"][-1] == {"role": "user", "content": "Today is Monday."}
    # The result before it is a user's message too, and is left alone: the API joins them.
    assert request["messages"][-2] == request_of(CONTEXT, "anthropic.messages")["messages"][-1]


def test_where_roles_must_alternate_an_injection_comes_behind_the_last_part() -> None:
    before = request_of(CONTEXT, "gemini")["contents"]
    after = rendered("gemini", DATE, Injection.of_text("hint", "Look up."))["contents"]
    assert len(after) == len(before)
    assert after[-1]["parts"] == [*before[-1]["parts"], {"text": "Today is Monday."}, {"text": "Look up."}]


def test_an_injection_is_not_marked_for_the_cache() -> None:
    marked = [{"type": "text", "text": "Now.", "cache_control": {"type": "ephemeral"}}]
    native = read_native("anthropic.messages", {"role": "user", "content": marked})
    assert rendered("anthropic.messages", Injection("now", native))["messages"][-1]["content"] == [
        {"type": "text", "text": "Now."}
    ]


def test_what_is_no_injection_is_refused_with_the_way_to_make_one() -> None:
    odd: Any = "Today is Monday."
    with pytest.raises(
        Invalid, match=r"injection 1 must be an Injection, such as Injection.of_text\(name, text\), got str"
    ):
        rendered("openai.chat", DATE, odd)
    with pytest.raises(Invalid, match="injection 'date' must hold a Message, got str"):
        Injection("date", odd)


def test_injections_share_the_reserve_in_their_order() -> None:
    two = [Injection.of_text("first", "x" * 60), Injection.of_text("second", "x" * 40)]
    assert len(rendered("openai.chat", *two)["messages"]) == len(CONTEXT) + 2
    with pytest.raises(InjectionTooLarge, match="'second' costs 40 tokens") as raised:
        rendered("openai.chat", *two, reserve_tokens=99)
    assert (raised.value.name, raised.value.tokens, raised.value.left_tokens) == ("second", 40, 39)
    assert "policy.injection_reserve_tokens" in str(raised.value)


@pytest.mark.parametrize("message", [said("assistant", "I think"), CALL, ANSWER, said("tool", "x")])
def test_a_runtime_speaks_for_nobody_else(message: Message) -> None:
    with pytest.raises(Invalid, match="injection 'odd'"):
        Injection("odd", message)


def test_an_id_that_is_in_the_context_already_is_not_sent_twice() -> None:
    data = {"type": "message", "id": "msg_1", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    item = read_native("openai.responses", data)
    request = render(
        [item],
        "openai.responses",
        injections=[Injection("again", item)],
        injection_reserve_tokens=9,
        count=lambda _: 1,
    )
    assert [message.get("id") for message in request["input"]] == ["msg_1", None]


def test_a_format_that_is_not_known_is_refused_by_name() -> None:
    with pytest.raises(UnknownVersion, match=r"openai\.chatt"):
        rendered("openai.chatt")
