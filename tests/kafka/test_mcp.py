"""`context` and `compact` of `tailrace mcp`, on a real broker: what they return, for whom, and what changes."""

import asyncio
import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest
from mcp import Client as McpClient
from prometheus_client import CollectorRegistry
from support.mcp_sessions import call, environment, over_http, over_stdio
from support.patience import LONG_MS, LONG_SECONDS
from support.tiny_worker import tiny_worker

from ops.environment import variables_of
from tailrace.streams import Client
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker, tmp_path: Path) -> Settings:
    name = f"mcp-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path,
        topics={"prefix": f"{name}.", "partitions": 2},
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )
    await topic_admin.apply(settings)
    return settings


def variables(settings: Settings) -> dict[str, str]:
    return {**variables_of(settings), "TAILRACE_CLIENT__CONTEXT_WAIT_MS": str(settings.client.context_wait_ms)}


def conversation() -> list[dict[str, Any]]:
    messages = [{"role": "system", "content": "You look after the weir."}]
    for number in range(30):
        messages.append(
            {"role": "user", "content": f"How high is the water at gauge {number}? " + "Please look. " * 10}
        )
        messages.append({"role": "assistant", "content": f"Gauge {number} shows {number + 40} centimetres."})
    return messages


async def say(settings: Settings) -> None:
    """Publish a thread of ours, one of ours that is confidential, and one of somebody else."""
    async with Client(settings, registry=CollectorRegistry()) as client:
        await client.publish_many("t1", conversation(), model="gpt-4o", tenant="ours")
        secret = {"role": "user", "content": "The plans are in the safe."}
        await client.publish("t2", secret, tenant="ours", sensitivity="confidential")
        await client.publish("t3", {"role": "user", "content": "Not yours."}, tenant="theirs")


async def test_a_context_comes_ready_to_send_and_a_dry_run_is_only_shown(settings: Settings, tmp_path: Path) -> None:
    async with tiny_worker(settings):
        await say(settings)
        async with over_stdio(tmp_path, variables(settings), "--tenant", "ours", "--thread", "t1") as client:
            shown, refused = await call(client, "context")
            assert not refused, shown
            context = json.loads(shown)
            assert context["request"] == {"messages": conversation()}
            assert (context["thread"], context["model"], context["messages_not_yet_in_it"]) == ("t1", "gpt-4o", 0)
            other = json.loads((await call(client, "context", thread="t1", format="anthropic.messages"))[0])
            assert other["request"]["system"] == "You look after the weir."

            compacted = json.loads((await call(client, "compact", budget_tokens=600, dry_run=True))[0])
            assert compacted["before_tokens"] == context["tokens"]
            assert compacted["after_tokens"] <= 600
            assert compacted["limit_tokens"] == context["limit_tokens"]
            left = compacted["request"]["messages"]
            assert len(left) == compacted["messages_after"] < compacted["messages_before"] == 61
            assert left[0] == conversation()[0]
            assert left[-1] == conversation()[-1]
            assert {change["action"] for change in compacted["changes"]} <= {
                "drop",
                "externalize",
                "summarize",
                "clear",
            }
            assert await call(client, "compact", budget_tokens="600", dry_run="true") == await call(
                client, "compact", budget_tokens=600, dry_run=True
            )

            assert json.loads((await call(client, "context", thread="", format=None))[0]) == context


async def test_a_compaction_is_done_by_the_worker_of_the_thread(settings: Settings, tmp_path: Path) -> None:
    small = load_settings(**{**msgspec.structs.asdict(settings), "policy": {"cap_tokens": 2_200}})
    async with tiny_worker(small):
        await say(settings)
        async with over_stdio(tmp_path, variables(settings), "--tenant", "ours", "--thread", "t1") as client:
            before = json.loads((await call(client, "context"))[0])
            done = json.loads((await call(client, "compact", reason="a test"))[0])
            assert (done["outcome"], done["before_tokens"]) == ("completed", before["tokens"]), done
            after = json.loads((await call(client, "context"))[0])
            assert after["tokens"] == done["after_tokens"] < before["tokens"]
            again = await call(client, "compact", budget_tokens=after["tokens"])
            assert json.loads(again[0])["outcome"] == "noop"
            assert (await call(client, "compact", thread="t3"))[1]


