"""Pruning: the newest results are protected, and it must be worth it."""

import msgspec
from support.drafts import AROUND_RESULT, POLICY, assistant, calls, draft, exchange, result, take, text, texts, user

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.wording import PRUNED_PREFIX, pointer_text
from tailrace.agents.plan.draft.draft import Draft
from tailrace.schemas.policy.steps import PruneToolResults
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart

HUNDRED = 100 - AROUND_RESULT
#: Five results of a hundred tokens each.
TALK = [user(), *(said for key in "abcde" for said in exchange(key, HUNDRED)), assistant()]
STEP = PruneToolResults(protect_tokens=200, savings_tokens_min=150)


def pruned(one: Draft) -> list[str]:
    return [
        item.ids[0]
        for group in one.groups
        for item in group.items
        if item.entry.answers and PRUNED_PREFIX in str(item.message.parts)
    ]


def test_everything_beyond_the_newest_results_goes_and_says_how_much_it_was() -> None:
    one = take(STEP, draft(TALK))

    assert pruned(one) == ["m2", "m4", "m6"]
    assert texts(one)[2] == "[Pruned - 100 tokens]"


def test_it_leaves_no_record() -> None:
    one = take(STEP, draft(TALK))

    items = [item for group in one.groups for item in group.items if item.action is not Action.INCLUDE]
    assert {(item.action, item.recorded) for item in items} == {(Action.CLEAR, False)}


def test_a_result_that_is_only_partly_protected_goes() -> None:
    step = PruneToolResults(protect_tokens=199, savings_tokens_min=0)

    assert pruned(take(step, draft(TALK))) == ["m2", "m4", "m6", "m8"]


def test_nothing_goes_where_too_little_would_be_saved() -> None:
    # A note costs 16 of the 100 tokens.
    assert pruned(take(PruneToolResults(protect_tokens=200, savings_tokens_min=252), draft(TALK))) == ["m2", "m4", "m6"]
    assert pruned(take(PruneToolResults(protect_tokens=200, savings_tokens_min=253), draft(TALK))) == []


def test_results_of_protected_tools_are_never_pruned_and_take_no_room() -> None:
    talk = [user()]
    for key, tool in zip("abcde", ["look", "read", "look", "skill_x", "look"], strict=True):
        talk += exchange(key, HUNDRED, tool=tool)
    step = PruneToolResults(protect_tokens=100, savings_tokens_min=0, protected_tools=("read", "skill*"))

    assert pruned(take(step, draft([*talk, assistant()]))) == ["m2", "m6"]


def test_what_is_kept_stays_and_takes_no_room() -> None:
    talk = [
        user(),
        *exchange("a", HUNDRED),
        calls("b"),
        result("b", HUNDRED, pinned=True),
        *exchange("c", HUNDRED),
        user(),
    ]
    step = PruneToolResults(protect_tokens=100, savings_tokens_min=0)

    assert pruned(take(step, draft(talk))) == ["m2"]


def test_a_result_that_is_shorter_than_the_note_stays() -> None:
    talk = [user(), *exchange("a", 2), *exchange("b", HUNDRED), assistant()]

    assert pruned(take(PruneToolResults(protect_tokens=0, savings_tokens_min=0), draft(talk))) == ["m4"]


def test_results_of_the_last_turns_may_stay() -> None:
    talk = [user(), *exchange("a", HUNDRED), user(), *exchange("b", HUNDRED), user(), *exchange("c", HUNDRED), user()]
    step = PruneToolResults(protect_tokens=0, savings_tokens_min=0, keep_turns=2)

    assert pruned(take(step, draft(talk))) == ["m2", "m5"]


def test_of_several_results_in_one_message_the_protected_stays_and_each_says_its_own_size() -> None:
    answers = tuple(ToolCallResponsePart(id=key, response="word " * HUNDRED) for key in "ab")
    made = Message(role="assistant", parts=calls("a").message.parts + calls("b", tool="read").message.parts)
    talk = [user(), MessageInput(made), MessageInput(Message(role="tool", parts=answers)), assistant()]

    one = take(PruneToolResults(protect_tokens=0, savings_tokens_min=0), draft(talk))

    first, second = one.groups[1].items[1].message.parts
    assert isinstance(first, ToolCallResponsePart)
    assert first.response == "[Pruned - 100 tokens]"
    assert second == answers[1]


def test_what_was_pruned_before_is_left_alone() -> None:
    talk = [user(), *exchange("a", "[Pruned - 12,345,678 tokens] once more"), assistant()]
    one = take(PruneToolResults(protect_tokens=0, savings_tokens_min=0), draft(talk))

    assert text(one.groups[1].items[1].message) == "[Pruned - 12,345,678 tokens] once more"
    assert one.groups[1].items[1].action is Action.INCLUDE


def test_what_no_call_brings_again_says_where_it_is() -> None:
    rule = ToolRule(durability=Durability.NON_REPLAYABLE)
    policy = msgspec.structs.replace(POLICY, tools={"send": rule})
    talk = [user(), *exchange("a", HUNDRED, tool="send"), *exchange("b", HUNDRED), assistant()]

    one = take(PruneToolResults(protect_tokens=0, savings_tokens_min=0), draft(talk, policy))

    name = artifact_id(talk[2].message)
    item = one.groups[1].items[1]
    assert (item.action, item.artifact_id, item.recorded) == (Action.EXTERNALIZE, name, False)
    assert texts(one)[2] == f"[Pruned - 100 tokens]\n{pointer_text(name, 100)}"
    assert texts(one)[4] == "[Pruned - 100 tokens]"
    again = take(PruneToolResults(protect_tokens=0, savings_tokens_min=0), one)
    assert texts(again)[2] == f"[Pruned - 100 tokens]\n{pointer_text(name, 100)}"
