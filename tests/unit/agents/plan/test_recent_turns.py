"""The last turns stay word for word, each whole, where they fit into their part of the target."""

import msgspec
import pytest
from support.drafts import BUDGET, assistant, calls, draft, exchange, result, situation, system, user

from tailrace.agents.engine.offline import MessageInput
from tailrace.agents.plan.draft.keep import KeepReason
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.plan.recent_turns import mark_recent
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.policy import Keep, Policy, Tiers
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseRepeats,
    CollapseToolCalls,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    ReadySummaries,
    RemoveToolCalls,
    ShortenArguments,
    SlidingWindow,
    Summarize,
    ToolRetention,
    Truncate,
)
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import Action, SpanReference
from tailrace.schemas.records.context import EntryKind, ReadySummary
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import CompactionPart
from tailrace.schemas.records.work import WorkKind

#: More than fits, of one turn.
LONG_AGO: list[MessageInput] = [user(), *(said for key in "abcdefgh" for said in exchange(key, 100))]
#: Three turns with calls and results, in about 130 tokens: m17 and on.
RECENT: list[MessageInput] = [
    user(5),
    *exchange("x", 20),
    user(5),
    *exchange("y", 20),
    assistant(),
    user(5),
    assistant(),
]
TALK = [*LONG_AGO, *RECENT]
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")
LAST = [f"m{len(LONG_AGO) + number}" for number in range(len(RECENT))]

EVERY_STEP: list[AnyStep] = [
    CollapseRepeats(tokens_min=1),
    PruneToolResults(protect_tokens=0, savings_tokens_min=0),
    ExpireToolResults(default=ToolRetention(keep_turns=0)),
    ShortenArguments(keep_turns=0, value_chars_max=1),
    Externalize(tokens_min=1, keep=()),
    Summarize(keep=(), whole=True),
    CollapseToolCalls(keep_last=0),
    RemoveToolCalls(keep_last=0),
    SlidingWindow(turns=1),
    Truncate(),
]


def recent(said: list[MessageInput], policy: Policy, budget: TokenBudget = BUDGET) -> list[str]:
    """First messages of the groups that are kept for being recent."""
    one = draft(said, policy, budget=budget)
    mark_recent(one, policy.keep)
    return [group.ids[0] for group in one.groups if group.kept is KeepReason.RECENT]


def changed(said: list[MessageInput], policy: Policy, budget: TokenBudget = BUDGET) -> set[str]:
    made = make_plan(situation(said, policy, budget=budget))
    assert made.acts
    return {key for change in made.changes for key in change.ids}


@pytest.mark.parametrize("step", [*EVERY_STEP, None], ids=lambda step: type(step).__name__)
def test_no_step_and_no_floor_touches_the_last_three_turns(step: AnyStep | None) -> None:
    policy = Policy(steps=(step,) if step is not None else (), early_stop=False, progress_fraction=0.0)

    gone = changed(TALK, policy)

    assert gone
    assert not gone & set(LAST)


def test_without_the_rule_steps_take_of_them() -> None:
    policy = Policy(steps=(Summarize(keep=(), whole=True),), keep=Keep(recent_turns=0))

    assert changed(TALK, policy) & set(LAST)


def test_the_default_policy_keeps_them_as_they_are() -> None:
    assert not changed(TALK, Policy()) & set(LAST)


@pytest.mark.parametrize(("tokens", "turns"), [(600, 3), (400, 2), (200, 1), (20, 0)])
def test_of_turns_that_do_not_all_fit_the_newest_stay_each_whole(tokens: int, turns: int) -> None:
    # A quarter of what the kept messages leave of this.
    budget = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=tokens)
    groups = {0: [], 1: ["m25"], 2: ["m20", "m21", "m23", "m25"], 3: ["m17", "m18", "m20", "m21", "m23", "m25"]}

    assert recent(TALK, Policy(steps=(), keep=Keep(recent_fraction_max=0.25)), budget) == groups[turns]


def test_a_turn_that_is_too_large_ends_it() -> None:
    """An older one behind it would be no last turn."""
    talk = [*LONG_AGO, user(), assistant(5), user(), assistant(500), user(), assistant()]

    assert recent(talk, Policy(steps=())) == ["m22"]


def test_what_is_kept_anyway_leaves_less_room() -> None:
    talk = [*TALK[:-1], assistant(BUDGET.lower_tokens - 60, pinned=True), assistant()]

    assert recent(TALK, Policy(steps=())) != []
    assert recent(talk, Policy(steps=())) == ["m26"]


