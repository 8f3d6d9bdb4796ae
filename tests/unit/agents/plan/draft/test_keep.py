"""What stays, and for which reason."""

import pytest
from support.drafts import (
    BUDGET,
    POLICY,
    answer_with_words,
    assistant,
    calls,
    draft,
    exchange,
    result,
    system,
    take,
    user,
)

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.messages.part_text import response_text
from tailrace.agents.plan.draft.keep import ANCHORING_FRACTION, STRENGTH, KeepReason, plain_text
from tailrace.schemas.policy.policy import Keep, KeepRule, Policy
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseToolCalls,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    RemoveToolCalls,
    SlidingWindow,
    Summarize,
    ToolRetention,
    Truncate,
)
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import BlobPart, ReasoningPart, TextPart, ToolCallPart, ToolCallResponsePart

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}}


def kept(said: list[MessageInput], keep: Keep | None = None, arriving: int | None = None) -> dict[str, str]:
    """Reasons by the first message of each group that stays."""
    policy = POLICY if keep is None else Policy(keep=keep, steps=())
    one = draft(said, policy, arriving=arriving)
    return {group.ids[0]: group.kept for group in one.groups if group.kept}


def test_the_system_prompt_the_first_and_the_latest_user_message_and_the_newest_group_stay() -> None:
    talk = [system(), user(), assistant(), user(), assistant(), user(), assistant(), assistant()]

    assert kept(talk) == {
        "m0": KeepReason.SYSTEM,
        "m1": KeepReason.FIRST_USER,
        "m5": KeepReason.LATEST_USER,
        "m7": KeepReason.NEWEST,
    }


def test_a_policy_may_let_the_system_prompt_and_the_first_user_message_go() -> None:
    talk = [system(), user(), assistant(), user(), assistant()]

    assert kept(talk, Keep(system=False, first_user=False)).keys() == {"m3", "m4"}


@pytest.mark.parametrize("blank", [(), (TextPart(content=" "), TextPart(content="\n"))])
def test_a_blank_message_is_nobodys_first_or_latest_word(blank: tuple[TextPart, ...]) -> None:
    nothing = MessageInput(Message(role="user", parts=blank))
    talk = [nothing, user(), assistant(), user(), assistant(), nothing, assistant()]

    found = kept(talk)

    assert {found["m1"], found["m3"]} == {KeepReason.FIRST_USER, KeepReason.LATEST_USER}
    assert found.keys() == {"m1", "m3", "m6"}
    assert kept([nothing, assistant(), nothing, assistant()])["m2"] == KeepReason.LATEST_USER


def test_an_image_alone_is_a_latest_word() -> None:
    picture = MessageInput(
        Message(role="user", parts=(BlobPart(content="aaaa", modality="image", mime_type="image/png"),))
    )

    assert kept([user(), assistant(), picture, assistant()])["m2"] == KeepReason.LATEST_USER


def test_a_user_message_is_the_latest_before_it_is_the_first() -> None:
    assert kept([user(), assistant()])["m0"] == KeepReason.LATEST_USER


def test_a_result_that_travels_as_a_user_message_is_not_the_latest_user_message() -> None:
    answer = MessageInput(Message(role="user", parts=(ToolCallResponsePart(id="a", response="x"),)))

    assert kept([user(), assistant(), user(), calls("a"), answer, assistant()]).keys() == {"m0", "m2", "m5"}


def test_words_beside_results_are_what_the_person_said_last() -> None:
    talk = [user(), assistant(), user(), calls("a"), answer_with_words("a", 5, "stop"), assistant(), *exchange("b")]

    assert kept(talk) == {"m0": KeepReason.FIRST_USER, "m3": KeepReason.LATEST_USER, "m6": KeepReason.NEWEST}


def test_words_beside_a_late_result_were_said_last_wherever_they_stand() -> None:
    talk = [calls("a"), user(), assistant(), user(), answer_with_words("a", 5, "stop"), assistant()]

    assert kept(talk) == {"m0": KeepReason.LATEST_USER, "m1": KeepReason.FIRST_USER, "m5": KeepReason.NEWEST}


def test_a_call_that_waits_beside_words_is_kept_for_them_as_any_other() -> None:
    talk = [user(), calls("a", "b"), answer_with_words("a", 5, "go on"), user(), assistant()]

    assert kept(talk)["m1"] == KeepReason.OPEN_CALL


@pytest.mark.parametrize("place", ["first", "latest"])
def test_a_source_that_goes_first_is_neither_the_first_nor_the_latest_user_message(place: str) -> None:
    clock = user("it is noon", source="clock")
    talk = [clock, user(), assistant()] if place == "first" else [user(), assistant(), user(), clock, assistant()]

    reasons = kept(talk, Keep(sources={"clock": "drop"}))

    assert reasons[{"first": "m1", "latest": "m2"}[place]] == KeepReason.LATEST_USER
    assert {"first": "m0", "latest": "m3"}[place] not in reasons


def test_what_a_program_writes_in_a_user_s_name_is_not_what_the_user_said() -> None:
    talk = [user(source="program"), user(), assistant(), user(), user(source="program"), assistant()]

    assert kept(talk).keys() == {"m1", "m3", "m5"}


def test_what_is_pinned_stays() -> None:
    assert kept([user(), assistant(pinned=True), user(), assistant()])["m1"] == KeepReason.PINNED


def test_one_pinned_message_keeps_its_group() -> None:
    assert kept([user(), calls("a"), result("a", pinned=True), user(), assistant()])["m1"] == KeepReason.PINNED


