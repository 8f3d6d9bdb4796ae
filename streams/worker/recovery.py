"""Recovery: a worker's state is rebuilt from the contexts topic, the same records that everyone else reads.

Faust's table recovery is not used: it logs what goes wrong and carries on, applies records of a partition that is not
its own to whatever table came last, and takes the last record of a key for true even when a worker wrote it that had
already lost the partition. Here an error ends the process, and the term decides. Only a record that can't be read is
skipped, and told: whoever replaces the process would meet it again.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition

from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.dead_letter import Headers
from tailrace.streams.kafka.topic_end import read_to_end
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.worker.commit import OwnedPartition

log = structlog.get_logger("tailrace.recovery")
#: Names of damaged threads in a line of the log.
_THREADS_SHOWN: Final = 10


class ContextRecord(Protocol):
    """A record of the contexts topic, wherever it was read from."""

    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> Headers: ...


class Rebuilding:
    """Partitions whose records are being read, in their order; in the end they are ours."""

    def __init__(self, partitions: Collection[int], input_ends: Mapping[int, int] | None = None) -> None:
        """Begin with partitions of which nothing was read yet.

        `input_ends` where records may name no input that isn't there.
        """
        self._input_ends = input_ends or {}
        self._views = {partition: PartitionView() for partition in partitions}
        #: Of each partition the keys whose last record can't be read.
        self._unreadable: dict[int, set[bytes]] = {partition: set() for partition in partitions}

    @property
    def partitions(self) -> list[int]:
        """Numbers of the partitions."""
        return sorted(self._views)

    def apply(self, partition: int, records: Iterable[ContextRecord]) -> None:
        """Take the next records of a partition into account."""
        for record in records:
            self.take(partition, record)

    def take(self, partition: int, record: ContextRecord) -> None:
        """Take one record into account. Raises a PoisonEvent for one that can't be read."""
        view, input_end = self._views[partition], self._input_ends.get(partition)
        key = record.key or b""
        try:
            view.apply_record(key, record.value, record.headers, input_end=input_end)
        except PoisonEvent:
            self._unreadable[partition].add(key)
            raise
        self._unreadable[partition].discard(key)

    def damaged(self) -> dict[int, list[str]]:
        """Return of each partition the threads that may lack something.

        What can't be read lies over a record of theirs, and Kafka will keep nothing but the last record of a key.
        """
        named = {partition: {_thread_of(key) for key in keys} for partition, keys in self._unreadable.items()}
        return {
            partition: sorted(threads)
            for partition, names in named.items()
            if (threads := names & self._views[partition].threads.keys())
        }

    def owned(self, generation: int) -> dict[int, OwnedPartition]:
        """Return the partitions, each with a term above all that was written to it before.

        The term is the generation of the group: whoever had the partition before has a lower one, even if it was frozen
        and reads only now what its successor wrote. A term above the generation tells that the log has seen a later
        one: either the group began anew, or we are that former owner. Who gets one must find out before it writes.
        """
        return {
            partition: OwnedPartition(view=view, term=max(generation, view.term + 1))
            for partition, view in self._views.items()
        }


async def recover(
    consumer: AIOKafkaConsumer,
    topic: str,
    partitions: Collection[int],
    *,
    generation: int = 0,
    skipped: SkippedRecords,
    input_ends: Mapping[int, int] | None = None,
) -> dict[int, OwnedPartition]:
    """State of the given partitions as of now; see `Rebuilding.owned` for their terms.

    Where the end of a partition's input is given, records that rest on input behind it are skipped, too.
    """
    rebuilding = Rebuilding(partitions, input_ends)
    wanted = [TopicPartition(topic, partition) for partition in rebuilding.partitions]
    if wanted:
        async for partition, records in read_to_end(consumer, wanted):
            for record in records:
                try:
                    rebuilding.take(partition.partition, record)
                except PoisonEvent as error:
                    skipped.note(record.topic, record.partition, record.offset, error)
    for number, threads in rebuilding.damaged().items():
        log.error(
            "contexts.damaged",
            topic=topic,
            partition=number,
            threads=len(threads),
            first_threads=threads[:_THREADS_SHOWN],
            do="somebody who is no worker has written over records of these threads, which may lack messages. See to "
            "it that only workers may write to this topic; then, with all workers stopped: tailrace rebuild contexts",
        )
    return rebuilding.owned(generation)


def _thread_of(key: bytes) -> str:
    return key.partition(b"\x1f")[0].decode("utf-8", "replace")
