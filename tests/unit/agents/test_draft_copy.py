"""A copy of a draft is the same and shares nothing that can be changed."""

from typing import Any

from tailrace.agents.budget import TokenBudget
from tailrace.agents.draft import Draft
from tailrace.agents.draft_copy import copy_of
from tailrace.agents.draft_groups import draft_groups
from tailrace.agents.offline import conversation
from tailrace.agents.proposal import Proposal
from tailrace.agents.thread import Engine
from tailrace.schemas.compaction import Action
from tailrace.schemas.message import Message
from tailrace.schemas.parts import TextPart, ToolCallPart
from tailrace.schemas.policy import Policy


def draft() -> Draft:
    """A question, a call with an object for arguments, and an answer that is already a pointer."""
    call = ToolCallPart(id="c", name="look", arguments={"at": ["here"]})
    messages = [
        Message(role="user", parts=(TextPart(content="a"),)),
        Message(role="assistant", parts=(call,)),
        Message(role="user", parts=(TextPart(content="b"),), extra={"tags": []}),
    ]
    said = conversation(messages, Engine(Policy(), lambda _message, _model: 10))
    made = Draft(
        groups=draft_groups(said.view.entries.values()),
        budget=TokenBudget(100, 80, 60),
        target_tokens=60,
        count=lambda _message: 1,
        tokens=30,
        before_tokens=30,
    )
    made.execute(Proposal(Action.CLEAR, ("m2",), "shorter", Message(role="user", extra={"tags": []})), "test")
    return made


def said(one: Draft) -> list[Any]:
    return [[item.ids, item.tokens, item.action, item.message] for group in one.groups for item in group.items]


def test_a_copy_says_the_same() -> None:
    original = draft()
    copy = copy_of(original)
    assert said(copy) == said(original)
    assert (copy.tokens, copy.budget, copy.overlaps) == (original.tokens, original.budget, original.overlaps)


def test_what_is_inside_of_messages_is_not_shared() -> None:
    original = draft()
    before = repr(said(original))
    copy = copy_of(original)
    for group in copy.groups:
        for item in group.items:
            for part in item.message.parts:
                if isinstance(part, ToolCallPart):
                    part.arguments["at"].append("there")
            item.message.extra.get("tags", []).append("x")
    assert repr(said(copy)) != before
    assert repr(said(original)) == before


def test_proposals_can_be_tried_on_a_copy() -> None:
    original = draft()
    copy = copy_of(original)
    assert copy.execute(Proposal(Action.DROP, ("m0",), "try"), "try") == 10
    assert (len(copy.groups), len(original.groups)) == (2, 3)
    assert original.tokens == 21
