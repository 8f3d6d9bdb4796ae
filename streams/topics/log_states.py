"""Asks the broker how far the group has read its input, what it noted about contexts, and which records there are."""

from collections.abc import Collection

from aiokafka import TopicPartition

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.commit_note import read_note
from tailrace.streams.topics.log_problems import LogState


async def log_states(settings: Settings, partitions: Collection[int]) -> list[LogState]:
    """Return the state of these partitions, which must be there. Raises Unavailable if the broker can't be asked."""
    if not partitions:
        return []
    inputs = [TopicPartition(settings.topic(Topic.CONVERSATIONS), partition) for partition in sorted(partitions)]
    contexts = [TopicPartition(settings.topic(Topic.CONTEXTS), partition) for partition in sorted(partitions)]
    async with clients.admin(settings) as admin, clients.consumer(settings, **FROM_BEGINNING) as reader:
        # Before the logs are looked at: what is committed may only lie below what they hold.
        committed = await committed_offsets(admin, settings.group, inputs)
        reader.assign([*inputs, *contexts])
        reader.pause(*inputs, *contexts)
        ends = await reader.end_offsets([*inputs, *contexts])
        begins = await reader.beginning_offsets([*inputs, *contexts])
    return [
        LogState(
            partition=source.partition,
            committed=committed[source].offset if committed[source].offset >= 0 else None,
            note=read_note(committed[source].metadata),
            input_begin=begins[source],
            input_end=ends[source],
            contexts_begin=begins[made],
            contexts_end=ends[made],
        )
        for source, made in zip(inputs, contexts, strict=True)
    ]
