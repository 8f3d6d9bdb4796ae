"""Reads what others have answered: a worker that is new on a machine asks no model about what is in the `summaries` topic."""

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.records import SUMMARY_TYPE, Topic, decode_rejection, decode_summary
from tailrace.schemas.summary import ChunkSummary, SummaryRejection
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


def answer_in(record: ConsumerRecord) -> ChunkSummary | SummaryRejection | None:
    """What a record says; None where a later release wrote it."""
    ce_type = dict(record.headers).get("ce_type")
    try:
        return decode_summary(record.value) if ce_type == SUMMARY_TYPE.encode() else decode_rejection(record.value)
    except ValueError:
        return None
