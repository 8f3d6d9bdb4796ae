"""An error in the log means that somebody has to act.

Healthy workers say none, whatever Faust and aiokafka make of it.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from support.patience import LONG_SECONDS

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams import Client, ContextSource
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

#: What Faust looks at every five minutes, it looks at every second here.
SHORT = {"BROKER_COMMIT_LIVELOCK_SOFT_TIMEOUT": "1", "STREAM_PROCESSING_TIMEOUT": "1"}
#: How often it has looked then while nothing happened.
IDLE_SECONDS = 6
ALARMS = {"error", "critical"}


class Broker(Protocol):
    """The part of the shared broker that is used here."""

    @property
    def bootstrap_servers(self) -> str: ...

    def restart(self) -> None: ...


class Worker:
    """A worker process and what it has logged."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("ab") as output:
            command = [sys.executable, "-m", "tailrace.streams.cli", "worker"]
            self.process = subprocess.Popen(command, env=environment, cwd=log.parent, stdout=output, stderr=output)

    def lines(self) -> list[dict[str, Any]]:
        text = self.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def count(self, event: str) -> int:
        return sum(line["event"] == event for line in self.lines())

    def alarms(self) -> list[dict[str, Any]]:
        return [line for line in self.lines() if line["level"] in ALARMS]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LONG_SECONDS)


@pytest.fixture
async def settings(broker: Broker, tmp_path: Path) -> Settings:
    name = f"alarms-{uuid.uuid4().hex[:8]}"
    topics = {"prefix": f"{name}.", "partitions": 2}
    settings = load_settings(
        broker=broker.bootstrap_servers, group=name, data_dir=tmp_path / "data", topics=topics, http={"port": 0}
    )
    await topic_admin.apply(settings)
    return settings


@contextmanager
def worker(settings: Settings, log: Path) -> Iterator[Worker]:
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("TAILRACE_")},
        **SHORT,
        "TAILRACE_BROKER": str(settings.broker),
        "TAILRACE_GROUP": settings.group,
        "TAILRACE_DATA_DIR": str(settings.data_dir),
        "TAILRACE_TOPICS__PREFIX": settings.topics.prefix,
        "TAILRACE_TOPICS__PARTITIONS": "2",
        "TAILRACE_HTTP__PORT": "0",
        "TAILRACE_LOG__FORMAT": "json",
        "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS": "6",
        "TAILRACE_WORKER__HEARTBEAT_SECONDS": "0.5",
    }
    running = Worker(environment, log)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


async def until(condition: Callable[[], bool], what: str, *workers: Worker) -> None:
    deadline = time.monotonic() + LONG_SECONDS
    while not condition():
        if time.monotonic() > deadline or any(worker.process.poll() for worker in workers):
            pytest.fail(f"{what} did not happen:\n" + "\n".join(worker.log.read_text()[-3000:] for worker in workers))
        await asyncio.sleep(0.1)


async def say(settings: Settings, text: str) -> None:
    """Publish to several threads, and wait until a worker has put it into their contexts."""
    async with Client(settings) as client:
        for thread in range(8):
            await client.publish(f"t{thread}", {"role": "user", "content": text})
            deadline = time.monotonic() + LONG_SECONDS
            while (await client.context(f"t{thread}")).source != ContextSource.TAILRACE:
                assert time.monotonic() < deadline, "no worker answers"


async def test_healthy_workers_raise_no_alarm(broker: Broker, settings: Settings, tmp_path: Path) -> None:
    with worker(settings, tmp_path / "first.log") as first:
        await until(lambda: first.count("partitions.assigned") == 1, "start", first)
        await asyncio.sleep(IDLE_SECONDS)  # nothing was ever said
        await say(settings, "hello")
        await asyncio.sleep(IDLE_SECONDS)
        with worker(settings, tmp_path / "second.log") as second:
            await until(lambda: second.count("partitions.assigned") > 0, "rebalance", first, second)
            await say(settings, "to both of you")
            await asyncio.to_thread(broker.restart)
            await say(settings, "after the restart")
            assignments = first.count("partitions.assigned")
            assert second.stop() == 0
            await until(lambda: first.count("partitions.assigned") > assignments, "rebalance", first)
            await say(settings, "to one of you")
        assert first.stop() == 0

    assert first.alarms() == []
    assert second.alarms() == []


async def test_a_topic_that_is_gone_is_an_alarm(settings: Settings, tmp_path: Path) -> None:
    with worker(settings, tmp_path / "worker.log") as only:
        await until(lambda: only.count("partitions.assigned") == 1, "start", only)
        admin = AIOKafkaAdminClient(bootstrap_servers=settings.broker)
        await admin.start()
        await admin.delete_topics([settings.topic(Topic.CONTEXTS)])
        await admin.close()
        async with AIOKafkaProducer(bootstrap_servers=settings.broker) as producer:
            await producer.send_and_wait(
                settings.topic(Topic.CONVERSATIONS), b'{"role":"user","content":"hi"}', key=b"t"
            )

        await until(lambda: bool(only.alarms()), "an alarm")
