"""Calls of some tools go with their results, but for the last few."""

import pytest
from support.drafts import assistant, calls, draft, exchange, live, result, take, user

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.steps.registry import propose
from tailrace.schemas.policy.steps import RemoveToolCalls
from tailrace.schemas.records.message import Message

TALK = [user()]
for _key, _tool in zip("abcd", ["git_log", "read", "git_diff", "git_log"], strict=True):
    TALK += exchange(_key, 10, tool=_tool)
TALK += [assistant()]
ALL = [f"m{number}" for number in range(len(TALK))]


@pytest.mark.parametrize(
    ("step", "gone"),
    [
        (RemoveToolCalls(keep_last=0), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]),
        (RemoveToolCalls(), ["m1", "m2", "m3", "m4", "m5", "m6"]),
        (RemoveToolCalls(keep_last=5), []),
        (RemoveToolCalls(tools=("git_*",)), ["m1", "m2", "m5", "m6"]),
        (RemoveToolCalls(tools=("git_*",), keep_last=2), ["m1", "m2"]),
        (RemoveToolCalls(tools=("write", "read"), keep_last=0), ["m3", "m4"]),
        (RemoveToolCalls(tools=()), []),
    ],
)
def test_groups_that_call_only_these_tools_go_but_for_the_last(step: RemoveToolCalls, gone: list[str]) -> None:
    assert live(take(step, draft(TALK))) == [key for key in ALL if key not in gone]


def test_a_group_that_calls_another_tool_too_stays() -> None:
    parts = calls("a", tool="read").message.parts + calls("b", tool="write").message.parts
    talk = [user(), MessageInput(Message(role="assistant", parts=parts)), result("a"), result("b"), assistant()]

    assert len(live(take(RemoveToolCalls(tools=("read",), keep_last=0), draft(talk)))) == len(talk)


def test_what_is_kept_stays_but_counts_as_one_of_the_last() -> None:
    talk = [user(), *exchange("a"), *exchange("b"), calls("c"), result("c", pinned=True), assistant()]

    assert live(take(RemoveToolCalls(), draft(talk))) == ["m0", "m5", "m6", "m7"]


def test_it_is_one_proposal_however_many_go() -> None:
    assert len(propose(RemoveToolCalls(keep_last=0), draft(TALK), {})) == 1
