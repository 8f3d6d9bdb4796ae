"""The planner: which steps are taken, how far it goes, what it says if it can't, and that it always fits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.drafts import AROUND, BUDGET, assistant, exchange, situation, system, user

from tailrace.agents.artifacts.names import artifact_id
from tailrace.agents.engine.offline import MessageInput, with_limit
from tailrace.agents.plan import changes, planner
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.agents.plan.plan import Plan, SkippedStep
from tailrace.agents.plan.planner import make_plan
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.schemas.policy.ledger import LedgerRules
from tailrace.schemas.policy.policy import AgentPolicy, Keep, Policy, Tiers
from tailrace.schemas.policy.steps import (
    AnyStep,
    CollapseToolCalls,
    Custom,
    ExpireToolResults,
    RemoveToolCalls,
    Summarize,
    TailTokens,
    ToolRetention,
    Truncate,
)
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

HUNDRED = 100 - AROUND
#: 900 tokens between two short user messages; everything of it may go but the newest.
TALK = [user(), *(assistant(HUNDRED) for _ in range(9)), user()]
UNCAPPED = Tiers(tool_results_fraction=None)


def policy(*steps: AnyStep, **fields: Any) -> Policy:
    return Policy(steps=steps, tiers=UNCAPPED, **fields)


def plan(said: list[MessageInput], *steps: AnyStep, custom: Mapping[str, Any] | None = None, **fields: Any) -> Plan:
    return make_plan(situation(said, policy(*steps, **fields), custom=custom or {}))


def changed(made: Plan) -> list[str]:
    return [key for change in made.changes for key in change.ids]


@dataclass(frozen=True)
class Mine:
    """A strategy of somebody's own."""

    work: Callable[[Draft], Iterable[Any]]

    def analyze(self, draft: Draft, options: Mapping[str, Any]) -> Iterable[Proposal]:
        return self.work(draft)


# How far it goes


def test_the_oldest_go_first_down_to_the_lower_mark_and_no_further() -> None:
    made = plan(TALK)

    assert changed(made) == ["m1", "m2", "m3", "m4"]
    assert (made.before_tokens, made.after_tokens, made.reason) == (910, 510, None)


def test_exactly_enough_is_enough() -> None:
    made = plan([user(), *(assistant(HUNDRED) for _ in range(8)), assistant(90 - AROUND), user()])

    assert (changed(made), made.after_tokens) == (["m1", "m2", "m3"], BUDGET.lower_tokens)


def test_what_a_summary_can_hold_is_not_dropped_where_the_tail_leaves_it_no_room() -> None:
    greedy = Summarize(keep=(TailTokens(fraction_max=1.0),))
    said = [user(), user("Never paint the gate red."), *(assistant(HUNDRED) for _ in range(9)), user()]
    budget = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=530)

    made = make_plan(situation(said, policy(greedy, ledger=LedgerRules(enabled=False)), budget=budget))

    assert {change.action for change in made.changes} == {Action.SUMMARIZE}
    assert "Never paint the gate red." in str([change.replacement for change in made.changes])
    assert made.after_tokens <= 530


def test_order_counts_not_the_order_in_which_entries_are_given() -> None:
    one = situation(TALK, policy())

    assert make_plan(one) == make_plan(situation(TALK, policy(), entries=list(reversed(one.entries))))


def test_the_same_situation_gives_the_same_plan() -> None:
    assert plan(TALK, Truncate()) == plan(TALK, Truncate())


def test_the_group_that_a_late_result_arrives_in_stays() -> None:
    made = make_plan(situation(TALK, policy(), arriving=2))

    assert changed(made) == ["m1", "m3", "m4", "m5"]


def test_what_one_record_can_t_name_is_left_to_the_next_plan_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "_SPAN_BYTES", 0)
    monkeypatch.setattr(planner, "LISTED_BYTES_MAX", 15)

    made = plan(TALK, Summarize(keep=()))

    assert (changed(made), made.after_tokens) == (["m1", "m2", "m3"], 610)
    assert made.unfinished
    assert "more messages have to go than one record can name" in (made.reason or "")


