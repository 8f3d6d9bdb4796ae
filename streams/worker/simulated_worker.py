"""A simulated worker: the real committer and the real recovery, moved on by hand, one record at a time."""

from collections import deque
from collections.abc import Awaitable, Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.kafka_records import OutputRecord, Topic
from tailrace.streams.artifacts.shelf import EmptyShelf
from tailrace.streams.worker.commit import Batch, CommitStep, Committer, Fetched
from tailrace.streams.worker.memory import MemoryLog
from tailrace.streams.worker.recovery import Rebuilding
from tailrace.streams.worker.timers import TimerWatch

_BATCH_EVENTS_MAX = 6


class World(Protocol):
    """What a simulated worker lives in."""

    log: MemoryLog
    engine: Engine
    chance: Random
    #: Offsets that the broker knows.
    committed: dict[int, int]
    #: Generation of the group that the broker knows.
    generation: int
    #: The broker's clock.
    now_ms: int

    def pass_point(self, step: CommitStep | None = None) -> None:
        """Crash here, by raising Fatal, or not."""


class _Pause:
    """Awaited where another worker may come first."""

    def __await__(self) -> Generator[None, None, None]:
        yield


@dataclass(slots=True)
class Flight:
    """Records on their way to the log: in order for each partition of a topic, in any order between them."""

    world: World
    queues: dict[tuple[Topic, int], deque[OutputRecord]] = field(default_factory=dict)

    def arrive(self) -> None:
        """Let one record arrive."""
        waiting = [place for place, queue in self.queues.items() if queue]
        if waiting:
            topic, partition = place = self.world.chance.choice(waiting)
            record = self.queues[place].popleft()
            if topic is Topic.CONVERSATIONS:
                self.world.log.take_in(partition, record, timestamp_ms=self.world.now_ms)
            else:
                self.world.log.append(partition, record)

    def arrive_all(self) -> None:
        """Let all that is left arrive."""
        while any(self.queues.values()):
            self.arrive()

    def cut(self, chance: Random) -> None:
        """Lose some part from the end of each queue."""
        for place, queue in self.queues.items():
            self.queues[place] = deque(list(queue)[: chance.randrange(len(queue) + 1)])

    def __await__(self) -> Generator[None, None, None]:
        while any(self.queues.values()):
            self.arrive()
            self.world.pass_point()
            yield


class SimulatedWorker:
    """A worker process: a committer, and what surrounds it."""

    def __init__(self, world: World) -> None:
        """Start without partitions."""
        self.world = world
        self.timers = TimerWatch(world.engine.policy.triggers, lambda: world.now_ms)
        self.committer = Committer(
            engine=world.engine,
            log=self,
            shelf=EmptyShelf(),
            projection=self,
            observer=self.timers,
            checkpoint=world.pass_point,
        )
        #: Generation of the group that this worker believes to live in.
        self.generation = -1
        self.frozen = False
        #: In the midst of a recovery or a batch.
        self.busy = False
        self.flight: Flight | None = None
        self._life: Coroutine[None, None, None] | None = None

    def join(self, generation: int, partitions: set[int]) -> None:
        """Begin a generation with these partitions."""
        self.end()
        self.generation = generation
        self.busy = True
        self._life = self._live(generation, partitions)

    def end(self) -> None:
        """Stop where it is."""
        if self._life is not None:
            self._life.close()

    def move_on(self) -> None:
        """Go on until the next record has arrived, or the next batch is to begin. Raises Fatal where it crashes."""
        if self._life is not None:
            self._life.send(None)

    async def _live(self, generation: int, partitions: set[int]) -> None:
        log, committer = self.world.log, self.committer
        positions = {partition: self.world.committed[partition] for partition in partitions}
        rebuilding = Rebuilding(committer.begin(generation, positions))
        for partition in rebuilding.partitions:
            rebuilding.apply(partition, log.written(Topic.CONTEXTS, partition))
        owned = rebuilding.owned(generation)
        if any(part.term > generation for part in owned.values()) and generation != self.world.generation:
            raise Fatal("the broker doesn't accept this worker's heartbeat")
        await committer.own(owned)
        committer.progress.assign(generation, positions)
        self.timers.own({partition: part.view for partition, part in committer.partitions.items()})
        while True:
            self.flight, self.busy = None, False
            await _Pause()
            if ticks := self.timers.ticks():
                self.busy = True
                await (await self.send(ticks))
            fetched = list(self._fetch(positions))
            self.busy = True
            if fetched:
                await committer.run(Batch(generation, fetched))

    def _fetch(self, positions: dict[int, int]) -> Iterator[Fetched]:
        for partition, start in list(positions.items()):
            count = self.world.chance.randrange(_BATCH_EVENTS_MAX + 1)
            for record in self.world.log.published(partition)[start : start + count]:
                yield Fetched(record, follows_offset=record.offset)
                positions[partition] = record.offset + 1

    async def send(self, records: Sequence[tuple[int, OutputRecord]]) -> Awaitable[None]:
        """Put records on their way."""
        self.flight = Flight(self.world)
        for partition, record in records:
            self.flight.queues.setdefault((record.topic, partition), deque()).append(record)
        return self.flight

    async def commit(self, outcomes: Sequence[RecordOutcome]) -> None:
        """Have no projection."""
