"""The short forms of the kill dances; `make chaos` is the whole."""

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def test_nothing_is_lost_when_workers_are_killed_frozen_and_ended() -> None:
    """Dance with signals on real processes, then ask the topics."""
    command = [sys.executable, "-m", "ops.chaos.dance"]

    dance = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=540, check=False)

    assert dance.returncode == 0, dance.stdout + dance.stderr
    assert "NOTHING LOST, NOTHING TWICE, EVERY CONTEXT EQUAL" in dance.stdout


def test_nothing_that_a_door_has_acknowledged_is_lost_when_doors_and_workers_are_killed() -> None:
    """Publish over HTTP and through the gateway meanwhile, then ask the topics."""
    command = [sys.executable, "-m", "ops.chaos.doors"]

    dance = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=540, check=False)

    assert dance.returncode == 0, dance.stdout + dance.stderr
    assert "NOTHING ACKNOWLEDGED LOST, NOTHING TWICE" in dance.stdout
