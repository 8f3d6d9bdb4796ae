"""A client whose workers are not there, on a real broker.

It waits for them once, not each time, and finds them again.
"""

import asyncio
import uuid
from pathlib import Path
from typing import Any, Protocol

import pytest
from prometheus_client import CollectorRegistry
from support.tiny_worker import tiny_worker

from tailrace.streams import Client, ContextSource
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

#: As many waits as this would take far longer than the limit.
WAIT_MS, CONTEXTS, LIMIT_SECONDS = 4_000, 30, 60


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker, tmp_path: Path) -> Settings:
    name = f"alone-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path,
        topics={"prefix": f"{name}.", "partitions": 1},
        client={"context_wait_ms": WAIT_MS, "publish_wait_ms": 60_000},
    )
    await topic_admin.apply(settings)
    return settings


def user(number: int) -> dict[str, Any]:
    return {"role": "user", "content": f"message {number}"}


async def test_only_the_first_contexts_wait_for_workers_that_are_not_there(settings: Settings) -> None:
    async with Client(settings, registry=CollectorRegistry()) as client:
        async with asyncio.timeout(LIMIT_SECONDS):
            for number in range(CONTEXTS):
                await client.publish("t1", user(number))
                context = await client.context("t1")
                assert context.source is ContextSource.LOCAL
                assert len(context.messages) == number + 1

        async with tiny_worker(settings), asyncio.timeout(LIMIT_SECONDS):
            while (context := await client.context("t1")).source is ContextSource.LOCAL:
                pass
            assert len(context.messages) == CONTEXTS
