"""The suite passes where a shell has started it in the background, with SIGINT ignored."""

import signal
import subprocess
import sys
from pathlib import Path

from support.patience import LONG_SECONDS

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
#: What a shell does, what pytest does with our conftest, and then a test: it interrupts itself, and a child that waits.
STARTED = f"""
import os, runpy, signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
runpy.run_path({str(CONFTEST)!r})["pytest_configure"]()
os.kill(os.getpid(), signal.SIGINT)
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
child.send_signal(signal.SIGINT)
print(child.wait())
"""


def test_children_can_be_interrupted_and_the_tests_go_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTED], capture_output=True, text=True, timeout=LONG_SECONDS, check=True
    )

    assert int(done.stdout) == -signal.SIGINT