def test_the_group_that_a_late_result_arrives_in_stays() -> None:
    talk = [user(), calls("a"), assistant(), user(), user(), user(), result("a"), assistant()]

    assert "m1" not in kept(talk)
    assert kept(talk, arriving=1)["m1"] == KeepReason.NEWEST


def test_a_call_without_a_result_keeps_its_group_for_some_turns_only() -> None:
    talk = [user(), calls("old"), user(), calls("recent"), user(), assistant()]

    assert kept(talk).get("m3") == KeepReason.OPEN_CALL
    assert "m1" not in kept(talk)


def test_an_answered_call_may_go() -> None:
    assert "m1" not in kept([user(), *exchange("a"), assistant()])


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("rag", KeepReason.SOURCE),
        ("human/chat", KeepReason.PROTECTED),
        ("scratch", None),
        ("other", None),
        (None, None),
    ],
)
def test_a_source_may_be_kept_or_protected(source: str | None, reason: KeepReason | None) -> None:
    keep = Keep(sources={"rag": "keep", "human/*": "protect", "scratch": "drop", "*g": "drop"})

    assert kept([user(), assistant(source=source), user(), assistant()], keep).get("m1") == reason


@pytest.mark.parametrize(
    ("rule", "stays"),
    [
        (KeepRule(role="assistant"), ["m1", "m2", "m4"]),
        (KeepRule(role="assistant", source="git*"), ["m4"]),
        (KeepRule(agent="planner/*"), ["m1"]),
        (KeepRule(tool="l*k"), ["m2"]),
        (KeepRule(tool="write"), []),
        (KeepRule(contains="a-1"), ["m2"]),
        (KeepRule(contains="a-1", role="assistant"), []),
    ],
)
def test_a_rule_keeps_what_meets_all_of_it(rule: KeepRule, stays: list[str]) -> None:
    talk = [
        user(),
        assistant(agent="planner/search"),
        *exchange("a", 2),
        assistant(source="github"),
        user(),
        user(),
    ]
    reasons = kept(talk, Keep(rules=(rule,)))

    assert [key for key, reason in reasons.items() if reason == KeepReason.RULE] == stays


def test_the_reason_is_the_one_that_gives_way_last() -> None:
    reasons = kept([user(pinned=True, source="rag"), user()], Keep(sources={"rag": "protect"}))

    assert reasons["m0"] == KeepReason.PROTECTED
    assert STRENGTH[0] is KeepReason.LATEST_USER


# Text of messages


def test_the_text_of_a_message_leaves_calls_and_media_out() -> None:
    parts = (
        ReasoningPart(content="thought"),
        TextPart(content="said"),
        ToolCallPart(id="a", name="look", arguments="{}"),
        BlobPart(content="aaaa", modality="image"),
    )
    one = draft([user(), MessageInput(Message(role="assistant", parts=parts))])

    assert plain_text(one.groups[1].items[0]) == "thought\nsaid"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (None, ""),
        ("plain", "plain"),
        ([{"type": "text", "text": "one"}, "two", {"type": "text", "text": "three"}], "one\ntwo\nthree"),
        ({"exit": 0}, '{"exit":0}'),
        ([{"type": "text", "text": "seen"}, IMAGE], "seen\n[image: not shown]"),
        ({"ok": True, "picture": "data:image/png;base64,aaaa"}, '{"ok":true,"picture":"[image: not shown]"}'),
    ],
)
def test_a_result_as_text_never_holds_the_bytes_of_media(response: object, expected: str) -> None:
    assert response_text(response) == expected


#: Results of this tool are what the rest rests on.
ANCHORS = Policy(steps=(), tools={"plan": ToolRule(durability=Durability.ANCHORING)})


def test_a_result_that_the_rest_rests_on_stays() -> None:
    talk = [user(), *exchange("a", tool="plan"), *exchange("b"), user(), assistant(), user(), assistant()]

    assert draft(talk, ANCHORS).groups[1].kept is KeepReason.ANCHORING
    assert draft(talk, ANCHORS).groups[2].kept is None


def test_of_more_such_results_than_there_is_room_for_the_newest_stay() -> None:
    room_tokens = int(BUDGET.limit_tokens * ANCHORING_FRACTION)
    talk = [user(), *(said for key in "abc" for said in exchange(key, room_tokens // 3, tool="plan")), user()]

    one = draft([*talk, assistant()], ANCHORS)

    assert [group.kept for group in one.groups[1:4]] == [None, KeepReason.ANCHORING, KeepReason.ANCHORING]


@pytest.mark.parametrize(
    "step",
    [
        PruneToolResults(protect_tokens=0, savings_tokens_min=0),
        CollapseToolCalls(keep_last=0),
        RemoveToolCalls(tools=("*",), keep_last=0),
        ExpireToolResults(default=ToolRetention(keep_turns=1)),
        Externalize(tokens_min=1, keep=()),
        SlidingWindow(groups=1),
        Summarize(keep=(), whole=True),
        Truncate(),
    ],
    ids=lambda step: type(step).__name__,
)
def test_no_step_takes_what_the_rest_rests_on_while_it_takes_all_others(step: AnyStep) -> None:
    talk = [user(), *exchange("a", 200, tool="plan"), *exchange("b", 200), user(), user(), assistant()]
    one = draft(talk, ANCHORS)
    one.target_tokens = one.tokens - 150
    before = {item.ids: item.message for group in one.groups[:3] for item in group.items}

    take(step, one)

    after = {item.ids: item.message for group in one.groups for item in group.items}
    assert after[("m1",)] == before[("m1",)]
    assert after[("m2",)] == before[("m2",)]
    assert after.get(("m4",)) != before[("m4",)]
