"""A draft carries proposals out, and refuses what would break a promise."""

from itertools import product

import msgspec
import pytest
from support.drafts import AROUND, assistant, calls, draft, exchange, live, result, text, user

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import PRECEDENCE
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.errors import Nonsense
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, TextPart, ToolCallPart, ToolCallResponsePart

#: m0, m4 and m5 are kept: the first and latest user message, and the newest group.
TALK = [user(), assistant(20), *exchange("a", 30), user(), assistant()]


def said(content: str = "short") -> Message:
    return Message(role="assistant", parts=(TextPart(content=content),))


def summary() -> Message:
    return Message(role="assistant", parts=(CompactionPart(content="short"),))


def ask(action: Action, *ids: str, replacement: Message | None = None) -> Proposal:
    if replacement is None and action is not Action.DROP:
        replacement = said()
    return Proposal(action, ids, "because", replacement)


def test_a_drop_takes_whole_groups_out_and_frees_what_they_cost() -> None:
    one = draft(TALK)
    before = one.tokens

    freed = one.execute(ask(Action.DROP, "m1", "m2", "m3"), "drop")

    assert live(one) == ["m0", "m4", "m5"]
    assert freed == before - one.tokens == sum(item.before_tokens for item in one.dropped)


def test_a_replacement_stands_where_the_message_stood() -> None:
    one = draft(TALK)

    freed = one.execute(ask(Action.CLEAR, "m1"), "clear")

    assert freed == 19
    assert live(one) == ["m0", "m1", "m2", "m3", "m4", "m5"]
    item = one.groups[1].items[0]
    assert (text(item.message), item.tokens, item.before_tokens) == ("short", 1 + AROUND, 20 + AROUND)


def test_what_stands_for_several_groups_takes_the_place_of_the_first() -> None:
    one = draft(TALK)

    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3", replacement=summary()), "summarize")

    assert [group.ids for group in one.groups] == [("m0",), ("m1", "m2", "m3"), ("m4",), ("m5",)]
    assert one.groups[1].tokens == 1 + AROUND


def test_only_a_summary_counts_as_one_made_now_or_earlier() -> None:
    one = draft(TALK)
    one.execute(ask(Action.SUMMARIZE, "m1", replacement=summary()), "summarize")
    one.execute(ask(Action.SUMMARIZE, "m2", "m3"), "collapse")
    earlier = draft(TALK).groups[1]
    earlier.items[0].entry = msgspec.structs.replace(
        earlier.items[0].entry, kind=EntryKind.SUMMARY, message=msgspec.Raw(msgspec.json.encode(summary()))
    )

    assert [group.is_summary for group in one.groups] == [False, True, False, False, False]
    assert earlier.is_summary


def test_what_stands_for_several_messages_is_as_sensitive_as_the_most_sensitive_of_them() -> None:
    one = draft(TALK)
    answer = one.groups[2].items[1]
    answer.entry = msgspec.structs.replace(answer.entry, sensitivity=Sensitivity.RESTRICTED)

    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3"), "summarize")

    assert one.groups[1].items[0].entry.sensitivity is Sensitivity.RESTRICTED


# Precedence

CLAIMS = [action for action in PRECEDENCE if action not in (Action.DROP, Action.INCLUDE)]


def test_the_order_of_claims() -> None:
    assert PRECEDENCE == (Action.DROP, Action.EXTERNALIZE, Action.SUMMARIZE, Action.CLEAR, Action.INCLUDE)


@pytest.mark.parametrize(("first", "second"), list(product(CLAIMS, CLAIMS)))
def test_where_two_meet_the_stronger_holds_and_a_warning_counts_it(first: Action, second: Action) -> None:
    one = draft(TALK)
    one.execute(ask(first, "m1", replacement=said("two words")), "one")

    freed = one.execute(ask(second, "m1", replacement=said("one")), "other")

    holds = PRECEDENCE.index(second) <= PRECEDENCE.index(first)
    item = one.groups[1].items[0]
    assert (freed, item.action, item.strategy) == ((1, second, "other") if holds else (0, first, "one"))
    winner = second if holds else first
    assert one.overlaps == {(f"{first} by one", f"{second} by other", winner): 1}


@pytest.mark.parametrize("first", CLAIMS)
def test_a_drop_beats_every_claim(first: Action) -> None:
    one = draft(TALK)
    one.execute(ask(first, "m1"), "one")

    one.execute(ask(Action.DROP, "m1"), "other")

    assert "m1" not in live(one)
    assert sum(one.overlaps.values()) == 1


def test_a_step_that_meets_its_own_claim_is_no_overlap() -> None:
    one = draft(TALK)
    one.execute(ask(Action.CLEAR, "m1", replacement=said("two words")), "clear")
    one.execute(ask(Action.CLEAR, "m1", replacement=said("one")), "clear")

    assert not one.overlaps


def test_a_stronger_claim_on_one_message_keeps_its_group_out_of_a_summary() -> None:
    one = draft(TALK)
    pointer = Message(role="tool", parts=(ToolCallResponsePart(id="a", response="pointer"),))
    one.execute(ask(Action.EXTERNALIZE, "m3", replacement=pointer), "externalize")

    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3"), "summarize")

    assert [group.ids for group in one.groups] == [("m0",), ("m1",), ("m2", "m3"), ("m4",), ("m5",)]
    assert not one.groups[2].is_open_to(Action.SUMMARIZE)
    assert one.groups[2].is_open_to(Action.DROP)


