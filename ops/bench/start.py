"""How long a command takes to start, and a client to be imported, beside a Python that does nothing.

Whole processes, by the CPU time that they take, in turns; the best of the rounds counts. Each was started once before,
so that its files are compiled and at hand.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand

NAME = "start"
ROUNDS = 10
#: Of a quiet machine: a start that nobody notices.
START_SECONDS_MAX: Final = 0.3
IMPORT_SECONDS_MAX: Final = 0.2
IMPORT_BYTES_MAX: Final = 40_000_000

_NOTHING: Final = ("-c", "pass")
_CLIENT: Final = "from tailrace.streams import Client, SyncClient, HttpClient"
#: Not the peak that the system keeps: a new process takes over that of whoever started it.
_MEMORY: Final = "; import resource; print(int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize())"
_COMMANDS: Final = (
    ("--help",),
    ("version",),
    ("config", "check"),
    ("topics", "plan", "--strimzi"),
    *((name, "--help") for name in ("publish", "context", "watch", "recall", "plan")),
)


async def run(stand: Stand) -> Result:
    """Start everything in turns."""
    rounds = stand.scaled(ROUNDS, least=3)
    return await asyncio.to_thread(_measured, rounds)


def _measured(rounds: int) -> Result:
    programs: dict[str, Sequence[str]] = {"a client is imported": ("-c", _CLIENT)}
    programs |= {f"tailrace {' '.join(words)}": ("-m", "tailrace.streams.cli", *words) for words in _COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        seconds = _best({"nothing": _NOTHING, **programs}, Path(folder), rounds)
        used = [_bytes_of(text, Path(folder)) for text in (_CLIENT, "pass")]
    rows = [Row(what="python -c pass", value=seconds["nothing"] * 1_000, unit="ms")]
    for name in programs:
        limit_seconds = START_SECONDS_MAX if name.startswith("tailrace") else IMPORT_SECONDS_MAX
        rows.append(Row(what=f"{name} / python -c pass", value=seconds[name] / seconds["nothing"], unit="ratio"))
        rows.append(Row(what=name, value=seconds[name], unit="s", target=at_most(limit_seconds)))
    rows.append(Row(what="memory of a client / python -c pass", value=used[0] / used[1], unit="ratio"))
    rows.append(
        Row(what="memory of a client that is imported", value=used[0], unit="bytes", target=at_most(IMPORT_BYTES_MAX))
    )
    return Result(
        name=NAME,
        rows=tuple(rows),
        parameters=f"Whole processes, CPU time, best of {rounds}.",
        does_not_show="the first start after an installation, which compiles the files, and what a command then does.",
    )


def _best(programs: dict[str, Sequence[str]], folder: Path, rounds: int) -> dict[str, float]:
    """Return the least CPU seconds of each program."""
    for words in programs.values():
        _seconds(words, folder)
    measured = [{name: _seconds(words, folder) for name, words in programs.items()} for _ in range(rounds)]
    return {name: min(one_round[name] for one_round in measured) for name in programs}


def _seconds(words: Sequence[str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _output(words, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _bytes_of(text: str, folder: Path) -> int:
    return int(_output(("-c", text + _MEMORY), folder))


def _output(words: Sequence[str], folder: Path) -> str:
    """Run Python with these words, and with no settings of whoever runs the benchmark."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAILRACE_")}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
