"""Reading a topic up to where it ends now: what recovery, listings and verifiers have in common."""

from collections.abc import AsyncIterator, Sequence

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord

#: How long one poll waits. Only the end of a topic makes it wait at all.
POLL_MS = 500


async def read_to_end(
    consumer: AIOKafkaConsumer, partitions: Sequence[TopicPartition]
) -> AsyncIterator[tuple[TopicPartition, list[ConsumerRecord]]]:
    """Yield all records of the partitions, in order for each, up to the end they have when reading begins.

    The consumer must be started and belong to no group. It stays assigned, and positioned behind what was read.
    """
    consumer.assign(partitions)
    ends = await consumer.end_offsets(partitions)
    await consumer.seek_to_beginning(*partitions)
    left = {partition for partition in partitions if ends[partition] > 0}
    while left:
        for partition, records in (await consumer.getmany(timeout_ms=POLL_MS)).items():
            yield partition, records
        # Not the last record's offset: the log may end with something that is no record.
        left = {partition for partition in left if await consumer.position(partition) < ends[partition]}
