"""Old groups of calls become one short message each."""

import msgspec
from support.drafts import (
    POLICY,
    assistant,
    calls,
    draft,
    exchange,
    live,
    result,
    shown,
    take,
    text,
    texts,
    user,
    words,
)

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.schemas.policy.steps import CollapseToolCalls
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

STEP = CollapseToolCalls(result_chars_max=20)


def test_a_group_becomes_one_message_that_names_tools_arguments_and_results() -> None:
    talk = [
        user(),
        calls("a", "b", tool="grep", arguments={"for": "needle"}),
        result("a", "found\nin  three places, all of them far away"),
        result("b", "nothing"),
        *exchange("c", 50),
        assistant(),
    ]

    one = take(STEP, draft(talk))

    assert [group.ids for group in one.groups[:3]] == [("m0",), ("m1", "m2", "m3"), ("m4", "m5")]
    message = shown(one)[1]
    assert message.role == "assistant"
    assert text(message) == (
        '[Tool results: grep({"for": "needle"}) -> found in three plac...; grep({"for": "needle"}) -> nothing]'
    )
    item = one.groups[1].items[0]
    assert item.action is Action.SUMMARIZE
    assert not one.groups[1].is_summary


def test_the_last_groups_stay() -> None:
    talk = [user(), *(said for key in "abcd" for said in exchange(key, 50)), assistant()]

    for keep_last, collapsed in ((0, 4), (1, 3), (3, 1), (5, 0)):
        one = take(CollapseToolCalls(keep_last=keep_last), draft(talk))
        assert sum(found.startswith("[Tool results: ") for found in texts(one)) == collapsed


def test_what_the_assistant_said_beside_its_call_stays() -> None:
    call = Message(role="assistant", parts=(TextPart(content="I look."), ToolCallPart(id="a", name="look")))
    talk = [user(), MessageInput(call), result("a", 50), *exchange("b"), assistant()]

    assert texts(take(STEP, draft(talk)))[1].startswith("I look.\n[Tool results: look(")


def test_what_a_person_said_beside_a_result_does_not_become_the_assistants() -> None:
    answer = Message(
        role="user", parts=(ToolCallResponsePart(id="a", response=words(99)), TextPart(content="And hurry up"))
    )
    talk = [user(), calls("a"), MessageInput(answer), *exchange("b"), assistant()]

    assert shown(take(STEP, draft(talk))) == [said.message for said in talk]


def test_what_is_kept_stays() -> None:
    talk = [user(), calls("a"), result("a", 50, pinned=True), *exchange("b"), assistant()]

    assert shown(take(STEP, draft(talk))) == [said.message for said in talk]


def test_a_call_that_nobody_answered_says_so() -> None:
    talk = [user(), calls("a", arguments={"at": words(30)}), user(), user(), *exchange("b"), user()]

    one = take(STEP, draft(talk))

    assert texts(one)[1].endswith("...) -> no result]")
    assert live(one) == [f"m{number}" for number in range(len(talk))]


def test_an_empty_result_says_so() -> None:
    talk = [user(), calls("a"), result("a", ""), *exchange("b"), assistant()]

    assert texts(take(STEP, draft(talk)))[1] == "[Tool results: look({}) -> empty]"


def test_a_cut_result_that_no_call_brings_again_says_where_it_is() -> None:
    policy = msgspec.structs.replace(POLICY, tools={"send": ToolRule(durability=Durability.NON_REPLAYABLE)})
    talk = [user(), *exchange("a", 500, tool="send"), *exchange("b", 1, tool="send"), *exchange("c", 500), assistant()]

    one = take(CollapseToolCalls(keep_last=0), draft(talk, policy))

    whole = f"(all of it: artifact:{artifact_id(talk[2].message)})]"
    assert [said.endswith(whole) for said in texts(one)[1:4]] == [True, False, False]
    assert ["artifact:" in said for said in texts(one)[1:4]] == [True, False, False]
