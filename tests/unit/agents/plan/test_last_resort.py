"""The last resort: even what is kept fits, in the order of the reasons, and nothing goes unmarked."""

import pytest
from support.drafts import (
    AROUND,
    AROUND_RESULT,
    POLICY,
    assistant,
    calls,
    count,
    draft,
    live,
    result,
    system,
    text,
    user,
    words,
)

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.last_resort import DROP_ORDER, fit_kept, make_room
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.tokens.counts import NO_RESULT_TOKENS
from tailrace.schemas.policy.policy import Keep, KeepRule, Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

#: One message of a thousand tokens for each reason to keep it, and what each is kept for.
SIZE = 1_000 - AROUND
KEPT: list[MessageInput] = [
    system(SIZE),
    user(SIZE),
    assistant(SIZE, pinned=True),
    assistant(SIZE, source="rag"),
    assistant(SIZE, source="human"),
    assistant(f"remember {words(SIZE - 1)}"),
    MessageInput(
        Message(role="assistant", parts=(TextPart(content=words(SIZE - 11)), ToolCallPart(id="open", name="look")))
    ),
    user(SIZE),
    assistant(SIZE),
]
ANCHOR = calls("anchor", tool="plan")
#: The same with one group that is kept only as long as there is room for it.
ALL_KEPT = [*KEPT[:2], ANCHOR, result("anchor", 1_000 - count(ANCHOR.message) - AROUND_RESULT), *KEPT[2:]]
REASONS = [
    KeepReason.SYSTEM,
    KeepReason.FIRST_USER,
    KeepReason.ANCHORING,
    KeepReason.PINNED,
    KeepReason.SOURCE,
    KeepReason.PROTECTED,
    KeepReason.RULE,
    KeepReason.OPEN_CALL,
    KeepReason.LATEST_USER,
    KeepReason.NEWEST,
]
KEEPING = Policy(
    steps=(),
    keep=Keep(sources={"rag": "keep", "human": "protect"}, rules=(KeepRule(contains="remember"),)),
    tools={"plan": ToolRule(durability=Durability.ANCHORING)},
)


def limited(said: list[MessageInput], limit_tokens: int, policy: Policy = POLICY) -> Draft:
    budget = TokenBudget(limit_tokens=limit_tokens, upper_tokens=limit_tokens, lower_tokens=limit_tokens // 2)
    return draft(said, policy, budget=budget)


def shortened(one: Draft) -> set[str]:
    return {str(group.kept) for group in one.groups for item in group.items if item.action is Action.EXTERNALIZE}


def test_every_reason_is_there_once() -> None:
    one = limited(ALL_KEPT, 10_000, KEEPING)

    assert [group.kept for group in one.groups] == REASONS
    # The last turns are kept only where all that is kept fits beside them, so they are never here.
    assert sorted([*REASONS, KeepReason.RECENT]) == sorted(KeepReason)


def test_what_fits_is_left_alone() -> None:
    one = limited(KEPT, 9_000 + NO_RESULT_TOKENS, KEEPING)

    assert fit_kept(one) is None
    assert not shortened(one)


def test_kept_messages_give_way_in_the_order_of_their_reasons() -> None:
    order = [str(reason) for reason in KeepReason if reason in REASONS]
    numbers = []
    # From 1,000 tokens each goes down to about 500 before the next one is touched; what was said last is not, as long
    # as others can give.
    for limit_tokens in range(9_900, 4_500, -200):
        one = limited(ALL_KEPT, limit_tokens, KEEPING)
        assert fit_kept(one) is None
        number = len(shortened(one))
        assert shortened(one) == set(order[:number])
        numbers.append(number)

    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, len(order)))
    assert order[-1] == KeepReason.LATEST_USER


def test_the_latest_user_message_gives_when_all_others_are_short() -> None:
    one = limited(KEPT, 1_500, KEEPING)

    assert fit_kept(one) is None
    assert shortened(one) == {str(group.kept) for group in one.groups}


@pytest.mark.parametrize("latest", [4_000, 6_000, 7_500, 7_800])
def test_what_a_person_said_last_stays_whole_where_it_fits_beside_all_others_made_short(latest: int) -> None:
    one = limited([system(1_500), assistant(600, pinned=True), user(latest), calls("a"), result("a", 1_800)], 8_000)
    kept = {group.kept: group for group in one.groups}

    make_room(one, 0.7)
    assert fit_kept(one) is None

    assert 0.65 * 8_000 < one.tokens <= 8_000
    assert shortened(one)
    whole = kept[KeepReason.LATEST_USER].tokens == latest + AROUND
    assert whole == (latest < 7_800)


