"""Reads the contexts topic whole: for listings, for one thread wherever it is, and for watching either.

A client looks for a thread only where the usual partitioner puts it. Here every partition is read, so that a thread is
found whose producer spreads its keys in another way.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.client.context_partition import ContextPartition
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.partitions import partitions_of
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, POLL_MS, read_to_end
from tailrace.streams.settings.settings import Settings


@dataclass(slots=True)
class ContextsReader:
    """All threads, or one, over all partitions; as far as they were read."""

    consumer: AIOKafkaConsumer
    partitions: dict[TopicPartition, ContextPartition]

    def views(self) -> dict[str, ThreadView]:
        """Return the threads that have a context. One that is on two partitions counts where more was said."""
        views: dict[str, ThreadView] = {}
        for partition in self.partitions.values():
            for thread, view in partition.view.threads.items():
                other = views.get(thread)
                if view.head and (other is None or view.totals.messages > other.totals.messages):
                    views[thread] = view
        return views

    def check_readable(self, thread: str) -> None:
        """Raise Unavailable if a record of the thread can't be read."""
        if any(thread in partition.unreadable for partition in self.partitions.values()):
            raise Unavailable(
                f"the context of thread {thread} holds a record that this release can't read; is it older than "
                f"the workers?"
            )

    async def read_on(self, *, timeout_ms: int = POLL_MS) -> bool:
        """Take what is new, waiting so long for it; tell whether something was."""
        return self._take(await self.consumer.getmany(timeout_ms=timeout_ms))

    async def _load(self) -> None:
        async for place, records in read_to_end(self.consumer, list(self.partitions)):
            self._take({place: records})

    def _take(self, batches: dict[TopicPartition, list[ConsumerRecord]]) -> bool:
        changed = [self.partitions[place].take(record) for place, records in batches.items() for record in records]
        return any(changed)


@asynccontextmanager
async def contexts_reader(settings: Settings, thread: str | None = None) -> AsyncIterator[ContextsReader]:
    """Yield a reader that has read all threads, or only the one. Raises Unavailable without a broker or topic."""
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        places = await partitions_of(consumer, settings.topic(Topic.CONTEXTS))
        wanted = {thread} if thread is not None else set()
        reader = ContextsReader(
            consumer, {place: ContextPartition(wanted=set(wanted), keep_all=thread is None) for place in places}
        )
        await reader._load()  # noqa: SLF001  a reader is only handed out when it has read
        yield reader
