"""Both roles together on a real broker: chunks are summarised ahead of need, and a slow or lying model harms nobody."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import model_server as servers
import pytest
from model_server import INVENTED, ModelServer, model_server
from prometheus_client import CollectorRegistry

from tailrace.streams import Client, Context
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

LONG_MS = 60_000
WAIT_SECONDS = 90
POLICY = {
    "window_tokens": 6_000,
    "output_reserve_tokens": 0,
    "safety_tokens": 0,
    "rehydration_reserve_tokens": 0,
    "chunks": {"enabled": True, "tokens_min": 400, "tokens_max": 1_200},
}


class Broker(Protocol):
    bootstrap_servers: str


@dataclass(frozen=True, slots=True)
class Place:
    settings: Settings
    environment: dict[str, str]
    folder: Path
    server: ModelServer


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> AsyncIterator[Place]:
    name = f"ahead-{uuid.uuid4().hex[:8]}"
    with model_server() as server:
        settings = load_settings(
            broker=broker.bootstrap_servers,
            group=name,
            data_dir=tmp_path / "data",
            topics={"prefix": f"{name}.", "partitions": 1},
            policy=POLICY,
            client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
        )
        models = [{"provider": "openai", "model": "first", "base_url": f"{server.url}/v1", "window_tokens": 32_000}]
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("TAILRACE_")},
            "TAILRACE_BROKER": broker.bootstrap_servers,
            "TAILRACE_GROUP": name,
            "TAILRACE_DATA_DIR": str(settings.data_dir),
            "TAILRACE_TOPICS__PREFIX": settings.topics.prefix,
            "TAILRACE_TOPICS__PARTITIONS": "1",
            "TAILRACE_SUMMARIZER__MODELS": json.dumps(models),
            "TAILRACE_SUMMARIZER__REQUEST_SECONDS": "60",
            **{f"TAILRACE_POLICY__{key.upper()}": json.dumps(value) for key, value in POLICY.items()},
        }
        await topic_admin.apply(settings)
        yield Place(settings, environment, tmp_path, server)


@contextmanager
def worker(place: Place, role: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tailrace.streams.cli", "worker", "--role", role]
    environment = {**place.environment, "TAILRACE_HTTP__PORT": str(free_port())}
    with (place.folder / f"{role}.log").open("ab") as output:
        process = subprocess.Popen(command, env=environment, cwd=place.folder, stdout=output, stderr=output)
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0, (place.folder / f"{role}.log").read_text(encoding="utf-8")[-3000:]
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


async def talk(client: Client, first: int, turns: int) -> None:
    for number in range(first, first + turns):
        asked = f"Why was sluice {number} closed? " + "Please look it up in the yearbook of the river office. " * 4
        told = (
            f"Sluice {number} was closed in March because gate {number} had rusted through. "
            + "So it is written. " * 12
        )
        await client.publish("river", {"role": "user", "content": asked})
        await client.publish("river", {"role": "assistant", "content": told})


def shown(context: Context) -> str:
    return json.dumps(context.request("openai.chat")["messages"], ensure_ascii=False)


async def until_summarised(client: Client, begin: int) -> Context:
    """Talk on until a compaction has put a model's summary into the context."""
    async with asyncio.timeout(WAIT_SECONDS):
        number = begin
        while True:
            context = await client.context("river")
            assert context.complete
            assert context.tokens <= context.limit_tokens
            if "## Goal" in shown(context) or "Goal" in shown(context):
                return context
            await talk(client, number, 2)
            number += 2


async def test_what_a_model_summarised_ahead_of_need_is_what_the_next_compaction_shows(place: Place) -> None:
    place.server.behave(servers.good)
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await talk(client, 0, 4)
            context = await until_summarised(client, 4)
    assert "[Context Summary - Turns" in shown(context)
    assert place.server.asked


async def test_a_model_that_never_answers_keeps_nobody_waiting(place: Place) -> None:
    place.server.behave(servers.hangs)
    with worker(place, "context"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await talk(client, 0, 60)
            context = await client.context("river")
    assert context.complete
    assert context.totals.compactions > 0
    assert context.tokens <= context.limit_tokens


async def test_rules_that_a_model_makes_up_never_reach_a_context(place: Place) -> None:
    place.server.behave(servers.invented_rules)
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            seen: list[Any] = []
            for begin in range(0, 80, 8):
                await talk(client, begin, 8)
                seen.append(shown(await client.context("river")))
            context = await client.context("river")
    assert place.server.asked
    assert context.totals.compactions > 0
    assert not [rule for rule in INVENTED for text in seen if rule in text]
