"""Reads what workers wrote about their work.

The lifecycle topic, live or from some time ago, and the compactions of a thread.

Workers write at least once, and one that has lost its partition may still write: so a record that was seen before, or
that has a lower term than one before it, counts for nothing, as in the contexts topic.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

import msgspec
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.kafka_records import Topic, decode_compaction, decode_lifecycle, term_of
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, POLL_MS, read_to_end
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings

Written = TypeVar("Written", LifecycleEvent, CompactionRecord)

#: After so long without a record the broker is asked whether it is still there: a consumer would wait for ever.
_SILENCE_SECONDS_MAX: Final = 10.0
#: Ids that are remembered while following: what is repeated after a crash comes soon after it.
_REMEMBERED_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Trail:
    """All that is known about what happened to one thread, each in the order in which it happened."""

    compactions: Sequence[CompactionRecord] = ()
    events: Sequence[LifecycleEvent] = ()
    #: Records of the thread that this release can't read.
    skipped: int = 0


async def follow(settings: Settings, *, since_ms: int | None = None) -> AsyncGenerator[list[LifecycleEvent], None]:
    """Yield lifecycle events as they are written, those of one check together; for ever.

    With `since_ms`, what was written since that moment of the broker's clock comes first, in the order of time. Raises
    Unavailable without a broker or topic, also when it goes away later.
    """
    async with (
        _following(settings, since_ms) as (consumer, ends),
        aclosing(_batches(consumer, list(ends), settings)) as batches,
    ):
        sieve = Sieve(decode_lifecycle, SkippedRecords())
        backlog: list[LifecycleEvent] = []
        left = {place for place, end in ends.items() if await consumer.position(place) < end}
        async for records in batches:
            events = [event for batch in records for event in sieve.take(batch)]
            if not left:
                yield sorted(events, key=_in_time)
                continue
            backlog += events
            left = {place for place in left if await consumer.position(place) < ends[place]}
            if not left:
                yield sorted(backlog, key=_in_time)


def _in_time(event: LifecycleEvent) -> tuple[int, str]:
    """Where an event belongs: partitions know nothing of each other.

    The events of one check have one moment, and stay as they are.
    """
    return event.at_ms, event.thread


@asynccontextmanager
async def _following(
    settings: Settings, since_ms: int | None
) -> AsyncIterator[tuple[AIOKafkaConsumer, dict[TopicPartition, int]]]:
    """Yield a consumer that stands where following begins, and where each partition ends now."""
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        places = await partitions_of(consumer, settings.topic(Topic.LIFECYCLE))
        ends = await consumer.end_offsets(places)
        starts = dict(ends)
        if since_ms is not None:
            offsets = await consumer.offsets_for_times(dict.fromkeys(places, since_ms))
            starts |= {place: at_time.offset for place, at_time in offsets.items() if at_time is not None}
        consumer.assign(places)
        for place, offset in starts.items():
            consumer.seek(place, offset)
        yield consumer, ends


async def _batches(
    consumer: AIOKafkaConsumer, places: list[TopicPartition], settings: Settings
) -> AsyncGenerator[list[list[ConsumerRecord]], None]:
    """Yield what comes, by partition; nothing every now and then."""
    clock = asyncio.get_running_loop().time
    heard = clock()
    while True:
        batches = await consumer.getmany(timeout_ms=POLL_MS)
        silent = not batches and clock() - heard > _SILENCE_SECONDS_MAX
        if silent:
            await _check_there(consumer, places, settings)
        if batches or silent:
            heard = clock()
        yield list(batches.values())


async def _check_there(consumer: AIOKafkaConsumer, places: list[TopicPartition], settings: Settings) -> None:
    try:
        async with asyncio.timeout(clients.START_SECONDS_MAX):
            await consumer.end_offsets(places)
    except (KafkaError, OSError, TimeoutError) as error:
        servers = await asyncio.to_thread(clients.bootstrap_servers, settings)
        raise Unavailable(clients.unreachable(servers, "it no longer answers")) from error


async def read_trail(settings: Settings, thread: str, numbers: Collection[int] | None = None) -> Trail:
    """Return what happened to a thread, from these partitions, or from all.

    Raises Unavailable without a broker or topic.
    """
    key = thread.encode()
    skipped = SkippedRecords()
    compactions = Sieve(decode_compaction, skipped, lambda record: record.key == key)
    events = Sieve(decode_lifecycle, skipped, lambda record: record.key == key)
    compaction_records: list[CompactionRecord] = []
    lifecycle_events: list[LifecycleEvent] = []
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        names = settings.topic(Topic.COMPACTIONS), settings.topic(Topic.LIFECYCLE)
        places = [place for name in names for place in await partitions_of(consumer, name)]
        wanted = [place for place in places if numbers is None or place.partition in numbers]
        async for place, records in read_to_end(consumer, wanted):
            if place.topic == names[0]:
                compaction_records += compactions.take(records)
            else:
                lifecycle_events += events.take(records)
    return Trail(
        sorted(compaction_records, key=lambda happening: happening.offset),
        sorted(lifecycle_events, key=lambda happening: happening.offset),
        skipped.total,
    )


async def find_compactions(settings: Settings, beginning: str) -> list[CompactionRecord]:
    """Return the compactions whose id begins like this. Raises Unavailable without a broker or topic."""
    # By the header: decoding all records to find one would take far longer.
    sieve = Sieve(decode_compaction, SkippedRecords(), lambda record: _id_of(record).startswith(beginning))
    records_found: list[CompactionRecord] = []
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        places = await partitions_of(consumer, settings.topic(Topic.COMPACTIONS))
        async for _, records in read_to_end(consumer, places):
            records_found += sieve.take(records)
    return records_found


@dataclass(slots=True)
class Sieve(Generic[Written]):
    """Lets through what counts, once."""

    decode: Callable[[bytes | None], Written]
    skipped: SkippedRecords
    wanted: Callable[[ConsumerRecord], bool] = lambda _: True
    terms: dict[TopicPartition, int] = field(default_factory=dict)
    #: Ids, in the order in which they came.
    seen: dict[str, None] = field(default_factory=dict)

    def take(self, records: Iterable[ConsumerRecord]) -> list[Written]:
        """Return what counts among records of one partition.

        Each has a time, which records of an earlier release don't say.
        """
        written = []
        for record in records:
            if self._counts(record) and self.wanted(record):
                value = self.skipped.read(record, self.decode)
                if value is not None and self._is_new(record):
                    written.append(value if value.at_ms else msgspec.structs.replace(value, at_ms=record.timestamp))
        return written

    def _counts(self, record: ConsumerRecord) -> bool:
        term = term_of(record.headers)
        place = TopicPartition(record.topic, record.partition)
        if term is None or record.value is None or term < self.terms.get(place, 0):
            return False
        self.terms[place] = term
        return True

    def _is_new(self, record: ConsumerRecord) -> bool:
        name = _id_of(record)
        if name in self.seen:
            return False
        self.seen[name] = None
        if len(self.seen) > _REMEMBERED_MAX:
            del self.seen[next(iter(self.seen))]
        return True


def _id_of(record: ConsumerRecord) -> str:
    return next((value.decode(errors="replace") for name, value in record.headers if name == "ce_id" and value), "")
