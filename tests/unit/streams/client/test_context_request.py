"""A context as the arguments of a call."""

import msgspec
import pytest

from tailrace.schemas.errors import InjectionTooLarge, OverBudget, Unsendable
from tailrace.schemas.records.context import Totals
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams import Context, ContextSource, Injection


def context(*, message_format: Format = Format.OPENAI_CHAT, injection_reserve_tokens: int = 0) -> Context:
    said = (("system", "Be brief."), ("user", "hi"))
    return Context(
        thread="t1",
        tenant="default",
        messages=tuple(Message(role=role, parts=(TextPart(content=text),)) for role, text in said),
        tokens=10,
        limit_tokens=100,
        window_tokens=200,
        model=None,
        epoch=0,
        covers_through=None,
        totals=Totals(),
        source=ContextSource.TAILRACE,
        format=message_format,
        injection_reserve_tokens=injection_reserve_tokens,
    )


def test_a_request_is_in_the_contexts_own_format_unless_another_is_asked_for() -> None:
    own = context(message_format=Format.ANTHROPIC_MESSAGES)
    assert own.request() == {"system": "Be brief.", "messages": [{"role": "user", "content": "hi"}]}
    assert [message["role"] for message in own.request("openai.chat")["messages"]] == ["system", "user"]


def test_what_is_injected_has_the_reserve_of_the_policy() -> None:
    note = Injection.of_text("note", "The sun shines.")
    assert context(injection_reserve_tokens=9).request(inject=[note])["messages"][-1]["content"] == "The sun shines."
    with pytest.raises(InjectionTooLarge, match="'note' costs 8 tokens"):
        context(injection_reserve_tokens=7).request(inject=[note])


def test_what_should_not_be_sent_is_not_handed_over() -> None:
    large = msgspec.structs.replace(context(), tokens=101)
    with pytest.raises(OverBudget, match="thread t1 can't be brought under 100 tokens: 101 have to stay"):
        large.request()
    assert len(large.request(check=False)["messages"]) == 2

    prompt = msgspec.structs.replace(context(), messages=context().messages[:1])
    assert len(prompt.request()["messages"]) == 1
    with pytest.raises(Unsendable, match="messages must hold at least one message"):
        prompt.request("anthropic.messages")
