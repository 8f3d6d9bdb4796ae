"""Laws of the engine on a plain list.

What is at hand is what would be read, and a plan shows what carrying it out gives.
"""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.strategies import anthropic_turns, openai_turns, patient

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import (
    Conversation,
    MessageInput,
    budget_of,
    carry_out,
    conversation,
    plan_for,
    planned_messages,
)
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.errors import Conflict
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import ToolCallResponsePart
from tailrace.streams.policy.files import open_policy

_TURNS = {Format.OPENAI_CHAT: openai_turns, Format.ANTHROPIC_MESSAGES: anthropic_turns}


class _Characters:
    encoding = "characters"

    def count_text(self, text: str) -> int:
        return len(text)


_COUNTER = _Characters()


@st.composite
def talks(draw: st.DrawFn, *, late: bool = True) -> list[Message]:
    """A few turns of one provider, each call with an id of its own.

    Some call may have a second result at the end, which is `late`.
    """
    source = draw(st.sampled_from(list(_TURNS)))
    turns = [draw(_TURNS[source]([f"call_{place}"])) for place in range(draw(st.integers(1, 6)))]
    messages = [read_native(source, data) for turn in turns for data in turn]
    answering = [message for message in messages if message.answered_ids] if late else []
    again = draw(st.none() | st.sampled_from(answering)) if answering else None
    return messages if again is None else [*messages, _with_other_results(again)]


def _with_other_results(message: Message) -> Message:
    others = (
        replace(part, response="It is otherwise now.") if isinstance(part, ToolCallResponsePart) else part
        for part in message.parts
    )
    return replace(message, parts=tuple(others))


def _talk(name: str, messages: list[Message]) -> tuple[Conversation, Engine]:
    engine = Engine(open_policy(name, Path()), lambda message, _model: count_message(message, _COUNTER))
    return conversation(messages, engine), engine


@patient
@given(talks())
def test_what_is_at_hand_is_what_would_be_read(messages: list[Message]) -> None:
    talk, _ = _talk("default", messages)
    read = {entry.id: decode_message(entry.message) for entry in talk.view.live()}

    assert talk.at_hand.items() <= read.items()


@pytest.mark.parametrize("name", ["default", "ladder", "codex"])
@patient
@given(talks(), st.floats(0.1, 1.2))
def test_a_plan_shows_what_carrying_it_out_gives(name: str, messages: list[Message], part: float) -> None:
    talk, engine = _talk(name, messages)
    plan = plan_for(talk, engine, budget_of(max(1, int(talk.view.tokens * part)), engine, talk.view), forced=True)

    assert _written(planned_messages(talk, plan)) == _written(carry_out(talk, plan, engine).messages)


@patient
@given(talks(late=False), st.data())
def test_a_plan_holds_for_the_conversation_that_it_was_made_for_and_no_other(
    messages: list[Message], data: st.DataObject
) -> None:
    (talk, engine), place = _talk("default", messages), data.draw(st.integers(0, len(messages) - 1))
    plan = plan_for(talk, engine, budget_of(max(1, talk.view.tokens // 2), engine, talk.view), forced=True)
    assume(plan.acts)
    other = [*messages]
    other[place] = replace(messages[place], extra={**messages[place].extra, "own": "else"})
    pinned = [MessageInput(message, pinned=number == place) for number, message in enumerate(messages)]

    assert carry_out(conversation(messages, engine), plan, engine).plan == plan
    for changed in (other, pinned):
        with pytest.raises(Conflict, match="plan again"):
            carry_out(conversation(changed, engine), plan, engine)


def _written(messages: list[Message]) -> str:
    return "\n".join(map(repr, messages))
