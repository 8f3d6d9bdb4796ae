"""Events per second of one worker on a backlog, beside a bare Faust agent and raw aiokafka.

All three read the same topic of the same broker, one after the other, in several rounds. What counts is when their
output was appended, by the broker's clock; starting up doesn't count.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from statistics import mean, median

from aiokafka.structs import ConsumerRecord

from ops.bench import bare_faust
from ops.bench.programs import Program, running, running_worker
from ops.bench.report import Result, Row, at_least
from ops.bench.stages import Stages, measure_stages
from ops.bench.stand import (
    LINGER_MS,
    Stand,
    append_times_ms,
    committed,
    create_topic,
    create_topics,
    end_offset,
    publish,
)
from tailrace.schemas.records.kafka_records import ENTRY_TYPE, Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings

NAME = "throughput"
ROUNDS = 3
_LIMIT_SECONDS = 120.0
#: Records of one batch go to several partitions, and are appended within a few milliseconds.
_BATCH_SPREAD_MS = 5


@dataclass(frozen=True, slots=True)
class Pass:
    """One program over the whole backlog."""

    events_per_second: float
    cpu_us_per_event: float | None


async def run(stand: Stand) -> Result:
    """Measure the three rates, and where the worker's CPU time goes."""
    backlog = stand.corpus.publications(stand.events)
    worker, faust, raw, stages = [], [], [], []
    for number in range(ROUNDS if stand.scale >= 1 else 1):
        settings = stand.settings(f"round{number}")
        await create_topics(settings)
        await publish(settings, backlog)
        worker.append(await _worker(settings, stand.events))
        faust.append(await _faust(settings, stand.events))
        raw.append(await _raw(settings, stand.events))
        stages.append(await measure_stages(settings, backlog))
    worker_rate, faust_rate, raw_rate = (
        median(one.events_per_second for one in passes) for passes in (worker, faust, raw)
    )
    return Result(
        name=NAME,
        rows=(
            Row(what="worker / bare Faust agent", value=worker_rate / faust_rate, unit="ratio", target=at_least(0.6)),
            Row(what="worker / raw aiokafka", value=worker_rate / raw_rate, unit="ratio"),
            Row(what="worker, whole path", value=worker_rate, unit="events/s"),
            Row(what="bare Faust agent, one table put for each event", value=faust_rate, unit="events/s"),
            Row(what="raw aiokafka, consume and produce", value=raw_rate, unit="events/s"),
            *_cpu_rows(stages, worker, faust),
        ),
        parameters=f"{stand.events:,} events of {stand.corpus.name} ({mean(len(one.value) for one in backlog):,.0f} "
        f"bytes on average), median of {len(worker)} rounds; stages measured alone, in one process: what "
        "is left as other may be below zero on a busy machine.",
        does_not_show="more than one worker, a broker on another machine, replication.",
    )


async def _worker(settings: Settings, events: int) -> Pass:
    async with clients.admin(settings) as admin:

        async def done() -> bool:
            return await committed(admin, settings) >= events

        return await _measure(running_worker(settings), settings, settings.topic(Topic.CONTEXTS), done, _is_entry)


async def _faust(settings: Settings, events: int) -> Pass:
    name = f"{settings.group}.faust"
    output = bare_faust.changelog_topic(name)
    await create_topic(settings, output, cleanup="compact")
    return await _until_appended(running("ops.bench.bare_faust", name, settings=settings), settings, output, events)


async def _raw(settings: Settings, events: int) -> Pass:
    output = settings.topic("copy")
    await create_topic(settings, output)
    program = running("ops.bench.raw_copy", f"{settings.group}.raw", output, str(LINGER_MS), settings=settings)
    return await _until_appended(program, settings, output, events)


def _is_entry(record: ConsumerRecord) -> bool:
    return ("ce_type", ENTRY_TYPE.encode()) in record.headers


async def _until_appended(
    program: AbstractContextManager[Program], settings: Settings, output: str, events: int
) -> Pass:
    async with clients.consumer(settings) as consumer:

        async def done() -> bool:
            return await end_offset(consumer, settings, output) >= events

        return await _measure(program, settings, output, done, lambda _: True)


async def _measure(
    starting: AbstractContextManager[Program],
    settings: Settings,
    output: str,
    done: Callable[[], Awaitable[bool]],
    counts: Callable[[ConsumerRecord], bool],
) -> Pass:
    with starting as program:
        await program.wait_until(done, limit_seconds=_LIMIT_SECONDS)
    times_ms = await append_times_ms(settings, output, counts)
    first_ms, last_ms = times_ms[0], times_ms[-1]
    # The first batch was begun before the clock started.
    events = sum(time_ms > first_ms + _BATCH_SPREAD_MS for time_ms in times_ms)
    cpu_seconds = program.cpu_seconds_between(first_ms / 1000, last_ms / 1000)
    return Pass(
        events_per_second=events / ((last_ms - first_ms) / 1000),
        cpu_us_per_event=None if cpu_seconds is None else cpu_seconds / events * 1e6,
    )


def _cpu_rows(stages: Sequence[Stages], worker: Sequence[Pass], faust: Sequence[Pass]) -> Iterator[Row]:
    whole, bare = _median_cpu_us(worker), _median_cpu_us(faust)
    alone = {stage: median(one[stage] for one in stages) for stage in stages[0]}
    if whole is None or bare is None:
        yield from (Row(what=f"CPU per event: {stage}", value=value_us, unit="us") for stage, value_us in alone.items())
        return
    yield Row(what="CPU per event, bare Faust agent / worker", value=bare / whole, unit="ratio")
    yield Row(what="CPU per event, bare Faust agent", value=bare, unit="us")
    yield Row(what="CPU per event, worker", value=whole, unit="us")
    alone["other: Faust, event loop, metrics, commits"] = whole - sum(alone.values())
    yield from (Row(what=f"  {stage}", value=value_us, unit="us") for stage, value_us in alone.items())


def _median_cpu_us(passes: Sequence[Pass]) -> float | None:
    known = [one.cpu_us_per_event for one in passes if one.cpu_us_per_event is not None]
    return median(known) if known else None
