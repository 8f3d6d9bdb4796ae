"""`tailrace watch`, `history` and `receipt` on a real broker: what happened is told as it happens, and long after."""

import asyncio
import json
import signal
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import pytest
from click.testing import Result
from support.patience import LONG_SECONDS
from support.tiny_worker import tiny_worker
from typer.testing import CliRunner

from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import AnySignal, Compact, Overflow, signal_to_json
from tailrace.streams.cli import app
from tailrace.streams.kafka import clients
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

WAIT = ["--wait-ms", "60000"]
KIND = LifecycleKind


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Settings:
    name = f"watch-{uuid.uuid4().hex[:8]}"
    monkeypatch.setenv("TAILRACE_BROKER", broker.bootstrap_servers)
    monkeypatch.setenv("TAILRACE_GROUP", name)
    monkeypatch.setenv("TAILRACE_TOPICS__PREFIX", f"{name}.")
    monkeypatch.setenv("TAILRACE_TOPICS__PARTITIONS", "3")
    monkeypatch.setenv("TAILRACE_POLICY__WINDOW_TOKENS", "2000")
    monkeypatch.setenv("TAILRACE_POLICY__OUTPUT_RESERVE_TOKENS", "100")
    monkeypatch.setenv("TAILRACE_POLICY__REHYDRATION_RESERVE_TOKENS", "0")
    settings = load_settings()
    await topic_admin.apply(settings)
    return settings


