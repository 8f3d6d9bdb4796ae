"""The lease: until when the broker can't have given our partitions away."""

import time

from tailrace.streams.worker.lease import Lease


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_there_is_no_lease_before_the_first_heartbeat() -> None:
    assert not Lease(10, Clock()).valid


def test_a_heartbeat_holds_for_the_session_timeout() -> None:
    clock = Clock()
    lease = Lease(10, clock)
    lease.renew(clock.seconds)
    clock.seconds += 9.99
    assert lease.valid
    clock.seconds += 0.01
    assert not lease.valid


def test_it_counts_when_a_heartbeat_was_sent_not_when_it_was_answered() -> None:
    clock = Clock()
    lease = Lease(10, clock)
    sent_at = clock.seconds
    clock.seconds += 8
    lease.renew(sent_at)
    clock.seconds += 3
    assert not lease.valid


def test_an_answer_that_comes_late_takes_nothing_back() -> None:
    clock = Clock()
    lease = Lease(10, clock)
    lease.renew(clock.seconds)
    lease.renew(clock.seconds - 100)
    assert lease.valid


def test_only_a_heartbeat_sent_later_proves_anything_about_now() -> None:
    clock = Clock()
    lease = Lease(10, clock)
    asked_at = clock.seconds
    lease.renew(asked_at - 0.1)
    assert not lease.renewed_since(asked_at)
    lease.renew(asked_at + 0.1)
    assert lease.renewed_since(asked_at)


def test_the_clock_goes_on_while_the_machine_is_suspended() -> None:
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    before = time.clock_gettime(clock)
    assert before <= Lease(10).now() <= time.clock_gettime(clock)
