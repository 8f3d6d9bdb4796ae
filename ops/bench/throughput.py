"""Events per second of one worker on a backlog, beside a bare Faust agent and raw aiokafka.

All three read the same topic of the same broker, one after the other, in several rounds. What counts is when their
output was appended, by the broker's clock; starting up doesn't count.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from statistics import mean, median
from types import MappingProxyType

from aiokafka.structs import ConsumerRecord

from ops.bench import bare_faust
from ops.bench.events import Publication, publish_as
from ops.bench.long_thread import long_thread
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
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.kafka_records import ENTRY_TYPE, Topic
from tailrace.streams.kafka import clients
from tailrace.streams.models.counters import counter_for
from tailrace.streams.settings.settings import Settings

NAME = "throughput"
ROUNDS = 3
#: Messages of each of the long threads, and how many lie between two compactions by their mean tokens. A thread is
#: filled first, and large outputs arrive distilled, so that of all messages about one in 120 is compacted at.
LONG_MESSAGES = 1_000
COMPACTION_MESSAGES = 70
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
    worker_rate, faust_rate, raw_rate = map(_median_rate, (worker, faust, raw))
    long = await _long(stand)
    return Result(
        name=NAME,
        rows=(
            Row(what="worker / bare Faust agent", value=worker_rate / faust_rate, unit="ratio", target=at_least(0.6)),
            *long,
            Row(what="worker / raw aiokafka", value=worker_rate / raw_rate, unit="ratio"),
            Row(what="worker, whole path", value=worker_rate, unit="events/s"),
            Row(what="bare Faust agent, one table put for each event", value=faust_rate, unit="events/s"),
            Row(what="raw aiokafka, consume and produce", value=raw_rate, unit="events/s"),
            *_cpu_rows(stages, worker, faust),
        ),
        parameters=f"{stand.events:,} events of {stand.corpus.name} ({mean(len(one.value) for one in backlog):,.0f} "
        f"bytes on average), median of {len(worker)} rounds; stages measured alone, in one process: what "
        "is left as other may be below zero on a busy machine.",
        does_not_show="more than one worker, the index of recall beside it, a broker on another machine, replication.",
    )


async def _long(stand: Stand) -> list[Row]:
    """The same with threads that are long, and compacted as often as in life."""
    count = max(2, stand.events // LONG_MESSAGES)
    conversations = stand.corpus.conversations
    starts = [len(conversations) * number // count for number in range(count)]
    threads = [long_thread((*conversations[start:], *conversations[:start]), LONG_MESSAGES) for start in starts]
    said = [publish_as(f"long-{number}", None, thread) for number, thread in enumerate(threads)]
    backlog = [publication for together in zip(*said, strict=True) for publication in together]
    policy = Policy()
    between = (policy.upper_fraction - policy.lower_fraction) / COMPACTION_MESSAGES
    window_tokens = int(_mean_tokens(backlog) / between) + policy.output_reserve_tokens
    environment = {"TAILRACE_POLICY": json.dumps({"window_tokens": window_tokens})}
    worker, faust, compactions = [], [], 0
    for number in range(ROUNDS if stand.scale >= 1 else 1):
        settings = stand.settings(f"long{number}")
        await create_topics(settings)
        await publish(settings, backlog)
        worker.append(await _worker(settings, len(backlog), environment))
        faust.append(await _faust(settings, len(backlog)))
        compactions = len(await append_times_ms(settings, settings.topic(Topic.COMPACTIONS)))
    rows = [
        Row(
            what="worker / bare Faust agent, long threads",
            value=_median_rate(worker) / _median_rate(faust),
            unit="ratio",
            target=at_least(0.6),
        ),
        Row(what="events for each compaction, long threads", value=len(backlog) / max(1, compactions), unit="of"),
    ]
    whole, bare = _median_cpu_us(worker), _median_cpu_us(faust)
    if whole is not None and bare is not None:
        what = "CPU per event, bare Faust agent / worker, long threads"
        rows.append(Row(what=what, value=bare / whole, unit="ratio", target=at_least(0.6)))
    return rows


def _mean_tokens(backlog: Sequence[Publication]) -> float:
    counter = counter_for(None)
    events = [decode_event(one.as_input(0), value_bytes_max=len(one.value)) for one in backlog[:LONG_MESSAGES]]
    return mean(count_message(event.message, counter) for event in events)


def _median_rate(passes: Sequence[Pass]) -> float:
    return median(one.events_per_second for one in passes)


async def _worker(settings: Settings, events: int, environment: Mapping[str, str] = MappingProxyType({})) -> Pass:
    async with clients.admin(settings) as admin:

        async def done() -> bool:
            return await committed(admin, settings) >= events

        return await _measure(
            running_worker(settings, environment), settings, settings.topic(Topic.CONTEXTS), done, _is_entry
        )


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
    what = "CPU per event, bare Faust agent / worker"
    yield Row(what=what, value=bare / whole, unit="ratio", target=at_least(0.6))
    yield Row(what="CPU per event, bare Faust agent", value=bare, unit="us")
    yield Row(what="CPU per event, worker", value=whole, unit="us")
    alone["other: Faust, event loop, metrics, commits"] = whole - sum(alone.values())
    yield from (Row(what=f"  {stage}", value=value_us, unit="us") for stage, value_us in alone.items())


def _median_cpu_us(passes: Sequence[Pass]) -> float | None:
    known = [one.cpu_us_per_event for one in passes if one.cpu_us_per_event is not None]
    return median(known) if known else None