def test_of_many_spans_neighbours_that_went_for_one_reason_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "SPANS_APART_MAX", 3)
    talk = [user(), assistant(1), assistant(1), assistant(HUNDRED, pinned=True), *TALK[1:]]

    made = plan(talk)

    assert [change.ids for change in made.changes] == [("m1", "m2"), ("m4", "m5", "m6", "m7", "m8")]
    assert made.before_tokens - made.after_tokens == sum(change.before_tokens for change in made.changes) == 510


def test_a_plan_names_the_version_that_it_is_for() -> None:
    one = situation(TALK, policy(), version=(3, 7))

    assert make_plan(one).expected_version == (3, 7)


# What is worth it


def kept_but(*free: int) -> list[MessageInput]:
    """900 tokens, of which only messages of these sizes may go."""
    pinned = assistant(890 - sum(free) - AROUND, pinned=True)
    return [user(), pinned, *(assistant(size - AROUND) for size in free), user()]


def test_a_little_is_not_worth_a_changed_prefix() -> None:
    made = plan(kept_but(50))

    assert (made.changes, made.after_tokens) == ((), 900)
    assert made.reason == "only 50 of 900 tokens could be freed, less than 100"


def test_a_tenth_of_the_limit_is_worth_it() -> None:
    made = plan(kept_but(100))

    assert (changed(made), made.after_tokens, made.reason) == (["m2"], 800, None)


def test_the_policy_says_how_little_is_too_little() -> None:
    assert changed(plan(kept_but(50), progress_fraction=0.05)) == ["m2"]


def test_down_at_the_lower_mark_it_must_be_worth_it_all_the_same() -> None:
    one = situation(kept_but(50), policy(), budget=TokenBudget(1_000, 890, 880))

    assert make_plan(one).changes == ()


#: Over the limit, and all but a little of it is kept.
CROWDED = [user(), assistant(980 - AROUND, pinned=True), assistant(50 - AROUND), user()]
WHOLE = Keep(fraction_max=1.0)


def test_where_what_is_kept_leaves_little_it_is_shortened_so_that_the_next_compaction_is_far() -> None:
    made = plan(CROWDED)

    assert "m1" in changed(made)
    assert made.after_tokens <= 800
    assert made.warnings == ()


def test_where_what_is_kept_leaves_little_the_plan_warns_of_it() -> None:
    made = plan(CROWDED, keep=WHOLE)

    assert made.warnings == (
        "what is kept takes 990 of 1000 tokens: a compaction can free little, and the next is near",
    )


def test_over_the_limit_even_a_little_has_to_go() -> None:
    made = plan(CROWDED, keep=WHOLE)

    assert (changed(made), made.after_tokens) == (["m2"], 990)


def test_asked_for_it_even_a_little_goes() -> None:
    made = make_plan(situation(kept_but(50), policy(), forced=True))

    assert changed(made) == ["m2"]


def test_asked_for_it_below_the_lower_mark_it_comes_down_as_far_as_the_marks_lie_apart() -> None:
    talk = [user(), *(assistant(20) for _ in range(18)), user()]
    made = make_plan(situation(talk, policy(), forced=True))

    assert made.before_tokens < BUDGET.lower_tokens
    assert made.after_tokens == pytest.approx(made.before_tokens * BUDGET.lower_tokens / BUDGET.upper_tokens, rel=0.1)


@pytest.mark.parametrize("forced", [False, True])
def test_where_nothing_may_go_the_reason_is_given(forced: bool) -> None:  # noqa: FBT001  a parameter of the test
    made = make_plan(situation(kept_but(), policy(), forced=forced))

    assert (made.changes, made.after_tokens) == ((), 900)
    assert made.reason == "nothing of 900 tokens may go"


def test_what_can_t_be_made_to_fit_is_reported() -> None:
    made = make_plan(situation([user(20)], policy(), budget=TokenBudget(5, 5, 5)))

    assert (made.changes, made.after_tokens) == ((), 24)
    assert made.reason == "24 tokens are left and can't be made smaller; the limit is 5"


# What a provider counts


