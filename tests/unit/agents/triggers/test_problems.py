"""What of a policy's triggers is refused when it is loaded, and how that is said."""

import pytest

from tailrace.agents.triggers.problems import trigger_problems
from tailrace.schemas.policy_triggers import Timers, TriggerRule, Triggers


def test_triggers_that_make_sense_have_no_problems() -> None:
    rules = (TriggerRule(name="a", when="total >= limit and (needs_follow_up or pending_input)"),)
    timers = Timers(cron="0 3 * * *", zone="Europe/Zurich")
    assert trigger_problems(Triggers(rules=rules, hold="cache_hot and total <= limit", timers=timers)) == []
    assert trigger_problems(Triggers()) == []


@pytest.mark.parametrize(
    ("when", "allowed"),
    [
        ("totl >= limit", "total, perhaps"),
        ("fraction > 80", "a condition that can hold and can fail"),
        ("total >= ", "a name"),
        ("total > 5m", "values of one unit"),
        ('event == "tock"', "tick, perhaps"),
    ],
)
def test_a_condition_that_can_not_be_used_is_shown_with_a_mark_below_the_place(when: str, allowed: str) -> None:
    good = TriggerRule(name="a", when="cache_hot")
    (problem,) = trigger_problems(Triggers(rules=(good, TriggerRule(name="b", when=when))))
    assert (problem.key, problem.value) == ("policy.triggers.rules[1].when", when)
    assert allowed in problem.allowed
    line, mark = problem.allowed.splitlines()[1:]
    assert line.strip() == when.strip()
    assert mark.strip(" ").strip("^") == ""
    assert "^" in mark


def test_everything_that_is_wrong_is_said_at_once() -> None:
    rules = (TriggerRule(name="a", when="nonsense"), TriggerRule(name="b", when="turns > 5s"))
    timers = Timers(cron="61 * * * *")
    found = trigger_problems(Triggers(rules=rules, hold="total > total", timers=timers))
    assert [problem.key.removeprefix("policy.triggers.") for problem in found] == [
        "rules[0].when",
        "rules[1].when",
        "hold",
        "timers.cron",
    ]


@pytest.mark.parametrize(("cron", "zone"), [("0 0 30 2 *", "UTC"), ("0 3 * * *", "Mars/Olympus"), ("daily", "UTC")])
def test_a_moment_that_never_comes_is_refused(cron: str, zone: str) -> None:
    (problem,) = trigger_problems(Triggers(timers=Timers(cron=cron, zone=zone)))
    assert problem.key == "policy.triggers.timers.cron"
