"""Triggers under everything that may happen to workers.

However many there are, the topics hold what one undisturbed worker writes. Signals and ticks are in the log like
messages, so a run has to come to the same bytes wherever it is interrupted. SIMULATION_SEEDS=2000 runs more;
SIMULATION_SEED=17 repeats one run.
"""

import hashlib
import os
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import pytest
from support.conversations import Published, Script, random_moves, rules
from support.signal_moves import NONSENSE, policy_of, random_signal, raw_signal, signal, tick

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.temporal import Timer, timers_of
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.context import Entry, EntryKind
from tailrace.schemas.records.kafka_records import OutputRecord, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.worker.memory import MemoryLog
from tailrace.streams.worker.recovery import Rebuilding
from tailrace.streams.worker.simulated_worker import SimulatedWorker
from tailrace.streams.worker.simulator import NO_FAULTS, Faults, Simulation

PARTITIONS = 16
THREADS = 8
EVENTS = 24
CREWS = (1, 4, 16)
WRITTEN = (Topic.CONTEXTS, Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.DLQ, Topic.DISTILLATIONS, Topic.WORK)

_one = os.environ.get("SIMULATION_SEED")
SEEDS = [int(_one)] if _one else list(range(int(os.environ.get("SIMULATION_SEEDS", "300")) // 30))


class Crew(Simulation):
    """A simulation that begins with so many workers."""

    def __init__(self, log: MemoryLog, rules: Engine, *, seed: int, faults: Faults, workers: int) -> None:
        super().__init__(log, rules, seed=seed, faults=faults)
        self._workers += [SimulatedWorker(self) for _ in range(workers)]


@dataclass(slots=True)
class _Thread:
    """A thread that messages, signals and ticks are published to, mostly in their time."""

    script: Script
    chance: Random
    #: Ticks that were sent, to be sent again.
    ticks: list[Published]
    sent: int = 0

    def next(self, view: ThreadView, rules: Engine, now_ms: int) -> tuple[int, list[Published]]:
        """When something comes next, and what."""
        roll = self.chance.random()
        if roll < 0.55:
            return now_ms, self._messages()
        if roll < 0.7:
            self.sent += 1
            name = f"{self.script.thread}-s{self.sent}"
            what = random_signal(self.chance)
            return now_ms, [signal(what, name, self.script.thread)] * self.chance.choice((1, 1, 1, 2))
        if roll < 0.74:
            return now_ms, [raw_signal(self.chance.choice(NONSENSE), f"nonsense-{now_ms}", self.script.thread)]
        if roll < 0.8 and self.ticks:
            return now_ms, [self.chance.choice(self.ticks)]
        timers = sorted(timers_of(view, rules.policy.triggers), key=lambda one: (one.due_ms, one.name))
        if not timers:
            return now_ms + self.chance.choice((10, 2_000)), self._messages()
        return self._tick(self.chance.choice(timers[:2]), now_ms)

    def _messages(self) -> list[Published]:
        before = len(self.script.written)
        for move in random_moves(self.chance, 1):
            self.script.play(move)
        return self.script.written[before:]

    def _tick(self, timer: Timer, now_ms: int) -> tuple[int, list[Published]]:
        """Two owners may both send it; one whose clock is wrong sends it too early."""
        self.ticks.append(tick(timer, self.script.thread))
        early = self.chance.random() < 0.1
        at_ms = now_ms if early else max(now_ms, timer.due_ms)
        return at_ms, [self.ticks[-1]] * self.chance.choice((1, 1, 2))


@dataclass(slots=True)
class Reference:
    """A log, and what one undisturbed worker makes of it."""

    log: MemoryLog
    rules: Engine
    views: dict[int, PartitionView]
    written: dict[Topic, set[bytes]]
    seen: Counter[str]


def fingerprint(partition: int, record: OutputRecord) -> bytes:
    """A record without its term, which is all that may differ when it is written again."""
    headers = tuple(header for header in record.headers if header[0] != "ce_term")
    return hashlib.sha256(repr((partition, record.key, record.value, headers)).encode()).digest()


@lru_cache(maxsize=2)
def reference_of(seed: int) -> Reference:
    """Write a log, and process it while it is written: only so is it known which timers there are."""
    chance = Random(seed)
    own = rules(policy_of(chance))
    log = MemoryLog(PARTITIONS)
    made = Reference(
        log, own, {one: PartitionView() for one in log.partitions}, {one: set() for one in WRITTEN}, Counter()
    )
    threads = [_Thread(Script(f"thread-{number}"), Random(chance.random()), []) for number in range(THREADS)]
    partitions: dict[str, int] = {}
    now_ms = 1_700_000_000_000
    for _ in range(THREADS * EVENTS):
        thread = chance.choice(threads)
        name = thread.script.thread
        view = made.views[partitions.get(name, 0)].threads.get(name, ThreadView())
        now_ms, published = thread.next(view, own, now_ms + chance.choice((1, 1, 40)))
        for one in published:
            partition = _publish(made, one, now_ms)
            if one.key is not None:
                partitions[name] = partition
    return made


def _publish(made: Reference, published: Published, now_ms: int) -> int:
    record = made.log.publish(published.key, published.value, published.headers, timestamp_ms=now_ms)
    outcome = process(made.views[record.partition], record, made.rules)
    made.seen[outcome.result] += 1
    for emission in outcome.written:
        output = encode(emission, 1)
        made.written[output.topic].add(fingerprint(record.partition, output))
        match emission:
            case CompactionRecord():
                made.seen[f"compaction: {emission.trigger}"] += 1
                made.seen[f"rule: {emission.rule}"] += 1
            case Entry(kind=EntryKind.STAND_IN):
                made.seen["stand-in"] += 1
            case WorkRequest():
                made.seen["asked ahead"] += 1
            case LifecycleEvent():
                made.seen[f"audit: {emission.kind}"] += 1
            case _:
                pass
    return record.partition


def fresh(log: MemoryLog) -> MemoryLog:
    """The same conversations, and nothing written yet."""
    copy = MemoryLog(len(log.partitions))
    for partition in log.partitions:
        for record in log.published(partition):
            copy.publish(record.key, record.value, record.headers, timestamp_ms=record.timestamp_ms)
    return copy


def run(reference: Reference, *, seed: int, workers: int, faults: Faults) -> Crew:
    """Let workers have the log of the reference, and compare what they wrote."""
    log = fresh(reference.log)
    crew = Crew(log, reference.rules, seed=seed, faults=faults, workers=workers)
    crew.run()
    for topic in WRITTEN:
        found = {fingerprint(one, record) for one in log.partitions for record in log.written(topic, one)}
        assert found == reference.written[topic], f"{topic} holds other records than those of an undisturbed run"
    for partition in log.partitions:
        rebuilding = Rebuilding([partition])
        rebuilding.apply(partition, log.written(Topic.CONTEXTS, partition))
        assert rebuilding.owned(0)[partition].view.threads == reference.views[partition].threads
    return crew


@pytest.mark.parametrize("workers", CREWS)
def test_however_many_workers_there_are_the_topics_hold_the_same(workers: int) -> None:
    for seed in SEEDS:
        try:
            run(reference_of(seed), seed=seed, workers=workers, faults=Faults(crash=0.004, freeze=0.01, rebalance=0.01))
        except BaseException as error:
            error.add_note(f"repeat with SIMULATION_SEED={seed}")
            raise


@pytest.mark.parametrize("workers", CREWS)
def test_without_faults_nothing_is_written_twice(workers: int) -> None:
    reference = reference_of(3)
    crew = run(reference, seed=3, workers=workers, faults=NO_FAULTS)
    for topic in WRITTEN:
        count = sum(len(crew.log.written(topic, partition)) for partition in crew.log.partitions)
        assert count == len(reference.written[topic])


def test_a_crash_at_any_single_point_changes_nothing() -> None:
    reference = reference_of(5)
    undisturbed = run(reference, seed=1, workers=1, faults=NO_FAULTS)
    points = range(0, undisturbed.points, max(1, undisturbed.points // 16))
    assert len(points) >= 16
    for point in points:
        run(reference, seed=1, workers=1, faults=Faults(0, 0, 0, crash_at=point))


def test_the_logs_hold_what_they_promise() -> None:
    """Guards the others: laws about triggers would hold if none fired."""
    seen: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for seed in range(12):
        reference = reference_of(seed)
        seen += reference.seen
        faults.update(run(reference, seed=seed, workers=4, faults=Faults(crash=0.004)).faults_seen)
    assert {f"compaction: {kind}" for kind in ("budget", "structural", "temporal", "manual", "reactive")} <= seen.keys()
    assert {"rule: once more", "rule: chunk"} <= seen.keys()
    assert seen["stand-in"] > 5
    assert seen["asked ahead"] > 20
    assert seen["noted"] > 100
    assert seen["refused"] > 50
    assert seen["overtaken"] > 50
    assert {"audit: completed", "audit: noop", "audit: flagged"} <= seen.keys()
    assert faults["freeze"] > 2
    assert faults["rebalance"] > 2
