"""Where everything is measured.

One broker, topics of our own for each measurement, and what can be seen from outside.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import GroupCoordinatorNotAvailableError
from aiokafka.structs import ConsumerRecord

from ops.bench.events import Corpus, Publication
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.local_broker import LocalBroker
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, cache_dir, load_settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topics import record_bytes_max, topic_specs

PARTITIONS = 8
#: What a careful user of aiokafka sets for throughput; the baselines and the publisher use the same.
BATCH_BYTES = 128 * 1024
LINGER_MS = 5

#: Appended records carry the broker's clock, so that programs with clocks and buffers of their own compare.
_BROKER_CLOCK = {"message.timestamp.type": "LogAppendTime"}


@dataclass(frozen=True, slots=True)
class Stand:
    """A broker, a folder, conversations, and how much of everything."""

    #: None where nothing that is measured needs one.
    broker: str | None
    folder: Path
    corpus: Corpus
    #: Events of a backlog.
    events: int
    #: Prefix of all topics and groups of this run.
    run: str
    #: 1 for a whole run; what is not counted in events shrinks along with them.
    scale: float

    def settings(self, name: str) -> Settings:
        """Settings with topics, a group and a folder of their own."""
        return load_settings(
            broker=self.broker,
            group=f"{self.run}.{name}",
            data_dir=self.folder / name,
            topics={"prefix": f"{self.run}.{name}.", "partitions": PARTITIONS},
        )

    def scaled(self, count: int, *, least: int = 1) -> int:
        """Return the count as this run can afford it."""
        return max(least, round(count * min(1.0, self.scale)))


@asynccontextmanager
async def stand(corpus: Corpus, *, events: int, scale: float, with_broker: bool) -> AsyncIterator[Stand]:
    """Yield a stand on TAILRACE_BROKER, on a broker that is started for it and thrown away, or on none."""
    run = f"tailrace-bench-{secrets.token_hex(4)}"
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-", ignore_cleanup_errors=True) as folder:
        if not with_broker:
            yield Stand(None, Path(folder), corpus, events, run, scale)
            return
        given = os.environ.get("TAILRACE_BROKER")
        if given:
            there = Stand(given, Path(folder), corpus, events, run, scale)
            try:
                yield there
            finally:
                await _delete_topics(there)
            return
        local = LocalBroker(data_dir=Path(folder) / "broker", cache_dir=cache_dir(), port=free_port())
        try:
            started = await asyncio.to_thread(local_broker.start, local)
            yield Stand(str(started.bootstrap_servers), Path(folder), corpus, events, run, scale)
        finally:
            await asyncio.to_thread(local_broker.stop, local)


async def create_topics(settings: Settings) -> None:
    """Create all topics of a worker; its contexts get the broker's clock."""
    await topic_admin.apply(settings)
    spec = next(spec for spec in topic_specs(settings) if spec.name == settings.topic(Topic.CONTEXTS))
    configs = {**spec.configs, **_BROKER_CLOCK}
    async with clients.admin(settings) as admin:
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, spec.name, configs=configs)])


async def create_topic(settings: Settings, name: str, *, cleanup: str = "delete") -> None:
    """Create a topic for the output of a baseline."""
    configs = {**_BROKER_CLOCK, "cleanup.policy": cleanup, "max.message.bytes": str(record_bytes_max(settings))}
    async with clients.admin(settings) as admin:
        await admin.create_topics([NewTopic(name, settings.topics.partitions, 1, topic_configs=configs)])


async def publish(settings: Settings, publications: Sequence[Publication]) -> None:
    """Publish records to the conversations topic and wait until all are there."""
    topic = settings.topic(Topic.CONVERSATIONS)
    async with clients.producer(
        settings,
        acks="all",
        compression_type=None,
        linger_ms=LINGER_MS,
        max_batch_size=BATCH_BYTES,
        max_request_size=record_bytes_max(settings),
    ) as producer:
        deliveries = [
            await producer.send(topic, key=one.key, value=one.value, headers=list(one.headers)) for one in publications
        ]
        await asyncio.gather(*deliveries)


async def end_offset(consumer: AIOKafkaConsumer, settings: Settings, topic: str) -> int:
    """Return how many records a topic has had."""
    return sum((await consumer.end_offsets(partitions_of(settings, topic))).values())


async def committed(admin: AIOKafkaAdminClient, settings: Settings) -> int:
    """Return how many events the worker's group has committed."""
    try:
        offsets = await admin.list_consumer_group_offsets(settings.group)
    except GroupCoordinatorNotAvailableError:
        return 0  # the first group of a fresh broker
    return sum(max(0, known.offset) for known in offsets.values())


async def append_times_ms(
    settings: Settings, topic: str, counts: Callable[[ConsumerRecord], bool] = lambda _: True
) -> list[int]:
    """Return when the records of a topic were appended, sorted; only those that count."""
    times: list[int] = []
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        async for _, records in read_to_end(consumer, partitions_of(settings, topic)):
            times += [record.timestamp for record in records if counts(record)]
    return sorted(times)


def partitions_of(settings: Settings, topic: str) -> list[TopicPartition]:
    """Return all partitions of a topic."""
    return [TopicPartition(topic, partition) for partition in range(settings.topics.partitions)]


async def _delete_topics(there: Stand) -> None:
    async with clients.admin(there.settings("clean-up")) as admin:
        ours = [name for name in await admin.list_topics() if name.startswith(there.run)]
        if ours:
            await admin.delete_topics(ours)
