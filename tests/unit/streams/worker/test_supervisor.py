"""The supervisor: ports and pauses; tests/kafka/test_worker.py has it start and stop real workers."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tailrace.streams.settings.settings import HttpSettings, Settings
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


def test_what_makes_the_index_is_started_beside_the_workers(tmp_path: Path) -> None:
    started = tmp_path / "started"
    program = f"import sys, time; open({str(started)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n'); time.sleep(600)"
    with supervised(program, 2) as supervising:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not started.exists() or started.read_text().count("\n") < 3):
            time.sleep(0.05)
        assert sorted(started.read_text().splitlines()) == ["", "", "--role index"]
        supervising.terminate()
        supervising.wait(timeout=180)


@contextmanager
def supervised(program: str, processes: int) -> Iterator[subprocess.Popen[bytes]]:
    """A supervisor, with this program in the place of its workers."""
    start = (
        "import sys; from tailrace.streams.settings.settings import Settings; from tailrace.streams.worker import "
        f"supervisor; supervisor.COMMAND = (sys.executable, '-c', {program!r}); supervisor.RESTART_SECONDS_MAX = "
        f"0.5; sys.exit(supervisor.supervise(Settings(), {processes}))"
    )
    process = subprocess.Popen([sys.executable, "-c", start], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_workers_that_are_refused_at_once_end_it() -> None:
    with supervised("import sys; sys.exit(78)", 2) as supervising:
        assert supervising.wait(timeout=180) == 78


def test_a_worker_that_ran_is_waited_for_where_its_settings_were_broken_since(tmp_path: Path) -> None:
    lives = tmp_path / "lives"
    # Its first life ends in trouble that passes, every later one is refused.
    program = (
        "import sys, time; time.sleep(600 * (len(sys.argv) > 1)); "
        f"f = open({str(lives)!r}, 'a'); f.write('x'); sys.exit(75 if f.tell() == 1 else 78)"
    )
    with supervised(program, 1) as supervising:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not lives.exists() or lives.stat().st_size < 4):
            time.sleep(0.05)
        assert lives.stat().st_size >= 4
        supervising.terminate()
        assert supervising.wait(timeout=180) == 0
