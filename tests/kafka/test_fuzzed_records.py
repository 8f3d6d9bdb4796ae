"""Topics that hold records nobody should write, on a real broker: whoever reads them reads on."""

import asyncio
import uuid
from pathlib import Path
from typing import Protocol

import pytest
from aiokafka import TopicPartition
from support.conversations import THREAD
from typer.testing import CliRunner

from ops.chaos.fuzzed_records import fuzzed
from ops.environment import variables_of
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams import Client
from tailrace.streams.cli import app
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.observability.audit_trail import read_trail
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.rebuild.projection import rebuild
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.summarizer.answers import Answers
from tailrace.streams.summarizer.catch_up import catch_up
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.topics import topic_admin
from tailrace.streams.worker.recovery import recover

pytestmark = pytest.mark.kafka

RECORDS = 150


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker, tmp_path: Path) -> Settings:
    """Topics of one partition, each with records that have something wrong."""
    topics = {"prefix": f"fuzz-{uuid.uuid4().hex[:8]}.", "partitions": 1}
    made = load_settings(broker=broker.bootstrap_servers, topics=topics, data_dir=tmp_path)
    await topic_admin.apply(made)
    async with clients.producer(made, max_request_size=4_000_000) as producer:
        for topic in Topic:
            for number in range(RECORDS):
                record = fuzzed(topic, number)
                # A topic whose log is compacted takes nothing without a key.
                key = record.key or b"nobody"
                headers = [(name, b"" if value is None else value) for name, value in record.headers]
                await producer.send(made.topic(topic), record.value, key=key, partition=0, headers=headers)
        await producer.flush()
    return made


async def test_whoever_reads_a_topic_reads_on(settings: Settings, tmp_path: Path) -> None:
    skipped = SkippedRecords()
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        owned = await recover(reader, settings.topic(Topic.CONTEXTS), [0], skipped=skipped)
    assert skipped.total
    assert owned[0].view.threads

    file = RecordsFile(tmp_path / "answers.db")
    skipped = SkippedRecords()
    assert await catch_up(settings, Answers(file), 1, skipped) == RECORDS
    file.close()
    assert skipped.total

    trail = await read_trail(settings, THREAD)
    assert trail.compactions
    assert trail.skipped

    done = await rebuild(settings, artifacts=True)
    assert done.messages
    assert done.skipped


async def test_commands_and_clients_read_on(settings: Settings) -> None:
    environment = variables_of(settings)
    for words in (("threads",), ("history", THREAD), ("history", THREAD, "--json"), ("dlq", "list"), ("rebuild",)):
        done = await asyncio.to_thread(CliRunner().invoke, app, words, env=environment)
        # A thread of which a record can't be read is refused with a reason; nothing ends with a traceback.
        assert done.exit_code in {0, 1}, done.output
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    async with Client(settings) as client:
        context = await client.context(THREAD, timeout_ms=500)
        assert context.messages is not None
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        place = TopicPartition(settings.topic(Topic.CONTEXTS), 0)
        assert (await consumer.end_offsets([place]))[place] >= RECORDS
