"""Asks the broker how far the group has read its input, what it noted about contexts, and which records there are."""

import asyncio
from collections.abc import Collection
from typing import Final

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from aiokafka.structs import OffsetAndMetadata

from tailrace.schemas.records import Topic
from tailrace.streams import kafka
from tailrace.streams.reading import FROM_BEGINNING
from tailrace.streams.settings import Settings
from tailrace.streams.topics.commit_note import read_note
from tailrace.streams.topics.log_problems import LogState

#: A broker that is new makes the topic of the groups first.
_COORDINATOR_SECONDS_MAX: Final = 30.0
_POLL_SECONDS: Final = 0.2


async def log_states(settings: Settings, partitions: Collection[int]) -> list[LogState]:
    """Return the state of these partitions, which must be there. Raises Unavailable if the broker can't be asked."""
    if not partitions:
        return []
    inputs = [TopicPartition(settings.topic(Topic.CONVERSATIONS), partition) for partition in sorted(partitions)]
    contexts = [TopicPartition(settings.topic(Topic.CONTEXTS), partition) for partition in sorted(partitions)]
    async with kafka.admin(settings) as admin, kafka.consumer(settings, **FROM_BEGINNING) as reader:
        # Before the logs are looked at: what is committed may only lie below what they hold.
        committed = await _committed(admin, settings.group, inputs)
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


async def _committed(
    admin: AIOKafkaAdminClient, group: str, places: list[TopicPartition]
) -> dict[TopicPartition, OffsetAndMetadata]:
    deadline = asyncio.get_running_loop().time() + _COORDINATOR_SECONDS_MAX
    while True:
        try:
            found: dict[TopicPartition, OffsetAndMetadata] = await admin.list_consumer_group_offsets(
                group, partitions=places
            )
        except KafkaError as error:
            if not error.retriable or asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(_POLL_SECONDS)
        else:
            return found