def test_weaker_claims_go_into_a_summary() -> None:
    one = draft(TALK)
    stub = Message(role="tool", parts=(ToolCallResponsePart(id="a", response="stub"),))
    one.execute(ask(Action.CLEAR, "m3", replacement=stub), "clear")

    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3"), "summarize")

    merged = one.groups[1].items[0]
    untouched = draft(TALK)
    assert merged.ids == ("m1", "m2", "m3")
    assert merged.before_tokens == untouched.groups[1].tokens + untouched.groups[2].tokens


# What is refused


def refused(one: Draft, proposal: Proposal) -> None:
    before = [(group.ids, group.tokens) for group in one.groups]
    with pytest.raises(Nonsense):
        one.execute(proposal, "strategy")
    assert [(group.ids, group.tokens) for group in one.groups] == before


@pytest.mark.parametrize(
    "proposal",
    [
        ask(Action.DROP),
        ask(Action.DROP, "nobody"),
        ask(Action.DROP, "m2"),
        ask(Action.DROP, "m1", "m3"),
        ask(Action.SUMMARIZE, "m1", "m2"),
        ask(Action.DROP, "m0"),
        ask(Action.DROP, "m1", "m4"),
        ask(Action.INCLUDE, "m1"),
        ask(Action.DROP, "m1", replacement=said()),
        Proposal(Action.CLEAR, ("m1",), "no replacement"),
        ask(Action.CLEAR, "m3"),
        ask(Action.CLEAR, "m1", replacement=Message(role="tool", parts=(ToolCallResponsePart(id="b"),))),
        ask(
            Action.SUMMARIZE,
            "m1",
            "m2",
            "m3",
            replacement=Message(role="assistant", parts=(ToolCallPart(id="a", name="look"),)),
        ),
    ],
    ids=[
        "no message",
        "an unknown message",
        "a call without its result",
        "a result without its call",
        "half of a group",
        "a kept message",
        "a kept message among others",
        "nothing to do",
        "a drop that leaves something",
        "a change that leaves nothing",
        "an answer that answers no more",
        "a text that becomes an answer",
        "a summary that makes a call",
    ],
)
def test_nonsense_is_refused_and_changes_nothing(proposal: Proposal) -> None:
    refused(draft(TALK), proposal)


def test_only_the_last_resort_may_touch_what_is_kept() -> None:
    one = draft([user(20), assistant()])
    one.force(ask(Action.EXTERNALIZE, "m0", replacement=said("one")), "floor")

    assert one.groups[0].tokens == 1 + AROUND


def test_a_replacement_that_saves_nothing_is_left_out() -> None:
    one = draft(TALK)
    before = one.tokens

    assert one.execute(ask(Action.CLEAR, "m1", replacement=said("word " * 25)), "clear") == 0
    assert one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3", replacement=said("word " * 99)), "summarize") == 0
    assert one.tokens == before


def test_a_lone_call_that_nobody_answered_may_become_part_of_a_summary() -> None:
    one = draft([user(), calls("a", arguments={"at": "some long place"}), user(), user(), user()])

    one.execute(ask(Action.SUMMARIZE, "m1"), "summarize")

    assert text(one.groups[1].items[0].message) == "short"


def test_a_late_result_stays_with_its_call() -> None:
    one = draft([user(), calls("a", "b"), result("a", 9), user(), assistant(9), result("b", 9), user()])

    assert [group.ids for group in one.groups] == [("m0",), ("m1", "m2", "m5"), ("m3",), ("m4",), ("m6",)]


# Claims on what another has taken already


@pytest.mark.parametrize("second", [Action.DROP, Action.EXTERNALIZE, Action.SUMMARIZE, Action.CLEAR])
def test_a_claim_on_one_message_of_a_summary_takes_no_other_along(second: Action) -> None:
    one = draft(TALK)
    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3", replacement=said("two words")), "one")
    before = one.tokens

    freed = one.execute(ask(second, "m1", replacement=None if second is Action.DROP else said("one")), "other")

    merged = one.groups[1].items[0]
    assert (freed, one.tokens, one.dropped) == (0, before, [])
    assert (merged.ids, merged.action, merged.strategy) == (("m1", "m2", "m3"), Action.SUMMARIZE, "one")
    assert one.overlaps == {("summarize by one", f"{second} by other", Action.SUMMARIZE): 1}


def test_a_claim_on_all_of_a_summary_and_more_is_carried_out() -> None:
    one = draft([user(), assistant(20), *exchange("a", 30), assistant(20), user(), assistant()])
    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3"), "one")

    one.execute(ask(Action.DROP, "m1", "m2", "m3", "m4"), "other")

    assert live(one) == ["m0", "m5", "m6"]
    assert one.overlaps == {("summarize by one", "drop by other", Action.DROP): 1}


def test_a_claim_on_a_part_of_a_summary_and_on_others_is_carried_out_on_the_others() -> None:
    one = draft([user(), assistant(20), *exchange("a", 30), assistant(20), user(), assistant()])
    one.execute(ask(Action.SUMMARIZE, "m1", "m2", "m3"), "one")

    one.execute(ask(Action.DROP, "m3", "m4"), "other")

    assert live(one) == ["m0", "m1", "m2", "m3", "m5", "m6"]
    assert one.overlaps == {("summarize by one", "drop by other", Action.SUMMARIZE): 1}


@pytest.mark.parametrize("second", [Action.DROP, Action.EXTERNALIZE, Action.SUMMARIZE, Action.CLEAR])
def test_a_claim_on_what_was_dropped_is_an_overlap(second: Action) -> None:
    one = draft(TALK)
    one.execute(ask(Action.DROP, "m1"), "one")

    assert one.execute(ask(second, "m1"), "other") == 0

    assert live(one) == ["m0", "m2", "m3", "m4", "m5"]
    assert len(one.dropped) == 1
    assert one.overlaps == {("drop by one", f"{second} by other", Action.DROP): 1}
