"""A step of the set-up says what it is, and what its command prints only where it fails."""

import subprocess
from pathlib import Path

STEP = Path(__file__).resolve().parents[3] / "ops" / "step"


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [STEP, "a thing", "sh", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_step_that_succeeds_is_one_line() -> None:
    done = run("seq 152; echo more >&2")

    assert (done.returncode, done.stdout, done.stderr) == (0, "setup: a thing\n", "")


def test_a_step_that_fails_shows_why_and_ends_with_the_same_code() -> None:
    done = run("echo 'no network' >&2; exit 7")

    assert (done.returncode, done.stdout, done.stderr) == (7, "setup: a thing\n", "no network\n")
