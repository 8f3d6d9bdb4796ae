"""Runtimes of agents, unmodified, through the gateway: their loops run to the end, and each request is valid."""

import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import support
from support.gateway_stand import Broker, fresh_settings
from support.patience import LONG_SECONDS
from support.provider_server import Provider, Received, Said, provider_server
from support.running_gateway import running_gateway
from support.tiny_worker import tiny_worker

from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

TURNS = 50
PROGRAM = Path(next(iter(support.__path__))) / "openai_agents_loop.py"


class Reader:
    """A model that asks for a page so many times for each question, and then has read them."""

    def __init__(self, calls: int) -> None:
        self.steps = itertools.cycle([*range(calls), None])
        self.numbers = itertools.count()

    def __call__(self, _: Received) -> Said:
        page = next(self.steps)
        if page is None:
            return Said("All pages are read.")
        return Said("Looking further. ", [(f"call-{next(self.numbers)}", "look", {"page": page})])


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(Reader(TURNS)) as provider:
        yield provider


@pytest.fixture
async def gateway(broker: Broker, provider: Provider, tmp_path: Path) -> AsyncIterator[str]:
    settings = fresh_settings(broker, provider, tmp_path)
    await topic_admin.apply(settings)
    async with tiny_worker(settings), running_gateway(settings) as address:
        yield address


async def run(base_url: str, kind: str, turns: int, folder: Path) -> dict[str, Any]:
    """What an agent ends with. The program sees no folder of ours: its SDK is called as one of ours is."""
    command = (sys.executable, "-P", str(PROGRAM), base_url, kind, str(turns))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=pipe, stderr=pipe)
    async with asyncio.timeout(LONG_SECONDS):
        output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()[-3_000:]
    ended: dict[str, Any] = json.loads(output.splitlines()[-1])
    return ended


@pytest.mark.parametrize("kind", ["run", "streamed"])
async def test_an_agent_of_openais_sdk_reads_on_and_stays_under_budget(
    gateway: str, provider: Provider, tmp_path: Path, kind: str
) -> None:
    ended = await run(f"{gateway}/v1", kind, TURNS, tmp_path)

    assert ended["output"] == "All pages are read."
    assert provider.refused == []
    sizes = [len(received.content) for received in provider.received]
    assert len(sizes) == TURNS + 1
    # A page has some 2,000 characters, and all of them were read.
    assert max(sizes) < TURNS * 2_000 / 3


async def test_a_session_that_compacts_itself_is_answered_by_the_gateway(
    gateway: str, provider: Provider, tmp_path: Path
) -> None:
    provider.script = Reader(2)

    ended = await run(f"{gateway}/v1", "session", 8, tmp_path)

    assert ended["output"] == "All pages are read."
    assert ended["types"].count("compaction") == 1
    assert provider.refused == []
    # The provider is asked for answers alone, and gets opened what the gateway has closed.
    assert {received.path for received in provider.received} == {"/v1/responses"}
    assert all(b"encrypted_content" not in received.content for received in provider.received)
