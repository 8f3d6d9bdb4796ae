"""Reading a topic up to where it ends now: what recovery, listings and verifiers have in common."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import InputRecord

#: How long one poll waits. Only the end of a topic makes it wait at all.
POLL_MS: Final = 500

#: Options for a consumer that reads from the beginning. Seeking there instead is not safe: `assign` looks up the
#: position that `auto_offset_reset` names in the background, and where that is the end it may win over a later
#: `seek_to_beginning`.
FROM_BEGINNING: Final[dict[str, Any]] = {"auto_offset_reset": "earliest", "enable_auto_commit": False}


def input_record(record: ConsumerRecord) -> InputRecord:
    """What aiokafka has read, as the agents take it."""
    return InputRecord(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        timestamp_ms=record.timestamp,
        key=record.key,
        value=record.value,
        headers=tuple(record.headers),
    )


async def read_to_end(
    consumer: AIOKafkaConsumer, partitions: Sequence[TopicPartition]
) -> AsyncIterator[tuple[TopicPartition, list[ConsumerRecord]]]:
    """Yield all records of the partitions, in order for each, up to the end they have when reading begins.

    The consumer must be started with `FROM_BEGINNING`, belong to no group and not have read these partitions before. It
    stays assigned, and positioned behind what was read.
    """
    consumer.assign(partitions)
    begins = await consumer.beginning_offsets(partitions)
    ends = await consumer.end_offsets(partitions)
    left = {partition for partition in partitions if ends[partition] > begins[partition]}
    unread = set(left)
    while left:
        for partition, records in (await consumer.getmany(timeout_ms=POLL_MS)).items():
            unread.discard(partition)
            yield partition, records
        # Not the last record's offset: the log may end with something that is no record.
        left = {partition for partition in left if await consumer.position(partition) < ends[partition]}
    if unread:
        # The newest record of a key is never compacted away, so a log that has a length has a record.
        raise Unavailable(f"{sorted(unread)} were not read: the consumer did not start at the beginning")
