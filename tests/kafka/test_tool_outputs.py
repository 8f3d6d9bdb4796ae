"""Tool outputs on a real broker with a real worker.

Distilled as they arrive, kept whole, brought back, found, built again.
"""

import asyncio
import base64
import json
import random
import re
import sqlite3
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families
from support.installations import Broker, Place, command, new_place, until_indexed, values, worker, worker_and_index
from support.patience import LONG_SECONDS

from tailrace.agents.distill.fleet_cache import SHARED_TYPE
from tailrace.schemas.errors import ArtifactMissing
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.kafka_records import Topic, decode_distillation
from tailrace.streams import Client, Context
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.worker.projection import PROJECTION_FILE

pytestmark = pytest.mark.kafka

#: Five per cent of 16,000 tokens: outputs above a thousand tokens are large.
#: Of what the polling tool says.
TTL_SECONDS = 1
WINDOW_TOKENS = 16_000
LOG = (
    "\n".join(
        (
            f"2026-03-0{day} 04:1{hour}:00 INFO gauge-{day}{hour} of weir {hour} reads {day * 100 + hour} mm, valve "
            f"{hour % 3} open"
        )
        for day in range(1, 10)
        for hour in range(10)
    )
    + "\nERROR pump P-4471 of weir 7 does not answer: connection refused (exit code 3)"
)
KEY = "AKIA" + "Z7QXW3ERT5YUI2OP"


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> Place:
    return await new_place(broker, tmp_path, partitions=2, policy={"window_tokens": WINDOW_TOKENS})


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def call(call_id: str, command: str) -> dict[str, Any]:
    function = {"name": "run_command", "arguments": json.dumps({"command": command})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def answer(call_id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def texts(context: Context) -> list[str]:
    return [str(message.get("content")) for message in context.request("openai.chat")["messages"]]


async def worker_context(client: Client, thread: str) -> Context:
    context = await client.context(thread)
    assert context.complete
    return context


async def test_a_large_output_is_distilled_kept_whole_brought_back_and_found(place: Place) -> None:
    with worker_and_index(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await client.publish("weir", user("Which pump is broken?"))
            await client.publish("weir", call("c1", "cat gauges.log"))
            await client.publish("weir", answer("c1", LOG), id="output")
            before = await worker_context(client, "weir")
            distilled = texts(before)[2]
            name = re.match(r"\[Distilled tool output - artifact:([0-9a-f]{16})\]", distilled)
            assert name, distilled[:200]
            assert "P-4471" in distilled
            assert "connection refused" in distilled
            assert len(distilled) < len(LOG) / 2

            await client.publish("weir", {"role": "assistant", "content": "Pump P-4471."})
            await client.publish("weir", user(f"Show me artifact:{name[1]} again."))
            brought = texts(await worker_context(client, "weir"))
            assert brought[:3] == texts(before)
            assert brought[-1].startswith(f"[Rehydrated Content - artifact:{name[1]}]")
            assert LOG in brought[-1]
            await client.publish("weir", {"role": "assistant", "content": "There it is."})
            await client.publish("weir", user("Thanks."))
            after = texts(await worker_context(client, "weir"))
            assert after == [*brought[:-1], "There it is.", "Thanks."]
            await until_indexed(place)

    (record,) = [decode_distillation(value) for value in await values(place, Topic.DISTILLATIONS)]
    assert (record.event_id, record.artifact_id, record.envelope.name) == ("output", name[1], "run_command")
    assert record.text == distilled
    store = await open_store(place.settings)
    try:
        assert await store.retrieve(SecurityContext(tenant="default"), name[1]) == LOG.encode()
        with pytest.raises(ArtifactMissing):
            await store.retrieve(SecurityContext(tenant="somebody-else"), name[1])
    finally:
        await store.close()
    hits = RecallIndex(sqlite_utils.Database(place.settings.data_dir / RECALL_FILE)).search("P-4471", tenant="default")
    assert "output" in {hit.id for hit in hits}


def shared_distillations(place: Place) -> dict[str, float]:
    """How many the worker that was started last has found, and made, as its metrics say."""
    port = re.findall(r"http://127\.0\.0\.1:(\d+)", place.log())[-1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=LONG_SECONDS) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    samples = [sample for family in families for sample in family.samples]
    return {one.labels["outcome"]: one.value for one in samples if one.name == "tailrace_shared_distillations_total"}


async def test_a_large_output_is_distilled_once_for_all_workers(place: Place) -> None:
    output = "\n".join(f"row {number} of the survey: depth {number % 977} mm" for number in range(3_000))
    assert len(output) > place.settings.artifacts.shared_chars_min
    seen = []
    for thread in ("one", "other"):
        with worker(place):
            async with Client(place.settings, registry=CollectorRegistry()) as client:
                await client.publish(thread, user("Read the survey."))
                await client.publish(thread, call("c1", "cat survey.txt"))
                await client.publish(thread, answer("c1", output))
                shown = texts(await worker_context(client, thread))[2]
                seen.append((shown, shared_distillations(place)))

    (made, counted_first), (found, counted_second) = seen
    assert made == found
    assert made.startswith("[Distilled tool output - artifact:")
    assert (counted_first, counted_second) == ({"hit": 0, "miss": 1}, {"hit": 1, "miss": 0})


async def test_secrets_are_in_the_artifact_alone(place: Place) -> None:
    with worker_and_index(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await client.publish("keys", user("Read the settings."))
            await client.publish("keys", call("c1", "cat .env"))
            await client.publish("keys", answer("c1", f"AWS_ACCESS_KEY_ID={KEY}\n{LOG}"))
            await client.publish("keys", user("Go on."))
            context = texts(await worker_context(client, "keys"))
            await until_indexed(place)
    name = re.match(r"\[Distilled tool output - artifact:([0-9a-f]{16})\]", context[2])
    assert name
    assert KEY not in "\n".join(context)
    for topic in (Topic.DISTILLATIONS, Topic.LIFECYCLE, Topic.COMPACTIONS):
        assert KEY.encode() not in b"".join(await values(place, topic))
    store = await open_store(place.settings)
    try:
        assert KEY.encode() in await store.retrieve(SecurityContext(tenant="default"), name[1])
        assert (await store.metadata(SecurityContext(tenant="default"), name[1])).sensitivity == "restricted"
    finally:
        await store.close()
    for file in (PROJECTION_FILE, RECALL_FILE):
        assert KEY.encode() not in (place.settings.data_dir / file).read_bytes()


async def test_what_is_too_large_for_a_record_travels_as_a_claim(place: Place) -> None:
    """Fifty megabytes: the worker reads the beginning and the end, and shows them distilled."""
    huge = "\n".join(f"row {number} of the survey: depth {number % 977} mm" for number in range(1_200_000))
    assert len(huge) > 50_000_000 - 10_000_000
    with worker(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await client.publish("survey", user("Read the survey."))
            await client.publish("survey", call("c1", "cat survey.txt"))
            await client.publish("survey", answer("c1", huge))
            context = await worker_context(client, "survey")
    shown = texts(context)[2]
    name = re.match(r"\[Distilled tool output - artifact:([0-9a-f]{16})\]", shown)
    assert name, shown[:200]
    assert context.tokens <= context.limit_tokens
    store = await open_store(place.settings)
    try:
        tail = huge.encode()[-1000:]
        assert await store.retrieve(SecurityContext(tenant="default"), name[1], first_byte=len(huge) - 1000) == tail
    finally:
        await store.close()


async def test_arguments_and_media_that_are_too_large_for_a_record_travel_as_claims(place: Place) -> None:
    survey = "".join(f"row {number} of the survey: depth {number % 977} mm\n" for number in range(60_000))
    arguments = json.dumps({"path": "survey.txt", "content": survey})
    pixels = base64.b64encode(random.Random(7).randbytes(3_000_000)).decode()
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{pixels}"}}
    writing = call("c1", "")
    writing["tool_calls"][0]["function"] = {"name": "write_file", "arguments": arguments}
    with worker_and_index(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            asked = {"role": "user", "content": [{"type": "text", "text": "Write down what this shows."}, image]}
            await client.publish("survey", asked)
            await client.publish("survey", writing)
            await client.publish("survey", answer("c1", "written"))
            context = await worker_context(client, "survey")
            await until_indexed(place)
    shown, called, answered = context.request("openai.chat")["messages"]
    reference = shown["content"][1]["text"]
    assert reference.endswith("[image image/png: not shown]")
    (one_call,) = called["tool_calls"]
    told = json.loads(one_call["function"]["arguments"])
    assert (told["path"], answered["tool_call_id"]) == ("survey.txt", one_call["id"])
    assert told["content"].endswith("characters in all]")
    assert context.tokens <= context.limit_tokens
    image_id = re.search(r"artifact:([0-9a-f]{16})", reference)
    assert image_id
    store = await open_store(place.settings)
    try:
        contents = [
            json.loads(await store.retrieve(SecurityContext(tenant="default"), name))
            for name in (image_id[1], told["artifact"])
        ]
    finally:
        await store.close()
    assert contents[0][0]["content"] == pixels
    assert contents[1][0]["arguments"] == arguments
    hits = RecallIndex(sqlite_utils.Database(place.settings.data_dir / RECALL_FILE)).search(
        "row 59999", tenant="default"
    )
    assert told["artifact"] in {hit.id for hit in hits}


def _dump(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the projection and the index but the numbers of their rows."""
    queries = {
        "compactions": "select * from compactions order by id",
        "distillations": "select * from distillations order by id",
        "dead_letters": 'select * from dead_letters order by topic, partition, "offset"',
        "model_calls": "select * from model_calls order by id",
        "recall": (
            "select tenant, thread, kind, id, role, tool, turn, offset, created_at_ms, sensitivity, first_char, text "
            "from recall_documents join recall_passages on document = recall_documents.number "
            "order by tenant, thread, kind, id, first_char"
        ),
    }
    dumped = {}
    for name, query in queries.items():
        with closing(sqlite3.connect(folder / (RECALL_FILE if name == "recall" else PROJECTION_FILE))) as connection:
            dumped[name] = connection.execute(query).fetchall()
    return dumped


async def test_a_projection_that_is_built_again_equals_the_one_that_grew(place: Place) -> None:
    with worker_and_index(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            for number in range(60):
                thread = f"t{number % 3}"
                await client.publish(thread, user(f"Question {number}: " + "how deep is the pool? " * 60))
                usage = {"input_tokens": 100 + number, "output_tokens": number}
                fields = {"model": "gpt-4o-mini"} if number < 3 else {}
                await client.publish(thread, call(f"c{number}", f"sound {number}"), usage=usage, **fields)
                await client.publish(thread, answer(f"c{number}", LOG.replace("weir", f"weir-{number}")))
                await client.publish(thread, user("again"), id=f"same-{thread}")
            # What a program says in a user's name is no turn; what follows has the same one.
            await client.publish("t0", user("<reminder>Look at the gauge.</reminder>"), source="program")
            await client.publish("t0", user("And now?"))
            for number in range(3):
                await worker_context(client, f"t{number}")
            async with asyncio.timeout(LONG_SECONDS):
                while (await client.context("t0")).totals.compactions == 0:
                    await asyncio.sleep(0.1)
            await until_indexed(place)
    grown = _dump(place.settings.data_dir)
    assert all(grown[name] for name in ("compactions", "distillations", "recall"))
    assert len(grown["model_calls"]) == 60
    assert {row[2] for row in grown["recall"]} >= {"message", "span"}
    turns = {row[-1]: row[6] for row in grown["recall"] if row[1] == "t0"}
    assert turns["And now?"] == turns["<reminder>Look at the gauge.</reminder>"] + 1
    done = await command(place, "rebuild")
    assert done.exit_code == 0, done.stderr
    assert "185 messages" in done.stdout
    assert _dump(place.settings.data_dir) == grown


async def test_artifacts_that_were_lost_are_put_back_from_the_log(broker: Broker, tmp_path: Path) -> None:
    steps = [{"use": "externalize", "tokens_min": 500}]
    policy = {"window_tokens": WINDOW_TOKENS, "tools": {"poll_*": {"ttl_seconds": TTL_SECONDS}}, "steps": steps}
    place = await new_place(broker, tmp_path, partitions=2, policy=policy)
    key = f"AWS_ACCESS_KEY_ID={KEY}\n{LOG}"
    huge = "\n".join(f"row {number} of the survey: depth {number % 977} mm" for number in range(60_000))
    outputs = {"plain": LOG, "key": key, "plans": LOG.replace("weir", "dam"), "mine": LOG.replace("weir", "sluice")}
    outputs["brief"] = LOG.replace("weir", "sea")
    options: dict[str, dict[str, Any]] = {"plans": {"sensitivity": "confidential"}, "mine": {"tenant": "mine"}}
    asked = {thread: call("c1", "cat gauges.log") for thread in (*outputs, "huge")}
    asked["brief"]["tool_calls"][0]["function"]["name"] = "poll_gauge"
    with worker(place):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            for thread, output in {**outputs, "huge": huge}.items():
                fields = options.get(thread, {})
                await client.publish(thread, user("Read it."), **fields)
                await client.publish(thread, asked[thread], **fields)
                await client.publish(thread, answer("c1", output), **fields)
                await worker_context(client, thread)
            # Enough for a compaction, which keeps more.
            for number in range(16):
                await client.publish("plain", user(f"Question {number}: " + "how deep is the pool? " * 200))
                await client.publish("plain", {"role": "assistant", "content": f"{number} fathoms."})
            async with asyncio.timeout(LONG_SECONDS):
                while (await client.context("plain")).totals.compactions == 0:
                    await asyncio.sleep(0.1)
    kept = await _artifacts(place)
    assert {"restricted", "confidential", "internal"} == {row["sensitivity"] for row, _ in kept.values()}
    assert any(row["thread"] == "plain" and not row["tool"] for row, _ in kept.values())
    path = place.settings.data_dir / "artifacts.db"
    for file in path.parent.glob("artifacts.db*"):
        file.unlink()
    expired_at = time.time() + TTL_SECONDS  # what the polling tool said was written before now
    while time.time() <= expired_at:
        await asyncio.sleep(0.1)
    runs = [await command(place, "rebuild", "--artifacts") for _ in range(2)]

    assert [run.exit_code for run in runs] == [0, 0], runs[0].stderr
    found = await _artifacts(place)
    claims = [name for name, (row, _) in kept.items() if not row["tool"] and row["size_bytes"] > 1_000_000]
    assert len(claims) == 1
    assert found == {name: one for name, one in kept.items() if name not in claims}
    assert f"artifacts: {len(found)} put back, 0 there already, 1 expired; 1 came as claims" in runs[0].stdout
    assert f"artifacts: 0 put back, {len(found)} there already, 1 expired; 1 came as claims" in runs[1].stdout


async def _artifacts(place: Place) -> dict[tuple[str, str], tuple[dict[str, Any], bytes]]:
    """What the store holds for good, but for what workers share: what is known of each, and its bytes."""
    store = await open_store(place.settings)
    rows = list(sqlite_utils.Database(place.settings.data_dir / "artifacts.db")["artifacts"].rows)
    unstable = {"row", "stored_bytes"}
    try:
        return {
            (row["tenant"], row["id"]): (
                {name: value for name, value in row.items() if name not in unstable},
                await store.retrieve(SecurityContext(tenant=row["tenant"]), row["id"]),
            )
            for row in rows
            if row["media_type"] != SHARED_TYPE and row["expires_at_ms"] is None
        }
    finally:
        await store.close()
