"""Follows the contexts topic for one client: only the partitions, and of those only the threads, that it asks for.

Two readers work here. The follower reads what is new, from the end of each partition on, and is never behind for
long. For a thread that is asked for the first time a second one reads what was before: once through its partition,
unless the partition is known to hold nothing of it, as with every thread that begins while it is followed. Many threads
asked for at once share one reading. Questions have a connection of their own: on the follower's they would wait behind
the fetch that waits for news.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError, OffsetOutOfRangeError

from tailrace.schemas.errors import TailraceError, Unavailable
from tailrace.schemas.records.context import REBUILT_KEY
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.client.context_partition import read_past
from tailrace.streams.client.followed_threads import FollowedPartition, FollowedThreads
from tailrace.streams.client.silence import FeedPlace
from tailrace.streams.client.thread_watch import ThreadWatch, WakeUp
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.settings.settings import Settings

_POLL_MS: Final = 1_000
#: A partition that is new here waits at most this long for the fetch that is under way.
_FETCH_WAIT_MS: Final = 200
#: After so long without a record the broker is asked whether it is still there, and whether we have missed any.
_QUIET_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 5.0
_PAUSES_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)

#: No position but our own: one that the log doesn't hold any more is an error, and not a jump to another.
_OPTIONS: Final[dict[str, Any]] = {
    "auto_offset_reset": "none",
    "enable_auto_commit": False,
    "fetch_max_wait_ms": _FETCH_WAIT_MS,
}


class ContextFeed:
    """The threads of one client, kept up to date until it stops. Loses the broker and finds it again by itself."""

    def __init__(self, settings: Settings, log: Any) -> None:
        """Prepare; nothing is read before `run`, and nothing before a thread is asked for."""
        self._settings = settings
        self._log = log
        self._topic = settings.topic(Topic.CONTEXTS)
        self._threads = FollowedThreads()
        #: Answers where a partition ends; None without a connection.
        self._asker: AIOKafkaConsumer | None = None
        self._asked = asyncio.Event()
        self._assigned = WakeUp()
        #: Why the broker could not be used last time.
        self.problem: str | None = None

    @property
    def connected(self) -> bool:
        """Whether the broker was there when it was last asked."""
        return self._asker is not None

    def place_of(self, watch: ThreadWatch) -> FeedPlace:
        """Return the partition of the thread's context, and how far it is read."""
        partition = self._threads.partition_of(watch)
        return FeedPlace() if partition is None else FeedPlace(partition.place.partition, partition.position)

    def watch(self, thread: str) -> ThreadWatch:
        """Return the thread; it is followed from now on."""
        watch = self._threads.watch(thread)
        if watch.view is None:
            self._asked.set()
        return watch

    def notify(self, thread: str) -> None:
        """Wake those who wait for the thread, if it is followed: something outside of its view has changed."""
        watch = self._threads.get(thread)
        if watch is not None:
            watch.changed.send()

    def wake_all(self) -> None:
        """Wake everyone who waits: the client stops."""
        self._threads.wake_all()

    def move(self, watch: ThreadWatch, partition: int) -> None:
        """Look for the thread on another partition: there are more of them now, and its messages go there."""
        self._threads.move(watch, partition)
        self._asked.set()

    async def reach_end(self, watch: ThreadWatch) -> None:
        """Wait until everything is taken into account that the thread's partition holds now."""
        while True:
            partition = self._threads.partition_of(watch)
            if self._asker is None or partition is None:
                await self._assigned.wait()
                continue
            try:
                ends = await self._asker.end_offsets([partition.place])
            except (KafkaError, OSError):
                await asyncio.sleep(_PAUSES_SECONDS[0])
                continue
            await _position_reached(partition, ends[partition.place])
            return

    async def run(self) -> None:
        """Follow for ever; connect again whenever the connection is lost."""
        failures = 0
        while True:
            await self._asked.wait()
            try:
                async with (
                    clients.consumer(self._settings, **_OPTIONS) as consumer,
                    clients.consumer(self._settings, **_OPTIONS) as asker,
                ):
                    await self._resume(consumer, asker)
                    failures, self.problem = 0, None
                    async with asyncio.TaskGroup() as tasks:
                        tasks.create_task(self._follow(consumer, asker))
                        tasks.create_task(self._load(consumer, asker))
            except Exception as error:  # noqa: BLE001  whatever it is, the next connection may not have it
                self.problem = _reason(error)
                self._log.warning("client.feed_lost", error=self.problem, threads=len(self._threads))
            finally:
                self._asker = None
            self._asked.set()
            await asyncio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures += 1

    async def _resume(self, consumer: AIOKafkaConsumer, asker: AIOKafkaConsumer) -> None:
        """Go on where the last connection ended."""
        self._threads.place_all(len(await partitions_of(asker, self._topic)))
        self._threads.abandon_past()
        self._asker = asker
        self._assign(consumer)
        self._asked.set()

    def _assign(self, consumer: AIOKafkaConsumer) -> None:
        """Read on from our own positions. One step without a pause: the consumer must not look for positions itself."""
        partitions = self._threads.partitions.values()
        if partitions:
            consumer.assign([partition.place for partition in partitions])
            for partition in partitions:
                consumer.seek(partition.place, partition.position)
        self._assigned.send()

    async def _follow(self, consumer: AIOKafkaConsumer, asker: AIOKafkaConsumer) -> None:
        """Take what is new, for ever."""
        heard_at_seconds = _now_seconds()
        ends: dict[TopicPartition, int] = {}
        while True:
            try:
                batches = await consumer.getmany(timeout_ms=_POLL_MS)
            except OffsetOutOfRangeError as error:
                self._start_anew(consumer, error.args[0])
                continue
            for place, records in batches.items():
                if any(record.key == REBUILT_KEY for record in records):
                    self._start_anew(consumer, [place])
                elif place.partition in self._threads.partitions:
                    self._threads.take(self._threads.partitions[place.partition], records)
            for partition in list(self._threads.partitions.values()):
                # Not the last record's offset: the log may end with something that is no record.
                partition.move_to(await consumer.position(partition.place))
            if batches:
                heard_at_seconds, ends = _now_seconds(), {}
            elif self._threads.partitions and _now_seconds() - heard_at_seconds > _QUIET_SECONDS:
                self._refuse_a_gap(ends)
                async with asyncio.timeout(_ANSWER_SECONDS):
                    ends = await asker.end_offsets([part.place for part in self._threads.partitions.values()])
                heard_at_seconds = _now_seconds()

    def _refuse_a_gap(self, ends: dict[TopicPartition, int]) -> None:
        for partition in self._threads.partitions.values():
            if partition.position < ends.get(partition.place, 0):
                raise Unavailable(f"{partition.place} has records that the broker doesn't hand out")

    def _start_anew(self, consumer: AIOKafkaConsumer, places: Iterable[TopicPartition]) -> None:
        """Forget partitions whose log no longer holds our position: it was cut, or the topic was made again."""
        for place in places:
            if place.partition in self._threads.partitions:
                self._log.warning("client.feed_reset", partition=place.partition)
                self._threads.drop(place.partition)
        consumer.pause(*places)
        self._assign(consumer)
        self._asked.set()

    async def _load(self, consumer: AIOKafkaConsumer, asker: AIOKafkaConsumer) -> None:
        """Bring the past of the threads that were asked for, for ever."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            wanted = {watch.partition for watch in self._threads.without_view() if watch.partition is not None}
            places = [TopicPartition(self._topic, number) for number in wanted - self._threads.partitions.keys()]
            if places:
                ends = await asker.end_offsets(places)
                self._threads.partitions.update(
                    {place.partition: FollowedPartition(place, ends[place]) for place in places}
                )
                self._assign(consumer)
            past = self._threads.begin_past(self._threads.without_view())
            if past:
                await read_past(self._settings, self._topic, past)
                self._threads.end_past(past)


async def _position_reached(partition: FollowedPartition, offset: int) -> None:
    await partition.moved.until(lambda: partition.position >= offset)


def _now_seconds() -> float:
    return asyncio.get_running_loop().time()


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, TailraceError) else repr(error)
