"""Who publishes in a dance: runtimes, and two who do it wrong.

One sends summaries again, late or spoiled; the other sends what nobody should. Whatever is published here carries its
number, so that the verifier knows that each record is in the log once.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.partitioner import murmur2
from aiokafka.structs import ConsumerRecord

from ops.chaos.fuzzed_records import fuzzed, spoiled
from ops.chaos.load import Load
from tailrace.schemas.records.dead_letter import Headers
from tailrace.schemas.records.kafka_records import SUMMARY_TYPE, Topic
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.settings.settings import Settings

#: Number of a record among those that a dance publishes to the log.
NUMBER_HEADER = "dance"
#: Longest value that is published: some of the fuzzed ones are large.
VALUE_BYTES_MAX = 4_000_000
#: Parts of the summaries that are sent again: as they are, spoiled, and under another thread's key.
_AGAIN, _SPOILED, _ELSEWHERE = 0.15, 0.3, 0.35
#: Part of those that wait for the next look, when their chunk may have left its context.
_LATE = 0.5


def thread_names(count: int, *, partitions: int, without: int) -> tuple[str, ...]:
    """Names of `count` threads, none of which belongs to partition `without`."""
    names: list[str] = []
    number = 0
    while len(names) < count:
        name = f"dance-{number:04d}"
        number += 1
        if partition_of(name, partitions) != without:
            names.append(name)
    return tuple(names)


def partition_of(thread: str, partitions: int) -> int:
    """Partition that every client's default partitioner gives a thread."""
    hashed: int = murmur2(thread.encode()) & 0x7FFFFFFF
    return hashed % partitions


@dataclass(slots=True)
class Log:
    """The log that a dance publishes to, and how many records it has had from here."""

    settings: Settings
    producer: AIOKafkaProducer
    published: int = 0

    async def publish(
        self, key: bytes | None, value: bytes | None, headers: Headers, partition: int | None = None
    ) -> asyncio.Future[object]:
        """Send one record to the log; the future is its delivery."""
        number = (NUMBER_HEADER, b"%d" % self.published)
        self.published += 1
        topic = self.settings.topic(Topic.CONVERSATIONS)
        sent = _sendable((*headers, number))
        if key is None and value is None:
            value = b""  # Kafka takes a record without both, aiokafka sends none
        delivery: asyncio.Future[object] = await self.producer.send(
            topic, value, key=key, partition=partition, headers=sent
        )
        return delivery


def _sendable(headers: Headers) -> list[tuple[str, bytes]]:
    # aiokafka sends no header that is null.
    return [(name, b"" if value is None else value) for name, value in headers]


@asynccontextmanager
async def open_log(settings: Settings) -> AsyncIterator[Log]:
    """Open the log for as long as the block runs."""
    options: dict[str, Any] = {"acks": "all", "enable_idempotence": True, "request_timeout_ms": 120_000}
    async with clients.producer(settings, max_request_size=VALUE_BYTES_MAX, **options) as producer:
        yield Log(settings, producer)


async def publish_loads(log: Log, loads: Sequence[Load], chance: random.Random) -> None:
    """Publish what runtimes say, and wait until it is delivered."""
    deliveries = []
    for load in loads:
        deliveries.append(await log.publish(load.thread.encode(), load.value, load.headers))
        if chance.random() < 0.01:
            await asyncio.sleep(0.02)
    await asyncio.gather(*deliveries)


@dataclass(slots=True)
class Fuzzer:
    """Publishes records with something wrong, of every type.

    To the log anywhere, because what comes of them is recomputed. To the other topics only in one partition: what
    workers write has to be believed by who reads it, so of a partition in which somebody else writes, too, nothing can
    be told but that nobody stops.
    """

    log: Log
    partition: int
    #: Number of the next record of each topic.
    number: int

    async def publish(self, count: int) -> None:
        """Publish so many records to each topic, and wait until they are delivered."""
        settings = self.log.settings
        deliveries = []
        for _ in range(count):
            self.number += 1
            record = fuzzed(Topic.CONVERSATIONS, self.number)
            place = self.number % settings.topics.partitions
            deliveries.append(await self.log.publish(record.key, record.value, record.headers, place))
            for topic in _OTHERS:
                record = fuzzed(topic, self.number)
                delivery = self.log.producer.send(
                    settings.topic(topic),
                    record.value,
                    # A topic whose log is compacted takes nothing without a key.
                    key=record.key or b"nobody",
                    partition=self.partition,
                    headers=_sendable(record.headers),
                )
                deliveries.append(await delivery)
            await asyncio.sleep(0.01)
        await asyncio.gather(*deliveries)


_OTHERS: Final = tuple(topic for topic in Topic if topic is not Topic.CONVERSATIONS)


@dataclass(slots=True)
class Echo:
    """Sends finished summaries to the log once more: again, late, spoiled, under the key of another thread."""

    log: Log
    reader: AIOKafkaConsumer
    chance: random.Random
    _late: list[ConsumerRecord] = field(default_factory=list)

    async def publish(self) -> None:
        """Send what is due of what was finished since the last time, and wait until it is delivered."""
        due, self._late = self._late, []
        for records in (await self.reader.getmany(timeout_ms=500)).values():
            for record in records:
                if dict(record.headers).get("ce_type") == SUMMARY_TYPE.encode():
                    (self._late if self.chance.random() < _LATE else due).append(record)
        deliveries = []
        for record in due:
            roll = self.chance.random()
            if roll < _AGAIN:
                changed = (record.key, record.value)
            elif roll < _SPOILED:
                changed = (record.key, spoiled(record.value, self.chance))
            elif roll < _ELSEWHERE:
                changed = (b"nobody's", record.value)
            else:
                continue
            deliveries.append(await self.log.publish(*changed, record.headers, record.partition))
        await asyncio.gather(*deliveries)


@asynccontextmanager
async def open_echo(log: Log, chance: random.Random, *, without: int) -> AsyncIterator[Echo]:
    """Read summaries for as long as the block runs, except those of partition `without`."""
    settings = log.settings
    topic = settings.topic(Topic.SUMMARIES)
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        reader.assign(
            [TopicPartition(topic, number) for number in range(settings.topics.partitions) if number != without]
        )
        yield Echo(log, reader, chance)
