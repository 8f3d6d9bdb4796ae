"""Reads what others have answered.

A worker that is new on a machine asks no model about what is in the `summaries` topic.
"""

from collections.abc import Callable
from typing import Final

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.ingest import event_type
from tailrace.schemas.records.kafka_records import (
    REJECTION_TYPE,
    SUMMARY_TYPE,
    UNANSWERED_TYPE,
    Topic,
    decode_rejection,
    decode_summary,
    decode_unanswered,
)
from tailrace.schemas.records.summary import Answered
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, POLL_MS
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings
from tailrace.streams.summarizer.answers import Answers


async def catch_up(settings: Settings, answers: Answers, partitions: int, skipped: SkippedRecords) -> int:
    """Read the topic from where this machine stopped reading it to its end now; returns how many records there were.

    What can't be read is skipped.
    """
    topic = settings.topic(Topic.SUMMARIES)
    places = [TopicPartition(topic, number) for number in range(partitions)]
    read = 0
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        reader.assign(places)
        begins, ends = await reader.beginning_offsets(places), await reader.end_offsets(places)
        for place in places:
            next_offset = await answers.next_offset(topic, place.partition)
            # A topic that was made anew begins below what is known of it.
            start = next_offset if begins[place] <= next_offset <= ends[place] else begins[place]
            reader.seek(place, start)
            while await reader.position(place) < ends[place]:
                for records in (await reader.getmany(place, timeout_ms=POLL_MS)).values():
                    answers_read = [answer for record in records if (answer := answer_in(record, skipped)) is not None]
                    await answers.keep_read(answers_read, topic, place.partition, records[-1].offset + 1)
                    read += len(records)
    return read


_DECODERS: Final[dict[str, Callable[[bytes | None], Answered]]] = {
    SUMMARY_TYPE: decode_summary,
    REJECTION_TYPE: decode_rejection,
    UNANSWERED_TYPE: decode_unanswered,
}


def answer_in(record: ConsumerRecord, skipped: SkippedRecords) -> Answered | None:
    """What a record says; None where a later release wrote it, or nobody."""
    decode = _DECODERS.get(event_type(record) or "")
    return skipped.read(record, decode) if decode is not None else None
