"""The topics in memory: what a committer writes to and what everyone reads from, without a broker.

For tests, of this project and of others: publish, let the same code run that runs on Kafka, look at what was written.
Partitions and offsets are as on a broker; nothing is ever compacted, deleted or lost.
"""

from collections.abc import Awaitable, Iterable, Sequence

from aiokafka.partitioner import DefaultPartitioner

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.dead_letter import Headers
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, Topic, encode


class MemoryLog:
    """All topics, with one number of partitions; it is the `Log` of a committer.

    >>> log = MemoryLog(partitions=2)
    >>> log.publish(b"thread-1", b'{"role": "user", "content": "hi"}').offset
    0
    """

    def __init__(self, partitions: int = 1) -> None:
        """Begin with empty topics."""
        self._inputs: list[list[InputRecord]] = [[] for _ in range(partitions)]
        self._outputs: dict[tuple[Topic, int], list[OutputRecord]] = {}

    @property
    def partitions(self) -> range:
        """Numbers of the partitions that every topic has."""
        return range(len(self._inputs))

    def publish(
        self, key: bytes | None, value: bytes | None, headers: Headers = (), *, timestamp_ms: int = 0
    ) -> InputRecord:
        """Append a record to the conversations, in the partition that its key gives, and return it."""
        numbers = list(self.partitions)
        # A producer may choose any partition for a record without a key; here it is the first.
        partition = int(DefaultPartitioner()(key, numbers, numbers)) if key is not None else 0
        return self.take_in(
            partition, OutputRecord(Topic.CONVERSATIONS, key, value, headers), timestamp_ms=timestamp_ms
        )

    def take_in(self, partition: int, record: OutputRecord, *, timestamp_ms: int) -> InputRecord:
        """Append a record to a partition of the conversations, as the broker does, and return it."""
        log = self._inputs[partition]
        taken = InputRecord(
            topic=Topic.CONVERSATIONS,
            partition=partition,
            offset=len(log),
            timestamp_ms=timestamp_ms,
            key=record.key,
            value=record.value,
            headers=record.headers,
        )
        log.append(taken)
        return taken

    def published(self, partition: int) -> Sequence[InputRecord]:
        """Return the records of a partition of the conversations; their place in it is their offset."""
        return self._inputs[partition]

    def append(self, partition: int, record: OutputRecord) -> None:
        """Append a record to a partition of its topic."""
        self._outputs.setdefault((record.topic, partition), []).append(record)

    def written(self, topic: Topic, partition: int) -> Sequence[OutputRecord]:
        """Return the records of a partition of an output topic."""
        return self._outputs.get((topic, partition), ())

    async def send(self, records: Sequence[tuple[int, OutputRecord]]) -> Awaitable[None]:
        """Take records; they are there once the result is awaited."""
        return self._deliver(records)

    async def _deliver(self, records: Iterable[tuple[int, OutputRecord]]) -> None:
        for partition, record in records:
            self.append(partition, record)


def run_undisturbed(log: MemoryLog, engine: Engine) -> dict[int, PartitionView]:
    """Process everything that was published, as one worker does to which nothing happens, and return its state."""
    views = {partition: PartitionView() for partition in log.partitions}
    for partition, view in views.items():
        for record in log.published(partition):
            for emission in process(view, record, engine).written:
                log.append(partition, encode(emission, term=1))
    return views
