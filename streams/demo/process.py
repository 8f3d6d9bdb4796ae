"""The processes that a demo starts beside itself: a worker, the index, and the door for HTTP and for agents."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import opener
from tailrace.streams.local_kafka.loopback import HOST, free_port, port_is_free
from tailrace.streams.settings.http import DEFAULT_PORT
from tailrace.streams.settings.settings import Settings

_POLL_SECONDS: Final = 0.1
_ANSWER_SECONDS_MAX: Final = 2.0
_READY_SECONDS_MAX: Final = 60.0
_LOG_LINES_SHOWN: Final = 5
#: Beyond what a process takes for itself when it is told to stop.
_STOP_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class DemoPart:
    """A command of `tailrace` that runs for the time of a demo."""

    #: What the demo calls it.
    name: str
    command: tuple[str, ...]
    #: Where it listens, as variables.
    host_variable: str
    port_variable: str
    #: Whatever else is set, for a demo.
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def log_name(self) -> str:
        """What it says is in this file of the data folder."""
        return f"{self.name}.log"


WORKER: Final = DemoPart("worker", ("worker",), "TAILRACE_HTTP__HOST", "TAILRACE_HTTP__PORT")
INDEX: Final = DemoPart("index", ("worker", "--role", "index"), "TAILRACE_HTTP__HOST", "TAILRACE_HTTP__PORT")
#: For programs of this machine: tokens that are set are for another installation.
DOOR: Final = DemoPart(
    "door",
    ("api",),
    "TAILRACE_API__HOST",
    "TAILRACE_API__PORT",
    {
        "TAILRACE_API__TOKENS": "",
        "TAILRACE_API__TOKENS_FILE": os.devnull,
        "TAILRACE_API__JWT__KEYS": "",
        "TAILRACE_GATEWAY__ENABLED": "true",
    },
)
DEMO_PARTS: Final = (WORKER, INDEX, DOOR)


@dataclass(frozen=True, slots=True)
class DemoProcess:
    """A process with its log in a file."""

    name: str
    log_file: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{HOST}:{self.port}"

    def check(self) -> None:
        """Raise Unavailable with the end of the log if the process has ended."""
        code = self.process.poll()
        if code is not None:
            last = "\n".join(self.log_file.read_text(errors="replace").splitlines()[-_LOG_LINES_SHOWN:])
            raise Unavailable(f"the {self.name} ended with code {code}; its log, {self.log_file}, ends with:\n{last}")

    async def until_ready(self) -> None:
        """Wait until it has read what it needs. Raises Unavailable where it ends, or doesn't get there."""
        try:
            async with asyncio.timeout(_READY_SECONDS_MAX):
                while not await asyncio.to_thread(self._ready):
                    self.check()
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            raise Unavailable(
                f"the {self.name} was not ready after {_READY_SECONDS_MAX:.0f} s; its log is {self.log_file}"
            ) from error

    def _ready(self) -> bool:
        try:
            connection = HTTPConnection(HOST, self.port, timeout=_ANSWER_SECONDS_MAX)
            with closing(connection):
                connection.request("GET", "/readyz")
                return connection.getresponse().status == HTTPStatus.OK
        except (OSError, HTTPException):
            return False


@dataclass(frozen=True, slots=True)
class DemoProcesses:
    """All processes of a demo."""

    worker: DemoProcess
    index: DemoProcess
    door: DemoProcess

    def check(self) -> None:
        """Raise Unavailable if one of them has ended."""
        self.worker.check()
        self.index.check()
        self.door.check()

    async def until_ready(self) -> None:
        """Wait for all of them."""
        await asyncio.gather(self.worker.until_ready(), self.door.until_ready())


@contextmanager
def running_processes(settings: Settings) -> Iterator[DemoProcesses]:
    """Start them for the time of the demo and stop them in the end. Their settings are those of this process."""
    worker_port = DEFAULT_PORT if settings.http.port is None else settings.http.port
    with (
        _running(WORKER, worker_port, settings) as worker,
        _running(INDEX, 0, settings) as index,
        _running(DOOR, settings.api.port, settings) as door,
    ):
        yield DemoProcesses(worker, index, door)


@contextmanager
def _running(part: DemoPart, wished_port: int, settings: Settings) -> Iterator[DemoProcess]:
    port = wished_port if wished_port and port_is_free(wished_port) else free_port()
    environment = {
        **os.environ,
        **part.variables,
        part.host_variable: HOST,
        part.port_variable: str(port),
        "TAILRACE_LOG__FORMAT": "json",
    }
    log_file = settings.data_dir / part.log_name
    with open(log_file, "ab", opener=opener) as log:
        # In a session of its own: Ctrl-C is for us, we then stop it in order.
        process = subprocess.Popen(  # noqa: S603  our own command
            [sys.executable, "-m", "tailrace.streams.cli", *part.command],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield DemoProcess(part.name, log_file, port, process)
        finally:
            process.terminate()
            try:
                process.wait(settings.worker.shutdown_seconds + _STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
