"""The firing rule: what fires first, what waits, and what waits for nobody."""

from typing import Any

import pytest
from support.live_thread import LiveThread, policy_with

from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.firing_rule import FiringRule, approval_plan
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Governor, TriggerRule, Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.signal import CallStarted

BUDGET = TokenBudget(limit_tokens=1_000, upper_tokens=850, lower_tokens=600)
EAGER = (TriggerRule(name="eager", when="turns >= 1"),)


def facts(policy: Policy, total_tokens: int, thread: LiveThread | None = None, **changes: Any) -> ThreadFacts:
    if thread is None:
        thread = LiveThread()
        thread.talk(2)
    for name, value in changes.items():
        setattr(thread.view, name, value)
    return ThreadFacts(
        thread.view,
        happened="subagent_finished",
        at_ms=thread.now_ms,
        total_tokens=total_tokens,
        budget=BUDGET,
        window_tokens=1_000,
        standing=thread.standing,
        policy=policy,
    )


def fired(policy: Policy, known: ThreadFacts) -> str | None:
    firing = FiringRule(policy).fires(known)
    return firing.rule if firing is not None else None


@pytest.mark.parametrize(
    ("total_tokens", "quiet_tokens", "rule"),
    [
        (1_001, 0, "limit"),
        (1_001, 2_000, "limit"),
        (851, 0, "upper mark"),
        (850, 0, "eager"),
        (601, 0, "eager"),
        (600, 0, None),
        (900, 900, None),
        (800, 800, None),
        (801, 800, "eager"),
    ],
)
def test_marks_come_before_rules_and_neither_below_what_was_tried_in_vain(
    total_tokens: int, quiet_tokens: int, rule: str | None
) -> None:
    policy = policy_with(Triggers(rules=EAGER))
    assert fired(policy, facts(policy, total_tokens, quiet_tokens=quiet_tokens)) == rule


def test_while_a_call_is_under_way_nothing_fires() -> None:
    thread = LiveThread()
    thread.talk(2)
    thread.send(CallStarted(call="c", timeout_ms=1_000))
    policy = policy_with(Triggers(rules=EAGER))
    assert fired(policy, facts(policy, 5_000, thread)) is None
    thread.now_ms += 1_000
    assert fired(policy, facts(policy, 5_000, thread)) == "limit"


@pytest.mark.parametrize("held", [Triggers(hold="turns > 1"), Triggers(governor=Governor(cooldown_ms=60_000))])
def test_what_need_not_be_waits_for_the_policy_and_the_governor(held: Triggers) -> None:
    policy = policy_with(held)
    thread = LiveThread()
    thread.talk(9)  # compacted once
    assert thread.view.totals.compactions
    assert fired(policy, facts(policy, 900, thread)) is None
    assert fired(policy, facts(policy, 1_001, thread)) == "limit"
    for trigger in (Trigger.MANUAL, Trigger.REACTIVE):
        assert FiringRule(policy).lets_pass(Firing(trigger, "", ""), facts(policy, 900, thread))


def test_who_asks_by_hand_is_not_asked_for_approval_and_what_must_fit_neither() -> None:
    rule = FiringRule(policy_with(strategy="checkpoint"))
    assert rule.asks_first(Firing(Trigger.BUDGET, "upper mark", ""), None)
    assert not rule.asks_first(Firing(Trigger.BUDGET, "limit", "", must=True), None)
    assert not rule.asks_first(Firing(Trigger.MANUAL, "invoked", ""), None)
    assert not FiringRule(policy_with()).asks_first(Firing(Trigger.BUDGET, "upper mark", ""), None)
    plan = approval_plan(BUDGET, 900)
    assert not plan.acts
    assert plan.reason is not None
    assert "approval" in plan.reason