def test_what_a_provider_counts_too_much_is_said_whether_or_not_something_is_done() -> None:
    budget = TokenBudget(1_000, 300, 600, left_tokens=300)
    reason = "the provider's own count leaves 300 tokens for this context, which has {}; less than 1000, a quarter"

    done = make_plan(situation(TALK, policy(), budget=budget))
    assert (len(done.changes), done.after_tokens) == (4, 510)
    assert (done.reason or "").startswith(reason.format(510))

    small = make_plan(situation([user(), assistant(400), user()], policy(), budget=budget))
    assert small.changes == ()
    assert (small.reason or "").startswith(reason.format(414))


def test_a_context_that_fits_what_its_provider_leaves_needs_no_word_about_it() -> None:
    budget = TokenBudget(1_000, 800, 600, left_tokens=800)

    assert make_plan(situation(TALK, policy(), budget=budget)).reason is None


# Steps

TOOLS = [user(), *exchange("a", 300), user(), *exchange("b", 300), user(), *exchange("c", 300), user()]
EXPIRE = ExpireToolResults(default=ToolRetention(keep_turns=1))


def test_a_step_that_reaches_the_target_is_the_last() -> None:
    made = plan(TOOLS, EXPIRE, RemoveToolCalls(keep_last=0))

    assert {change.action for change in made.changes} == {Action.CLEAR}


def test_without_early_stop_every_step_runs() -> None:
    made = plan(TOOLS, EXPIRE, RemoveToolCalls(keep_last=0), early_stop=False)

    assert {change.action for change in made.changes} == {Action.DROP}
    assert made.warnings == ("3 messages: clear by expire_tool_results, then drop by remove_tool_calls; drop holds",)


def test_the_ladder_takes_the_gentler_rung_first() -> None:
    steps = (RemoveToolCalls(keep_last=0), CollapseToolCalls(keep_last=0), EXPIRE)

    listed, ladder = plan(TOOLS, *steps), plan(TOOLS, *steps, order="ladder")

    assert {change.strategy for change in listed.changes} == {"remove_tool_calls"}
    assert {change.strategy for change in ladder.changes} == {"collapse_tool_calls"}


def test_no_step_above_the_highest_rung_is_taken_but_what_must_fit_is_cut_all_the_same() -> None:
    made = plan(TALK, RemoveToolCalls(), Custom(name="mine"), aggressiveness_max=2)

    assert not made.skipped
    assert {change.strategy for change in made.changes} == {"truncate"}


def test_an_agent_has_the_steps_of_its_own() -> None:
    agents = {"tidy": AgentPolicy(steps=(RemoveToolCalls(keep_last=0),))}
    one = situation(TOOLS, policy(EXPIRE, agents=agents), agent="tidy/sub")

    assert {change.strategy for change in make_plan(one).changes} == {"remove_tool_calls"}


# Steps that fail


def broken(_draft: Draft) -> Iterable[Proposal]:
    raise ZeroDivisionError("by design")


def late(_draft: Draft) -> Iterable[Proposal]:
    yield Proposal(Action.DROP, ("m1",), "fine")
    raise ValueError("after the first")


def torn(draft: Draft) -> Iterable[Proposal]:
    yield Proposal(Action.DROP, (draft.groups[1].ids[0], "nobody"), "nonsense")


def kept(draft: Draft) -> Iterable[Proposal]:
    yield Proposal(Action.DROP, draft.groups[0].ids, "the first user message")


def strangers(_draft: Draft) -> Iterable[Any]:
    return ["drop it all"]


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (broken, "ZeroDivisionError: by design"),
        (late, "ValueError: after the first"),
        (torn, "Nonsense: message 'nobody' is not in the context"),
        (kept, "Nonsense: group 0 is kept: the first user message"),
        (strangers, "Nonsense: strategy 'mine' returned str instead of proposals"),
    ],
)
def test_a_step_that_fails_is_listed_and_the_others_do_its_work(
    work: Callable[[Draft], Iterable[Any]], reason: str
) -> None:
    made = plan(TALK, Custom(name="mine"), custom={"mine": Mine(work)})

    assert made.skipped == (SkippedStep("mine", reason),)
    assert (changed(made), made.after_tokens) == (["m1", "m2", "m3", "m4"], 510)


