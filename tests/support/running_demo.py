"""A demo in a process of its own, as a newcomer starts it.

In a home folder where nothing is set, with the output in a pipe.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from support.patience import LONG_SECONDS

from tailrace.streams.settings.settings import cache_dir

#: Of the last line that it prints before it stays.
LAST_HINT: Final = "tailrace_events"
TAILRACE: Final = (sys.executable, "-m", "tailrace.streams.cli")


@dataclass
class RunningDemo:
    """A demo with what it has printed so far."""

    home: Path
    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list)

    def until(self, words: str) -> str:
        """Wait for a line with these words, and return it."""
        deadline = time.monotonic() + LONG_SECONDS
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            for line in list(self.lines):
                if words in line:
                    return line
            assert not ended, f"the demo ended with {self.process.returncode}:\n{self.output}"
            time.sleep(0.05)
        raise AssertionError(f"the demo never printed {words!r}:\n{self.output}")

    @property
    def output(self) -> str:
        """Everything printed so far."""
        return "".join(self.lines)

    @property
    def hints(self) -> list[str]:
        """What it suggests to type, without the words behind it; the file for the shell comes first."""
        self.until(LAST_HINT)
        typed = [line.rstrip("\n") for line in list(self.lines) if re.match(r"  \S", line)]
        return [re.split(r"\s{2,}", line.strip())[0] for line in typed]

    def shell(self, command: str, seconds_max: float = LONG_SECONDS) -> subprocess.CompletedProcess[str]:
        """Type something in another terminal, after the first hint."""
        script = f"set -e\n{self.hints[0]}\n{command}"
        return subprocess.run(
            ["bash", "-c", script], env=self.terminal, capture_output=True, text=True, timeout=seconds_max, check=False
        )

    def watch(self, command: str, words_min: int) -> tuple[str, int, str]:
        """Type something that never ends, until it has shown so many words.

        Return these, its exit code and its errors.
        """
        script = f"set -e\n{self.hints[0]}\nexec {command}"
        pipe = subprocess.PIPE
        process = subprocess.Popen(["bash", "-c", script], env=self.terminal, stdout=pipe, stderr=pipe, text=True)
        too_late = threading.Timer(LONG_SECONDS, process.kill)
        too_late.start()
        try:
            shown = ""
            while len(shown.split()) < words_min and process.stdout and (line := process.stdout.readline()):
                shown += line
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate()
        finally:
            too_late.cancel()
            process.kill()
        return shown + rest, process.returncode, errors

    @property
    def door(self) -> str:
        """Where it serves HTTP and agents."""
        return self.until("OPENAI_BASE_URL=").strip().removeprefix("OPENAI_BASE_URL=").removesuffix("/v1")

    @property
    def terminal(self) -> dict[str, str]:
        """The environment of another terminal of the same person."""
        return newcomer(self.home)

    def stop(self, *signals: signal.Signals) -> int:
        """Send signals right behind each other, and wait for the end."""
        for number in signals or (signal.SIGINT,):
            self.process.send_signal(number)
        return self.process.wait(LONG_SECONDS)


def newcomer(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has set nothing; what can be downloaded is there already."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("TAILRACE_", "XDG_"))}
    return {**inherited, "HOME": str(home), "TAILRACE_CACHE_DIR": str(cache_dir())}


def start_demo(home: Path, *options: str, **variables: str) -> RunningDemo:
    """Start a demo that plays fast."""
    process = subprocess.Popen(
        [*TAILRACE, "demo", "--seconds", "1", *options],
        env=newcomer(home) | {"PYTHONUNBUFFERED": "1"} | variables,
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    demo = RunningDemo(home, process)

    def read() -> None:
        assert process.stdout is not None
        with process.stdout as output:
            for line in output:
                demo.lines.append(line)

    threading.Thread(target=read, daemon=True).start()
    return demo
