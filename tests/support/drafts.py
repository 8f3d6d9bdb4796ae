"""Drafts for tests.

A short conversation in, a draft or a plan out, counted by words so that sums can be done by hand.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import MessageInput, conversation
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.planner import draft_of
from tailrace.agents.plan.situation import Situation
from tailrace.agents.plan.steps.registry import propose, step_name
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import AnyStep
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

#: What a message of so many words costs beside them: three marks and its role.
AROUND = 4
#: And what stands around a result, beside its words.
AROUND_RESULT = 12

BUDGET = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)
#: Takes no step of its own.
POLICY = Policy(name="test", steps=())


@dataclass(frozen=True, slots=True)
class Words:
    """Counts words."""

    encoding: str = "words"

    def count_text(self, text: str) -> int:
        return len(text.split())


def count(message: Message, _model: str | None = None) -> int:
    """Tokens of a message whose text counts by words."""
    return count_message(message, Words())


def words(number: int, stem: str = "word") -> str:
    """Text of so many words."""
    return " ".join(f"{stem}{place}" for place in range(number))


def says(role: str, text: str | int, **fields: Any) -> MessageInput:
    """A message of this text, or of so many words."""
    content = words(text, role) if isinstance(text, int) else text
    return MessageInput(Message(role=role, parts=(TextPart(content=content),)), **fields)


def user(text: str | int = 1, **fields: Any) -> MessageInput:
    return says("user", text, **fields)


def assistant(text: str | int = 1, **fields: Any) -> MessageInput:
    return says("assistant", text, **fields)


def system(text: str | int = 1, **fields: Any) -> MessageInput:
    return says("system", text, **fields)


def calls(*call_ids: str, tool: str = "look", arguments: Any = None, **fields: Any) -> MessageInput:
    """An assistant message that makes these calls, with arguments as JSON text where they are an object."""
    written = json.dumps(arguments or {}) if not isinstance(arguments, str) else arguments
    parts = tuple(ToolCallPart(id=call_id, name=tool, arguments=written) for call_id in call_ids)
    return MessageInput(Message(role="assistant", parts=parts), **fields)


def result(call_id: str, response: Any = 1, **fields: Any) -> MessageInput:
    """The answer to a call: a number of words, a text, or whatever a tool may answer."""
    content = words(response, f"{call_id}-") if isinstance(response, int) else response
    return MessageInput(Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=content),)), **fields)


def answer_with_words(call_id: str, response: Any, said: str, **fields: Any) -> MessageInput:
    """A result and what a person typed beside it, in one message, as some providers want it."""
    content = words(response, f"{call_id}-") if isinstance(response, int) else response
    parts = (ToolCallResponsePart(id=call_id, response=content), TextPart(content=said))
    return MessageInput(Message(role="user", parts=parts), **fields)


def exchange(call_id: str, response: Any = 1, **fields: Any) -> list[MessageInput]:
    """A call and its answer."""
    return [calls(call_id, **fields), result(call_id, response)]


def situation(said: Sequence[MessageInput], policy: Policy = POLICY, **fields: Any) -> Situation:
    """The messages, named m0, m1 and so on, in need of a plan."""
    talk = conversation(said, Engine(policy, count))
    assert not talk.refused
    made = Situation(entries=talk.view.live(), budget=BUDGET, policy=policy, count=count, version=talk.view.version)
    return replace(made, **fields)


def draft(said: Sequence[MessageInput], policy: Policy = POLICY, **fields: Any) -> Draft:
    """A draft of the messages."""
    return draft_of(situation(said, policy, **fields))


def take(step: AnyStep, draft: Draft) -> Draft:
    """The same draft after a step of the policy."""
    for proposal in propose(step, draft, {}):
        draft.execute(proposal, step_name(step))
    return draft


def shown(draft: Draft) -> list[Message]:
    """The messages as the plan leaves them."""
    return [item.message for group in draft.groups for item in group.items]


def live(draft: Draft) -> list[str]:
    """Ids that are still there, as themselves or as part of what stands for them."""
    return [key for group in draft.groups for key in group.ids]


def text(message: Message) -> str:
    """Text of a message of one part."""
    (part,) = message.parts
    if isinstance(part, ToolCallResponsePart):
        return str(part.response)
    content = getattr(part, "content", None)
    assert isinstance(content, str)
    return content


def texts(draft: Draft) -> list[str]:
    """Texts of the messages as the plan leaves them; empty for calls."""
    return ["" if message.call_ids else text(message) for message in shown(draft)]