def test_a_strategy_that_is_not_installed_is_listed_too() -> None:
    (skipped,) = plan(TALK, Custom(name="mine")).skipped

    assert skipped.reason == "Nonsense: no strategy 'mine' is installed; known: none"


def test_a_failure_is_listed_even_where_nothing_is_done() -> None:
    made = plan(kept_but(), Custom(name="mine"), custom={"mine": Mine(broken)}, early_stop=False)

    assert (made.changes, len(made.skipped)) == ((), 1)


def test_a_custom_strategy_can_do_the_whole_work() -> None:
    def summarise(_draft: Draft) -> Iterable[Proposal]:
        replacement = Message(role="assistant", parts=(TextPart(content="much was said"),))
        yield Proposal(Action.SUMMARIZE, ("m1", "m2", "m3", "m4"), "mine", replacement)

    made = plan(TALK, strategy="delegate", compactor="mine", custom={"mine": Mine(summarise)})

    (change,) = made.changes
    assert (change.action, change.strategy, change.ids) == (Action.SUMMARIZE, "mine", ("m1", "m2", "m3", "m4"))
    assert made.after_tokens == 510 + 3 + AROUND


def test_what_did_the_work_of_a_compactor_that_failed_is_named() -> None:
    def broken(_draft: Draft) -> Iterable[Proposal]:
        raise ValueError("no answer")

    made = plan(TALK, strategy="delegate", compactor="mine", custom={"mine": Mine(broken)})

    assert [step.strategy for step in made.skipped] == ["mine"]
    assert made.changes
    assert made.strategy == ", ".join(dict.fromkeys(change.strategy for change in made.changes))
    assert "delegate" not in made.strategy
    assert plan(TALK, strategy="drop").strategy == "drop"


def proposes(*proposals: Proposal) -> dict[str, Mine]:
    return {"mine": Mine(lambda _draft: proposals)}


def says(role: str, text: str = "short") -> Message:
    return Message(role=role, parts=(TextPart(content=text),))


def test_a_custom_strategy_that_frees_nothing_is_said_to() -> None:
    longer = Proposal(Action.CLEAR, ("m1",), "mine", says("assistant", "word " * 500))

    made = plan(TALK, Custom(name="mine"), custom=proposes(longer, longer))

    assert made.skipped == (SkippedStep("mine", "none of its 2 proposals frees anything"),)
    assert plan(TALK, Custom(name="mine"), custom=proposes()).skipped == ()


def test_what_a_custom_strategy_drops_is_recorded_whatever_it_says() -> None:
    silent = proposes(Proposal(Action.DROP, ("m1", "m2", "m3", "m4"), "silently", recorded=False))

    made = plan(TALK, Custom(name="mine"), custom=silent)

    assert [change.recorded for change in made.changes] == [True] * 4


@pytest.mark.parametrize("role", ["user", "system", "tool", "banana"])
def test_nobody_is_made_to_say_what_he_did_not(role: str) -> None:
    whole = Proposal(Action.SUMMARIZE, ("m1", "m2", "m3"), "mine", says(role))
    single = Proposal(Action.CLEAR, ("m5",), "mine", says(role))

    made = plan(TALK, Custom(name="mine"), custom=proposes(whole, single), summary_role="user", early_stop=False)

    roles = [change.replacement.role for change in made.changes if change.replacement]
    assert roles == ["user", "assistant"]


def test_texts_of_a_custom_strategy_can_be_written_and_are_not_endless() -> None:
    broken = Proposal(Action.CLEAR, ("m7",), f"\ud800{'x' * 999}", says("assistant"), artifact_id="\udcff")

    made = plan(TALK, Custom(name="mine"), custom=proposes(broken))

    (change,) = [change for change in made.changes if change.strategy == "mine"]
    assert change.reason.encode() == f"?{'x' * 299}".encode()
    assert change.artifact_id == artifact_id(TALK[7].message)


