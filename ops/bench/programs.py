"""Programs under measurement: each a process of its own, bounded in time, and always ended."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ops.environment import variables_of
from tailrace.streams.settings.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
_SAMPLE_SECONDS = 0.05
_SAMPLES_PER_LOOK = 4
_KILL_SECONDS = 5.0
_LINES_SHOWN = 15
#: Fields of /proc/PID/stat behind the closing bracket of the name: user and system time, in ticks.
_UTIME, _STIME = 11, 12


class ProgramFailed(Exception):
    """A program ended, or did not do what it was started for in time; its last lines are in the message."""


@dataclass(slots=True)
class Program:
    """A running program and what it has used."""

    process: subprocess.Popen[bytes]
    log: Path
    #: Moments (Unix time in seconds) with the CPU seconds used until then.
    cpu: list[tuple[float, float]] = field(default_factory=list)

    async def wait_until(self, done: Callable[[], Awaitable[bool]], *, limit_seconds: float) -> None:
        """Return once `done` says so, sampling the CPU time meanwhile. Raises ProgramFailed if it never does."""
        deadline = time.monotonic() + limit_seconds
        while not await done():
            for _ in range(_SAMPLES_PER_LOOK):
                self.sample()
                await asyncio.sleep(_SAMPLE_SECONDS)
            if self.process.poll() is not None:
                raise ProgramFailed(f"ended with {self.process.returncode}\n{self.last_lines()}")
            if time.monotonic() > deadline:
                raise ProgramFailed(f"not done after {limit_seconds:g} s\n{self.last_lines()}")
        self.sample()

    async def wait_for_line(self, text: str, *, limit_seconds: float) -> None:
        """Return once the program has printed `text`."""

        async def printed() -> bool:
            return text.encode() in self.log.read_bytes()

        await self.wait_until(printed, limit_seconds=limit_seconds)

    def sample(self) -> None:
        """Note the CPU time used so far, where the system tells."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return
        values = stat.rpartition(")")[2].split()
        self.cpu.append((time.time(), (int(values[_UTIME]) + int(values[_STIME])) / os.sysconf("SC_CLK_TCK")))

    def cpu_seconds_between(self, begin: float, end: float) -> float | None:
        """Return the CPU seconds used between two moments; None where the system doesn't tell."""
        if not self.cpu:
            return None
        return self._cpu_seconds_at(end) - self._cpu_seconds_at(begin)

    def _cpu_seconds_at(self, moment: float) -> float:
        before = max((sample for sample in self.cpu if sample[0] <= moment), default=self.cpu[0])
        after = min((sample for sample in self.cpu if sample[0] > moment), default=before)
        span = after[0] - before[0]
        share = (moment - before[0]) / span if span else 0.0
        return before[1] + share * (after[1] - before[1])

    def last_lines(self) -> str:
        """Return the end of what the program printed."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-_LINES_SHOWN:])

    def end(self, *, limit_seconds: float = _KILL_SECONDS) -> int:
        """Ask the program to end, kill it after the limit, and return its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


@contextmanager
def running(
    module: str, *arguments: str, settings: Settings, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Program]:
    """Yield `python -m module` with these settings and what is given beside them in its environment.

    It has ended when the block is left.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.data_dir / f"{module.rpartition('.')[2]}-{time.monotonic_ns()}.log"
    command: Sequence[str] = (sys.executable, "-m", module, *arguments)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **variables_of(settings), **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    program = Program(process, log)
    try:
        yield program
    finally:
        if process.poll() is None:
            program.end()


def running_worker(
    settings: Settings, environment: Mapping[str, str] = MappingProxyType({})
) -> AbstractContextManager[Program]:
    """Run one worker, just as `tailrace worker` does."""
    return running("tailrace.streams.cli", "worker", settings=settings, environment=environment)
