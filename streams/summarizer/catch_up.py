"""Reads what others have answered: a worker that is new on a machine asks no model about what is in the `summaries` topic."""

from collections.abc import Callable
from typing import Final

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.records import (
    REJECTION_TYPE,
    SUMMARY_TYPE,
    UNANSWERED_TYPE,
    Topic,
    decode_rejection,
    decode_summary,
    decode_unanswered,
)
from tailrace.schemas.summary import Answered
from tailrace.streams import kafka
from tailrace.streams.reading import FROM_BEGINNING, POLL_MS
from tailrace.streams.settings import Settings
from tailrace.streams.summarizer.answers import Answers


async def catch_up(settings: Settings, answers: Answers, partitions: int) -> int:
    """Read the topic from where this machine stopped reading it to its end now; returns how many records there were."""
    topic = settings.topic(Topic.SUMMARIES)
    places = [TopicPartition(topic, number) for number in range(partitions)]
    read = 0
    async with kafka.consumer(settings, **FROM_BEGINNING) as reader:
        reader.assign(places)
        begins, ends = await reader.beginning_offsets(places), await reader.end_offsets(places)
        for place in places:
            known = await answers.next_offset(topic, place.partition)
            # A topic that was made anew begins below what is known of it.
            start = known if begins[place] <= known <= ends[place] else begins[place]
            reader.seek(place, start)
            while await reader.position(place) < ends[place]:
                for records in (await reader.getmany(place, timeout_ms=POLL_MS)).values():
                    found = [answer for record in records if (answer := answer_in(record)) is not None]
                    await answers.keep_read(found, topic, place.partition, records[-1].offset + 1)
                    read += len(records)
    return read


_DECODERS: Final[dict[str, Callable[[bytes], Answered]]] = {
    SUMMARY_TYPE: decode_summary,
    REJECTION_TYPE: decode_rejection,
    UNANSWERED_TYPE: decode_unanswered,
}


def answer_in(record: ConsumerRecord) -> Answered | None:
    """What a record says; None where a later release wrote it."""
    decode = _DECODERS.get((dict(record.headers).get("ce_type") or b"").decode(errors="replace"))
    try:
        return decode(record.value) if decode is not None else None
    except ValueError:
        return None