def test_a_replacement_that_can_t_be_written_ends_the_step() -> None:
    broken = Proposal(Action.CLEAR, ("m1",), "mine", says("assistant", "half \ud800"))

    made = plan(TALK, Custom(name="mine"), custom=proposes(broken))

    assert made.skipped == (
        SkippedStep("mine", "Nonsense: a replacement that can't be written as JSON: UnicodeEncodeError"),
    )


def test_an_error_whose_words_can_t_be_written_is_listed_all_the_same() -> None:
    def fails(_draft: Draft) -> Iterable[Proposal]:
        raise OSError("no file b\udcff")

    (skipped,) = plan(TALK, Custom(name="mine"), custom={"mine": Mine(fails)}).skipped

    assert skipped.reason.encode() == b"OSError: no file b?"


# Sources


def test_a_source_may_be_kept_protected_or_the_first_to_go() -> None:
    talk = [
        user(),
        assistant(HUNDRED, source="rag/wiki"),
        *(assistant(HUNDRED) for _ in range(4)),
        assistant(HUNDRED, source="scratch"),
        *(assistant(HUNDRED) for _ in range(3)),
        user(),
    ]
    keep = Keep(sources={"rag/*": "keep", "scratch": "drop"})

    made = plan(talk, keep=keep)

    assert changed(made) == ["m2", "m3", "m4", "m6"]
    assert [change.strategy for change in made.changes] == ["truncate"] * 3 + ["sources"]


def test_a_source_that_goes_first_takes_no_group_with_it_that_holds_others() -> None:
    talk = [user(), *exchange("a", 100, source="scratch"), assistant(400), user()]

    enough = replace(BUDGET, asked_tokens=BUDGET.lower_tokens)
    made = make_plan(situation(talk, policy(keep=Keep(sources={"scratch": "drop"})), budget=enough, forced=True))

    assert changed(made) == []


def test_protected_messages_give_way_after_those_that_are_only_kept() -> None:
    talk = [user(), assistant(550, source="mine"), assistant(550, source="rag"), user()]
    keep = Keep(sources={"mine": "protect", "rag": "keep"}, fraction_max=1.0)

    made = make_plan(situation(talk, policy(keep=keep), budget=TokenBudget(1_080, 1_000, 900)))

    assert [(change.ids, change.action) for change in made.changes] == [(("m2",), Action.EXTERNALIZE)]
    assert made.after_tokens <= 1_080


def test_a_source_that_goes_first_goes_even_where_it_spoke_last_in_a_user_s_name() -> None:
    talk = [*TALK, user("it is noon", source="clock"), assistant()]

    made = plan(talk, keep=Keep(sources={"clock": "drop"}))

    assert "m11" in changed(made)
    assert "m10" not in changed(made)


# Even what is kept


def test_beside_a_system_prompt_that_had_to_be_shortened_the_marks_are_those_of_the_shorter_one() -> None:
    talk = [system(3_000), user(), *(assistant(60 - AROUND) for _ in range(12)), user()]
    whole = budget_for(with_limit(policy(), 1_000), 1_000, prefix_tokens=3_004)

    made = make_plan(situation(talk, policy(), budget=whole))

    left = budget_for(with_limit(policy(), 1_000), 1_000, prefix_tokens=made.changes[0].after_tokens)
    assert made.changes[0].ids == ("m0",)
    assert made.after_tokens <= left.lower_tokens < whole.lower_tokens


def test_a_plan_fits_whatever_is_kept() -> None:
    talk = [user(500), *(assistant(500, pinned=True) for _ in range(5)), user(500)]

    made = plan(talk)

    assert made.after_tokens <= BUDGET.limit_tokens
    assert all(change.artifact_id for change in made.changes)
    assert made.reason is None


@pytest.mark.parametrize("fails", ["__init__", "finish"])
def test_a_ledger_that_fails_costs_only_itself(monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise IndexError("a blank of a new kind")

    monkeypatch.setattr(planner.PlanLedger, fails, fail)

    made = plan(TALK, Summarize(keep=()))

    assert made.changes
    assert made.after_tokens <= made.budget.limit_tokens
    assert [(one.strategy, "a blank of a new kind" in one.reason) for one in made.skipped] == [("ledger", True)]
