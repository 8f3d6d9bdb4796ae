"""The role `requests`: reads contexts and writes the request of each thread that has changed, as one record.

It is no part of the way of an event: a context never waits for it. Several processes share the partitions as workers
do. Nothing is kept: a process that gets a partition reads its contexts and what was written of it, and goes on there.
Many changes between two rounds are one record.
"""

import asyncio
import signal
from collections.abc import Iterable
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener, TopicPartition

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.request_record import REQUESTS_TOPIC
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.request_writer.written_requests import WrittenRequests
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topics import record_bytes_max
from tailrace.streams.worker.exit import ExitCode

log = structlog.get_logger("tailrace.requests")

_POLL_MS: Final = 200
_BATCH_RECORDS: Final = 2_000


class RequestWorker:
    """One process of the role."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings. Raises ConfigError where they name no format."""
        if settings.topics.requests is None:
            raise ConfigError("topics.requests", None, "the format that the topic is to have, for example openai.chat")
        self._settings = settings
        self._format = settings.topics.requests
        self._partitions: dict[int, WrittenRequests] = {}
        #: Where the contexts of a partition ended when it came here: nothing is written before that is read.
        self._ends: dict[int, int] = {}
        #: How often partitions came or went, and as of when those here are.
        self._assignments = 0
        self._begun_assignments = 0
        self._stopping = asyncio.Event()

    async def run(self) -> ExitCode:
        """Run until told to stop."""
        await topic_admin.usable_partitions(self._settings)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        # Nothing is committed, so whoever gets a partition reads it from its beginning.
        group = {"group_id": f"{self._settings.group}-requests", **FROM_BEGINNING}
        sending: dict[str, Any] = {
            "acks": "all",
            "enable_idempotence": True,
            "max_request_size": record_bytes_max(self._settings),
        }
        async with (
            clients.consumer(self._settings, **group) as consumer,
            clients.producer(self._settings, **sending) as producer,
        ):
            listener = _Assignments(self)
            consumer.subscribe([self._settings.topic(Topic.CONTEXTS)], listener=listener)
            log.info("requests.started", topic=self._settings.topic(REQUESTS_TOPIC), format=str(self._format))
            while not self._stopping.is_set():
                await self._round(consumer, producer)
        log.info("requests.stopped")
        return ExitCode.OK

    def note_assignment(self) -> None:
        """Partitions came or went: all of them are begun anew before the next record is taken."""
        self._assignments += 1

    async def _begin(self, consumer: AIOKafkaConsumer) -> None:
        """Begin with the partitions that are here, with what was written of each."""
        assignments, places = self._assignments, sorted(consumer.assignment())
        policy = self._settings.compaction_policy
        self._partitions = {place.partition: WrittenRequests(policy, self._format) for place in places}
        self._ends = {}
        if places:
            requests = self._settings.topic(REQUESTS_TOPIC)
            async with clients.consumer(self._settings, **FROM_BEGINNING) as reader:
                self._ends = {place.partition: end for place, end in (await reader.end_offsets(places)).items()}
                written = [TopicPartition(requests, place.partition) for place in places]
                async for place, records in read_to_end(reader, written):
                    for record in records:
                        self._partitions[place.partition].note_written(record)
        if assignments == self._assignments and places:
            await consumer.seek_to_beginning(*places)
        self._begun_assignments = assignments
        log.info("requests.assigned", partitions=sorted(self._partitions))

    async def _round(self, consumer: AIOKafkaConsumer, producer: AIOKafkaProducer) -> None:
        if self._begun_assignments != self._assignments:
            await self._begin(consumer)
        fetched = await consumer.getmany(timeout_ms=_POLL_MS, max_records=_BATCH_RECORDS)
        if self._begun_assignments != self._assignments:
            return  # of the partitions as they were, or not from their beginning
        for place, records in fetched.items():
            if (partition := self._partitions.get(place.partition)) is not None:
                for record in records:
                    partition.take(record)
        deliveries = []
        for number, partition in list(self._partitions.items()):
            place = TopicPartition(self._settings.topic(Topic.CONTEXTS), number)
            if place not in consumer.assignment() or await consumer.position(place) < self._ends.get(number, 0):
                continue
            topic = self._settings.topic(REQUESTS_TOPIC)
            deliveries += [
                await producer.send(topic, value, key=thread.encode(), partition=number)
                for thread, value in partition.due()
            ]
        await asyncio.gather(*deliveries)


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka says nothing of its types
    """Tells the role which partitions it has."""

    def __init__(self, role: RequestWorker) -> None:
        self._role = role

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        log.info("requests.revoked", partitions=sorted(place.partition for place in revoked))
        self._role.note_assignment()

    async def on_partitions_assigned(self, _assigned: Iterable[TopicPartition]) -> None:
        self._role.note_assignment()