def test_results_that_came_with_the_latest_words_give_before_anything_else_is_cut() -> None:
    spoken = MessageInput(
        Message(
            role="user",
            parts=(ToolCallResponsePart(id="a", response=words(3_000)), TextPart(content="and stop after this")),
        )
    )
    one = limited([system(900), user(300), calls("a"), spoken], 2_000)

    assert fit_kept(one) is None

    assert shortened(one) == {KeepReason.LATEST_USER}
    assert one.groups[-1].items[-1].message.parts[-1] == TextPart(content="and stop after this")


def test_words_outlast_more_calls_and_results_than_fit() -> None:
    ids = [f"call_{number}" for number in range(60)]
    results = tuple(ToolCallResponsePart(id=call_id, response="fine") for call_id in ids)
    spoken = MessageInput(Message(role="user", parts=(*results, TextPart(content="never touch the upper weir"))))
    one = limited([system("be brief"), user("begin"), calls(*ids), spoken], 120)

    assert fit_kept(one) is None

    assert one.tokens <= 120
    latest = one.groups[-1]
    assert (latest.kept, latest.ids) == (KeepReason.LATEST_USER, ("m2", "m3"))
    assert [part.content for part in latest.items[0].message.parts if isinstance(part, TextPart)] == [
        "never touch the upper weir",
        "[2 messages left out; tools used: look]",
    ]
    assert {group.kept for group in one.groups} >= {KeepReason.SYSTEM, KeepReason.FIRST_USER}


@pytest.mark.parametrize("limit_tokens", [8_900, 5_000, 2_000, 600, 300])
def test_whatever_the_limit_it_fits_and_all_that_was_cut_is_marked_and_named(limit_tokens: int) -> None:
    one = limited(KEPT, limit_tokens, KEEPING)
    originals = {key: item.original for group in one.groups for item in group.items for key in item.ids}

    assert fit_kept(one) is None

    assert one.tokens <= limit_tokens
    cut = [item for group in one.groups for item in group.items if item.action is Action.EXTERNALIZE]
    assert cut
    for item in cut:
        name = artifact_id(originals[item.ids[0]])
        assert item.artifact_id == name
        assert name in str(item.message.parts)
        assert item.reason.startswith("kept (")


def test_nothing_goes_while_shortening_is_enough() -> None:
    one = limited(KEPT, 700, KEEPING)

    fit_kept(one)

    assert live(one) == [f"m{number}" for number in range(len(KEPT))]


def test_when_shortening_is_not_enough_kept_groups_go_and_the_latest_user_message_last() -> None:
    talk = [system(30), user(30), assistant(30, pinned=True), user(30), assistant(30)]
    gone = []
    for limit_tokens in (169, 135, 101, 67):
        one = limited(talk, limit_tokens)
        kept = {group.ids: group.kept for group in one.groups}
        assert fit_kept(one) is None
        standing = [item.ids for group in one.groups for item in group.items if item.action is Action.INCLUDE]
        gone.append({reason for ids, reason in kept.items() if ids not in standing})

    order = [reason for reason in DROP_ORDER if reason in gone[-1]]
    assert gone == [set(order[:number]) for number in (1, 2, 3, 4)]
    assert DROP_ORDER[-1] is KeepReason.LATEST_USER
    assert standing == [("m3",)]


def test_the_larger_of_two_gives_first() -> None:
    one = limited([user(), assistant(300, pinned=True), assistant(600, pinned=True), user()], 700)

    fit_kept(one)

    assert [item.action for group in one.groups for item in group.items][1:3] == [Action.INCLUDE, Action.EXTERNALIZE]


def test_a_shortened_result_still_answers_its_call() -> None:
    one = limited([user(), calls("a"), result("a", 5_000)], 600)

    assert fit_kept(one) is None

    answer = one.groups[1].items[1]
    assert answer.message.answered_ids == ("a",)
    assert text(answer.message).startswith("a-0 a-1")
    assert text(answer.message).endswith("a-4999")


def test_a_single_message_that_nothing_can_shorten_is_reported() -> None:
    one = limited([user(10)], 5)

    assert fit_kept(one) == "14 tokens are left and can't be made smaller; the limit is 5"
    assert live(one) == ["m0"]


def test_that_nothing_can_be_sent_is_said() -> None:
    ids = [f"call_{number}" for number in range(30)]
    one = limited([system("be brief"), calls(*ids), *(result(call_id, 8) for call_id in ids)], 12)

    reason = fit_kept(one)

    assert reason is not None
    assert "nothing but the system prompt fits 12 tokens" in reason


# More calls and results than fit

SERVICES = [f"call_{number}" for number in range(40)]
PARALLEL = [
    system("be brief"),
    user("move all services"),
    calls(*SERVICES, tool="write_file", arguments={"path": "svc"}),
    *(result(call_id, 50) for call_id in SERVICES),
]


