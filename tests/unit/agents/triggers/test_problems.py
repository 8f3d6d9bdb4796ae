"""What of a policy's triggers is refused when it is loaded, and how that is said."""

import pytest

from tailrace.agents.triggers.problems import trigger_problems
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Timers, TriggerRule, Triggers


def test_triggers_that_make_sense_have_no_problems() -> None:
    rules = (TriggerRule(name="a", when="total >= limit and (needs_follow_up or pending_input)"),)
    timers = Timers(cron="0 3 * * *", zone="Europe/Zurich")
    assert (
        trigger_problems(Policy(triggers=Triggers(rules=rules, hold="cache_hot and total <= limit", timers=timers)))
        == []
    )
    assert trigger_problems(Policy(triggers=Triggers())) == []


@pytest.mark.parametrize(
    ("when", "allowed"),
    [
        ("totl >= limit", "total, perhaps"),
        ("fraction > 80", "a condition that can hold and can fail"),
        ("total >= ", "a name"),
        ("total > 5m", "values of one unit"),
        ('event == "tock"', "tick, perhaps"),
        ("total > upper and not cache_hot", "up to the upper mark"),
        ("headroom < 0", "up to the upper mark"),
        ('event == "chunk_closed" and turns > 2', "chunks.enabled = true"),
    ],
)
def test_a_condition_that_can_not_be_used_is_shown_with_a_mark_below_the_place(when: str, allowed: str) -> None:
    good = TriggerRule(name="a", when="cache_hot")
    (problem,) = trigger_problems(Policy(triggers=Triggers(rules=(good, TriggerRule(name="b", when=when)))))
    assert (problem.key, problem.value) == ("policy.triggers.rules[1].when", when)
    assert allowed in problem.allowed
    line, mark = problem.allowed.splitlines()[1:]
    assert line.strip() == when.strip()
    assert mark.strip(" ").strip("^") == ""
    assert "^" in mark


def test_a_hold_may_ask_for_what_is_above_the_upper_mark() -> None:
    assert trigger_problems(Policy(triggers=Triggers(hold="total > upper and cache_hot"))) == []


@pytest.mark.parametrize(
    ("before", "hold", "when"),
    [
        ("turns > 5", None, "turns > 6 and total > 5k"),
        ("cache_hot", None, "turns > 6 and cache_hot"),
        ('event == "tick" or turns > 3', None, 'event == "tick" and idle_ms > 5m'),
        ("tool_tokens > 5k", "turns > 3", "turns > 5"),
        ("turns > 5", "turns <= 5", "total > 5k"),
    ],
)
def test_a_rule_that_something_always_comes_before_is_refused(before: str, hold: str | None, when: str) -> None:
    rules = (TriggerRule(name="a", when=before), TriggerRule(name="b", when=when))
    (problem,) = trigger_problems(Policy(triggers=Triggers(rules=rules, hold=hold)))
    assert problem.key == "policy.triggers.rules[1].when"
    assert "nor any rule before it" in problem.allowed


def test_rules_that_overlap_are_allowed() -> None:
    rules = (TriggerRule(name="a", when="turns > 6 and total > 5k"), TriggerRule(name="b", when="turns > 5"))
    assert trigger_problems(Policy(triggers=Triggers(rules=rules, hold="cache_hot"))) == []


def test_with_chunks_a_rule_may_wait_for_one() -> None:
    triggers = Triggers(rules=(TriggerRule(name="a", when='event == "chunk_closed"'),))
    assert trigger_problems(Policy(triggers=triggers, chunks=Chunks(enabled=True))) == []


def test_everything_that_is_wrong_is_said_at_once() -> None:
    rules = (TriggerRule(name="a", when="nonsense"), TriggerRule(name="b", when="turns > 5s"))
    timers = Timers(cron="61 * * * *")
    found = trigger_problems(Policy(triggers=Triggers(rules=rules, hold="total > total", timers=timers)))
    assert [problem.key.removeprefix("policy.triggers.") for problem in found] == [
        "rules[0].when",
        "rules[1].when",
        "hold",
        "timers.cron",
    ]


@pytest.mark.parametrize(
    ("cron", "zone", "wrong"),
    [("0 0 30 2 *", "UTC", "cron"), ("0 3 * * *", "Mars/Olympus", "zone"), ("daily", "UTC", "cron")],
)
def test_a_moment_that_never_comes_is_refused(cron: str, zone: str, wrong: str) -> None:
    (problem,) = trigger_problems(Policy(triggers=Triggers(timers=Timers(cron=cron, zone=zone))))
    assert problem.key == f"policy.triggers.timers.{wrong}"
