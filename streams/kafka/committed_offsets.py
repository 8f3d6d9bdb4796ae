"""What a group has committed, asked until the broker knows it."""

import asyncio
from collections.abc import Sequence
from typing import Final

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from aiokafka.structs import OffsetAndMetadata

from tailrace.schemas.errors import Unavailable

#: A broker that is new makes the topic of the groups first, and one that has just started reads it.
_SECONDS_MAX: Final = 30.0
_POLL_SECONDS: Final = 0.2


async def committed_offsets(
    admin: AIOKafkaAdminClient, group: str, places: Sequence[TopicPartition]
) -> dict[TopicPartition, OffsetAndMetadata]:
    """Return an offset, -1 for none, and the note beside it for each place.

    Raises Unavailable if the broker doesn't tell in time.
    """
    deadline = asyncio.get_running_loop().time() + _SECONDS_MAX
    reason = "its coordinator is not there yet"
    while asyncio.get_running_loop().time() < deadline:
        try:
            offsets: dict[TopicPartition, OffsetAndMetadata] = await admin.list_consumer_group_offsets(
                group, partitions=list(places)
            )
        except KafkaError as error:
            if not error.retriable:
                raise
            reason = repr(error)
        else:
            # aiokafka reads past an error that is about the whole answer, such as that of a coordinator that is still
            # loading.
            if offsets.keys() >= set(places):
                return offsets
        await asyncio.sleep(_POLL_SECONDS)
    raise Unavailable(
        f"the broker doesn't tell what the group {group} has read ({reason}); is a broker of the cluster down?"
    )
