"""What conditions can ask about a thread, by a thread that lives."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.live_thread import BEGIN_MS, LiveThread, policy_with

from tailrace.agents.conditions.evaluate import compile_condition
from tailrace.agents.conditions.facts import FACTS
from tailrace.agents.conditions.parse import parse
from tailrace.agents.tokens.budget import budget_for
from tailrace.agents.triggers.facts import ARRIVAL_PATHS, PATHS, ThreadFacts
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.records.signal import Announce, CallStarted, Compact

POLICY = policy_with(Triggers(timers=Timers(cache_ttl_ms=1_000)))


def facts_of(thread: LiveThread, **fields: Any) -> ThreadFacts:
    known: dict[str, Any] = {
        "happened": "message",
        "at_ms": thread.now_ms,
        "total_tokens": thread.view.tokens,
        "budget": budget_for(policy_with(), 1_000),
        "window_tokens": 1_000,
        "standing": thread.standing,
        "policy": POLICY,
    }
    return ThreadFacts(thread.view, **{**known, **fields})


def test_every_fact_that_is_no_formula_is_answered() -> None:
    thread = LiveThread()
    thread.talk(1)
    facts = facts_of(thread)
    for fact in FACTS.values():
        if fact.formula is None:
            assert getattr(facts, fact.attribute, None) is not None or fact.name in {"model", "agent"}


def is_read_as(name: str, facts: ThreadFacts, paths: Mapping[str, str]) -> bool:
    """Tell whether a condition that goes by these paths reads what the facts themselves say."""
    value = getattr(facts, FACTS[name].attribute)
    value = f'"{value}"' if isinstance(value, str) else value
    return compile_condition(parse(f"{name} == {value}"), paths)(facts)


@pytest.mark.parametrize("name", PATHS)
def test_a_short_way_to_a_fact_leads_to_the_same_answer(name: str) -> None:
    thread = LiveThread()
    thread.talk(2)
    thread.send(Announce(tokens=7))
    assert is_read_as(name, facts_of(thread), PATHS)


@pytest.mark.parametrize("name", ARRIVAL_PATHS)
def test_a_short_way_at_the_arrival_of_a_message_leads_to_the_same_answer(name: str) -> None:
    thread = LiveThread()
    thread.talk(4)
    thread.send(Compact(target_fraction=0.5))
    thread.talk(1)
    thread.call("k")
    thread.send(Announce(tokens=7))
    before = ThreadView()
    for change in (thread.view.head, *thread.view.live()):
        assert change is not None
        before.apply(change)
    thread.answer("k", "found it at last")
    answer = thread.view.live()[-1]
    call, word = before.live()[-1], before.live()[-2]
    for entry in (answer, call, word):
        for at_ms in (thread.now_ms + 500, 5):
            facts = ThreadFacts(
                before,
                happened=None,
                at_ms=at_ms,
                total_tokens=before.tokens + entry.tokens,
                budget=budget_for(policy_with(), 1_000),
                window_tokens=1_000,
                standing=before.standing,
                policy=POLICY,
                entry=entry,
            )
            assert is_read_as(name, facts, ARRIVAL_PATHS)


def test_what_came_since_the_last_compaction_is_counted_from_it() -> None:
    thread = LiveThread()
    thread.talk(4)
    thread.send(Compact(target_fraction=0.5))
    assert facts_of(thread).turns_since_compaction == 0
    assert facts_of(thread).messages_since_compaction == 0
    thread.say(30, later_ms=50)
    facts = facts_of(thread)
    assert (facts.turns_since_compaction, facts.messages_since_compaction, facts.tokens_since_compaction) == (1, 1, 30)
    assert facts.since_compaction_ms == 50


def test_before_any_compaction_everything_counts_from_the_start() -> None:
    thread = LiveThread()
    thread.talk(2)
    facts = facts_of(thread, at_ms=BEGIN_MS + 1 + 500)
    assert (facts.turns_since_compaction, facts.messages_since_compaction, facts.tokens_since_compaction) == (2, 4, 400)
    assert facts.since_compaction_ms == facts.age_ms == 500


def test_time_goes_by_the_last_message_and_the_last_call() -> None:
    thread = LiveThread()
    thread.talk(1)
    thread.say(1, later_ms=200)
    facts = facts_of(thread, at_ms=thread.now_ms + 300)
    assert facts.idle_ms == 300
    assert (facts.cache_left_ms, facts.cache_hot) == (500, True)
    cold = facts_of(thread, at_ms=thread.now_ms + 800)
    assert (cold.cache_left_ms, cold.cache_hot) == (0, False)


def test_without_a_call_the_cache_is_cold() -> None:
    thread = LiveThread()
    thread.say(1)
    assert not facts_of(thread).cache_hot


def test_a_clock_that_was_set_back_makes_nothing_negative() -> None:
    thread = LiveThread()
    thread.talk(1)
    facts = facts_of(thread, at_ms=5)
    assert (facts.idle_ms, facts.age_ms, facts.since_compaction_ms) == (0, 0, 0)


def test_who_is_waited_for_follows_from_the_last_message() -> None:
    thread = LiveThread()
    seen = []
    for act in (
        lambda: thread.say(1),
        lambda: thread.call("k"),
        lambda: thread.answer("k"),
        lambda: thread.say(1, "assistant"),
    ):
        act()
        facts = facts_of(thread)
        seen.append((facts.pending_input, facts.needs_follow_up, facts.open_calls))
    assert seen == [(True, False, 0), (False, True, 1), (False, True, 0), (False, False, 0)]


def test_a_message_that_has_just_come_counts_though_the_view_has_it_not_yet() -> None:
    thread = LiveThread()
    thread.say(5)
    thread.call("k")
    thread.answer("k", "five words of a result")
    entry = thread.view.live()[-1]
    before = LiveThread()
    before.say(5)
    before.call("k")
    without, with_it = facts_of(before), facts_of(before, entry=entry)
    assert (without.open_calls, with_it.open_calls) == (1, 0)
    assert with_it.tool_tokens - without.tool_tokens == 5
    assert with_it.messages - without.messages == 1
    assert with_it.messages_since_compaction - without.messages_since_compaction == 1
    assert with_it.tokens_since_compaction - without.tokens_since_compaction == 5
    assert with_it.needs_follow_up


def test_system_messages_are_the_prefix_and_tool_results_are_counted_apart() -> None:
    thread = LiveThread()
    thread.say(40, "system")
    thread.say(5)
    thread.call("k")
    thread.answer("k", "three more words")
    facts = facts_of(thread)
    assert (facts.prefix_tokens, facts.tool_tokens, facts.messages) == (40, 3, 4)


def test_a_call_is_under_way_until_its_time_is_over() -> None:
    thread = LiveThread()
    thread.say(1)
    thread.send(CallStarted(call="c", timeout_ms=100))
    assert facts_of(thread).in_flight
    assert not facts_of(thread, at_ms=thread.now_ms + 100).in_flight
