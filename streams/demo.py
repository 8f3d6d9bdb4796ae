"""What `make run` needs beside the view: a broker, topics, a worker, and sample conversations flowing in."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tailrace.schemas.errors import Unavailable
from tailrace.streams.client.client import Client
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import free_port, port_is_free
from tailrace.streams.private_files import make_folder, opener
from tailrace.streams.sample_conversations import Sample
from tailrace.streams.settings import Settings

#: A window small enough that the samples fill it, and large enough to be worth reading.
DEMO_WINDOW_TOKENS = 16_000
#: Pace of the replay: fast enough not to bore, slow enough to see contexts grow and shrink.
_MESSAGE_SECONDS = 0.025
#: In the data folder: what the worker of the demo says.
DEMO_LOG_FILE = "worker.log"


@dataclass(slots=True)
class DemoWorker:
    """A worker process of the demo, with its log in a file."""

    settings: Settings
    log_file: Path
    port: int
    process: subprocess.Popen[bytes]
    window_tokens: str

    @property
    def address(self) -> str:
        """Where it serves /metrics."""
        return f"http://127.0.0.1:{self.port}"

    def check(self) -> None:
        """Raise Unavailable with the end of the log if the worker has ended."""
        code = self.process.poll()
        if code is not None:
            last = "\n".join(self.log_file.read_text(errors="replace").splitlines()[-5:])
            raise Unavailable(f"the worker ended with code {code}; its log, {self.log_file}, ends with:\n{last}")


@contextmanager
def running_worker(settings: Settings, bootstrap_servers: str) -> Iterator[DemoWorker]:
    """Start a worker for the time of the demo and stop it in the end."""
    port = settings.http.port if port_is_free(settings.http.port) else free_port()
    environment = {
        **os.environ,
        "TAILRACE_BROKER": bootstrap_servers,
        "TAILRACE_HTTP__PORT": str(port),
        "TAILRACE_LOG__FORMAT": "json",
    }
    environment.setdefault("TAILRACE_POLICY__WINDOW_TOKENS", str(DEMO_WINDOW_TOKENS))
    log_file = settings.data_dir / DEMO_LOG_FILE
    make_folder(log_file.parent)
    with open(log_file, "ab", opener=opener) as log:
        # In a session of its own: Ctrl-C is for us, we then stop the worker in order.
        process = subprocess.Popen(
            [sys.executable, "-m", "tailrace.streams.cli", "worker"],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield DemoWorker(settings, log_file, port, process, environment["TAILRACE_POLICY__WINDOW_TOKENS"])
        finally:
            process.terminate()
            try:
                process.wait(settings.worker.shutdown_seconds + 2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def stopped_in_the_end(broker: LocalBroker | None) -> Iterator[None]:
    """Stop a broker that we have started; one that was there before is left alone."""
    try:
        yield
    finally:
        if broker is not None:
            local_broker.stop(broker)


async def replay(settings: Settings, samples: Sequence[Sample], suffix: str) -> int:
    """Publish the samples, all at once and each at a readable pace. Returns the number of messages."""
    async with Client(settings, reads=False) as client:

        async def speak(sample: Sample) -> int:
            for number, message in enumerate(sample.messages):
                event_id = f"{sample.thread}{suffix}-{number:04d}"
                await client.publish(f"{sample.thread}{suffix}", message, id=event_id, model=sample.model)
                await asyncio.sleep(_MESSAGE_SECONDS)
            return len(sample.messages)

        return sum(await asyncio.gather(*(speak(sample) for sample in samples)))