async def test_only_what_the_server_may_see_is_shown(settings: Settings, tmp_path: Path) -> None:
    async with tiny_worker(settings):
        await say(settings)
        async with (
            over_http(tmp_path, variables(settings), "--tenant", "ours") as url,
            McpClient(url) as client,
        ):
            assert json.loads((await call(client, "context", thread="t1"))[0])["thread"] == "t1"
            for tool in ("context", "compact"):
                unknown, refused = await call(client, tool, thread="t9")
                assert refused
                assert unknown == "This call can't be answered: there is no context of thread t9."
                theirs, _ = await call(client, tool, thread="t3")
                assert theirs == unknown.replace("t9", "t3")
                sensitive, refused = await call(client, tool, thread="t2")
                assert refused
                assert "too sensitive" in sensitive
                assert "safe" not in sensitive
        async with over_stdio(
            tmp_path, variables(settings), "--tenant", "ours", "--clearance", "confidential"
        ) as client:
            assert "The plans are in the safe." in (await call(client, "context", thread="t2"))[0]


async def test_what_a_worker_moved_out_of_a_context_is_read_back(settings: Settings, tmp_path: Path) -> None:
    log = "".join(
        f"04:{number // 60:02}:{number % 60:02} sluice {number % 9} reports level {number}\n" for number in range(3_000)
    )
    function = {"name": "read_log", "arguments": "{}"}
    messages = [
        {"role": "user", "content": "What does the log say?"},
        {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": log},
        {"role": "assistant", "content": "Nothing unusual."},
    ]
    given = {**variables(settings), "TAILRACE_HTTP__PORT": "0"}
    workers = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tailrace.streams.cli", "worker", "--role", role),
            env=environment(**given),
            cwd=tmp_path,
            stderr=asyncio.subprocess.DEVNULL,
        )
        for role in ("context", "index")
    ]
    try:
        async with Client(settings, registry=CollectorRegistry()) as client:
            await client.publish_many("t1", messages, model="gpt-4o")
            await client.context("t1")
        async with over_stdio(tmp_path, given, "--thread", "t1") as client:
            context = (await call(client, "context"))[0]
            (artifact,) = set(re.findall(r"artifact:([0-9a-f]{16})", context))
            assert "reports level 1234" not in context
            text, refused = await call(client, "read_artifact", id=artifact, range="1235")
            assert not refused
            assert text.endswith("1235: 04:20:34 sluice 1 reports level 1234")
            assert "1235> 04:20:34" in (await call(client, "read_artifact", id=artifact, query="level 1234"))[0]
            async with asyncio.timeout(LONG_SECONDS):
                while True:
                    passages, refused = await call(client, "recall", query="sluice level 1234")
                    if "sluice 1" in passages and "can't be found yet" not in passages:
                        break
                    await asyncio.sleep(0.2)
            assert not refused
            assert "04:20:34 sluice 1 reports level 1234" in passages
        # Brought back into a thread that all may see, it is still not for all.
        async with Client(settings, registry=CollectorRegistry()) as client:
            asked = {"role": "user", "content": f"See artifact:{artifact}"}
            await client.publish("t2", asked, sensitivity="public")
            await client.context("t2")
        for clearance, hidden in (("internal", False), ("public", True)):
            async with over_stdio(tmp_path, given, "--thread", "t2", "--clearance", clearance) as client:
                for tool, arguments in (("context", {}), ("compact", {"dry_run": True})):
                    text, refused = await call(client, tool, **arguments)
                    assert (refused, "sluice 1 reports level" not in text) == (hidden, hidden)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            await asyncio.wait_for(worker.wait(), LONG_SECONDS)
