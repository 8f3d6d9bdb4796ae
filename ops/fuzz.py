"""New conversations under new policies, held to the laws of the engine, for as long as you like.

    python -m ops.fuzz [--minutes M] [--cases N] [--first SEED]

Each case has a number. One that breaks a law is printed with the command that repeats it, and ends the run.
"""

import argparse
import os
import random
import subprocess
import sys
import time

#: Cases that one run of pytest takes.
PORTION = 5_000
_TEST = "tests/property/test_engine_laws.py"


def main() -> int:
    """Run portions until time or cases are up; exit code 1 at the first broken law."""
    parser = argparse.ArgumentParser(prog="python -m ops.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; 5 if not given")
    parser.add_argument("--cases", type=int, help="how many, whatever the time")
    parser.add_argument("--first", type=int, default=random.randrange(10**6, 10**9), help="number of the first case")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.minutes * 60
    done = 0
    while (done < arguments.cases) if arguments.cases else (time.monotonic() < end):
        count = min(PORTION, arguments.cases - done) if arguments.cases else PORTION
        first = arguments.first + done
        if not _run(first, count):
            return 1
        done += count
        print(f"fuzz: {done:,} cases hold, up to number {first + count - 1}", flush=True)
    return 0


def _run(first: int, count: int) -> bool:
    environment = {**os.environ, "ENGINE_FIRST": str(first), "ENGINE_CASES": str(count)}
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-k", "every_law", _TEST]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode:
        print(finished.stdout[-4000:], finished.stderr, file=sys.stderr)
        print(
            f"fuzz: a law is broken; the note above says which case. Cases {first} to {first + count - 1}.",
            file=sys.stderr,
        )
    return finished.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
