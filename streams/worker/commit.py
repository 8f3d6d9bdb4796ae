"""The commit protocol: seven steps from a batch of input to moved progress.

1. take a batch, as bytes
2. decode it and step the pure agents; what they need of the artifact store is looked up for them
3. store the artifacts that emissions will name
4. send every emission
5. await every delivery
6. commit the SQLite projection
7. move the progress, which is all that is ever committed to the broker

Steps 4 and 5 run twice: before step 6 for what describes (distillations, compactions, lifecycle, dead letters), behind
it for the contexts. An event counts as covered once its context records are there, and nothing is done for it again, so
everything else that it caused must be there before: a worker that dies in between has left nothing out of the topics or
the projection. No step may be skipped and nothing may be acknowledged in between: whatever fails raises, the process
ends, and the next owner replays from step 1, recognises what is covered and repeats the rest under the same ids.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.lookups import NOTHING, Contents, Needs
from tailrace.agents.engine.partition import New, RecordOutcome, decide, read
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, Stored, Topic, encode
from tailrace.streams.worker.progress import Progress


class CommitStep(IntEnum):
    """The steps, by the number they have above."""

    TAKE = 1
    DECIDE = 2
    STORE = 3
    SEND = 4
    DELIVER = 5
    PROJECT = 6
    ADVANCE = 7


@dataclass(frozen=True, slots=True)
class Fetched:
    """An input record, and the offset that followed the record read before it.

    The two differ where the log has holes (markers of transactions): a hole that the broker reports is no loss, one
    that appears between reading and processing is.
    """

    record: InputRecord
    follows_offset: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Records that were read in one generation of the group."""

    generation: int
    fetched: Sequence[Fetched]


@dataclass(slots=True)
class OwnedPartition:
    """A partition of ours: its threads, and the term that marks what we write."""

    view: PartitionView
    term: int


class Log(Protocol):
    """Where records are sent to."""

    async def send(self, records: Sequence[tuple[int, OutputRecord]]) -> Awaitable[None]:
        """Send records, each to its partition, in order; what is returned is awaited until all are acknowledged."""


class Shelf(Protocol):
    """The artifact store, as far as the protocol needs it."""

    async def keep(self, stored: Sequence[Stored]) -> None:
        """Store artifacts; when it returns, all of them are safe."""

    async def contents(self, needs: Needs) -> Contents:
        """What there is of what a record needs."""


class Projection(Protocol):
    """The SQLite file that can be rebuilt from the topics."""

    async def commit(self, outcomes: Sequence[RecordOutcome]) -> None:
        """Write what is of interest there, in one transaction."""


class Observer(Protocol):
    """Who is told what happened: metrics."""

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        """Note the outcome of one record."""

    def delivered(self, records: Sequence[InputRecord]) -> None:
        """Note that everything the records of a batch caused is delivered."""


@dataclass(slots=True)
class _Work:
    """What a batch has to write."""

    describing: list[tuple[int, OutputRecord]] = field(default_factory=list)
    contexts: list[tuple[int, OutputRecord]] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)
    outcomes: list[RecordOutcome] = field(default_factory=list)
    done: dict[int, int] = field(default_factory=dict)

    def add(self, partition: int, outcome: RecordOutcome, term: int) -> None:
        self.stored += [emission for emission in outcome.emissions if isinstance(emission, Stored)]
        for emission in outcome.written:
            record = encode(emission, term)
            (self.contexts if record.topic is Topic.CONTEXTS else self.describing).append((partition, record))
        self.outcomes.append(outcome)


def _no_checkpoint(_step: CommitStep) -> None:
    """Do nothing: only a simulator has something to do between two steps."""


