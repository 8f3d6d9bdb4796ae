"""A real worker process on a real broker: what goes in, what comes out, how it starts, stops and comes back."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy
from aiokafka.structs import ConsumerRecord
from prometheus_client.parser import text_string_to_metric_families
from support.patience import LONG_SECONDS

from ops.environment import bare_environment, variables_of
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.dead_letter import ERROR_HEADERS
from tailrace.schemas.records.kafka_records import MESSAGE_TYPE, Topic
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

#: A worker that is killed blocks its partitions for this long.
SESSION_SECONDS = 3


class Broker(Protocol):
    """The part of the shared broker that is used here."""

    @property
    def bootstrap_servers(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Place:
    """An installation of its own on the shared broker: topics, group, data folder and HTTP port."""

    settings: Settings
    environment: dict[str, str]
    folder: Path

    def topic(self, name: str) -> str:
        return self.settings.topic(name)

    @property
    def port(self) -> int:
        return self.settings.http.port


@pytest.fixture
def place(broker: Broker, tmp_path: Path) -> Place:
    name = f"worker-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path / "data",
        topics={"prefix": f"{name}.", "partitions": 1},
        http={"port": free_port()},
    )
    environment = {
        **bare_environment(),
        **variables_of(settings),
        "TAILRACE_HTTP__PORT": str(settings.http.port),
        "TAILRACE_WORKER__SESSION_TIMEOUT_SECONDS": str(SESSION_SECONDS),
        "TAILRACE_WORKER__HEARTBEAT_SECONDS": "1",
        "TAILRACE_WORKER__COMMIT_INTERVAL_SECONDS": "0.2",
    }
    return Place(settings, environment, tmp_path)


@contextmanager
def worker(place: Place, *options: str, log: str = "worker.log") -> Iterator[subprocess.Popen[bytes]]:
    """Run `tailrace worker`; whatever is left of it at the end is killed."""
    command = [sys.executable, "-m", "tailrace.streams.cli", "worker", *options]
    with (place.folder / log).open("ab") as output:
        process = subprocess.Popen(command, env=place.environment, cwd=place.folder, stdout=output, stderr=output)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def logged(place: Place, log: str = "worker.log") -> list[dict[str, Any]]:
    """Lines that the worker has logged; others are no JSON and are left out."""
    lines = (place.folder / log).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool], what: str, place: Place) -> None:
    """Wait until a condition holds; fail with what the worker said if it takes too long."""
    deadline = time.monotonic() + LONG_SECONDS
    while True:
        answer = condition()
        if answer if isinstance(answer, bool) else await answer:
            return
        if time.monotonic() > deadline:
            pytest.fail(f"{what} did not happen:\n" + (place.folder / "worker.log").read_text(encoding="utf-8")[-5000:])
        await asyncio.sleep(0.1)


def assignments(place: Place) -> int:
    return sum(line["event"] == "partitions.assigned" for line in logged(place))


def get(place: Place, path: str) -> tuple[int, str]:
    """Status and body of an answer of the worker; 0 while it doesn't answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{place.port}{path}", timeout=LONG_SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def metric(place: Place, name: str, **labels: str) -> float | None:
    for family in text_string_to_metric_families(get(place, "/metrics")[1]):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return float(sample.value)
    return None


@asynccontextmanager
async def producer(place: Place, **options: Any) -> AsyncIterator[AIOKafkaProducer]:
    async with AIOKafkaProducer(
        bootstrap_servers=place.settings.broker, max_request_size=7_000_000, acks="all", **options
    ) as client:
        yield client


async def read(place: Place, topic: str) -> list[ConsumerRecord]:
    """All records of a topic's only partition, up to now."""
    partition = TopicPartition(place.topic(topic), 0)
    options = {"auto_offset_reset": "earliest", "enable_auto_commit": False, "max_partition_fetch_bytes": 10_000_000}
    async with AIOKafkaConsumer(bootstrap_servers=place.settings.broker, **options) as consumer:
        consumer.assign([partition])
        end = (await consumer.end_offsets([partition]))[partition]
        records: list[ConsumerRecord] = []
        while await consumer.position(partition) < end:
            records += (await consumer.getmany(partition, timeout_ms=500)).get(partition, [])
        return records


