"""Commands that stay until they are told to stop, told so while they still start.

Real processes, at several moments.
"""

import asyncio
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import pytest
from support.patience import LONG_SECONDS

from ops.environment import bare_environment, variables_of
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

#: From the moment in which the process listens. The last of them is later than most starts take.
MOMENTS_SECONDS = (0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0)
#: Processes that start side by side: most of a late moment is spent waiting.
AT_ONCE = 4
COMMANDS = (
    ("worker",),
    ("worker", "--role", "summarize"),
    ("worker", "--role", "index"),
    ("worker", "--processes", "2"),
    ("mcp",),
    ("demo",),
)
ONE_MODEL = '[{"model": "gpt-4o-mini", "base_url": "http://127.0.0.1:9/v1"}]'


class Broker(Protocol):
    """The part of the shared broker that is used here."""

    @property
    def bootstrap_servers(self) -> str: ...


def environment(broker: Broker, folder: Path) -> dict[str, str]:
    """What a process sees that has nothing in common with another: it has a group and topics of its own."""
    name = f"early-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=folder / "data",
        topics={"prefix": f"{name}.", "partitions": 2},
    )
    asyncio.run(topic_admin.apply(settings))
    return {
        **bare_environment(),
        **variables_of(settings),
        "TAILRACE_HTTP__PORT": str(free_port()),
        "TAILRACE_SUMMARIZER__MODELS": ONE_MODEL,
        "OPENAI_API_KEY": "none",
    }


def listens(process: subprocess.Popen[bytes]) -> bool:
    """Tell whether the process has a handler for SIGTERM."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def ended_after(seconds: float, command: Sequence[str], environment: dict[str, str], folder: Path) -> tuple[int, str]:
    """Exit code and standard error of a command that is told to stop so long after it has begun to listen."""
    with (folder / "errors").open("w+") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "tailrace.streams.cli", *command],
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        try:
            deadline = time.monotonic() + LONG_SECONDS
            while not listens(process):
                assert time.monotonic() < deadline, "no handler for SIGTERM"
                time.sleep(0.001)
            time.sleep(seconds)
            process.send_signal(signal.SIGTERM)
            code = process.wait(LONG_SECONDS)
        finally:
            process.kill()
            process.communicate()
        errors.seek(0)
        return code, errors.read()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="who listens to what is read from /proc")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_who_is_told_to_stop_while_starting_ends_with_0(
    command: tuple[str, ...], broker: Broker, tmp_path: Path
) -> None:
    def ended(seconds: float) -> tuple[int, str]:
        folder = tmp_path / str(seconds)
        folder.mkdir()
        return ended_after(seconds, command, environment(broker, folder), folder)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        outcomes = list(threads.map(ended, MOMENTS_SECONDS))

    for seconds, (code, errors) in zip(MOMENTS_SECONDS, outcomes, strict=True):
        assert code == 0, f"SIGTERM after {seconds} s: {errors[-3000:]}"
        assert "Traceback" not in errors, f"SIGTERM after {seconds} s: {errors[-3000:]}"
