"""The follower in JavaScript of docs/contexts.md, with kafkajs from its registry and no package beside it."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Protocol

import pytest
from prometheus_client import CollectorRegistry
from support.installations import new_place, worker
from support.patience import LONG_SECONDS

from tailrace.schemas.providers.formats import write_context
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.message import Format
from tailrace.streams import Client

pytestmark = pytest.mark.kafka

REPOSITORY = Path(__file__).resolve().parents[2]
MARKED = re.compile(r"<!-- run by tests/kafka/test_kafkajs.py -->\n```js\n(.*?)```", re.DOTALL)
#: A line is a whole context.
LINE_BYTES_MAX = 1 << 24
COMPRESSIONS = ["gzip", "none"]


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture(scope="module")
def kafkajs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with kafkajs in it. Skips the tests where it can't be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("kafkajs")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "kafkajs@2"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        pytest.skip(f"kafkajs can't be had from its registry: {done.stderr.strip()[-300:]}")
    (code,) = MARKED.findall((REPOSITORY / "docs" / "contexts.md").read_text(encoding="utf-8"))
    (folder / "follow.js").write_text(code, encoding="utf-8")
    return folder


async def followed(folder: Path, wanted: list[Any], *words: str) -> None:
    """Run the follower until it shows this context; fail with what it wrote where it ends before."""
    process = await asyncio.create_subprocess_exec(
        *("node", "follow.js", *words),
        cwd=folder,
        limit=LINE_BYTES_MAX,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout
    line = b""
    try:
        async with asyncio.timeout(LONG_SECONDS):
            while shown := await process.stdout.readline():
                line = shown
                if line.startswith(b"[") and json.loads(line) == wanted:
                    return
        pytest.fail(f"the follower ended: {line.decode()[-2000:]}")
    except TimeoutError:
        pytest.fail(f"the follower never showed the context; last: {line.decode()[-2000:]}")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("compression", COMPRESSIONS)
async def test_kafkajs_follows_contexts_with_no_package_beside_it(
    broker: Broker, kafkajs: Path, tmp_path: Path, compression: str
) -> None:
    policy = {"window_tokens": 4_000, "output_reserve_tokens": 0}
    place = await new_place(broker, tmp_path, partitions=2, policy=policy, TOPICS__COMPRESSION=compression)
    messages = [{"role": "user", "content": f"{number}: always check gauge {number}. " * 12} for number in range(200)]
    with worker(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await client.publish_many("t1", messages)
            context = await client.context("t1")

        assert context.complete
        assert context.epoch > 0
        topic = place.settings.topic(Topic.CONTEXTS)
        wanted = write_context(context.messages, Format.TAILRACE)
        await followed(kafkajs, json.loads(json.dumps(wanted)), "t1", broker.bootstrap_servers, topic)
