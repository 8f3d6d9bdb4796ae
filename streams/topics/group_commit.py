"""Sets the offsets of the workers' group from outside, which Kafka allows only while the group has no members."""

from collections.abc import Mapping

from aiokafka import TopicPartition
from aiokafka.errors import CommitFailedError, UnknownMemberIdError

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.commit_note import CommitNote, note_text


async def commit_for_group(settings: Settings, offsets: Mapping[int, tuple[int, CommitNote]]) -> None:
    """Commit an offset and a note for each partition.

    Raises Unavailable, and has changed nothing, while workers run.
    """
    if not offsets:
        return
    topic = settings.topic(Topic.CONVERSATIONS)
    places = {TopicPartition(topic, partition): place for partition, place in offsets.items()}
    async with clients.consumer(settings, group_id=settings.group, enable_auto_commit=False) as consumer:
        consumer.assign(list(places))
        try:
            await consumer.commit({place: (offset, note_text(note)) for place, (offset, note) in places.items()})
        except (CommitFailedError, UnknownMemberIdError) as error:
            seconds = settings.worker.session_timeout_seconds
            raise Unavailable(
                f"workers of the group {settings.group} run. Stop all of them first, on every machine; one that "
                f"was killed "
                f"counts as running for {seconds:g} s more"
            ) from error
