"""How many messages wait for a worker.

The difference between what was published and what the workers have committed.
"""

import asyncio
from typing import Final

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.settings.settings import Settings

#: Workers commit twice a second by default.
_LOOK_SECONDS: Final = 0.1


async def wait_for_workers(settings: Settings, wait_ms: int) -> int:
    """Wait until the workers have processed all that is published now.

    Return how many messages wait after `wait_ms`.
    """
    topic = settings.topic(Topic.CONVERSATIONS)
    async with clients.consumer(settings, enable_auto_commit=False) as consumer, clients.admin(settings) as admin:
        places = await partitions_of(consumer, topic)
        begins = await consumer.beginning_offsets(places)
        ends = await consumer.end_offsets(places)
        written = {place: (begins[place], end) for place, end in ends.items() if end > begins[place]}
        waited_until = asyncio.get_running_loop().time() + wait_ms / 1000
        while True:
            behind = await _behind(admin, settings.group, written)
            if not behind or asyncio.get_running_loop().time() >= waited_until:
                return behind
            await asyncio.sleep(_LOOK_SECONDS)


async def _behind(admin: AIOKafkaAdminClient, group: str, written: dict[TopicPartition, tuple[int, int]]) -> int:
    if not written:
        return 0
    committed = await committed_offsets(admin, group, list(written))
    return sum(max(0, end - max(begin, committed[place].offset)) for place, (begin, end) in written.items())
