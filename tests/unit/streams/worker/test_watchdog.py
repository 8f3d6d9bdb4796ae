"""The watchdog: work without a commit, for too long."""

from tailrace.streams.worker.watchdog import Watchdog


def test_without_work_nothing_is_stalled() -> None:
    watchdog = Watchdog(60)
    assert watchdog.stalled_seconds(lag_records=0, committed_at=0, now=10_000) == 0


def test_time_counts_from_the_first_sight_of_work() -> None:
    watchdog = Watchdog(60)
    watchdog.stalled_seconds(lag_records=0, committed_at=0, now=1000)
    assert watchdog.stalled_seconds(lag_records=5, committed_at=0, now=1002) == 0
    assert watchdog.stalled_seconds(lag_records=5, committed_at=0, now=1012) == 10


def test_a_commit_starts_the_time_anew() -> None:
    watchdog = Watchdog(60)
    watchdog.stalled_seconds(lag_records=5, committed_at=0, now=1000)
    assert watchdog.stalled_seconds(lag_records=5, committed_at=1008, now=1012) == 4


def test_work_that_was_done_in_between_starts_the_time_anew() -> None:
    watchdog = Watchdog(60)
    watchdog.stalled_seconds(lag_records=5, committed_at=0, now=1000)
    watchdog.stalled_seconds(lag_records=0, committed_at=0, now=1030)
    assert watchdog.stalled_seconds(lag_records=1, committed_at=0, now=1031) == 0


def test_a_commit_in_the_future_is_no_negative_time() -> None:
    assert Watchdog(60).stalled_seconds(lag_records=1, committed_at=2000, now=1000) == 0


def test_it_barks_only_beyond_the_limit() -> None:
    watchdog = Watchdog(60)
    assert not watchdog.barks(60)
    assert watchdog.barks(60.1)