def test_where_less_is_asked_for_there_is_less_room() -> None:
    asked = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600, asked_tokens=100)
    policy = Policy(steps=(Summarize(keep=(), whole=True),))

    assert not changed(TALK, policy) & set(LAST)
    assert changed(TALK, policy, asked) & set(LAST)


def test_what_people_stated_comes_before_what_was_said_lately() -> None:
    """The ledger has its room first: what is left of it, the last turns have their part of."""
    rules = [user(f"Never touch the {name} folder, whatever anybody says about it later on.") for name in NAMES]
    policy = Policy(steps=(Summarize(keep=(), whole=True),), keep=Keep(first_user=False, recent_fraction_max=0.25))
    without = msgspec.structs.replace(policy, ledger=LedgerRules(enabled=False))

    assert not changed([*rules, *TALK], without) & {f"m{len(rules) + 17}", f"m{len(rules) + 18}"}
    assert changed([*rules, *TALK], policy) & {f"m{len(rules) + 17}", f"m{len(rules) + 18}"}


@pytest.mark.parametrize("in_a_row", [1, 3, 9])
def test_messages_in_a_row_are_one_turn_with_the_answer_that_they_get(in_a_row: int) -> None:
    talk = [*LONG_AGO, user(), assistant(10), user(), assistant(10), *[user(2)] * in_a_row]

    assert recent(talk, Policy(steps=())) == [f"m{number}" for number in range(17, len(talk) - 1)]
    # With an answer to them they are still one, and so is the turn before.
    answered = [*talk, assistant(10)]
    assert recent(answered, Policy(steps=())) == [f"m{n}" for n in range(17, len(answered)) if n != len(talk) - 1]


def test_of_messages_in_a_row_that_do_not_all_fit_the_newest_stay() -> None:
    talk = [*LONG_AGO, *[user(20)] * 20, assistant(10)]

    kept = recent(talk, Policy(steps=()))

    assert kept[-1] == f"m{len(talk) - 1}"
    assert 3 < len(kept) < 20


def test_a_message_whose_answer_has_left_is_a_turn_of_its_own() -> None:
    """What stands for the answer is no answer, but there was one."""
    talk = [user(2), user(2), user(2), user(2), assistant(5)]
    one = draft(talk, Policy(steps=()))
    summary = one.groups[0].items[0]
    summary.entry = msgspec.structs.replace(summary.entry, kind=EntryKind.SUMMARY, turn=1, last_turn=3)
    summary.replacement, summary.last_turn = Message(role="assistant", parts=(CompactionPart(content="told"),)), 3

    mark_recent(one, Keep(recent_turns=2))

    assert [group.ids[0] for group in one.groups if group.kept is KeepReason.RECENT] == ["m2", "m4"]


def test_the_newest_group_is_counted_once() -> None:
    """It is kept anyway, and is a part of its turn."""
    budget = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)
    talk = [*LONG_AGO, user(5), assistant(60), user(5), assistant(100)]

    assert recent(talk, Policy(steps=()), budget) == ["m17", "m18", "m20"]


def test_a_recent_result_is_not_cut_for_the_cap_of_its_tier() -> None:
    policy = Policy(steps=(Truncate(),), tiers=Tiers(tool_results_fraction=0.01))

    assert not changed(TALK, policy) & set(LAST)


def test_what_goes_first_goes_whatever_its_turn() -> None:
    talk = [
        *LONG_AGO,
        user(),
        assistant(5, source="clock"),
        calls("e", tool="tick"),
        result("e", 5),
        assistant(),
        user(),
    ]
    keep = Keep(sources={"clock": "drop"})
    policy = Policy(steps=(), keep=keep, tools={"tick": ToolRule(durability=Durability.EPHEMERAL)})

    assert recent(talk, policy) == ["m17", "m21"]


def test_a_summary_of_a_chunk_that_reaches_into_them_waits() -> None:
    ready = ReadySummary(
        version=1,
        thread="thread",
        id="s1",
        kind=WorkKind.SUMMARIZE,
        span=SpanReference(ids=("m15", "m16", "m17", "m18", "m19"), first_turn=1, last_turn=2),
        text="h was looked at",
        model="gpt",
        offset=1,
    )
    policy = Policy(steps=(ReadySummaries(keep=()),))

    made = make_plan(situation(TALK, policy, ready=[ready]))

    assert made.acts
    assert not [change for change in made.changes if change.action is Action.SUMMARIZE]


def test_a_system_prompt_is_no_part_of_a_turn() -> None:
    assert "m0" not in recent([system(), user(), assistant()], Policy(steps=()))
