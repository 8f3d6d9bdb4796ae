"""What timers cost a worker: a hundred thousand silent threads beside the wall clock, and a tick beside an event.

The threads are real views, in each of which something was said, owned by the worker's own `TimerWatch`. Their silences
end evenly over `SPREAD_MS`, so that some are due all the time; the clock is simulated and moves on as the worker's task
would sleep. What is measured is all that a worker does for timers beside processing records: look what is due, make the
ticks, look at the threads that ticks have touched.

A tick and an event are taken through reading, deciding, applying and encoding, as in a batch; the event's tokens are
counted. Ticks go through `TimerWatch` too. The thread is below its lower mark, as most are: a tick that compacts costs
what a compaction costs.
"""

import gc
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Timers as TimerPolicy
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, Topic, encode
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.worker.timers import TimerWatch

NAME = "timers"
THREADS = 100_000
PARTITIONS = 8
IDLE_MS = 3_600_000
#: The silences of all threads end within this time: 167 ticks a second, all of the time.
SPREAD_MS = 600_000
#: Simulated time that is measured.
SECONDS = 60
#: Events and ticks that are compared.
RECORDS = 3_000
ROUNDS = 5
#: How often is looked while nothing is due.
QUIET_LOOKS = 1_000

_HELLO = b'{"role": "user", "content": "hi"}'
_POLICY = Policy(triggers=Triggers(timers=TimerPolicy(idle_ms=IDLE_MS)))


async def run(stand: Stand) -> Result:
    """Measure both; the best of the rounds counts where one is compared with another."""
    rules = make_rules(stand.settings("pure"), _POLICY)
    fleet = _Fleet(rules, stand.scaled(THREADS, least=5_000))
    idle = fleet.measure()
    costs = [_compare(stand, rules) for _ in range(stand.scaled(ROUNDS, least=2))]
    event_us, tick_us = min(cost[0] for cost in costs), min(cost[1] for cost in costs)
    whole_share = idle.share + fleet.ticks / SECONDS * tick_us / 1e6
    return Result(
        name=NAME,
        rows=(
            Row(what="CPU for timers and ticks / wall time", value=whole_share, unit="ratio", target=at_most(0.05)),
            Row(what="  of it for timers", value=idle.share, unit="ratio"),
            Row(what="  with nothing due", value=idle.quiet_share, unit="ratio"),
            Row(what="  to take over all threads", value=idle.own_seconds, unit="s"),
            Row(what="a tick / an event", value=tick_us / event_us, unit="ratio", target=at_most(1.0)),
            Row(what="a tick", value=tick_us, unit="us"),
            Row(what="an event", value=event_us, unit="us"),
        ),
        parameters=f"{fleet.threads:,} threads with an idle timer, {fleet.ticks:,} ticks in {SECONDS} s; {RECORDS:,} "
        f"messages of {stand.corpus.name} and a tick for each of their threads, the median of each.",
        does_not_show="Kafka's share of both, and ticks that compact: they cost what a compaction costs.",
    )


@dataclass(frozen=True, slots=True)
class _Idle:
    """CPU time for each second of wall time, in seconds, and once to take over all threads."""

    share: float
    quiet_share: float
    own_seconds: float


class _Fleet:
    """Silent threads, and a clock that is moved on."""

    def __init__(self, rules: Engine, threads: int) -> None:
        self.rules = rules
        self.threads = threads
        self.ticks = 0
        self.begin_ms = 1_700_000_000_000
        self.now_ms = self.begin_ms
        self.views = {partition: PartitionView() for partition in range(PARTITIONS)}
        self._offsets = itertools.count()
        for number in range(threads):
            self.now_ms = self.begin_ms + SPREAD_MS * number // threads
            said = OutputRecord(Topic.CONVERSATIONS, f"thread-{number}".encode(), _HELLO, ())
            self._take(number % PARTITIONS, said)
        self.now_ms = self.begin_ms + IDLE_MS
        self._timers = TimerWatch(_POLICY.triggers, lambda: self.now_ms)

    def measure(self) -> _Idle:
        """CPU time of timers while the clock goes on."""
        gc.collect()
        gc.freeze()
        own_seconds = _seconds(lambda: self._timers.own(self.views))
        quiet_share = self._quiet_share()
        spent_seconds = 0.0
        ends_ms = self.now_ms + SECONDS * 1_000
        while self.now_ms < ends_ms:
            begin = time.process_time()
            ticks = self._timers.ticks()
            wait_seconds = self._timers.wait_seconds
            spent_seconds += time.process_time() - begin
            met = [self._take(partition, tick) for partition, tick in ticks]
            spent_seconds += _seconds(lambda met=met: self._tell(met))  # type: ignore[misc]
            self.ticks += len(ticks)
            self.now_ms += max(1, int(wait_seconds * 1_000))
        gc.unfreeze()
        return _Idle(spent_seconds / SECONDS, quiet_share, own_seconds)

    def _quiet_share(self) -> float:
        """Look as often as a worker does while nothing is due."""
        timers = TimerWatch(_POLICY.triggers, lambda: self.begin_ms)
        timers.own(self.views)
        slept_seconds = 0.0
        begin = time.process_time()
        for _ in range(QUIET_LOOKS):
            timers.ticks()
            slept_seconds += timers.wait_seconds
        return (time.process_time() - begin) / slept_seconds

    def _take(self, partition: int, record: OutputRecord) -> tuple[InputRecord, RecordOutcome]:
        taken = _taken(record, next(self._offsets), self.now_ms, partition)
        return taken, process(self.views[partition], taken, self.rules)

    def _tell(self, met: Sequence[tuple[InputRecord, RecordOutcome]]) -> None:
        for record, outcome in met:
            self._timers.processed(record, outcome)
        self._timers.delivered(())


def _compare(stand: Stand, rules: Engine) -> tuple[float, float]:
    """Median CPU time of an event and of a tick, in microseconds."""
    view, offsets, now_ms = PartitionView(), itertools.count(), 1_700_000_000_000
    timers = TimerWatch(_POLICY.triggers, lambda: now_ms)
    timers.own({0: view})
    events_us = []
    for publication in stand.corpus.publications(stand.scaled(RECORDS, least=500)):
        said = OutputRecord(Topic.CONVERSATIONS, publication.key, publication.value, publication.headers)
        events_us.append(_handled_us(_taken(said, next(offsets), now_ms), view, timers, rules))
    now_ms += IDLE_MS
    ticks_us = []
    while ticks := timers.ticks():
        ticks_us += [_handled_us(_taken(tick, next(offsets), now_ms), view, timers, rules) for _, tick in ticks]
    return median(events_us), median(ticks_us)


def _handled_us(record: InputRecord, view: PartitionView, timers: TimerWatch, rules: Engine) -> float:
    begin_ns = time.process_time_ns()
    outcome = process(view, record, rules)
    for emission in outcome.written:
        encode(emission, 1)
    timers.processed(record, outcome)
    timers.delivered(())
    return (time.process_time_ns() - begin_ns) / 1e3


def _taken(record: OutputRecord, offset: int, at_ms: int, partition: int = 0) -> InputRecord:
    return InputRecord(
        topic=record.topic,
        partition=partition,
        offset=offset,
        timestamp_ms=at_ms,
        key=record.key,
        value=record.value,
        headers=record.headers,
    )


def _seconds(act: Callable[[], None]) -> float:
    begin = time.process_time()
    act()
    return time.process_time() - begin
