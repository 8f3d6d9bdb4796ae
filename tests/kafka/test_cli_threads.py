"""`publish`, `context` and `threads` on a real broker, as a person or a script uses them."""

import asyncio
import json
import signal
import sys
import uuid
from pathlib import Path
from typing import Any, Protocol

import pytest
from aiokafka import AIOKafkaProducer
from click.testing import Result
from support.patience import LONG_SECONDS
from support.tiny_worker import tiny_worker
from typer.testing import CliRunner

from tailrace.streams.cli import app
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

WAIT = ["--wait-ms", "60000"]


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Settings:
    name = f"cli-{uuid.uuid4().hex[:8]}"
    monkeypatch.setenv("TAILRACE_BROKER", broker.bootstrap_servers)
    monkeypatch.setenv("TAILRACE_GROUP", name)
    monkeypatch.setenv("TAILRACE_TOPICS__PREFIX", f"{name}.")
    monkeypatch.setenv("TAILRACE_TOPICS__PARTITIONS", "3")
    settings = load_settings()
    await topic_admin.apply(settings)
    return settings


async def tailrace(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command beside the worker, which lives on this event loop."""
    return await asyncio.to_thread(CliRunner().invoke, app, list(arguments), input=stdin)


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


async def test_what_is_published_is_in_the_context_that_is_shown(settings: Settings) -> None:
    async with tiny_worker(settings):
        published = await tailrace("publish", "--thread", "t1", "--text", "What is a tailrace?", "--model", "gpt-4o")
        answer = json.dumps({"role": "assistant", "content": "The way\nof the water"})
        await tailrace("publish", "-t", "t1", stdin=answer)
        shown = await tailrace("context", "t1", *WAIT)
        messages = await tailrace("context", "t1", "--format", "anthropic.messages", *WAIT)
        whole = await tailrace("context", "t1", "--json", *WAIT)

    assert published.exit_code == 0, published.output
    assert "to thread t1" in published.stdout
    assert "What is a tailrace?" in shown.stdout
    assert "The way of the water" in shown.stdout
    assert "gpt-4o" in shown.stdout
    assert json.loads(messages.stdout) == {
        "messages": [
            {"role": "user", "content": "What is a tailrace?"},
            {"role": "assistant", "content": "The way\nof the water"},
        ]
    }
    (context,) = lines(whole)
    assert [message["message"]["role"] for message in context["messages"]] == ["user", "assistant"]
    assert context["tokens"] == sum(message["tokens"] for message in context["messages"]) + 3
    assert context["totals"]["messages"] == 2


async def test_a_plan_for_a_thread_is_made_from_its_context_and_changes_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    async with tiny_worker(settings):
        for number in range(6):
            await tailrace("publish", "-t", "t1", "--text", f"{number} " + "word " * 50, "--model", "gpt-4o")
        before = await tailrace("context", "t1", "--json", *WAIT)
        planned = await tailrace("plan", "t1", "--budget", "300", "--json")
        unknown = await tailrace("plan", "t2")
        after = await tailrace("context", "t1", "--json", *WAIT)

    (plan,) = json.loads(planned.stdout)["plans"]
    (context,) = lines(before)
    assert (plan["source"], plan["model"], plan["window_tokens"]) == ("t1", "gpt-4o", context["window_tokens"])
    assert plan["before_tokens"] == context["tokens"] > 300 >= plan["after_tokens"]
    assert {key for change in plan["changes"] for key in change["ids"]} <= {one["id"] for one in context["messages"]}
    assert after.stdout == before.stdout
    assert unknown.exit_code == 1
    assert "there is no file t2, and as a thread: there is no context of thread t2" in unknown.stderr


@pytest.mark.parametrize(
    ("policy", "words", "limit"),
    [
        ({"window_tokens": 16_000}, "another policy, HASH, with a limit of 9,404 tokens, and you have default", 9_404),
        ({"base": "codex"}, "the policy of the thread's worker, codex (HASH), and not that of your settings", None),
        ({}, None, None),
    ],
    ids=["not at hand", "ready-made", "the same"],
)
async def test_a_thread_is_planned_for_by_the_policy_of_its_worker_or_it_is_said_that_it_is_not(
    settings: Settings, policy: dict[str, Any], words: str | None, limit: int | None
) -> None:
    of_worker = load_settings(policy=policy)
    async with tiny_worker(of_worker):
        for number in range(6):
            await tailrace("publish", "-t", "t1", "--text", f"{number} " + "word " * 50, "--model", "gpt-4o")
        planned = await tailrace("plan", "t1", "--force", "--json")
        explained = await tailrace("policy", "explain", "--thread", "t1", "--json")
        shown = [await tailrace("plan", "t1"), await tailrace("policy", "explain", "--thread", "t1")]
        named = await tailrace("plan", "t1", "--policy", "default", "--json")

    (plan,), explanation = json.loads(planned.stdout)["plans"], json.loads(explained.stdout)
    theirs = of_worker.compaction_policy.hash
    assert json.loads(named.stdout)["plans"][0]["note"] is None
    if words is None:
        assert plan["note"] is explanation["note"] is None
        assert plan["policy"]["hash"] == theirs
        return
    for note in (plan["note"], explanation["note"]):
        assert words.replace("HASH", theirs) in note
    for result in shown:
        assert words.replace("HASH", theirs) in result.stdout
    if limit is not None:
        assert plan["limit_tokens"] == limit
        assert f"{limit:,} usable" in shown[1].stdout
    else:
        assert plan["policy"]["hash"] == explanation["hash"] == theirs


async def test_a_thread_that_is_not_there_gets_no_signal_and_is_waited_for_with_a_word(settings: Settings) -> None:
    refused = await tailrace("signal", "nope", "compact")
    command = [sys.executable, "-m", "tailrace.streams.cli", "watch", "nope"]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    line = await asyncio.wait_for(process.stderr.readline(), LONG_SECONDS)
    process.send_signal(signal.SIGINT)
    await process.wait()

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "there is no context of thread nope" in refused.stderr
    assert line.startswith(b"note: there is no thread nope yet; waiting for it")


async def test_bad_lines_are_named_and_the_others_published(settings: Settings) -> None:
    text = "\n".join(
        [
            json.dumps({"role": "user", "content": "one", "id": "m1"}),
            "nonsense",
            json.dumps({"role": "nobody", "content": "two"}),
            json.dumps({"thread": "t2", "native": {"role": "user", "content": "three"}, "tenant": "acme"}),
        ]
    )
    result = await tailrace("publish", "--thread", "t1", "--json", stdin=text)
    without_thread = await tailrace("publish", stdin=json.dumps({"role": "user", "content": "whose?"}))

    assert result.exit_code == 1
    first, second, third, fourth = lines(result)
    assert (first["id"], first["thread"], first["where"]) == ("m1", "t1", "line 1")
    assert "no JSON" in second["error"]
    assert "nobody" in third["error"]
    assert (fourth["thread"], fourth["where"]) == ("t2", "line 4")
    assert "error: line 2" in result.stderr
    assert without_thread.exit_code == 1
    assert "--thread" in without_thread.stderr


async def test_threads_are_listed_newest_first(settings: Settings) -> None:
    async with tiny_worker(settings):
        await tailrace("publish", "--thread", "old", "--text", "hi")
        await tailrace("publish", "--thread", "new", "--text", "hi", "--tenant", "acme")
        await tailrace("context", "new", *WAIT)
        table = await tailrace("threads")
        listed = await tailrace("threads", "--json", "--limit", "1")

    assert table.exit_code == 0, table.output
    assert [line.split()[0] for line in table.stdout.splitlines()] == ["thread", "new", "old"]
    (found,) = lines(listed)
    assert found["total"] == 2
    assert [row["thread"] for row in found["threads"]] == ["new"]
    assert found["threads"][0]["tenant"] == "acme"


async def test_a_thread_of_a_producer_with_another_partitioner_is_found(settings: Settings) -> None:
    async with (
        tiny_worker(settings),
        AIOKafkaProducer(
            bootstrap_servers=settings.broker, partitioner=lambda key, every, there: len(every) - 1
        ) as other,
    ):
        for number in range(6):
            value = json.dumps({"role": "user", "content": f"message {number}"}).encode()
            await other.send_and_wait(settings.topic("conversations"), value, key=f"t{number}".encode())
        shown = [await tailrace("context", f"t{number}", *WAIT) for number in range(6)]

    assert [result.exit_code for result in shown] == [0] * 6


async def test_without_a_worker_the_command_says_so(settings: Settings) -> None:
    none = await tailrace("threads")
    unknown = await tailrace("context", "t1")
    await tailrace("publish", "--thread", "t1", "--text", "hi")
    waiting = await tailrace("context", "t1", "--wait-ms", "100")

    assert "There are no threads yet" in none.stdout
    assert unknown.exit_code == 1
    assert "there is no context of thread t1" in unknown.stderr
    assert waiting.exit_code == 1
    assert "is `tailrace worker` running?" in waiting.stderr


async def test_watching_prints_every_change(settings: Settings) -> None:
    async with tiny_worker(settings):
        command = [sys.executable, "-m", "tailrace.streams.cli", "context", "t1", "--watch", "--format", "openai.chat"]
        watching = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert watching.stdout is not None
        try:
            async with asyncio.timeout(LONG_SECONDS):
                await tailrace("publish", "--thread", "t1", "--text", "one")
                first = json.loads(await watching.stdout.readline())
                await tailrace("publish", "--thread", "t1", "--text", "two")
                last = first
                while len(last) < 2:
                    last = json.loads(await watching.stdout.readline())
            watching.send_signal(signal.SIGINT)
            code = await asyncio.wait_for(watching.wait(), LONG_SECONDS)
        finally:
            if watching.returncode is None:
                watching.kill()

    assert [message["content"] for message in last] == ["one", "two"]
    assert code == 0