class Committer:
    """Runs batches through the seven steps, one at a time."""

    def __init__(
        self,
        *,
        engine: Engine,
        log: Log,
        shelf: Shelf,
        projection: Projection,
        observer: Observer,
        checkpoint: Callable[[CommitStep], None] = _no_checkpoint,
    ) -> None:
        """`checkpoint` is called after every step; a simulator crashes there."""
        self.partitions: dict[int, OwnedPartition] = {}
        self.progress = Progress()
        self._generation = -1
        self._engine = engine
        self._log = log
        self._shelf = shelf
        self._projection = projection
        self._observer = observer
        self._checkpoint = checkpoint

    async def run(self, batch: Batch) -> None:
        """Take a batch through the protocol. Whatever it raises must end the process."""
        self._checkpoint(CommitStep.TAKE)
        work = await self._decide(batch)
        self._checkpoint(CommitStep.DECIDE)
        if work.stored:
            await self._shelf.keep(work.stored)
            self._checkpoint(CommitStep.STORE)
        await self._deliver(work.describing)
        await self._projection.commit(work.outcomes)
        self._checkpoint(CommitStep.PROJECT)
        await self._deliver(work.contexts)
        if self.progress.advance(batch.generation, work.done):
            self._observer.delivered([fetched.record for fetched in batch.fetched])
        self._checkpoint(CommitStep.ADVANCE)

    def begin(self, generation: int, positions: Mapping[int, int]) -> set[int]:
        """Begin a generation of the group: give up what is not ours any more, return the partitions to recover.

        `positions` is where reading will start, looked up before any state is read. A state may be ahead of it, and
        recognises what comes again; one that is behind would never get what others have processed.
        """
        # Whoever takes part in two generations in a row keeps what it kept: nobody else had it in between.
        in_a_row = generation == self._generation + 1
        keep = {
            partition
            for partition, position in positions.items()
            if in_a_row and partition in self.partitions and position <= (self.progress.next_offset(partition) or 0)
        }
        self.partitions = {partition: self.partitions[partition] for partition in keep}
        self._generation = generation
        return positions.keys() - keep

    async def own(self, recovered: Mapping[int, OwnedPartition]) -> None:
        """Take over partitions, and write the tombstones that a former owner still owed for them when it died."""
        self.partitions.update(recovered)
        owed: list[tuple[int, OutputRecord]] = []
        for partition, owned in recovered.items():
            for tombstone in owned.view.unswept():
                owed.append((partition, encode(tombstone, owned.term)))
                owned.view.apply(tombstone)
        if owed:
            await (await self._log.send(owed))

    async def _deliver(self, records: Sequence[tuple[int, OutputRecord]]) -> None:
        if not records:
            return
        deliveries = await self._log.send(records)
        self._checkpoint(CommitStep.SEND)
        await deliveries
        self._checkpoint(CommitStep.DELIVER)

    async def _decide(self, batch: Batch) -> _Work:
        work = _Work()
        if batch.generation != self.progress.generation:
            return work  # read before a rebalance: whoever owns it now reads it again
        for fetched in batch.fetched:
            record = fetched.record
            expected = work.done.get(record.partition, self.progress.next_offset(record.partition))
            if expected is None or record.offset < expected:
                continue
            if fetched.follows_offset > expected:
                raise Fatal(
                    f"partition {record.partition}: expected offset {expected}, got {record.offset} behind "
                    f"{fetched.follows_offset}; an event was lost between reading and processing"
                )
            owned = self.partitions[record.partition]
            pending = read(owned.view, record, self._engine)
            needs = pending.needs if isinstance(pending, New) else None
            contents = await self._contents(needs, work) if needs else NOTHING
            outcome = decide(owned.view, pending, self._engine, contents)
            work.add(record.partition, outcome, owned.term)
            work.done[record.partition] = record.offset + 1
            self._observer.processed(record, outcome)
        return work

    async def _contents(self, needs: Needs, work: _Work) -> Contents:
        """What a record needs, of which an earlier record of the batch may be what is to be stored yet."""
        if work.stored and needs.of_this_batch:
            await self._shelf.keep(work.stored)
            work.stored = []
        return await self._shelf.contents(needs)
