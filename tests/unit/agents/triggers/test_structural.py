"""Structural trigger: which event a message is, which rule fires, and what holds it back."""

import pytest
from support.live_thread import LiveThread, policy_with

from tailrace.agents.tokens.budget import budget_for
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.problems import trigger_problems
from tailrace.agents.triggers.structural import StructuralRules, event_of
from tailrace.schemas.errors import ConditionError
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import TriggerRule, Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

TEXT, CALL = TextPart(content="x"), ToolCallPart(id="k", name="look", arguments={})
RESULT = ToolCallResponsePart(id="k", response="x")


def facts(event: str = "message") -> ThreadFacts:
    """A thread of two turns and 400 tokens, of 1,000."""
    thread = LiveThread()
    thread.talk(2)
    return ThreadFacts(
        thread.view,
        happened=event,
        at_ms=thread.now_ms,
        total_tokens=400,
        budget=budget_for(policy_with(), 1_000),
        window_tokens=1_000,
        standing=thread.standing,
        policy=policy_with(),
    )


def rules(*conditions: str) -> Triggers:
    return Triggers(rules=tuple(TriggerRule(name=f"r{n}", when=when) for n, when in enumerate(conditions)))


@pytest.mark.parametrize(
    ("message", "event"),
    [
        (Message(role="user", parts=(TEXT,)), "message"),
        (Message(role="system", parts=(TEXT,)), "message"),
        (Message(role="assistant", parts=(TEXT,)), "turn_closed"),
        (Message(role="assistant", parts=(TEXT, CALL)), "message"),
        (Message(role="tool", parts=(RESULT,)), "tool_output"),
        (Message(role="user", parts=(RESULT, TEXT)), "tool_output"),
    ],
)
def test_what_a_message_means_for_the_turn_is_its_event(message: Message, event: str) -> None:
    assert event_of(message) == event


def test_without_rules_nothing_fires() -> None:
    assert StructuralRules(Triggers()).first(facts()) is None


def test_the_first_rule_that_holds_fires_and_says_why() -> None:
    firing = StructuralRules(rules("turns > 5", "turns >= 2 and total > 30% of limit", "turns >= 1")).first(facts())
    assert firing is not None
    assert firing.rule == "r1"
    assert firing.forced
    assert not firing.must
    assert "turns" in firing.condition
    assert "400" in firing.condition


@pytest.mark.parametrize(
    ("when", "event", "trigger"),
    [
        ("turns >= 1", "message", Trigger.STRUCTURAL),
        ("total >= 1", "message", Trigger.BUDGET),
        ("turns >= 1", "tick", Trigger.TEMPORAL),
    ],
)
def test_what_made_the_event_and_what_the_rule_asks_for_decide_which_trigger_it_is(
    when: str, event: str, trigger: Trigger
) -> None:
    firing = StructuralRules(rules(when)).first(facts(event))
    assert firing is not None
    assert firing.trigger is trigger


@pytest.mark.parametrize(("hold", "held"), [(None, False), ("turns >= 2", True), ("turns >= 3", False)])
def test_a_compaction_waits_while_the_policy_says_so(hold: str | None, *, held: bool) -> None:
    assert StructuralRules(Triggers(hold=hold)).hold(facts()) is held


@pytest.mark.parametrize("when", ["turns >", "moons > 1", "turns < 0", 'event == "dawn"', "turns > 1k and turns < 5"])
def test_a_condition_that_can_not_be_read_or_never_holds_is_refused(when: str) -> None:
    for triggers in (rules("turns > 1", when), Triggers(hold=when)):
        (problem,) = trigger_problems(Policy(triggers=triggers))
        assert "^" in str(problem)
        with pytest.raises(ConditionError):
            StructuralRules(triggers)
