"""The worker of the demo, and what makes its conversations findable beside it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import opener
from tailrace.streams.local_kafka.loopback import HOST, free_port, port_is_free
from tailrace.streams.settings.http import DEFAULT_PORT
from tailrace.streams.settings.settings import Settings

#: In the data folder: what the worker of the demo says.
DEMO_LOG_FILE: Final = "worker.log"
_POLL_SECONDS: Final = 0.1
_ANSWER_SECONDS_MAX: Final = 2.0
_READY_SECONDS_MAX: Final = 60.0
_LOG_LINES_SHOWN: Final = 5
#: Beyond what the worker takes for itself when it is told to stop.
_STOP_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class DemoWorker:
    """A worker process, with its log in a file."""

    log_file: Path
    port: int
    process: subprocess.Popen[bytes]
    index: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """Where it serves /metrics."""
        return f"http://{HOST}:{self.port}"

    def check(self) -> None:
        """Raise Unavailable with the end of the log if the worker has ended."""
        for name, process in (("worker", self.process), ("index", self.index)):
            code = process.poll()
            if code is not None:
                last = "\n".join(self.log_file.read_text(errors="replace").splitlines()[-_LOG_LINES_SHOWN:])
                raise Unavailable(f"the {name} ended with code {code}; its log, {self.log_file}, ends with:\n{last}")

    async def until_ready(self) -> None:
        """Wait until it has partitions and their state. Raises Unavailable where it ends, or doesn't get there."""
        try:
            async with asyncio.timeout(_READY_SECONDS_MAX):
                while not await asyncio.to_thread(self._ready):
                    self.check()
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            raise Unavailable(
                f"the worker was not ready after {_READY_SECONDS_MAX:.0f} s; its log is {self.log_file}"
            ) from error

    def _ready(self) -> bool:
        try:
            connection = HTTPConnection(HOST, self.port, timeout=_ANSWER_SECONDS_MAX)
            with closing(connection):
                connection.request("GET", "/readyz")
                return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False


@contextmanager
def running_worker(settings: Settings) -> Iterator[DemoWorker]:
    """Start a worker for the time of the demo and stop it in the end. Its settings are those of this process."""
    wished = DEFAULT_PORT if settings.http.port is None else settings.http.port
    port = wished if port_is_free(wished) else free_port()
    environment = {
        **os.environ,
        "TAILRACE_HTTP__HOST": HOST,
        "TAILRACE_HTTP__PORT": str(port),
        "TAILRACE_LOG__FORMAT": "json",
    }
    log_file = settings.data_dir / DEMO_LOG_FILE
    limit_seconds = settings.worker.shutdown_seconds + _STOP_SECONDS
    with ExitStack() as until_done:
        index = until_done.enter_context(
            _process(log_file, {**environment, "TAILRACE_HTTP__PORT": "0"}, limit_seconds, "index")
        )
        worker = until_done.enter_context(_process(log_file, environment, limit_seconds, "context"))
        yield DemoWorker(log_file, port, worker, index)


@contextmanager
def _process(
    log_file: Path, environment: Mapping[str, str], limit_seconds: float, role: str
) -> Iterator[subprocess.Popen[bytes]]:
    with open(log_file, "ab", opener=opener) as log:
        # In a session of its own: Ctrl-C is for us, we then stop it in order.
        process = subprocess.Popen(  # noqa: S603  a command of ours
            [sys.executable, "-m", "tailrace.streams.cli", "worker", "--role", role],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
