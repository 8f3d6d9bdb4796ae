"""The partitions of a topic, asked for without creating it."""

from collections.abc import Iterable

from aiokafka import AIOKafkaConsumer, TopicPartition

from tailrace.schemas.errors import Unavailable


async def partitions_of(consumer: AIOKafkaConsumer, topic: str) -> list[TopicPartition]:
    """Return the partitions of a topic. Raises Unavailable if it is not there; never creates it."""
    # Asked for all topics, not for this one: a request that names a topic creates it on a broker with auto-creation.
    if topic not in await consumer.topics():
        raise Unavailable(f"topic {topic} is not there. Run: tailrace topics apply")
    first = TopicPartition(topic, 0)
    # Makes the consumer ask for the topic's partitions; it has no public way to only do that. Nothing is read.
    consumer.assign([first])
    consumer.seek(first, 0)
    consumer.pause(first)
    await consumer.end_offsets([first])
    numbers: Iterable[int] = consumer.partitions_for_topic(topic) or {0}
    return [TopicPartition(topic, number) for number in sorted(numbers)]
