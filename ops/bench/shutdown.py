"""From SIGTERM to the end of a worker: one that is idle and one in the middle of a backlog, side by side."""

import asyncio
import itertools
import time
from typing import NamedTuple

from aiokafka import AIOKafkaConsumer

from ops.bench.programs import Program, running_worker
from ops.bench.report import Result, Row, at_least, at_most
from ops.bench.stand import Stand, create_topics, end_offset, publish
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings

NAME = "shutdown"
TRIES = 20
LIMIT_SECONDS = 10.0
#: A worker that is still there then is killed, and its try is missed.
_GIVE_UP_SECONDS = 30.0
_START_SECONDS_MAX = 60.0
#: More than a worker gets through between its first output and the signal.
_BACKLOG_EVENTS = 4_000


class Ended(NamedTuple):
    """How a worker ended."""

    seconds: float
    code: int


class Load:
    """A backlog that is never empty."""

    def __init__(self, settings: Settings, consumer: AIOKafkaConsumer, stand: Stand) -> None:
        """Know where the events come from."""
        self._settings = settings
        self._consumer = consumer
        self._events = stand.corpus.stream()

    async def add(self) -> None:
        """Publish another backlog."""
        await publish(self._settings, list(itertools.islice(self._events, _BACKLOG_EVENTS)))

    async def written(self) -> int:
        """Return how many context records there are."""
        return await end_offset(self._consumer, self._settings, self._settings.topic(Topic.CONTEXTS))


async def run(stand: Stand) -> Result:
    """Start, end, and look at the clock and the exit code."""
    idle, busy = stand.settings("idle"), stand.settings("busy")
    for settings in (idle, busy):
        await create_topics(settings)
    tries = stand.scaled(TRIES, least=4)
    idle_took: list[Ended] = []
    busy_took: list[Ended] = []
    async with clients.consumer(busy) as consumer:
        load = Load(busy, consumer, stand)
        for _ in range(tries // 2):
            ended = await asyncio.gather(_end_idle(idle), _end_busy(busy, load))
            idle_took.append(ended[0])
            busy_took.append(ended[1])
    took = idle_took + busy_took
    good = sum(one.seconds <= LIMIT_SECONDS and one.code == 0 for one in took)
    longest, longest_idle, longest_busy = (max(one.seconds for one in those) for those in (took, idle_took, busy_took))
    return Result(
        name=NAME,
        rows=(
            Row(
                what=f"ended in time with exit code 0, of {len(took)}",
                value=good,
                unit="of",
                target=at_least(len(took)),
            ),
            Row(what="SIGTERM to exit, longest", value=longest, unit="s", target=at_most(LIMIT_SECONDS)),
            Row(what="longest when idle", value=longest_idle, unit="s"),
            Row(what="longest under load", value=longest_busy, unit="s"),
        ),
        parameters=f"{len(idle_took)} idle workers and {len(busy_took)} under load, in pairs; the signal comes as "
        "soon as partitions are assigned, or the first contexts of a backlog are there.",
        does_not_show="a broker that does not answer while the worker ends.",
    )


async def _end_idle(settings: Settings) -> Ended:
    with running_worker(settings) as worker:
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        return await _end(worker)


async def _end_busy(settings: Settings, load: Load) -> Ended:
    await load.add()
    before = await load.written()

    async def has_written() -> bool:
        return await load.written() > before

    with running_worker(settings) as worker:
        await worker.wait_until(has_written, limit_seconds=_START_SECONDS_MAX)
        return await _end(worker)


async def _end(worker: Program) -> Ended:
    begin = time.monotonic()
    code = await asyncio.to_thread(worker.end, limit_seconds=_GIVE_UP_SECONDS)
    return Ended(time.monotonic() - begin, code)
