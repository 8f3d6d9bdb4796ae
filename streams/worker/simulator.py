"""A seeded simulator: workers over topics in memory, to whom happens whatever may happen to a worker on Kafka.

They run the real committer and the real recovery. Each is a coroutine that is moved on one record at a time, so several
can be in the midst of a batch. A worker may crash between any two steps and any two records; what it had sent may still
arrive, at once or after its successor has written. It may freeze, lose its partitions and go on as if nothing had
happened. Where the run has time, the broker's clock moves on between all of this, and workers put ticks on the log for
the timers that come due. The same seed gives the same run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from tailrace.agents.engine.engine import Engine
from tailrace.schemas.errors import Fatal
from tailrace.streams.worker.commit import CommitStep
from tailrace.streams.worker.memory import MemoryLog
from tailrace.streams.worker.simulated_worker import Flight, SimulatedWorker

_WORKERS_MAX = 3
#: Moves after which a run that has not come to its end never will.
_MOVES_MAX = 200_000


@dataclass(frozen=True, slots=True)
class Faults:
    """How likely things go wrong, as chances at each point where they can."""

    crash: float = 0.02
    freeze: float = 0.03
    rebalance: float = 0.02
    commit: float = 0.1
    #: After so many faults nothing goes wrong any more, and the run must come to an end.
    faults_max: int = 12
    #: Crash at exactly this point, counted from 0, whatever the chances.
    crash_at: int | None = None


#: Nothing goes wrong.
NO_FAULTS = Faults(crash=0, freeze=0, rebalance=0)


class Simulation:
    """One run over everything that was published to a log."""

    def __init__(
        self,
        log: MemoryLog,
        engine: Engine,
        *,
        seed: int,
        faults: Faults = Faults(),  # noqa: B008  frozen
        on_commit: Callable[[Mapping[int, int]], None] = lambda _offsets: None,
        lasts_ms: int = 0,
    ) -> None:
        """`on_commit` is called with the offsets that a worker has just committed.

        `lasts_ms` is how long the run goes on after the last record that was published; without time, no timer comes
        due.
        """
        self.log = log
        self.engine = engine
        self.chance = Random(seed)  # noqa: S311  must be repeatable, not secret
        self.faults = faults
        self.committed = dict.fromkeys(log.partitions, 0)
        #: Points passed so far at which a worker could have crashed.
        self.points = 0
        self.faults_seen: list[str] = []
        self._on_commit = on_commit
        published = [record.timestamp_ms for partition in log.partitions for record in log.published(partition)]
        self._ends_ms = max(published, default=0) + lasts_ms
        #: The broker's clock. Without time it stands still, before anything can be due.
        self.now_ms = max(published, default=0) if lasts_ms else 0
        self.generation = 0
        self._workers: list[SimulatedWorker] = []
        self._member_died = False
        #: Records of dead workers that are still on their way.
        self._ghosts: list[Flight] = []

    def run(self) -> None:
        """Let the workers work until everything is processed and committed. Raises Fatal if that never happens."""
        self._rebalance()
        for _ in range(_MOVES_MAX):
            done = all(offset == len(self.log.published(partition)) for partition, offset in self.committed.items())
            if done and not self._time_goes_on():
                break
            self._move()
        else:
            raise Fatal(f"no end after {_MOVES_MAX} moves: committed {self.committed}, faults {self.faults_seen}")
        # Whatever was late until now arrives at the very end.
        for flight in self._ghosts:
            flight.arrive_all()
        for worker in [worker for worker in self._workers if worker.generation != self.generation]:
            self._finish_batch(worker)
        for worker in self._workers:
            worker.end()

    def _time_goes_on(self) -> bool:
        """Move the clock on to the next moment at which a timer may be due.

        Tell whether there is one before the end.
        """
        awake = [worker for worker in self._workers if not worker.frozen and worker.generation == self.generation]
        owned = {partition for worker in awake for partition in worker.committer.partitions}
        if not self._ends_ms or not self.now_ms:
            return False
        if len(owned) < len(self.log.partitions):
            return True  # somebody has to own every partition before it can be told
        due_ms = min((worker.timers.next_ms for worker in awake if worker.timers.next_ms is not None), default=None)
        if due_ms is None or due_ms > self._ends_ms:
            return False
        self.now_ms = max(self.now_ms, due_ms)
        return True

    def _move(self) -> None:
        """Let one thing happen."""
        worker = self.chance.choice(self._workers) if self._workers else None
        if self._ghosts and self._now_and_then(0.05):
            self.chance.choice(self._ghosts).arrive()
        elif worker is None or self._goes_wrong("rebalance", self.faults.rebalance):
            self._rebalance()
        elif self._member_died and self._now_and_then(0.2):
            self._rebalance()  # its session has timed out
        elif worker.frozen:
            self._thaw(worker)
        elif self._goes_wrong("freeze", self.faults.freeze):
            worker.frozen = True
        elif self._now_and_then(self.faults.commit):
            self._commit(worker)
        else:
            self._step(worker)

    def _now_and_then(self, likely: float) -> bool:
        return self.chance.random() < likely

    def _goes_wrong(self, what: str, likely: float) -> bool:
        if len(self.faults_seen) >= self.faults.faults_max or self.chance.random() >= likely:
            return False
        self.faults_seen.append(what)
        return True

    def pass_point(self, step: CommitStep | None = None) -> None:
        """Crash here, or not. Between two records there is no step."""
        point = self.points
        self.points += 1
        if point == self.faults.crash_at or self._goes_wrong(f"crash after {step}", self.faults.crash):
            raise Fatal(f"crash at point {point}, after step {step}")

    def _step(self, worker: SimulatedWorker) -> None:
        try:
            worker.move_on()
        except Fatal:
            self._workers.remove(worker)
            self._lose(worker)
            self._member_died = self._member_died or worker.generation == self.generation

    def _lose(self, worker: SimulatedWorker) -> None:
        """Decide what becomes of the records that a dead worker had on their way.

        Any part from the front may arrive.
        """
        flight = worker.flight
        if flight is None:
            return
        flight.cut(self.chance)
        if self._now_and_then(0.5):
            flight.arrive_all()
        else:
            self._ghosts.append(flight)  # arrives when its successor may have written already

    def _finish_batch(self, worker: SimulatedWorker) -> None:
        while worker in self._workers and worker.busy:
            self._step(worker)

    def _thaw(self, worker: SimulatedWorker) -> None:
        """Wake a frozen worker up, maybe. If its partitions are gone it goes on for a while before it notices."""
        if self._now_and_then(0.8):
            others = [other for other in self._workers if not other.frozen]
            if others and worker.generation == self.generation and self._now_and_then(0.3):
                self._rebalance()  # without it
            return
        worker.frozen = False
        if worker.generation != self.generation:
            for _ in range(self.chance.randrange(30)):
                if worker in self._workers:
                    self._step(worker)
            if worker in self._workers and not worker.frozen:
                self._commit(worker)
                self._rebalance()

    def _rebalance(self) -> None:
        """Give every partition to one of the workers that answer. They finish their batch first."""
        for worker in list(self._workers):
            if not worker.frozen and worker.generation == self.generation:
                self._finish_batch(worker)
        awake = [worker for worker in self._workers if not worker.frozen]
        if not awake or (len(self._workers) < _WORKERS_MAX and self._now_and_then(0.3)):
            awake.append(SimulatedWorker(self))
            self._workers.append(awake[-1])
        self.generation += 1
        self._member_died = False
        shares: dict[SimulatedWorker, set[int]] = {worker: set() for worker in awake}
        for partition in self.log.partitions:
            shares[self.chance.choice(awake)].add(partition)
        for worker, partitions in shares.items():
            worker.join(self.generation, partitions)

    def _commit(self, worker: SimulatedWorker) -> None:
        """Commit a worker's progress, as the broker does it: only for a member of the current generation."""
        progress = worker.committer.progress
        offsets = progress.uncommitted()
        if worker.generation != self.generation or progress.generation != self.generation or not offsets:
            return
        self.committed |= offsets
        progress.committed(offsets)
        self._on_commit(offsets)
