"""Several workers on one machine, and what makes their conversations findable beside them.

Starts them, starts again what ends, stops them together.
"""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import structlog

from tailrace.streams.observability import logs
from tailrace.streams.settings.settings import Settings
from tailrace.streams.worker.exit import ExitCode

log = structlog.get_logger("tailrace.supervisor")

#: What starts one worker, and what it takes to make it build the index instead.
COMMAND = (sys.executable, "-m", "tailrace.streams.cli", "worker")
INDEX_ROLE = ("--role", "index")
#: Pause before a worker is started again, doubled each time it ends within a minute, up to the maximum.
RESTART_SECONDS_MIN = 0.5
RESTART_SECONDS_MAX = 15.0
_STEADY_SECONDS = 60.0
_POLL_SECONDS = 0.1


@dataclass(slots=True)
class _Child:
    """One worker process and when it may be started again."""

    environment: dict[str, str]
    role: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    not_before: float = 0.0
    pause_seconds: float = RESTART_SECONDS_MIN
    #: Started again after it has ended: the settings that it was started with first have worked.
    has_run: bool = False

    def start(self) -> None:
        self.started_at = time.monotonic()
        # In a session of its own: Ctrl-C reaches the supervisor alone, which then stops the workers in order.
        self.process = subprocess.Popen((*COMMAND, *self.role), env=self.environment, start_new_session=True)  # noqa: S603  ours

    def ended(self) -> int | None:
        return None if self.process is None else self.process.poll()

    def plan_restart(self) -> None:
        now = time.monotonic()
        steady = now - self.started_at > _STEADY_SECONDS
        self.pause_seconds = RESTART_SECONDS_MIN if steady else min(self.pause_seconds * 2, RESTART_SECONDS_MAX)
        self.not_before = now + self.pause_seconds
        self.process = None
        self.has_run = True


def supervise(settings: Settings, processes: int) -> int:
    """Run `processes` workers and an index until SIGTERM or SIGINT. Returns the exit code for the whole."""
    children = [_Child(_environment(settings, number)) for number in range(processes)]
    children.append(_Child(_environment(settings, processes), INDEX_ROLE))
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    logs.configure(settings.log)
    code = int(ExitCode.OK)
    while not stopping:
        for child in children:
            ended = child.ended()
            if ended == ExitCode.CONFIG and not child.has_run:
                # Starting again can't help, and the worker has said why. One that has run before was given other
                # settings since: what still runs by the former ones goes on, and it comes back once they are put right.
                stopping.append(0)
                code = ended
            elif ended is not None:
                child.plan_restart()
                log.warning("worker.ended", exit_code=ended, restart_seconds=child.pause_seconds)
            elif child.process is None and time.monotonic() >= child.not_before:
                child.start()
        time.sleep(_POLL_SECONDS)
    return max(code, _stop(children, settings.worker.shutdown_seconds + 2))


def _environment(settings: Settings, number: int) -> dict[str, str]:
    """Environment of a child. A port that was set is the first one's; else each finds one by itself."""
    port = settings.http.port
    # Port 0 takes any.
    return {**os.environ, "TAILRACE_HTTP__PORT": str(port + number)} if port else dict(os.environ)


def _stop(children: list[_Child], limit_seconds: float) -> int:
    """Tell every worker to stop, wait, and kill what doesn't."""
    running = [child.process for child in children if child.process is not None and child.ended() is None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + limit_seconds
    code = int(ExitCode.OK)
    for process in running:
        try:
            code = max(code, process.wait(max(0.0, deadline - time.monotonic())))
        except subprocess.TimeoutExpired:
            process.kill()
            code = int(ExitCode.TEMPORARY)
    return code
