"""A worker without Faust: reads conversations, runs the pure agents, writes contexts. For tests of what stands around.

It can be stopped and started again at any time, as a worker can; nothing is promised but the order within a partition.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.kafka_records import Topic, encode
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.settings.settings import Settings


@asynccontextmanager
async def tiny_worker(settings: Settings) -> AsyncIterator[None]:
    """Run a worker; when it is entered, the worker has read the contexts that were there."""
    places = [TopicPartition(settings.topic(Topic.CONVERSATIONS), n) for n in range(settings.topics.partitions)]
    async with (
        clients.consumer(settings, group_id=settings.group, **FROM_BEGINNING) as consumer,
        clients.producer(settings, acks="all", max_request_size=2_000_000) as producer,
    ):
        views = await _recovered(settings)
        consumer.assign(places)
        working = asyncio.create_task(_work(settings, consumer, producer, views))
        try:
            yield
        finally:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working


async def _recovered(settings: Settings) -> dict[int, PartitionView]:
    views = {number: PartitionView() for number in range(settings.topics.partitions)}
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        places = [TopicPartition(settings.topic(Topic.CONTEXTS), number) for number in views]
        async for place, records in read_to_end(reader, places):
            for record in records:
                views[place.partition].apply_record(record.key, record.value, record.headers)
    return views


async def _work(
    settings: Settings, consumer: AIOKafkaConsumer, producer: AIOKafkaProducer, views: dict[int, PartitionView]
) -> None:
    engine = make_engine(settings)
    terms = {number: view.term + 1 for number, view in views.items()}
    while True:
        for place, records in (await consumer.getmany(timeout_ms=200, max_records=500)).items():
            for record in records:
                outcome = process(views[place.partition], input_record(record), engine)
                for emission in outcome.written:
                    written = encode(emission, terms[place.partition])
                    await producer.send(
                        settings.topic(written.topic),
                        key=written.key,
                        value=written.value,
                        headers=list(written.headers),
                        partition=place.partition,
                    )
            await producer.flush()
            await consumer.commit({place: records[-1].offset + 1})
