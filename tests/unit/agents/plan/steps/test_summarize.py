"""One summary for what lies before the split, at the place of its first message."""

import msgspec
from support.drafts import assistant, calls, draft, exchange, live, result, shown, situation, take, text, user

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.planner import draft_of
from tailrace.agents.plan.situation import Situation
from tailrace.agents.plan.steps.summarize import EXAMINED_TOKENS_MAX, leave_out
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.steps import Summarize, Truncate
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart, TextPart, ToolCallResponsePart

STEP = Summarize(keep=())
#: Three turns of 300 tokens and a prompt.
TALK = [user(), *(said for turn in range(3) for said in [assistant(290), user(1)])]


def summaries(one: Draft) -> list[tuple[str, ...]]:
    return [group.ids for group in one.groups if group.is_summary]


def towards(target_tokens: int, said: list[MessageInput] = TALK) -> Draft:
    return draft(said, budget=TokenBudget(limit_tokens=2_000, upper_tokens=1_500, lower_tokens=target_tokens))


def test_as_much_becomes_a_summary_as_the_target_asks_for() -> None:
    for target_tokens, span in ((700, ("m1",)), (480, ("m1", "m2", "m3")), (200, ("m1", "m2", "m3", "m4", "m5"))):
        one = take(STEP, towards(target_tokens))
        assert summaries(one) == [span]
        assert one.tokens <= target_tokens


def test_it_stands_at_the_place_of_the_first_and_names_the_turns() -> None:
    one = take(STEP, towards(200))

    message = shown(one)[1]
    (part,) = message.parts
    assert isinstance(part, CompactionPart)
    assert str(part.content).startswith("[Context Summary - Turns 1-3]")
    assert live(one)[0] == "m0"


def test_what_is_kept_stays_out_of_it() -> None:
    talk = [user(), assistant(200), assistant(200, pinned=True), assistant(200), user()]

    assert summaries(take(Summarize(keep=(), whole=True), towards(400, talk))) == [("m1", "m3")]


def test_a_message_that_something_stronger_claims_stays_out_of_it_with_its_group() -> None:
    one = towards(300, [user(), *exchange("a", 200), assistant(300), assistant(300), user()])
    pointer = Message(role="tool", parts=(ToolCallResponsePart(id="a", response="elsewhere"),))
    one.execute(Proposal(Action.EXTERNALIZE, ("m2",), "large", pointer), "externalize")

    take(Summarize(keep=(), whole=True), one)

    assert summaries(one) == [("m3", "m4")]
    assert not one.overlaps
    assert shown(one)[2] == pointer


def test_an_old_call_that_nobody_answered_does_not_stop_it() -> None:
    talk = [user(), calls("a", arguments={"x": "word " * 300}), user(), user(), user()]

    one = take(Summarize(keep=(), whole=True, ratio=0.9), towards(250, talk))

    assert summaries(one) == [("m1", "m2", "m3")]


# Earlier summaries


def with_earlier(target_tokens: int, step: Summarize) -> Draft:
    """A draft whose first group but one is a summary of 200 tokens."""
    made = situation(
        [user(), assistant(196), assistant(300), assistant(300), user()],
        budget=TokenBudget(limit_tokens=2_000, upper_tokens=1_500, lower_tokens=target_tokens),
    )
    entries = list(made.entries)
    summary = Message(role="assistant", parts=(CompactionPart(content="old " * 196),))
    entries[1] = msgspec.structs.replace(
        entries[1], kind=EntryKind.SUMMARY, message=msgspec.Raw(msgspec.json.encode(summary))
    )
    one = draft_of(situation([user()], entries=entries, budget=made.budget))
    return take(step, one)


def test_an_earlier_summary_stays_as_it_is_while_there_is_room() -> None:
    assert summaries(with_earlier(600, Summarize(keep=(), summaries_fraction=0.4))) == [("m1",), ("m2",)]


def test_too_many_summaries_are_summarised_themselves() -> None:
    assert summaries(with_earlier(600, Summarize(keep=(), summaries_fraction=0.3)))[0][:2] == ("m1", "m2")


def test_the_whole_means_earlier_summaries_too() -> None:
    assert summaries(with_earlier(600, Summarize(keep=(), whole=True, summaries_fraction=1.0))) == [("m1", "m2", "m3")]


def test_collapsed_calls_are_material_for_a_summary_and_no_summary() -> None:
    one = towards(300, [user(), *exchange("a", 300), assistant(300), user()])
    note = Message(role="assistant", parts=(TextPart(content="word " * 100),))
    one.execute(Proposal(Action.SUMMARIZE, ("m1", "m2"), "collapsed", note), "collapse_tool_calls")

    take(Summarize(keep=(), whole=True), one)

    assert summaries(one) == [("m1", "m2", "m3")]


def test_whether_a_change_failed_is_known_of_what_is_too_old_to_be_read() -> None:
    talk = [
        user(),
        *(calls("a", tool="Edit", arguments={"path": "weir/sill.py"}), result("a", "Error: the file is locked")),
        *(calls("b", tool="Edit", arguments={"path": "weir/gate.py"}), result("b", "The file was updated.")),
        *(assistant(EXAMINED_TOKENS_MAX), user()),
    ]
    budget = TokenBudget(limit_tokens=40_000, upper_tokens=35_000, lower_tokens=2_000)

    one = take(Summarize(keep=(), whole=True), draft(talk, budget=budget))

    (summary,) = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    assert "What was changed:\n- [Edit weir/gate.py]\nErrors:\n- [Edit weir/sill.py]\n" in summary


