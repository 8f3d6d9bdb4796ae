"""Rules of a policy, what holds them back, and what keeps them from running away."""

import pytest
from support.live_thread import LiveThread, compactions, kinds, policy_with, reasons, talked

from tailrace.agents.triggers.temporal import EVERY, IDLE
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import Announce, Compact, SubagentFinished, SwitchModel


def rule(when: str, name: str = "rule") -> Triggers:
    return Triggers(rules=(TriggerRule(name=name, when=when),))


def test_a_rule_about_a_signal_fires_with_its_values() -> None:
    thread = talked(rule('event == "subagent_finished" and turns >= 2', "child is back"))
    (record,) = compactions(thread.send(SubagentFinished(child="x")))
    assert (record.trigger, record.rule) == (Trigger.STRUCTURAL, "child is back")
    assert record.condition is not None
    assert "turns" in record.condition
    assert "4" in record.condition


def test_the_first_rule_that_holds_fires() -> None:
    rules = tuple(
        TriggerRule(name=name, when=when)
        for name, when in (("no", "turns > 99"), ("a", "turns > 1"), ("b", "turns > 0"))
    )
    thread = talked(Triggers(rules=rules), turns=3)
    records = compactions([thread.say(100), thread.say(100, "assistant")])
    assert {record.rule for record in records} == {"a"}


def test_a_rule_waits_while_the_policy_holds_it_and_what_must_fit_does_not() -> None:
    thread = talked(Triggers(rules=(TriggerRule(name="eager", when="turns > 1"),), hold="turns > 0"))
    assert thread.view.tokens == 800
    assert not compactions(thread.send(Announce(tokens=80)))
    (record,) = compactions(thread.say(300))
    assert record.rule == "limit"


def test_after_a_compaction_rules_wait_for_the_cooldown_and_commands_do_not() -> None:
    eager = TriggerRule(name="eager", when="turns > 1")
    thread = talked(Triggers(rules=(eager,), governor=Governor(cooldown_ms=10_000)), turns=2)
    thread.say(150)
    (first,) = compactions(thread.say(100, "assistant"))
    assert first.rule == "eager"
    while thread.view.tokens < 750:
        assert not compactions(thread.say(50, "assistant"))
    assert compactions(thread.send(Compact(target_fraction=0.5)))
    while thread.view.tokens < 700:
        assert not compactions(thread.say(50, "assistant"))
    (last,) = compactions(thread.say(1, "assistant", later_ms=10_000))
    assert last.rule == "eager"


def stubborn(governor: Governor) -> LiveThread:
    """A thread over its upper mark of which nothing may go."""
    thread = LiveThread(policy_with(Triggers(governor=governor, timers=Timers(every_ms=100))))
    for _ in range(9):
        thread.say(98, pinned=True)
    return thread


def test_after_three_tries_in_vain_a_thread_is_left_alone_for_a_while() -> None:
    thread = stubborn(Governor(failures_max=3, breaker_ms=60_000))
    tries = 0
    for _ in range(8):
        thread.say(1, pinned=True)
        tries += LifecycleKind.NOOP in kinds(thread.tick(EVERY))
    assert thread.standing.failures == 3
    assert tries <= 3
    thread.say(1, pinned=True, later_ms=60_000)
    assert LifecycleKind.NOOP in kinds(thread.tick(EVERY))


def test_what_must_fit_is_compacted_though_the_breaker_is_open() -> None:
    thread = stubborn(Governor(failures_max=1, breaker_ms=60_000))
    thread.say(1, pinned=True)
    thread.tick(EVERY)
    assert thread.standing.failures >= 1
    outcome = thread.say(300)
    assert compactions(outcome)
    assert thread.view.tokens <= 1_000


def test_a_rule_that_always_holds_does_not_take_message_after_message() -> None:
    """What is kept lies above the lower mark, so that the rule is met all the time."""
    thread = LiveThread(policy_with(Triggers(rules=(TriggerRule(name="always", when="messages > 1"),))))
    for _ in range(7):
        thread.say(100, pinned=True)
    for _ in range(60):
        thread.say(10, "assistant")
    assert 2 <= thread.view.totals.compactions <= 8


def test_a_thread_that_can_not_be_made_to_fit_says_so_once() -> None:
    thread = LiveThread(policy_with(default_window_tokens=20))
    said = [thread.say(60, pinned=True) for _ in range(6)]
    assert thread.view.tokens > 20
    assert [LifecycleKind.FAILED in kinds(outcome) for outcome in said] == [True, *[False] * 5]
    assert "can't be made smaller" in reasons(said[0])
    assert thread.standing.stuck


def test_a_thread_is_stuck_no_more_once_a_larger_model_takes_it() -> None:
    thread = LiveThread(policy_with(default_window_tokens=20))
    for _ in range(3):
        thread.say(60, pinned=True)
    assert thread.standing.stuck
    thread.send(SwitchModel(model="large"))
    assert not thread.standing.stuck


def test_where_the_policy_asks_for_approval_a_timer_only_asks() -> None:
    thread = talked(Triggers(timers=Timers(idle_ms=1_000)), strategy="checkpoint")
    outcome = thread.tick(IDLE)
    assert not compactions(outcome)
    assert kinds(outcome) == {LifecycleKind.FLAGGED}
    assert compactions(thread.send(Compact(strategy="composed")))


@pytest.mark.parametrize("prompt_tokens", [800, 880, 930, 960])
def test_beside_a_large_prompt_a_check_that_comes_to_nothing_says_why_and_the_context_fits(prompt_tokens: int) -> None:
    """A tenth of the limit can't be freed beside it, until the limit is passed and the prompt is shortened too."""
    thread = LiveThread(policy_with())
    thread.say(prompt_tokens, "system")
    noops = 0
    for _ in range(60):
        for role in ("user", "assistant"):
            outcome = thread.say(5, role)
            assert thread.view.request_tokens <= 1_000
            if LifecycleKind.NOOP in kinds(outcome):
                noops += 1
                assert "could be freed, less than 100" in reasons(outcome) or "may go" in reasons(outcome)

    assert thread.view.totals.compactions
    # It is not tried again with every message.
    assert noops <= 120 // 5
