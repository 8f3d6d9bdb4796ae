"""What nobody has thought of, for as long as you like.

New conversations under new policies, or new records that nobody should write.

    python -m ops.fuzz [--what engine|records|identity] [--minutes M] [--cases N] [--first SEED]

`engine` holds conversations to the laws of the engine. `records` puts something wrong into records of every type, and
gives them to everything that reads a topic; a case is one record of each topic. `identity` lets agents talk through
gateways, and sees whose context each of them is sent; a case is a crowd of agents with some 55 requests. Each case has
a number. What breaks a law is printed with its number, and ends the run.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

#: Cases that one run of pytest takes.
PORTION = 5_000
#: What pytest ends with where a test has failed, and nothing else went wrong.
_TESTS_FAILED = 1


@dataclass(frozen=True, slots=True)
class Laws:
    """A test that takes the number of its first case, and how many, from these variables."""

    words: tuple[str, ...]
    first: str
    cases: str
    portion: int = PORTION


LAWS = {
    "engine": Laws(("-k", "not recorded", "tests/property/test_engine_laws.py"), "ENGINE_FIRST", "ENGINE_CASES"),
    "records": Laws(("tests/property/test_fuzzed_records.py",), "FUZZ_FIRST", "FUZZ_RECORDS"),
    "identity": Laws(
        ("tests/property/test_conversation_identity.py",), "IDENTITY_FIRST", "IDENTITY_CASES", portion=100
    ),
}


def main() -> int:
    """Run portions until time or cases are up; exit code 1 at the first broken law."""
    parser = argparse.ArgumentParser(prog="python -m ops.fuzz", description=__doc__)
    parser.add_argument("--what", choices=list(LAWS), default="engine", help="engine if not given")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long; 5 if not given")
    parser.add_argument("--cases", type=int, help="how many, whatever the time")
    parser.add_argument("--first", type=int, default=random.randrange(10**6, 10**9), help="number of the first case")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.minutes * 60
    done = 0
    while (done < arguments.cases) if arguments.cases else (time.monotonic() < end):
        portion = LAWS[arguments.what].portion
        count = min(portion, arguments.cases - done) if arguments.cases else portion
        first = arguments.first + done
        if not _run(LAWS[arguments.what], first, count):
            return 1
        done += count
        print(f"fuzz: {done:,} cases hold, up to number {first + count - 1}", flush=True)
    return 0


def _run(laws: Laws, first: int, count: int) -> bool:
    environment = {**os.environ, laws.first: str(first), laws.cases: str(count)}
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--show-capture=no", "-p", "no:cacheprovider"]
    command += laws.words
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode:
        print(finished.stdout[-4000:], finished.stderr, file=sys.stderr)
        print(f"fuzz: {_why(finished.returncode)} Cases {first} to {first + count - 1}.", file=sys.stderr)
    return finished.returncode == 0


def _why(code: int) -> str:
    """Say what the exit code of pytest means."""
    if code == _TESTS_FAILED:
        return "a law is broken; the note above says which case."
    if code < 0:
        return (
            f"the tests were ended by {signal.Signals(-code).name}, and no law is known to be broken; run them again."
        )
    return f"the tests ended with {code} before they were through; run them again."


if __name__ == "__main__":
    sys.exit(main())
