"""A call under way: what it holds back, until when, and what is owed behind it."""

from dataclasses import replace

import pytest
from support.live_thread import LiveThread, compactions, kinds, policy_with, refused, talked

from tailrace.agents.triggers.temporal import FLIGHT
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import decode_context, encode
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import CallEnded, CallStarted, Compact, Overflow


def over_budget_in_flight(timeout_ms: int | None = 5_000) -> LiveThread:
    """A thread over its limit that waits for a call."""
    thread = talked()
    thread.send(CallStarted(call="c", timeout_ms=timeout_ms))
    assert not compactions(thread.say(400))
    assert thread.view.tokens > 1_000
    return thread


def test_a_call_holds_a_compaction_back_until_it_has_ended() -> None:
    thread = over_budget_in_flight()
    (record,) = compactions(thread.send(CallEnded(call="c")))
    assert record.after_tokens <= 1_000
    assert thread.standing.in_flight is None


def test_a_call_has_ended_once_the_model_speaks() -> None:
    thread = over_budget_in_flight()
    assert compactions(thread.say(10, "assistant"))
    assert thread.standing.in_flight is None


def test_a_call_that_nobody_ends_holds_nothing_beyond_its_deadline() -> None:
    thread = over_budget_in_flight()
    assert thread.timers() == {FLIGHT: thread.standing.in_flight.until_ms}  # type: ignore[union-attr]
    (record,) = compactions(thread.tick(FLIGHT))
    assert record.after_tokens <= 1_000
    assert thread.timers() == {}


def test_without_a_tick_the_next_message_after_the_deadline_compacts() -> None:
    thread = over_budget_in_flight(1_000)
    assert compactions(thread.say(1, later_ms=1_000))


def test_no_call_is_believed_for_longer_than_the_policy_says() -> None:
    thread = talked(Triggers(call_ms_max=2_000))
    thread.send(CallStarted(call="c", timeout_ms=3_000_000))
    assert thread.timers() == {FLIGHT: thread.now_ms + 2_000}


def test_the_end_of_another_call_is_refused() -> None:
    thread = over_budget_in_flight()
    assert "no call 'other'" in refused(thread.send(CallEnded(call="other")))
    assert thread.standing.in_flight is not None


@pytest.mark.parametrize("end", ["call_ended", "assistant", "deadline"])
def test_a_command_during_a_call_is_owed_and_kept(end: str) -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    flagged = thread.send(Compact())
    assert kinds(flagged) == {LifecycleKind.FLAGGED}
    assert thread.standing.owed == Compact()
    ends = {
        "call_ended": lambda: thread.send(CallEnded(call="c")),
        "assistant": lambda: thread.say(1, "assistant"),
        "deadline": lambda: thread.tick(FLIGHT),
    }
    (record,) = compactions(ends[end]())
    assert (record.trigger, record.rule) == (Trigger.MANUAL, "invoked")
    assert thread.standing.owed is None


@pytest.mark.parametrize("end", ["call_ended", "assistant", "deadline", "late message"])
def test_what_was_asked_for_during_a_call_is_done_as_it_was_asked_for(end: str) -> None:
    thread = LiveThread()
    thread.talk(16, words=25)
    thread.send(CallStarted(call="c", timeout_ms=1_000))
    thread.send(Compact(target_fraction=0.9))
    thread.send(Compact(target_tokens=400, strategy="drop", reason="before the long task"))
    assert not thread.view.totals.compactions
    ends = {
        "call_ended": lambda: thread.send(CallEnded(call="c")),
        "assistant": lambda: thread.say(1, "assistant"),
        "deadline": lambda: thread.tick(FLIGHT),
        "late message": lambda: thread.say(1, later_ms=1_000),
    }
    (record,) = compactions(ends[end]())
    assert record.after_tokens <= 400
    assert record.strategy == "drop"
    assert record.condition == "before the long task, while a call was under way"
    assert thread.standing.owed is None


def test_what_is_owed_outlives_a_change_of_hands() -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    thread.send(Compact(target_tokens=250))
    head = thread.view.head
    assert head is not None
    record = encode(head, 1)
    assert decode_context(record.key or b"", record.value) == head


def test_an_overflow_does_what_was_asked_for_during_its_call() -> None:
    thread = LiveThread()
    thread.talk(16, words=25)
    thread.send(CallStarted(call="c"))
    thread.send(Compact(target_tokens=300))
    (record,) = compactions(thread.send(Overflow(window_tokens=900)))
    assert (record.trigger, record.rule) == (Trigger.REACTIVE, "overflow")
    assert record.after_tokens <= 300
    assert thread.standing.owed is None


def test_what_was_asked_for_under_another_policy_is_done_by_the_present_one() -> None:
    thread = LiveThread(policy_with(compactor="mine"))
    thread.talk(6)
    thread.send(CallStarted(call="c"))
    assert kinds(thread.send(Compact(strategy="delegate"))) == {LifecycleKind.FLAGGED}
    thread.engine = replace(thread.engine, policy=policy_with())
    (record,) = compactions(thread.send(CallEnded(call="c")))
    assert record.strategy == "composed"


def test_what_was_asked_for_during_a_call_needs_no_approval() -> None:
    thread = talked(strategy="checkpoint")
    thread.send(CallStarted(call="c"))
    thread.send(Compact(strategy="composed"))
    assert compactions(thread.say(1, "assistant"))
