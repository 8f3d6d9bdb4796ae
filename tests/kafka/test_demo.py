"""`tailrace demo`, as a newcomer starts it: what it shows and suggests, what it leaves alone, and how it ends."""

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from aiokafka import TopicPartition
from support.patience import LONG_SECONDS
from support.provider_server import Said, provider_server
from support.running_demo import LAST_HINT, TAILRACE, RunningDemo, start_demo

from tailrace.streams.kafka.clients import admin, consumer
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin

SAMPLES = 382


def test_it_tells_each_step_and_what_came_of_it(demo: RunningDemo) -> None:
    assert re.search(r"starting Kafka.*making topics.*waiting for them", demo.output, re.DOTALL)
    assert f"{SAMPLES} messages of 7 conversations" in demo.output
    assert "tailrace-demo.*, the demo's own" in demo.output
    assert re.search(r"coding-agent .* → .*summarized", demo.output)


def test_no_line_of_it_is_wider_than_a_terminal(demo: RunningDemo) -> None:
    # How long the names of files are is not ours to say; what compactions did is one line each in a pipe.
    lines = [line for line in demo.output.splitlines() if str(demo.home) not in line and " → " not in line]
    assert [line for line in lines if len(line) > 80] == []


def test_every_hint_leads_somewhere(demo: RunningDemo) -> None:
    first, *hints = demo.hints
    assert first.startswith(". ~/")
    assert len(hints) >= 6
    for hint in hints:
        if " watch" in hint:
            shown, code, errors = demo.watch(hint, words_min=6)
        else:
            done = demo.shell(hint)
            shown, code, errors = done.stdout, done.returncode, done.stderr
        assert (code, errors) == (0, ""), (hint, shown, errors)
        assert len(shown.split()) > 5, (hint, shown)
        assert "Nothing" not in shown, (hint, shown)


def test_what_is_said_is_never_less_than_what_the_context_holds(demo: RunningDemo) -> None:
    done = demo.shell("tailrace threads --json --limit 100")
    rows = json.loads(done.stdout)["threads"]

    assert len(rows) >= 7
    assert [row for row in rows if row["tokens_in_context"] > row["tokens_said"]] == []


def test_an_agent_with_nothing_but_its_base_url_becomes_a_thread_of_it(broker: Any, tmp_path: Path) -> None:
    with provider_server(lambda _: Said("As high as a heron.")) as provider:
        demo = start_demo(
            tmp_path,
            TAILRACE_BROKER=broker.bootstrap_servers,
            TAILRACE_GATEWAY__OPENAI_URL=provider.base_url,
            # Of another installation: whoever runs a demo has no token for it.
            TAILRACE_API__TOKENS="ops:*:admin:" + "x" * 24,
            TAILRACE_GATEWAY__ENABLED="false",
        )
        demo.until(LAST_HINT)
        with openai.OpenAI(base_url=f"{demo.door}/v1", api_key="anybody", max_retries=0) as agent:
            answer = agent.chat.completions.with_raw_response.create(
                model="gpt-4o", messages=[{"role": "user", "content": "How high is the water?"}]
            )
        thread = answer.headers["x-tailrace-thread"]
        context = ""
        with httpx2.Client(base_url=demo.door, timeout=LONG_SECONDS) as client:
            deadline = time.monotonic() + LONG_SECONDS
            while "heron" not in context and time.monotonic() < deadline:
                context = client.get(f"/v1/threads/{thread}/context").text
        assert demo.stop() == 0

    assert "How high is the water?" in context
    assert "As high as a heron." in context


def test_a_second_one_beside_it_is_refused(demo: RunningDemo) -> None:
    second = start_demo(demo.home)

    assert second.process.wait(LONG_SECONDS) == 1
    assert "a demo runs already" in second.output


@pytest.mark.parametrize("words", ["worker  pid", "coding-agent ", LAST_HINT], ids=["start", "play", "stay"])
def test_signals_that_come_twice_end_it_in_order(words: str, broker: Any, tmp_path: Path) -> None:
    demo = start_demo(tmp_path, TAILRACE_BROKER=broker.bootstrap_servers)
    demo.until(words)

    assert demo.stop(signal.SIGTERM, signal.SIGTERM, signal.SIGINT) == 0
    assert demo.output.rstrip().endswith("stopped")
    assert "Traceback" not in demo.output
    assert not (tmp_path / ".local/share/tailrace/demo/env").exists()


async def test_on_a_broker_of_others_it_touches_nothing_of_theirs_and_leaves_nothing(
    broker: Any, tmp_path: Path
) -> None:
    others = Settings(broker=broker.bootstrap_servers)
    await topic_admin.apply(others)
    before = await _ends(others)
    demo = start_demo(
        tmp_path,
        "--no-stay",
        TAILRACE_BROKER=broker.bootstrap_servers,
        TAILRACE_GROUP="production",
        TAILRACE_TOPICS__PREFIX=others.topics.prefix,
        TAILRACE_DATA_DIR=str(tmp_path / "production"),
        TAILRACE_ARTIFACTS__URL=(tmp_path / "production-store").as_uri(),
    )
    name = re.search(r"tailrace-demo-\w+", demo.until("topics  "))

    assert demo.process.wait(LONG_SECONDS) == 0, demo.output
    assert name is not None
    assert f"{SAMPLES} messages" in demo.output
    assert await _ends(others) == before
    async with admin(others) as client:
        assert [topic for topic in await client.list_topics() if "demo" in topic] == []
        assert "production" not in [group for group, *_ in await client.list_consumer_groups()]
    assert not (tmp_path / "production-store").exists()
    assert [file.name for file in (tmp_path / "production").iterdir()] == ["demo"]


async def test_what_a_demo_that_was_killed_has_left_can_be_removed(broker: Any, tmp_path: Path) -> None:
    demo = start_demo(tmp_path, TAILRACE_BROKER=broker.bootstrap_servers)
    demo.until("door    pid")
    demo.process.kill()
    demo.process.wait(LONG_SECONDS)
    for number in re.findall(r"(?:worker|door) +pid (\d+)", demo.output):
        os.kill(int(number), signal.SIGKILL)

    variables = demo.terminal | {"TAILRACE_BROKER": broker.bootstrap_servers}
    done = subprocess.run(
        [*TAILRACE, "demo", "--remove"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=LONG_SECONDS,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.count("tailrace-demo-") >= 8
    async with admin(Settings(broker=broker.bootstrap_servers)) as client:
        assert [topic for topic in await client.list_topics() if "demo" in topic] == []


async def _ends(settings: Settings) -> dict[Any, int]:
    """Where every partition of these topics ends."""
    async with consumer(settings) as reader:
        topics = await topic_admin.describe(settings)
        places = [TopicPartition(name, number) for name, topic in topics.items() for number in range(topic.partitions)]
        return dict(await reader.end_offsets(places))