async def contexts(place: Place) -> dict[str, ThreadView]:
    view = PartitionView()
    for record in await read(place, Topic.CONTEXTS):
        view.apply_record(record.key, record.value, record.headers)
    return view.threads


async def said(place: Place, thread: str) -> list[str]:
    """First words of the messages in a thread's context."""
    views = await contexts(place)
    if thread not in views:
        return []
    return [getattr(message.parts[0], "content", "")[:20] for message in views[thread].messages() if message.parts]


async def committed(place: Place) -> tuple[int | None, int]:
    """Committed offset and end of the conversations."""
    partition = TopicPartition(place.topic(Topic.CONVERSATIONS), 0)
    options = {"group_id": place.settings.group, "enable_auto_commit": False}
    async with AIOKafkaConsumer(bootstrap_servers=place.settings.broker, **options) as consumer:
        consumer.assign([partition])
        return await consumer.committed(partition), (await consumer.end_offsets([partition]))[partition]


async def is_committed(place: Place) -> bool:
    offset, end = await committed(place)
    return offset == end


def message(text: str, **fields: Any) -> bytes:
    return json.dumps({"role": "user", "content": text, **fields}).encode()


class BadName(str):
    """A header's name that is no UTF-8, as a producer in C may write it."""

    __slots__ = ()

    def encode(self, *_args: object) -> bytes:
        return b"\xff"


async def publish_with_bad_header_name(kafka: AIOKafkaProducer, topic: str, value: bytes) -> None:
    batch = kafka.create_batch()
    # aiokafka's fast builder takes proper text only.
    options = {"producer_id": -1, "producer_epoch": -1, "base_sequence": -1, "batch_size": 100_000}
    batch._builder = _DefaultRecordBatchBuilderPy(magic=2, compression_type=0, is_transactional=False, **options)
    batch.append(timestamp=None, key=b"t", value=value, headers=[(BadName("x"), b"1")])
    await (await kafka.send_batch(batch, topic, partition=0))


CLOUD_EVENT = [("ce_specversion", b"1.0"), ("ce_type", MESSAGE_TYPE.encode()), ("ce_source", b"/test")]
DEEP = b'{"role":"user","content":"x","y":' + b"[" * 1000 + b"]" * 1000 + b"}"

#: What can't be processed: key, value and headers, by the kind of failure that the dead letter has to name.
BAD: list[tuple[str, bytes | None, bytes | None, list[tuple[str, bytes | None]]]] = [
    ("Undecodable", b"t", b"this is no JSON", []),
    ("Invalid", b"t", b'{"role":7,"content":{}}', []),
    ("TooLarge", b"t", b'{"role":"user","content":"' + b"x" * 5_000_000 + b'"}', []),
    ("Invalid", b"t", b"", []),
    ("Invalid", b"t", None, []),
    ("Invalid", None, b'{"role":"user","content":"to nobody"}', []),
    ("Undecodable", b"\xff\xfe", b'{"role":"user","content":"x"}', []),
    ("Undecodable", b"t", b'{"role":"user","content":"\xff\xfe"}', []),
    ("Undecodable", b"t", DEEP, []),
    ("UnknownVersion", b"t", b"{}", [("ce_specversion", b"1.0"), ("ce_type", b"io.tailrace.message.v9")]),
    ("UnknownVersion", b"t", b'{"message":{"role":"user"},"format":"tailrace/9"}', [("own", b"\x00\xff")]),
    ("Undecodable", b"t", b"{}", [("ce_id", None)]),
    ("Misplaced", b"t", b'{"role":"tool","tool_call_id":"never-made","content":"late"}', []),
    ("Misplaced", b"t", b'{"tenant":"other","message":{"role":"user"}}', []),
]


