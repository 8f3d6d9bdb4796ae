"""A partition of the contexts topic, of which only the threads that somebody wants are kept.

Records of all others cost a look at their key. That they were there is remembered: a thread that was never seen needs
no second look at the past when somebody asks for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.context import REBUILT_KEY, SEPARATOR
from tailrace.schemas.records.kafka_records import term_of
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.settings.settings import Settings

_SEPARATOR = SEPARATOR.encode()


@dataclass(slots=True)
class ContextPartition:
    """The wanted threads of one partition, as its records tell them."""

    wanted: set[str] = field(default_factory=set)
    #: Keep every thread, wanted or not.
    keep_all: bool = False
    view: PartitionView = field(default_factory=PartitionView)
    #: Hashes of the threads whose records were skipped: 64 bits say "maybe" or "never".
    skipped: set[int] = field(default_factory=set)
    #: Threads with a record that this release can't read: what is known of them is worth nothing.
    unreadable: set[str] = field(default_factory=set)

    def admits(self, record: ConsumerRecord) -> bool:
        """Tell whether a record comes from an owner of the partition, as far as is known here."""
        term = term_of(record.headers)
        return term is not None and term >= self.view.term

    def take(self, record: ConsumerRecord) -> str | None:
        """Take a record into account. Returns its thread if that is wanted and the record counts."""
        if record.key == REBUILT_KEY:
            self.unreadable.clear()
            return self.view.apply_record(record.key, record.value, record.headers)
        thread = thread_of(record)
        if self.keep_all or thread in self.wanted:
            try:
                return self.view.apply_record(record.key, record.value, record.headers)
            except Exception:  # noqa: BLE001  a newer release, or a stranger, wrote it: all other threads go on
                self.unreadable.add(thread)
                return thread
        # Skipped, but it may be the one that says who owns the partition by now.
        self.view.term = max(self.view.term, term_of(record.headers) or 0)
        self.skipped.add(hash(thread))
        return None


def thread_of(record: ConsumerRecord) -> str:
    """Return the thread that a record of the contexts topic belongs to."""
    key: bytes = record.key or b""
    return key.partition(_SEPARATOR)[0].decode(errors="replace")


async def read_past(settings: Settings, topic: str, partitions: Mapping[int, tuple[ContextPartition, int]]) -> None:
    """Let each partition take what its log holds below an offset."""
    async with clients.consumer(settings, **FROM_BEGINNING) as reader:
        async for place, records in read_to_end(reader, [TopicPartition(topic, number) for number in partitions]):
            partition, below_offset = partitions[place.partition]
            for record in records:
                if record.offset < below_offset:
                    partition.take(record)
