"""The supervisor: ports and pauses; tests/kafka/test_worker.py has it start and stop real workers."""

import time

import pytest

from tailrace.streams.settings import HttpSettings, Settings
from tailrace.streams.worker import supervisor
from tailrace.streams.worker.supervisor import RESTART_SECONDS_MAX


def test_workers_take_the_port_that_was_set_and_those_behind_it() -> None:
    settings = Settings(http=HttpSettings(port=9500))
    ports = [supervisor._environment(settings, number)["TAILRACE_HTTP__PORT"] for number in range(3)]
    assert ports == ["9500", "9501", "9502"]


@pytest.mark.parametrize("settings", [Settings(), Settings(http=HttpSettings(port=0))])
def test_workers_find_a_port_by_themselves_where_none_was_set(settings: Settings) -> None:
    assert "TAILRACE_HTTP__PORT" not in supervisor._environment(settings, 1)


def test_a_worker_that_ends_again_and_again_is_started_less_and_less_often() -> None:
    child = supervisor._Child({})
    pauses = []
    for _ in range(8):
        child.started_at = time.monotonic()
        child.plan_restart()
        pauses.append(child.pause_seconds)
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[1]
    assert pauses[-1] == RESTART_SECONDS_MAX


def test_a_worker_that_ran_for_long_is_started_again_soon() -> None:
    child = supervisor._Child({}, pause_seconds=RESTART_SECONDS_MAX, started_at=time.monotonic() - 3600)
    child.plan_restart()
    assert child.pause_seconds < 1