async def test_bad_input_goes_to_the_dead_letters_and_nothing_else_waits_for_it(place: Place) -> None:
    await topic_admin.apply(place.settings)
    with worker(place) as process:
        async with producer(place) as kafka:

            async def publish(
                key: bytes | None, value: bytes | None, headers: Any = (), timestamp_ms: int | None = None
            ) -> None:
                await kafka.send_and_wait(
                    place.topic(Topic.CONVERSATIONS), value, key, headers=list(headers), timestamp_ms=timestamp_ms
                )

            await publish(b"t", message("first", id="m1"))
            for number, (_, key, value, headers) in enumerate(BAD):
                await publish(key, value, headers)
                await publish(b"t", message(f"after {number}"))
            await publish(b"t", message("first", id="m1"))
            enveloped = {"message": {"role": "assistant", "parts": [{"type": "text", "content": "a cloud event"}]}}
            await publish(b"t", json.dumps(enveloped).encode(), [*CLOUD_EVENT, ("ce_id", b"m2")])
            await publish(b"t", message("in 1970"), timestamp_ms=0)
            await publish(b"t", message("in 9999"), timestamp_ms=253_402_300_799_999)
            await publish(b"t", message("with headers of no kind"), [("trace", None), ("trace", b"\xff")])
            await publish_with_bad_header_name(kafka, place.topic(Topic.CONVERSATIONS), message("with a bad name"))
            await publish(b"t", message("last"))
        await until(lambda: is_committed(place), "everything committed", place)
        good = [f"after {number}" for number in range(len(BAD))]
        assert await said(place, "t") == [
            "first",
            *good,
            "a cloud event",
            "in 1970",
            "in 9999",
            "with headers of no k",
            "with a bad name",
            "last",
        ]
        letters = await read(place, Topic.DLQ)
        assert [(letter.key, letter.value) for letter in letters] == [(key, value) for _, key, value, _ in BAD]
        for number, (letter, (kind, _, _, own_headers)) in enumerate(zip(letters, BAD, strict=True)):
            headers = dict(letter.headers)
            assert [name for name, _ in letter.headers][-6:] == list(ERROR_HEADERS)
            assert list(letter.headers)[:-6] == own_headers
            assert headers["__streams.errors.exception"] == f"tailrace.schemas.errors.{kind}".encode()
            assert headers["__streams.errors.topic"] == place.topic(Topic.CONVERSATIONS).encode()
            assert headers["__streams.errors.offset"] == str(2 * number + 1).encode()
            assert headers["__streams.errors.message"]
        assert process.poll() is None
        assert get(place, "/livez")[0] == get(place, "/readyz")[0] == 200
        assert metric(place, "tailrace_dead_letters_total", code="misplaced") == 2
        assert metric(place, "tailrace_events_total", outcome="duplicate") == 1
        text = (place.folder / "worker.log").read_text(encoding="utf-8")
        assert "after 3" not in text, "what people say must not be in the log"
        process.terminate()
        assert process.wait(LONG_SECONDS) == 0


async def test_a_worker_that_is_killed_comes_back_where_it_was(place: Place) -> None:
    """The contexts topic is the changelog: nothing else tells the second worker what the first one knew."""
    await topic_admin.apply(place.settings)
    topic = place.topic(Topic.CONVERSATIONS)
    async with producer(place) as kafka:
        with worker(place) as process:
            for number in range(30):
                await kafka.send_and_wait(topic, message(f"before {number}", id=f"b{number}"), b"t")
            await until(lambda: is_committed(place), "the first part committed", place)
            before = (await contexts(place))["t"]
            process.kill()
            process.wait()
        await kafka.send_and_wait(topic, message("before 7", id="b7"), b"t")
        await kafka.send_and_wait(topic, message("after", id="a"), b"t")
        with worker(place) as process:
            await until(lambda: is_committed(place), "the second part committed", place)
            after = (await contexts(place))["t"]
            assert after.totals.messages == 31
            assert after.live()[:-1] == before.live()
            assert [entry.rank for entry in after.live()] == sorted(entry.rank for entry in after.live())
            assert metric(place, "tailrace_events_total", outcome="duplicate") == 1
            (assigned,) = [line for line in logged(place) if line["event"] == "partitions.assigned"][1:]
            assert (assigned["recovered"], assigned["threads"]) == ([0], 1)
            records = await read(place, Topic.CONTEXTS)
            terms = [int(dict(record.headers)["ce_term"]) for record in records]
            assert terms == sorted(terms)
            assert terms[0] < terms[-1]
            process.terminate()
            assert process.wait(LONG_SECONDS) == 0
    assert "worker.stopped" in {line["event"] for line in logged(place)}