@pytest.mark.parametrize("limit_tokens", [1_500, 900, 600, 300, 120, 40])
def test_of_more_calls_than_fit_something_is_told(limit_tokens: int) -> None:
    one = limited(PARALLEL, limit_tokens)

    assert fit_kept(one) is None

    assert one.tokens <= limit_tokens
    assert not one.dropped
    assert [group.kept for group in one.groups] == [KeepReason.SYSTEM, KeepReason.LATEST_USER, KeepReason.NEWEST]
    (told,) = one.groups[-1].items
    assert (told.message.role, told.message.call_ids, told.message.answered_ids) == ("assistant", (), ())
    assert "write_file" in text(told.message)
    assert told.ids == tuple(f"m{number}" for number in range(2, 43))
    assert told.artifact_ids == tuple(dict.fromkeys(artifact_id(said.message) for said in PARALLEL[2:]))


def test_the_more_room_there_is_the_more_is_told_of_them() -> None:
    shown = []
    for limit_tokens in (40, 200, 500, 900):
        one = limited(PARALLEL, limit_tokens)
        fit_kept(one)
        shown.append(text(one.groups[-1].items[0].message))

    assert shown[0] == "[41 messages left out; tools used: write_file]"
    assert shown[1].startswith("[Tool results: ")
    assert "earlier calls of write_file; write_file(" in shown[1]
    assert shown[1].count("->") < shown[2].count("->") <= shown[3].count("->") == 40
    assert "(all of it: artifact:" in shown[3]


def test_what_tells_of_calls_takes_no_room_that_other_kept_messages_need() -> None:
    one = limited([system(1_500), *PARALLEL[1:]], 2_000)
    make_room(one, 0.7)

    assert fit_kept(one) is None

    assert one.groups[-1].tokens <= 600
    assert one.groups[0].items[0].action is Action.EXTERNALIZE


def test_a_pinned_group_of_calls_is_told_after_the_newest() -> None:
    pinned = [calls("p", tool="plan", pinned=True), result("p", 40)]
    for limit_tokens, told in ((80, {KeepReason.NEWEST}), (50, {KeepReason.NEWEST, KeepReason.PINNED})):
        one = limited([user("go"), *pinned, *PARALLEL[1:]], limit_tokens)

        assert fit_kept(one) is None

        assert {group.kept for group in one.groups if group.items[0].artifact_ids} == told


def test_words_of_a_person_beside_results_do_not_become_the_assistants() -> None:
    answers = tuple(ToolCallResponsePart(id=call_id, response="fine") for call_id in SERVICES)
    spoken = MessageInput(Message(role="user", parts=(*answers, TextPart(content="leave the weir alone"))), pinned=True)
    one = limited([user("go"), calls(*SERVICES), spoken, user("and now"), assistant()], 60)

    assert fit_kept(one) is None

    assert not any(
        "weir" in str(item.message) for group in one.groups for item in group.items if item.message.role == "assistant"
    )


# The words of the latest user give way last


def beside_results(number: int, said: str, *, pinned: bool = False) -> list[MessageInput]:
    """A call with small arguments, and a message with its result and what a person typed beside it."""
    key = f"k{number}"
    parts = (ToolCallResponsePart(id=key, response=words(60, key)), TextPart(content=said))
    return [calls(key, arguments={"at": words(12)}), MessageInput(Message(role="user", parts=parts), pinned=pinned)]


@pytest.mark.parametrize(
    "said", ["stop the pump", "nie wieder ohne Handschuhe", "only the blue ones please", "停", "no"]
)
@pytest.mark.parametrize("limit_tokens", [60, 90, 120, 150, 200, 260])
@pytest.mark.parametrize("pins", [0, 1, 2])
def test_few_words_beside_results_outlast_calls_results_and_pins(said: str, limit_tokens: int, pins: int) -> None:
    earlier = [one for number in range(2) for one in beside_results(number, "go on", pinned=number < pins)]
    one = limited([user("begin"), *earlier[: 2 * pins], *beside_results(9, said)], limit_tokens)
    make_room(one, 0.7)

    assert fit_kept(one) is None

    assert one.tokens <= limit_tokens
    latest = next(group for group in one.groups if group.kept is KeepReason.LATEST_USER)
    assert TextPart(content=said) in [part for item in latest.items for part in item.message.parts]


@pytest.mark.parametrize("size", [200, 500, 900])
def test_many_words_beside_results_give_way_too(size: int) -> None:
    one = limited([user("begin"), *beside_results(1, words(size, "said"))], 150)
    make_room(one, 0.7)

    assert fit_kept(one) is None
    assert 60 < one.tokens <= 150
    assert "said0 said1" in str([item.message.parts for group in one.groups for item in group.items])
