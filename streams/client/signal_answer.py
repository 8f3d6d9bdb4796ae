"""What became of a signal: the line about it in the audit trail.

A reader begins where the trail ends before the signal is sent, so that nothing is missed and nothing old is read.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from aiokafka import AIOKafkaConsumer
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.kafka_records import Topic, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.kafka.topic_end import POLL_MS
from tailrace.streams.settings.settings import Settings

#: One of these ends what a signal has caused. A failure alone does not: it may be that of a single step.
ENDS: Final = frozenset({LifecycleKind.COMPLETED, LifecycleKind.NOOP, LifecycleKind.REFUSED, LifecycleKind.FLAGGED})
_OPTIONS: Final[dict[str, Any]] = {"auto_offset_reset": "latest", "enable_auto_commit": False}


@dataclass(frozen=True, slots=True)
class SignalAnswers:
    """The audit trail from a moment on."""

    consumer: AIOKafkaConsumer

    async def answer_to(self, thread: str, signal_id: str) -> LifecycleEvent:
        """Wait for the line that says what became of a signal."""
        while True:
            for records in (await self.consumer.getmany(timeout_ms=POLL_MS)).values():
                for record in records:
                    event = _event(record, thread)
                    if event is not None and event.event_id == signal_id and event.kind in ENDS:
                        return event


def _event(record: ConsumerRecord, thread: str) -> LifecycleEvent | None:
    if record.key != thread.encode() or record.value is None:
        return None
    try:
        return decode_lifecycle(record.value)
    except PoisonEvent:
        return None  # of a later release, about something that is not known here


@asynccontextmanager
async def signal_answers(settings: Settings) -> AsyncIterator[SignalAnswers]:
    """Yield the trail from now on. Raises Unavailable without a broker or topic."""
    async with clients.consumer(settings, **_OPTIONS) as consumer:
        places = await partitions_of(consumer, settings.topic(Topic.LIFECYCLE))
        ends = await consumer.end_offsets(places)
        consumer.assign(places)
        for place in places:
            # Without a pause since `assign`: the consumer must not look for positions itself.
            consumer.seek(place, ends[place])
        yield SignalAnswers(consumer)
