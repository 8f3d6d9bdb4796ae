"""Keeps the API's file up to date.

It reads topics from where it ended before, for ever, and says which threads have changed.

Loses the broker and finds it again by itself; what was read stays readable meanwhile.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import OffsetOutOfRangeError

from tailrace.schemas.errors import Fatal, TailraceError
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.api.reading_file import Origin, ReadingFile
from tailrace.streams.api.reading_intake import ReadBatch
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.settings.settings import Settings

log = structlog.get_logger("tailrace.api")

#: Contexts first: the others are the trail of what happened to them.
TOPICS: Final = (Topic.CONTEXTS, Topic.COMPACTIONS, Topic.LIFECYCLE)
_POLL_MS: Final = 1_000
_BATCH_RECORDS: Final = 5_000
_QUIET_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 5.0
_PAUSES_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
_SWEEP_SECONDS: Final = 3_600.0
_DAY_MS: Final = 24 * 60 * 60 * 1000
#: No position but our own: one that the log doesn't hold any more is an error, and not a jump to another.
_OPTIONS: Final[dict[str, Any]] = {
    "auto_offset_reset": "none",
    "enable_auto_commit": False,
    "fetch_max_wait_ms": 200,
}


class ReadingFeed:
    """Reads for one file. `on_change` is called on the event loop with the threads of each batch."""

    def __init__(self, settings: Settings, file: ReadingFile, on_change: Callable[[set[str]], None]) -> None:
        """Prepare; nothing is read before `run`."""
        self._settings = settings
        self._file = file
        self._on_change = on_change
        self._ends: dict[TopicPartition, int] = {}
        self.positions: dict[TopicPartition, int] = {}
        #: Set once all is there that the topics held when reading began.
        self.caught_up = asyncio.Event()
        #: Why the broker can't be used; None while it can.
        self.problem: str | None = "it has not been reached yet"

    @property
    def behind(self) -> int:
        """Offsets that are still to be read of what the topics held when that was asked last."""
        return sum(max(0, end - self.positions.get(place, 0)) for place, end in self._ends.items())

    async def run(self) -> None:
        """Read for ever; connect again whenever the connection is lost. Raises Fatal where the file can't be used."""
        failures = 0
        while True:
            try:
                async with (
                    clients.consumer(self._settings, **_OPTIONS) as consumer,
                    clients.consumer(self._settings, **_OPTIONS) as asker,
                ):
                    await self._begin(consumer, asker)
                    failures, self.problem = 0, None
                    await self._follow(consumer, asker)
            except Fatal:
                raise
            except Exception as error:  # noqa: BLE001  whatever it is, the next connection may not have it
                self.problem = str(error) if isinstance(error, TailraceError) else repr(error)
                log.warning("api.feed_lost", error=self.problem)
            await asyncio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures += 1

    async def _begin(self, consumer: AIOKafkaConsumer, asker: AIOKafkaConsumer) -> None:
        names = tuple(self._settings.topic(topic) for topic in TOPICS)
        places = [place for name in names for place in await partitions_of(asker, name)]
        positions = await self._file.begin(Origin(cluster=await self._cluster(), topics=names), _now_ms())
        begins = await asker.beginning_offsets(places)
        self._ends = await asker.end_offsets(places)
        for place in places:
            position = positions.get(place, begins[place])
            if position > self._ends[place]:
                log.warning("api.topic_made_again", topic=place.topic, partition=place.partition)
                await self._file.forget(place)
                position = begins[place]
            # Of the audit, what is too old is gone, and nobody asks for it.
            self.positions[place] = max(position, begins[place])
        consumer.assign(places)
        for place in places:
            # Without a pause since `assign`: the consumer must not look for positions itself.
            consumer.seek(place, self.positions[place])
        self._note_progress()

    async def _cluster(self) -> str:
        async with clients.admin(self._settings) as admin:
            return await _cluster_id(admin)

    async def _follow(self, consumer: AIOKafkaConsumer, asker: AIOKafkaConsumer) -> None:
        heard_at_seconds = swept_at_seconds = asyncio.get_running_loop().time()
        while True:
            try:
                fetched = await consumer.getmany(timeout_ms=_POLL_MS, max_records=_BATCH_RECORDS)
            except OffsetOutOfRangeError as error:
                for place in error.args[0]:
                    log.warning("api.place_gone", topic=place.topic, partition=place.partition)
                    await self._file.forget(place)
                raise
            now_seconds = asyncio.get_running_loop().time()
            await self._take(consumer, fetched)
            if fetched:
                heard_at_seconds = now_seconds
            elif now_seconds - heard_at_seconds > _QUIET_SECONDS:
                # A consumer waits for ever for a broker that is gone.
                async with asyncio.timeout(_ANSWER_SECONDS):
                    self._ends = await asker.end_offsets(list(self.positions))
                heard_at_seconds = now_seconds
            if now_seconds - swept_at_seconds > _SWEEP_SECONDS:
                swept_at_seconds = now_seconds
                await self._sweep()

    async def _take(self, consumer: AIOKafkaConsumer, fetched: dict[TopicPartition, list[Any]]) -> None:
        batches = [ReadBatch(place, records, await consumer.position(place)) for place, records in fetched.items()]
        if batches:
            changed = await self._file.take(batches, _now_ms())
            self.positions |= {batch.place: batch.next_offset for batch in batches}
            self._on_change(changed)
        elif not self.caught_up.is_set():
            # The log may end with something that is no record.
            self.positions |= {place: await consumer.position(place) for place in self.positions}
        self._note_progress()

    def _note_progress(self) -> None:
        if not self.behind:
            self.caught_up.set()

    async def _sweep(self) -> None:
        kept_ms = self._settings.topics.retention_days.lifecycle * _DAY_MS
        await self._file.expire(self._settings.topic(Topic.LIFECYCLE), _now_ms() - kept_ms)


async def _cluster_id(admin: AIOKafkaAdminClient) -> str:
    """Name of the broker's cluster, the same for all its addresses."""
    return str((await admin.describe_cluster())["cluster_id"])


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
