"""Timers of a thread: ticks that count and ticks that don't, and tool calls that nobody answers."""

from support.live_thread import LiveThread, audit, compactions, overtaken, policy_with, refused, talked
from support.signal_moves import tick

from tailrace.agents.triggers.temporal import CACHE, CALL, CRON, EVERY, IDLE, Timer
from tailrace.schemas.policy.triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import CallEnded, CallStarted

# Timers


def with_timers(**timers: object) -> LiveThread:
    return talked(Triggers(timers=Timers(**timers)))  # type: ignore[arg-type]


def test_a_thread_that_is_idle_is_compacted_once_per_silence() -> None:
    thread = with_timers(idle_ms=1_000)
    assert thread.timers() == {IDLE: thread.now_ms + 1_000}
    (record,) = compactions(thread.tick(IDLE))
    assert (record.trigger, record.rule) == (Trigger.TEMPORAL, IDLE)
    assert thread.timers() == {}
    thread.say(5)
    assert thread.timers() == {IDLE: thread.now_ms + 1_000}


def test_an_idle_thread_below_its_lower_mark_is_left_as_it_is() -> None:
    thread = talked(Triggers(timers=Timers(idle_ms=1_000)), turns=1)
    outcome = thread.tick(IDLE)
    assert not audit(outcome)
    assert outcome.result == "noted"
    assert thread.timers() == {}


def test_a_tick_that_comes_again_changes_nothing_and_says_nothing() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    thread.tick(IDLE)
    assert overtaken(thread.publish(tick(timer, "thread")))


def test_a_tick_from_before_the_last_message_is_overtaken() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    thread.say(1)
    assert overtaken(thread.publish(tick(timer, "thread"), later_ms=5_000))


def test_a_tick_for_a_timer_that_no_thread_can_have_is_refused() -> None:
    thread = talked()
    assert "no thread has a timer 'moonrise'" in refused(thread.publish(tick(Timer("moonrise", 5), "thread")))


def test_a_tick_before_its_time_is_refused_and_the_timer_stays() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    assert "is due in 999 ms" in refused(thread.publish(tick(timer, "thread")))
    assert thread.timers() == {IDLE: timer.due_ms}


def test_a_thread_is_compacted_every_so_often_if_something_was_said() -> None:
    thread = with_timers(every_ms=1_000)
    assert compactions(thread.tick(EVERY, late_ms=300))
    assert thread.timers() == {}
    fired_at_ms = thread.now_ms
    thread.say(1)
    assert thread.timers() == {EVERY: fired_at_ms + 1_000}


def test_a_thread_is_compacted_at_the_moments_of_a_cron_expression() -> None:
    thread = with_timers(cron="* * * * *")
    due_ms = thread.timers()[CRON]
    assert due_ms % 60_000 == 0
    (record,) = compactions(thread.tick(CRON))
    assert record.rule == CRON
    assert thread.timers() == {}
    thread.say(1)
    assert thread.timers()[CRON] == due_ms + 60_000


def test_a_thread_is_compacted_before_the_cache_of_its_provider_expires() -> None:
    thread = with_timers(cache_ttl_ms=10_000, before_cache_expiry_ms=2_000)
    assert thread.timers() == {CACHE: thread.standing.called_at_ms + 8_000}
    assert compactions(thread.tick(CACHE))
    assert thread.timers() == {}


def test_a_timer_that_goes_off_during_a_call_changes_nothing() -> None:
    thread = with_timers(idle_ms=1_000)
    thread.send(CallStarted(call="c", timeout_ms=5_000))
    outcome = thread.tick(IDLE)
    assert outcome.result == "noted"
    assert not compactions(outcome)


def test_a_rule_about_ticks_is_met_by_a_tick() -> None:
    triggers = Triggers(
        rules=(TriggerRule(name="on ticks", when='event == "tick"'),),
        timers=Timers(idle_ms=1_000),
        governor=Governor(cooldown_ms=1),
    )
    thread = talked(triggers)
    (record,) = compactions(thread.tick(IDLE))
    assert record.trigger is Trigger.TEMPORAL


# Calls that nobody answers


def waiting() -> LiveThread:
    """A thread that waits for a tool, at most a second."""
    thread = LiveThread(policy_with(Triggers(timers=Timers(call_deadline_ms=1_000))))
    thread.say(10)
    thread.call("k")
    return thread


def test_a_call_without_a_result_gets_a_stand_in_at_its_deadline() -> None:
    thread = waiting()
    outcome = thread.tick(f"{CALL}k")
    (line,) = audit(outcome)
    assert (line.kind, line.trigger, line.rule) == (LifecycleKind.FLAGGED, Trigger.TEMPORAL, f"{CALL}k")
    assert [entry.kind for entry in thread.view.live()][-1] is EntryKind.STAND_IN
    assert not thread.view.open_calls
    assert thread.timers() == {}


def test_a_stand_in_is_nothing_that_was_said() -> None:
    thread = waiting()
    before = thread.view.totals
    said_at_ms = thread.standing.said_at_ms
    thread.tick(f"{CALL}k")
    assert thread.view.totals == before
    assert thread.standing.said_at_ms == said_at_ms


def full_of_talk_and_a_call() -> LiveThread:
    """A thread that has no room but for the few tokens that a missing result costs; a stand-in costs more."""
    triggers = Triggers(timers=Timers(call_deadline_ms=1_000))
    thread = LiveThread(policy_with(triggers, upper_fraction=1.0, default_window_tokens=2_000), word_tokens=2)
    thread.talk(4)
    thread.call("k")
    thread.say(187)
    assert 2_000 - 2 < thread.view.request_tokens <= 2_000
    return thread


def test_a_stand_in_that_does_not_fit_is_compacted_for() -> None:
    thread = full_of_talk_and_a_call()
    assert thread.view.totals.compactions == 0
    (record,) = compactions(thread.tick(f"{CALL}k"))
    assert record.rule == "limit"
    assert thread.view.request_tokens <= 2_000
    assert not thread.view.open_calls
    assert thread.view.gave_up("k")


def test_a_stand_in_waits_for_no_call_and_its_room_does() -> None:
    thread = full_of_talk_and_a_call()
    thread.send(CallStarted(call="c", timeout_ms=60_000))
    assert not compactions(thread.tick(f"{CALL}k"))
    assert not thread.view.open_calls
    assert compactions(thread.send(CallEnded(call="c")))