async def test_markers_of_transactions_are_no_lag_and_no_gap(place: Place) -> None:
    await topic_admin.apply(place.settings)
    topic = place.topic(Topic.CONVERSATIONS)
    async with producer(place, transactional_id=place.settings.group) as kafka:
        with worker(place) as process:
            for number in range(3):
                async with kafka.transaction():
                    await kafka.send(topic, message(f"in transaction {number}"), b"t")

            async def three() -> bool:
                return len(await said(place, "t")) == 3

            await until(three, "three messages in the context", place)
            await until(lambda: metric(place, "tailrace_consumer_lag_records", partition="0") == 0, "no lag", place)
            assert process.poll() is None


async def test_all_that_a_worker_makes_in_its_folder_is_for_its_owner_alone(place: Place) -> None:
    await topic_admin.apply(place.settings)
    with worker(place):
        async with producer(place) as kafka:
            await kafka.send_and_wait(place.topic(Topic.CONVERSATIONS), message("hello"), b"t")
        await until(lambda: is_committed(place), "everything committed", place)

        made = list(place.settings.data_dir.rglob("*"))
        assert place.settings.data_dir / "faust" in made
        assert [path for path in made if path.stat().st_mode & 0o077] == []


async def test_a_worker_refuses_topics_that_can_t_work(place: Place) -> None:
    """Both starts run side by side: each costs seconds."""
    await topic_admin.apply(place.settings)
    contexts_topic = place.topic(Topic.CONTEXTS)
    admin = AIOKafkaAdminClient(bootstrap_servers=place.settings.broker)
    await admin.start()
    resource = ConfigResource(ConfigResourceType.TOPIC, contexts_topic, configs={"cleanup.policy": "delete"})
    await admin.alter_configs([resource])
    await admin.close()
    nowhere = Place(place.settings, {**place.environment, "TAILRACE_TOPICS__PREFIX": "nowhere."}, place.folder)
    with worker(place, log="wrong.log") as wrong, worker(nowhere, log="missing.log") as missing:
        assert (wrong.wait(LONG_SECONDS), missing.wait(LONG_SECONDS)) == (78, 78)
    for log, words in {
        "wrong.log": (contexts_topic, "cleanup.policy is delete, not compact", "tailrace topics apply"),
        "missing.log": ("nowhere.conversations", "not there", "tailrace topics apply"),
    }.items():
        text = (place.folder / log).read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if not line.startswith("{")] == [text.splitlines()[-1]], text
        assert text.splitlines()[-1].startswith("error: ")
        for word in words:
            assert word in text


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are found in /proc")
async def test_a_supervised_worker_that_is_killed_is_started_again_and_all_stop_together(place: Place) -> None:
    await topic_admin.apply(place.settings)

    def children(process: subprocess.Popen[bytes]) -> set[int]:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        return {int(child) for child in listed.split()}

    with worker(place, "--processes", "2") as process:
        await until(lambda: assignments(place) >= 1 and len(children(process)) == 3, "two workers and an index", place)
        before = children(process)
        os.kill(min(before), signal.SIGKILL)
        await until(lambda: len(children(process) - {min(before)}) == 3, "a third worker", place)
        started = children(process)
        process.terminate()
        assert process.wait(LONG_SECONDS) == 0
        assert not [child for child in started if Path(f"/proc/{child}").exists()]
