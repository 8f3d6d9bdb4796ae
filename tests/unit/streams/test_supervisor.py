"""The supervisor: ports and pauses; tests/kafka/test_worker.py has it start and stop real workers."""

import time

import pytest

from tailrace.streams import supervisor
from tailrace.streams.settings import HttpSettings, Settings
from tailrace.streams.supervisor import RESTART_SECONDS_MAX


@pytest.mark.parametrize(("port", "ports"), [(9464, ["9464", "9465", "9466"]), (0, ["0", "0", "0"])])
def test_every_worker_gets_the_next_port_or_any(port: int, ports: list[str]) -> None:
    settings = Settings(http=HttpSettings(port=port))
    assert [supervisor._environment(settings, number)["TAILRACE_HTTP__PORT"] for number in range(3)] == ports


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
