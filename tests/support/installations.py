"""Installations for tests on the real broker.

Each has topics, a group and a folder of its own, and workers as real processes.
"""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from click.testing import Result
from support.patience import LONG_MS, LONG_SECONDS
from typer.testing import CliRunner

from ops.environment import bare_environment
from ops.model_server import ModelServer, model_server
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.cli import app
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

#: How long a client waits for a worker on a busy machine, and a worker for its end.


class Broker(Protocol):
    """A broker that several tests share."""

    bootstrap_servers: str


@dataclass(frozen=True, slots=True)
class Place:
    """An installation: for clients its settings, for processes the same as variables."""

    settings: Settings
    environment: dict[str, str]
    folder: Path

    def log(self) -> str:
        """What its workers have logged."""
        return (self.folder / "worker.log").read_text(encoding="utf-8")


async def new_place(
    broker: Broker, folder: Path, *, partitions: int, policy: Mapping[str, Any], **variables: str
) -> Place:
    """An installation on the shared broker; `variables` are more settings of its workers, without their prefix."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=folder / "data",
        topics={"prefix": f"{name}.", "partitions": partitions},
        policy=dict(policy),
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )
    own = {
        "BROKER": broker.bootstrap_servers,
        "GROUP": name,
        "DATA_DIR": str(settings.data_dir),
        "TOPICS__PREFIX": settings.topics.prefix,
        "TOPICS__PARTITIONS": str(partitions),
        "POLICY": json.dumps(policy),
        "HTTP__PORT": "0",
        "CLIENT__PUBLISH_WAIT_MS": str(LONG_MS),
        **variables,
    }
    await topic_admin.apply(settings)
    return Place(settings, {**bare_environment(), **{f"TAILRACE_{key}": value for key, value in own.items()}}, folder)


@dataclass(frozen=True, slots=True)
class ModelPlace(Place):
    """An installation with a server of models."""

    server: ModelServer


#: Models that the server of an installation can be asked for, in this order.
FIRST, SECOND = "first", "second"


@asynccontextmanager
async def place_with_models(
    broker: Broker, folder: Path, *, names: Sequence[str], partitions: int, policy: Mapping[str, Any], **variables: str
) -> AsyncIterator[ModelPlace]:
    """An installation as `new_place` makes it, whose models are those of a server of its own."""
    with model_server() as server:
        models = {
            FIRST: {"provider": "openai", "model": FIRST, "base_url": f"{server.url}/v1", "window_tokens": 32_000},
            SECOND: {"provider": "anthropic", "model": SECOND, "base_url": server.url, "window_tokens": 32_000},
        }
        own = {
            "SUMMARIZER__MODELS": json.dumps([models[name] for name in names]),
            "SUMMARIZER__REQUEST_SECONDS": "60",
        }
        made = await new_place(broker, folder, partitions=partitions, policy=policy, **{**own, **variables})
        yield ModelPlace(made.settings, made.environment, made.folder, server)


async def command(place: Place, *words: str, **variables: str) -> Result:
    """Run a command of `tailrace` in this process, which has loaded it.

    `variables` are more settings of it, without their prefix.
    """
    theirs = {key: None for key in os.environ if key.startswith("TAILRACE_")}
    ours = {key: value for key, value in place.environment.items() if key.startswith("TAILRACE_")}
    more = {f"TAILRACE_{key}": value for key, value in variables.items()}
    return await asyncio.to_thread(CliRunner().invoke, app, words, env={**theirs, **ours, **more})


@contextmanager
def worker_and_index(place: Place) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker, and what makes its conversations findable."""
    with worker(place) as process, worker(place, "index", log="index.log"):
        yield process


@contextmanager
def worker(place: Place, role: str = "context", *, log: str = "worker.log") -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker; one that the test has not killed must end as it is told to."""
    started = [sys.executable, "-m", "tailrace.streams.cli", "worker", "--role", role]
    with (place.folder / log).open("ab") as output:
        process = subprocess.Popen(started, env=place.environment, cwd=place.folder, stdout=output, stderr=output)
    try:
        yield process
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=LONG_SECONDS) == 0, place.log()[-3000:]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


async def until_indexed(place: Place) -> None:
    """Wait until everything that was said and compacted can be found: a worker of the role `index` runs."""
    path = place.settings.data_dir / RECALL_FILE
    topics = [Topic.CONVERSATIONS, Topic.COMPACTIONS]
    numbers = range(place.settings.topics.partitions)
    places = {TopicPartition(place.settings.topic(topic), number): topic for topic in topics for number in numbers}

    async def all_read() -> bool:
        async with clients.consumer(place.settings, **FROM_BEGINNING) as consumer:
            ends = await consumer.end_offsets(list(places))
        if not path.is_file():
            return False
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT topic, partition, next_offset FROM recall_progress").fetchall()
        read = {(topic, partition): offset for topic, partition, offset in rows}
        return all(read.get((topic, one.partition), 0) == ends[one] for one, topic in places.items())

    await until("all is in the index", all_read)


async def values(place: Place, topic: Topic) -> list[bytes]:
    """What the records of a topic say now."""
    return [record.value for record in await records(place, topic)]


async def records(place: Place, topic: Topic) -> list[ConsumerRecord]:
    """What a topic holds now."""
    async with clients.consumer(place.settings, **FROM_BEGINNING) as consumer:
        count = place.settings.topics.partitions
        places = [TopicPartition(place.settings.topic(topic), number) for number in range(count)]
        return [record async for _, batch in read_to_end(consumer, places) for record in batch]


async def until(what: str, condition: Callable[[], Awaitable[bool]], seconds: float = LONG_SECONDS) -> None:
    """Wait for a condition, and fail where it doesn't come."""
    try:
        async with asyncio.timeout(seconds):
            while not await condition():
                await asyncio.sleep(0.2)
    except TimeoutError:
        pytest.fail(f"{what}: not within {seconds:.0f} s")
