"""Timers under everything that may happen to workers.

Whoever sends the ticks, and however often, each timer goes off once. SIMULATION_SEEDS=2000 runs more;
SIMULATION_SEED=17 repeats one run.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from random import Random

import pytest
from support.conversations import play, random_moves, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.triggers.temporal import CHUNK, IDLE, next_timer
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.ingest import event_type
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Timers, TriggerRule, Triggers
from tailrace.schemas.records.compaction import CompactionRecord, Trigger
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, Topic, decode_compaction, decode_work
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.worker.memory import MemoryLog, run_undisturbed
from tailrace.streams.worker.recovery import Rebuilding
from tailrace.streams.worker.simulator import NO_FAULTS, Faults, Simulation

PARTITIONS = 2
THREADS = 4
IDLE_MS = 30_000
HOUR_MS = 3_600_000
BEGIN_MS = 1_700_000_000_000

_one = os.environ.get("SIMULATION_SEED")
SEEDS = [int(_one)] if _one else list(range(int(os.environ.get("SIMULATION_SEEDS", "300")) // 10))

#: Each is asked on a tick of its own.
AFTERWARDS = (
    TriggerRule(name="chunk", when='event == "chunk_closed" and total > 40% of limit'),
    TriggerRule(name="once more", when='event == "compaction_completed" and total > 40% of limit'),
)


def timed() -> Engine:
    timers = Timers(idle_ms=IDLE_MS, call_deadline_ms=IDLE_MS // 2, chunk_ms=IDLE_MS // 3)
    return small_engine(
        Policy(
            default_window_tokens=500,
            output_reserve_tokens=0,
            safety_tokens=0,
            rehydration_reserve_tokens=0,
            lower_fraction=0.3,
            chunks=Chunks(enabled=True, tokens_min=120, tokens_max=240),
            triggers=Triggers(rules=AFTERWARDS, timers=timers),
        )
    )


def log_of(seed: int) -> MemoryLog:
    """Several threads at random, all of which fall silent."""
    chance = Random(seed)
    log = MemoryLog(PARTITIONS)
    written = [play(random_moves(chance, 12), thread=f"thread-{number}") for number in range(THREADS)]
    now_ms = BEGIN_MS
    while any(written):
        published = chance.choice([one for one in written if one]).pop(0)
        now_ms += chance.randrange(1_000)
        log.publish(published.key, published.value, published.headers, timestamp_ms=now_ms)
    return log


def nothing_is_left_to_time(view: ThreadView) -> None:
    """Fail if time alone would still do something, or if a silence was not noticed."""
    standing = view.standing
    assert next_timer(view, timed().policy.triggers) is None
    assert standing.fired[IDLE] == standing.said_at_ms + IDLE_MS
    assert standing.fired[CHUNK] == standing.said_at_ms + IDLE_MS // 3
    assert standing.asked_group == view.chunk_group
    assert not view.open_calls


def is_made_again_without_disturbance(log: MemoryLog, threads: Callable[[int], Mapping[str, ThreadView]]) -> MemoryLog:
    """Fail unless an undisturbed worker makes the same of a log with its ticks; return what it wrote."""
    again = MemoryLog(PARTITIONS)
    for partition in log.partitions:
        for record in log.published(partition):
            again.publish(record.key, record.value, record.headers, timestamp_ms=record.timestamp_ms)
    for partition, undisturbed in run_undisturbed(again, timed()).items():
        for thread, view in undisturbed.threads.items():
            assert threads(partition)[thread].head == view.head
            assert threads(partition)[thread].chunk_group == view.chunk_group
    return again


@pytest.mark.parametrize("seed", SEEDS)
def test_every_timer_goes_off_once_whatever_happens_to_the_workers(seed: int) -> None:
    log = log_of(seed)
    messages = sum(len(log.published(partition)) for partition in log.partitions)
    faults = NO_FAULTS if seed % 5 == 0 else Faults()
    simulation = Simulation(log, timed(), seed=seed, faults=faults, lasts_ms=HOUR_MS)
    simulation.run()
    ticks = [record for partition in log.partitions for record in log.published(partition) if _is_tick(record.headers)]
    assert len(ticks) >= THREADS
    assert sum(len(log.published(partition)) for partition in log.partitions) == messages + len(ticks)

    rebuilding = Rebuilding(set(log.partitions))
    for partition in log.partitions:
        rebuilding.apply(partition, log.written(Topic.CONTEXTS, partition))
    owned = rebuilding.owned(simulation.generation + 1)
    for partition_state in owned.values():
        for view in partition_state.view.threads.values():
            nothing_is_left_to_time(view)

    # The log with its ticks is all that there is.
    again = is_made_again_without_disturbance(log, lambda partition: owned[partition].view.threads)
    # Nothing is asked about twice, however often the request was written, and nothing that one worker asks about is
    # left out.
    asked = _asked(log)
    spans = [(request.thread, message_id) for request in asked.values() for message_id in request.span.ids]
    assert len(set(spans)) == len(spans)
    assert asked == _asked(again)

    fired = Counter(
        record.thread
        for partition in log.partitions
        for record in _compactions(log, partition)
        if record.trigger is Trigger.TEMPORAL and record.rule == IDLE
    )
    assert not fired or max(fired.values()) == 1


def _compactions(log: MemoryLog, partition: int) -> Iterable[CompactionRecord]:
    """Each once: a worker that died is followed by one that may write the same record again."""
    found = [decode_compaction(record.value or b"") for record in log.written(Topic.COMPACTIONS, partition)]
    return {record.id: record for record in found}.values()


def _asked(log: MemoryLog) -> dict[str, WorkRequest]:
    """Requests by their id."""
    written = (record for partition in log.partitions for record in log.written(Topic.WORK, partition))
    return {request.id: request for request in (decode_work(record.value or b"") for record in written)}


def _is_tick(headers: tuple[tuple[str, bytes | None], ...]) -> bool:
    kinds = dict(headers)
    return kinds.get("ce_type") == SIGNAL_TYPE.encode() and (kinds.get("ce_id") or b"").startswith(b"tick:")


def test_a_run_without_time_sends_no_tick() -> None:
    log = log_of(1)
    before = [len(log.published(partition)) for partition in log.partitions]
    Simulation(log, timed(), seed=1).run()
    assert [len(log.published(partition)) for partition in log.partitions] == before
    assert all(event_type(record) != SIGNAL_TYPE for record in log.published(0))
