"""Retention of tool results, by age and by number, for each tool."""

import msgspec
import pytest
from support.drafts import assistant, calls, draft, exchange, result, shown, take, texts, user

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.wording import POINTER_PREFIX
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.steps import ExpireToolResults, ToolRetention
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import ToolCallResponsePart

STUB = "[result expired]"
#: Four turns with one result each, and a prompt that is not answered yet.
TALK = [user(), *(said for key in "abcd" for said in [*exchange(key, 20), user()])]


def expired(one: Draft) -> list[str]:
    return [item.ids[0] for group in one.groups for item in group.items if item.action is Action.CLEAR]


def keeping(keep_turns: int | None = None, keep_last: int | None = None) -> ExpireToolResults:
    return ExpireToolResults(default=ToolRetention(keep_turns=keep_turns, keep_last=keep_last))


@pytest.mark.parametrize(
    ("step", "gone"),
    [
        (keeping(keep_turns=4), ["m2"]),
        (keeping(keep_turns=2), ["m2", "m5", "m8"]),
        (keeping(keep_turns=1), ["m2", "m5", "m8", "m11"]),
        (keeping(keep_last=1), ["m2", "m5", "m8"]),
        (keeping(keep_last=3), ["m2"]),
        (keeping(keep_turns=4, keep_last=2), ["m2", "m5"]),
        (keeping(), []),
    ],
)
def test_a_result_stays_for_its_turns_or_among_the_last(step: ExpireToolResults, gone: list[str]) -> None:
    assert expired(take(step, draft(TALK))) == gone


def test_the_call_stays_and_the_stub_answers_it() -> None:
    one = take(keeping(keep_turns=1), draft(TALK))

    assert shown(one)[1] == TALK[1].message
    assert (shown(one)[2].answered_ids, texts(one)[2]) == (("a",), STUB)


def test_a_preview_of_both_ends_stands_in_front_of_the_stub() -> None:
    step = ExpireToolResults(default=ToolRetention(keep_turns=1), preview_chars=12, stub="[gone]")

    assert texts(take(step, draft(TALK)))[2] == "a-0 a-1 \n[...]\na-19\n[gone]"


def test_a_result_hardly_longer_than_its_stub_stays() -> None:
    step = ExpireToolResults(default=ToolRetention(keep_turns=1), stub="x " * 40)

    assert expired(take(step, draft(TALK))) == []


def test_tools_have_retentions_of_their_own_and_some_never_expire() -> None:
    talk = [user()]
    for key, tool in zip("abcdef", ["git_log", "git_log", "read", "read", "other", "other"], strict=True):
        talk += [*exchange(key, 20, tool=tool), user()]
    step = ExpireToolResults(
        default=ToolRetention(keep_turns=1),
        tools={"git_*": ToolRetention(keep_last=1), "*": ToolRetention(keep_turns=2)},
        never_evict=("r*d",),
    )

    assert expired(take(step, draft(talk))) == ["m2", "m14"]


def test_what_is_kept_stays_but_counts() -> None:
    talk = [user(), *exchange("a", 20), *exchange("b", 20), calls("c"), result("c", 20, pinned=True), assistant()]

    assert expired(take(keeping(keep_last=1), draft(talk))) == ["m2", "m4"]


def test_a_late_result_is_as_old_as_its_arrival() -> None:
    talk = [user(), calls("a"), user(), user(), user(), result("a", 20), assistant()]

    assert expired(take(keeping(keep_turns=2), draft(talk))) == []


def test_results_in_one_message_expire_each_by_its_tool_and_show_their_own_beginning() -> None:
    parts = (calls("a"), calls("b"), calls("c", tool="read"))
    made = Message(role="assistant", parts=tuple(part for said in parts for part in said.message.parts))
    answers = tuple(ToolCallResponsePart(id=key, response=f"{key} " * 30) for key in "abc")
    talk = [user(), MessageInput(made), MessageInput(Message(role="user", parts=answers)), user(), user()]
    step = ExpireToolResults(default=ToolRetention(keep_turns=1), never_evict=("read",), preview_chars=4)

    one = take(step, draft(talk))

    responses = [getattr(part, "response", None) for part in shown(one)[2].parts]
    assert responses == [f"a \n[...]\na \n{STUB}", f"b \n[...]\nb \n{STUB}", answers[2].response]


def test_an_expired_result_does_not_expire_again() -> None:
    step = ExpireToolResults(default=ToolRetention(keep_turns=1), preview_chars=60)
    talk = [user(), *exchange("a", f"ab\n{'x ' * 30}\n{STUB}"), user(), user()]

    assert expired(take(step, draft(talk))) == []


def test_a_result_that_others_have_claimed_is_left_to_them() -> None:
    one = draft(TALK)
    longer = Message(role="tool", parts=(ToolCallResponsePart(id="a", response="claimed by somebody else"),))
    one.execute(Proposal(Action.CLEAR, ("m2",), "mine", longer), "other")

    take(keeping(keep_turns=1), one)

    assert shown(one)[2] == longer
    assert not one.overlaps


def durable(one: Draft, **durabilities: Durability) -> Draft:
    """The draft, with results as durable as that, by the ids of their messages."""
    for group in one.groups:
        for item in group.items:
            if item.entry.id in durabilities:
                item.entry = msgspec.structs.replace(item.entry, durability=durabilities[item.entry.id])
    return one


def test_what_everything_rests_on_stays_but_counts_among_the_last() -> None:
    anchored = {"m2": Durability.ANCHORING, "m11": Durability.ANCHORING}

    assert expired(take(keeping(keep_turns=1), durable(draft(TALK), **anchored))) == ["m5", "m8"]
    assert expired(take(keeping(keep_last=2), durable(draft(TALK), **anchored))) == ["m5"]


def test_what_holds_only_for_the_moment_goes_with_its_turn_whatever_its_tool_is_given() -> None:
    step = ExpireToolResults(default=ToolRetention(), tools={"look": ToolRetention(keep_turns=9)})

    assert expired(take(step, durable(draft(TALK), m5=Durability.EPHEMERAL))) == ["m5"]


def test_what_is_never_evicted_stays_even_where_it_holds_only_for_the_moment() -> None:
    step = ExpireToolResults(default=ToolRetention(keep_turns=1), never_evict=("look",))

    assert expired(take(step, durable(draft(TALK), m5=Durability.EPHEMERAL))) == []


def test_what_can_not_be_had_again_never_becomes_less_than_a_pointer() -> None:
    talk = [user(), *exchange("a", 60), user(), user()]
    one = take(keeping(keep_turns=1), durable(draft(talk), m2=Durability.NON_REPLAYABLE))

    name = artifact_id(talk[2].message)
    item = one.groups[1].items[1]
    assert (item.action, item.artifact_id) == (Action.EXTERNALIZE, name)
    pointer, _, stub = texts(one)[2].partition("\n")
    assert pointer.startswith(POINTER_PREFIX.format(artifact_id=name))
    assert f'read_artifact("{name}")' in pointer
    assert stub == STUB
    assert shown(one)[2].answered_ids == ("a",)


def test_what_the_same_call_brings_again_is_cleared() -> None:
    assert "m2" in expired(take(keeping(keep_turns=1), durable(draft(TALK), m2=Durability.REPLAYABLE)))