async def tailrace(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command beside the worker, which lives on this event loop."""
    return await asyncio.to_thread(CliRunner().invoke, app, list(arguments), input=stdin)


@asynccontextmanager
async def watching(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    command = [sys.executable, "-m", "tailrace.streams.cli", "watch", *arguments]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, limit=1 << 20)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def lines_until(process: asyncio.subprocess.Process, *words: str) -> list[str]:
    """Return the lines up to the first that holds all these words."""
    assert process.stdout is not None
    lines: list[str] = []
    async with asyncio.timeout(LONG_SECONDS):
        while not lines or not all(word in lines[-1] for word in words):
            line = await process.stdout.readline()
            assert line, (await process.stderr.read()).decode() if process.stderr else lines
            lines.append(line.decode().rstrip())
    return lines


async def talk(thread: str, messages: int = 24, tenant: str = "default") -> None:
    said = [
        {
            "id": f"{thread}-{number}",
            "tenant": tenant,
            "native": {
                "role": ("user", "assistant")[number % 2],
                "content": f"{number} gauge_{number} " + "word " * 100,
            },
            "format": "openai.chat",
        }
        for number in range(messages)
    ]
    published = await tailrace("publish", "-t", thread, stdin="\n".join(json.dumps(one) for one in said))
    assert published.exit_code == 0, published.output


async def tell(settings: Settings, thread: str, what: AnySignal, signal_id: str, tenant: str = "default") -> None:
    headers = [
        ("ce_specversion", b"1.0"),
        ("ce_type", SIGNAL_TYPE.encode()),
        ("ce_source", b"/test"),
        ("ce_id", signal_id.encode()),
    ]
    value = json.dumps(signal_to_json(what, tenant)).encode()
    async with clients.producer(settings) as producer:
        topic = settings.topic(Topic.CONVERSATIONS)
        await producer.send_and_wait(topic, value, key=thread.encode(), headers=headers)


async def test_a_compaction_is_watched_told_again_and_has_a_receipt(settings: Settings) -> None:
    async with (
        tiny_worker(settings),
        watching("--since", "1h") as every,
        watching("t1", "--json", "--since", "1h") as one,
    ):
        await talk("t2", tenant="acme")
        await talk("t1")
        lines = await lines_until(every, "t1", "completed")
        events = [json.loads(line) for line in await lines_until(one, '"completed"')]
        codes = []
        for process in (every, one):
            process.send_signal(signal.SIGINT)
            codes.append(await asyncio.wait_for(process.wait(), LONG_SECONDS))
        await tailrace("context", "t1", *WAIT)
        history = await tailrace("history", "t1")
        told = await tailrace("history", "t1", "--json")
        happened = json.loads(told.stdout)["happened"]
        record = happened[0]["compaction"]
        receipt = await tailrace("receipt", record["id"][:8])
        whole = await tailrace("receipt", record["id"], "--json")

    assert codes == [0, 0]
    assert any("acme/t2" in line and "completed" in line for line in lines)
    assert {event["thread"] for event in events} == {"t1"}
    assert [event["kind"] for event in events[:2]] == ["check_started", "proposal_generated"]
    assert events[-1]["compaction_id"] == record["id"]
    assert all(event["at_ms"] and event["rule"] == "upper mark" and event["condition"] for event in events)
    assert history.exit_code == 0, history.output
    assert f"because     budget upper mark: {record['condition']}" in history.stdout
    assert f"tailrace receipt {record['id'][:8]}" in history.stdout
    assert len(happened) == json.loads(told.stdout)["now"]["compactions"]
    assert receipt.exit_code == 0, receipt.output
    assert f"compaction {record['id']} of thread t1" in receipt.stdout
    assert [line.split()[0] for line in receipt.stdout.splitlines() if "message t1-1 " in line] == ["identifiers"]
    assert json.loads(whole.stdout) == record


async def test_what_is_refused_and_what_comes_to_nothing_is_in_the_history(settings: Settings) -> None:
    async with tiny_worker(settings):
        await talk("t1", 2)
        # Nothing of so short a thread may go; a stranger may not even ask.
        await tell(settings, "t1", Compact(reason="tidy up"), "s1")
        await tell(settings, "t1", Compact(), "s2", tenant="stranger")
        await tell(settings, "nobody", Overflow(), "s3")
        await tailrace("context", "t1", *WAIT)
        async with watching("--since", "1h", "--tenant", "stranger") as stranger:
            (line,) = await lines_until(stranger, "refused")
        history = await tailrace("history", "t1")
        nobody = await tailrace("history", "nobody", "--json")
        unknown = await tailrace("history", "never-heard-of")

    assert "stranger/t1" in line
    assert "the thread belongs to another tenant" in line
    noop, refused = [text for text in history.stdout.splitlines() if "noop" in text or "refused" in text]
    assert "manual invoked: tidy up" in noop
    assert "compact  the thread belongs to another tenant" in refused
    (only,) = json.loads(nobody.stdout)["happened"]
    assert (only["event"]["kind"], only["event"]["trigger"]) == ("refused", "reactive")
    assert json.loads(nobody.stdout)["now"] is None
    assert unknown.exit_code == 1
    assert "`tailrace threads` lists those there are" in unknown.stderr


def line(kind: LifecycleKind, event_id: str) -> LifecycleEvent:
    return LifecycleEvent(
        version=1,
        id=f"t1/{event_id}/{kind}",
        kind=kind,
        thread="t1",
        tenant="default",
        trigger=Trigger.BUDGET,
        event_id=event_id,
        offset=1,
        before_tokens=10,
        after_tokens=10,
        limit_tokens=100,
        policy_version="0123456789abcdef",
    )


async def write(settings: Settings, event: LifecycleEvent, term: int) -> None:
    record = encode(event, term)
    async with clients.producer(settings) as producer:
        topic = settings.topic(Topic.LIFECYCLE)
        headers = list(record.headers)
        await producer.send_and_wait(topic, record.value, key=record.key, headers=headers, partition=0)


async def test_what_is_repeated_or_written_by_a_former_owner_is_not_told(settings: Settings) -> None:
    for event_id, term in (("a", 1), ("b", 2), ("b", 2), ("late", 1), ("end", 2)):
        await write(settings, line(KIND.NOOP, event_id), term)
    async with clients.producer(settings) as producer:
        # Of nobody's making: without a term.
        await producer.send_and_wait(settings.topic(Topic.LIFECYCLE), b"no JSON", key=b"t1", partition=0)
    await write(settings, line(KIND.NOOP, "last"), 2)
    async with watching("--json", "--since", "1h") as every:
        lines = await lines_until(every, '"last"')
    told = [json.loads(text) for text in lines]

    assert [one["event_id"] for one in told] == ["a", "b", "end", "last"]
    # An earlier release did not say when it was.
    assert all(one["at_ms"] > 0 for one in told)


async def test_without_a_time_only_what_happens_from_now_on_is_told(settings: Settings) -> None:
    await write(settings, line(KIND.NOOP, "before"), 1)
    async with watching("--json") as live:
        first = asyncio.create_task(lines_until(live, "{"))
        number = 0
        while not first.done():
            await write(settings, line(KIND.NOOP, f"later {number}"), 1)
            number += 1

    (told,) = [json.loads(text) for text in await first]
    assert told["event_id"].startswith("later")


async def test_a_compaction_that_is_not_there_is_said_so_with_what_to_do(settings: Settings) -> None:
    unknown = await tailrace("receipt", "feedbeef")
    short = await tailrace("receipt", "f")

    assert unknown.exit_code == 1
    assert "`tailrace history THREAD` shows those of a thread" in unknown.stderr
    assert short.exit_code == 2
    assert "at least 4 characters" in short.stderr


async def test_without_a_broker_or_a_topic_the_error_says_what_to_do(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILRACE_TOPICS__PREFIX", "not-there.")
    missing = [await tailrace(*words) for words in (("watch",), ("history", "t1"), ("receipt", "feedbeef"))]
    monkeypatch.setenv("TAILRACE_BROKER", f"127.0.0.1:{free_port()}")
    away = await tailrace("watch")

    assert [result.exit_code for result in missing] == [1, 1, 1]
    assert all("Run: tailrace topics apply" in result.stderr for result in missing)
    assert away.exit_code == 1
    assert "no Kafka broker can be used" in away.stderr