def test_an_answer_to_an_earlier_message_that_stays_is_not_why_something_was_changed() -> None:
    talk = [
        *(user(), assistant("Old Brandt kept lock_9 until 1911."), user("Widen the paddle.", pinned=True)),
        *(
            calls("a", tool="Edit", arguments={"path": "weir/sill.py"}),
            result("a", "ok"),
            assistant("word " * 200),
            user(),
        ),
    ]

    one = take(Summarize(keep=(), whole=True, ratio=0.9), towards(150, talk))

    (summary,) = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    assert "- [Edit weir/sill.py]" in summary
    assert "] Old Brandt" not in summary


def test_of_what_is_too_old_to_be_read_whole_sentences_are_quoted() -> None:
    older = (
        f"The lower gate_7 may be opened at any hour. {'It was painted in 1911 and again. ' * 5}No gate_8 {'x' * 99}"
    )
    talk = [user(), assistant(older), assistant(EXAMINED_TOKENS_MAX), user()]
    budget = TokenBudget(limit_tokens=40_000, upper_tokens=35_000, lower_tokens=2_000)

    one = take(Summarize(keep=(), whole=True), draft(talk, budget=budget))

    (summary,) = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    assert "gate_7 may be opened" in summary
    assert "gate_8" not in summary


# Summaries in a row


def between(*summaries: tuple[int, int, int], said: list[MessageInput], target_tokens: int = 500) -> Situation:
    """A situation in which some messages are summaries: the place of each, with its first and last turn."""
    made = situation(said, budget=TokenBudget(limit_tokens=4_000, upper_tokens=3_500, lower_tokens=target_tokens))
    entries = list(made.entries)
    for place, first, last in summaries:
        message = Message(
            role="assistant", parts=(CompactionPart(content=f"[Context Summary - Turns {first}-{last}]"),)
        )
        entries[place] = msgspec.structs.replace(
            entries[place],
            kind=EntryKind.SUMMARY,
            turn=first,
            last_turn=last,
            message=msgspec.Raw(msgspec.json.encode(message)),
        )
    return situation([user()], entries=entries, budget=made.budget)


def headings(one: Draft) -> list[str]:
    said = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    return [line.partition("\n")[0] for line in said]


def test_what_lies_on_both_sides_of_a_summary_that_stays_becomes_two() -> None:
    talk = [user(), assistant(300), user(), assistant(20), user(), assistant(300), user(), assistant(300), user()]

    one = take(Summarize(keep=(), ratio=0.5), draft_of(between((3, 2, 2), said=talk, target_tokens=300)))

    assert summaries(one) == [("m1", "m2"), ("m3",), ("m4", "m5", "m6", "m7")]
    assert headings(one) == [f"[Context Summary - Turns {turns}]" for turns in ("1-2, in part", "2-2", "3-4")]


def test_what_is_too_little_for_a_summary_of_its_own_joins_another_and_says_so() -> None:
    talk = [user(), assistant(20), user(), assistant(20), user(), assistant(300), user(), assistant(300), user()]

    one = take(Summarize(keep=(), ratio=0.5), draft_of(between((3, 2, 2), said=talk, target_tokens=300)))

    assert headings(one) == ["[Context Summary - Turns 1-4, in part]", "[Context Summary - Turns 2-2]"]


def test_a_summary_of_summaries_names_all_their_turns() -> None:
    talk = [user(), assistant(200), assistant(200), user(), assistant(200), user()]

    one = take(Summarize(keep=(), whole=True), draft_of(between((1, 1, 4), (2, 5, 9), said=talk)))

    assert [line for line in headings(one) if "1-9" in line] == ["[Context Summary - Turns 1-9]"]


def test_what_the_ledger_shows_is_left_out_of_new_summaries() -> None:
    rules = "Never open gate 7 at night. At noon: Never ring the bell twice."
    one = take(Summarize(keep=(), whole=True, ratio=0.9), towards(150, [user(), user(rules), assistant(200), user()]))
    before = one.tokens
    (quoting,) = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    assert "Never open gate 7 at night." in quoting

    leave_out(one, frozenset(("Whatever happens: Never open gate 7 at night.",)))

    (summary,) = [text(message) for message in shown(one) if isinstance(message.parts[0], CompactionPart)]
    assert "Never open gate 7 at night." not in summary
    assert "Never ring the bell twice." in summary
    assert one.tokens < before


def test_where_pointers_leave_no_room_what_may_be_told_is_told_before_they_go() -> None:
    """What no summary may take can still go; what was dropped can't be told any more."""
    calls_of = [said for call_id in "abcd" for said in exchange(call_id, 200)]
    one = towards(400, [user(), *calls_of, assistant(300), assistant(300), user()])
    for place, call_id in enumerate("abcd"):
        pointer = Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response="elsewhere " * 140),))
        one.execute(Proposal(Action.EXTERNALIZE, (f"m{2 * place + 2}",), "large", pointer), "externalize")
    take(STEP, one)
    assert summaries(one) == [("m9", "m10")]

    take(Truncate(), one)

    assert summaries(one) == [("m9", "m10")]
    assert one.tokens <= 400


def test_where_nothing_else_may_go_no_summary_is_made_that_can_not_fit() -> None:
    talk = [user(), assistant(390, pinned=True), assistant(300), user()]

    assert summaries(take(STEP, towards(400, talk))) == []
