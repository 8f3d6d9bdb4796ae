"""Temporal trigger: which timers a thread has, and which is due first."""

import pytest
from support.live_thread import LiveThread, policy_with

from tailrace.agents.triggers.temporal import (
    CACHE,
    CALL,
    CHUNK,
    CRON,
    EVERY,
    FLIGHT,
    IDLE,
    Timer,
    fired_with,
    next_timer,
    timers_of,
)
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.records.signal import CallStarted

ALL = Timers(
    idle_ms=5_000,
    every_ms=7_000,
    cron="*/5 * * * *",
    cache_ttl_ms=4_000,
    before_cache_expiry_ms=1_000,
    call_deadline_ms=2_000,
    chunk_ms=2_500,
)


def thread_with(timers: Timers) -> LiveThread:
    return LiveThread(policy_with(Triggers(timers=timers)))


def test_a_thread_that_nobody_spoke_in_has_no_timers() -> None:
    assert list(timers_of(ThreadView(), Triggers(timers=ALL))) == []
    assert next_timer(ThreadView(), Triggers(timers=ALL)) is None


def test_without_timers_in_the_policy_there_are_none() -> None:
    thread = thread_with(Timers())
    thread.talk(1)
    thread.call("k")
    assert thread.timers() == {}


def test_each_timer_follows_from_what_the_thread_remembers() -> None:
    thread = thread_with(ALL)
    thread.say(1)
    began_at_ms = thread.now_ms
    thread.call("k", later_ms=100)
    called_at_ms = thread.now_ms
    assert thread.timers() == {
        IDLE: called_at_ms + 5_000,
        EVERY: began_at_ms + 7_000,
        CRON: 1_200_000,
        CACHE: called_at_ms + 3_000,
        CHUNK: called_at_ms + 2_500,
        f"{CALL}k": called_at_ms + 2_000,
    }
    assert next_timer(thread.view, thread.policy.triggers) == Timer(f"{CALL}k", called_at_ms + 2_000)


def test_a_call_under_way_has_a_timer_whatever_the_policy_says() -> None:
    thread = thread_with(Timers())
    thread.say(1)
    thread.send(CallStarted(call="c", timeout_ms=700))
    assert next_timer(thread.view, Triggers()) == Timer(FLIGHT, thread.now_ms + 700)


def test_without_a_call_to_a_model_no_cache_expires() -> None:
    thread = thread_with(ALL)
    thread.say(1)
    assert CACHE not in thread.timers()


def test_of_two_timers_that_are_due_at_once_the_name_decides() -> None:
    thread = thread_with(Timers(idle_ms=1_000, every_ms=1_000))
    thread.say(1)
    timer = next_timer(thread.view, thread.policy.triggers)
    assert timer == Timer(EVERY, thread.now_ms + 1_000)


def test_a_producers_own_clock_moves_no_timer() -> None:
    one, other = thread_with(ALL), thread_with(ALL)
    one.say(1, created_at_ms=4_102_444_800_000)
    other.say(1, created_at_ms=1)
    assert one.timers() == other.timers()


def test_timers_that_repeat_go_on_from_when_they_came_and_others_are_done_with_their_moment() -> None:
    assert fired_with({IDLE: 1}, Timer(EVERY, 5), 9) == {IDLE: 1, EVERY: 9}
    assert fired_with({}, Timer(CRON, 5), 9) == {CRON: 9}
    assert fired_with({IDLE: 1}, Timer(IDLE, 5), 9) == {IDLE: 5}
    assert fired_with({}, Timer(CACHE, 5), 9) == {CACHE: 5}


def test_after_a_long_silence_a_timer_that_repeats_goes_off_once_and_makes_up_for_nothing() -> None:
    thread = thread_with(Timers(every_ms=1_000))
    thread.say(1)
    thread.tick(EVERY, late_ms=50_000)
    fired_at_ms = thread.now_ms
    assert thread.timers() == {}
    thread.say(1)
    assert thread.timers() == {EVERY: fired_at_ms + 1_000}


@pytest.mark.parametrize("moment_ms", [2**63 - 1, 2**53, 253_402_300_800_000, 250_300_000_000_000])
def test_a_thread_that_began_behind_the_end_of_the_calendar_has_no_timer_of_the_calendar(moment_ms: int) -> None:
    """A broker that takes its producers' clocks may know any year, and no year may end a worker."""
    thread = thread_with(ALL)
    thread.now_ms = moment_ms
    thread.say(1)

    assert {IDLE, EVERY} <= thread.timers().keys()
    assert CRON not in thread.timers()
