"""From SIGTERM to the end of a worker, idle and in the middle of a backlog, in turns."""

import asyncio
import time

from aiokafka import AIOKafkaConsumer

from ops.bench.programs import running_worker
from ops.bench.report import Result, Row, at_least, at_most
from ops.bench.stand import Stand, create_topics, end_offset, publish
from tailrace.schemas.records import Topic
from tailrace.streams import kafka
from tailrace.streams.settings import Settings

NAME = "shutdown"
TRIES = 20
LIMIT_SECONDS = 10.0
#: A worker that is still there then is killed, and its try is missed.
_GIVE_UP_SECONDS = 30.0
_START_SECONDS_MAX = 60.0
#: More than a worker gets through between its first output and the signal.
_BACKLOG_EVENTS = 4_000


class Load:
    """A backlog that is never empty."""

    def __init__(self, settings: Settings, consumer: AIOKafkaConsumer, stand: Stand) -> None:
        """Know where the events come from."""
        self._settings = settings
        self._consumer = consumer
        self._stand = stand
        self._published = 0

    async def add(self) -> None:
        """Publish another backlog."""
        begin, self._published = self._published, self._published + _BACKLOG_EVENTS
        await publish(self._settings, self._stand.corpus.publications(self._published)[begin:])

    async def written(self) -> int:
        """Return how many context records there are."""
        return await end_offset(self._consumer, self._settings, self._settings.topic(Topic.CONTEXTS))


async def run(stand: Stand) -> Result:
    """Start, end, and look at the clock and the exit code."""
    idle, busy = stand.settings("idle"), stand.settings("busy")
    for settings in (idle, busy):
        await create_topics(settings)
    tries = stand.scaled(TRIES, least=4)
    took: list[tuple[float, int]] = []
    async with kafka.consumer(busy) as consumer:
        load = Load(busy, consumer, stand)
        for _ in range(tries // 2):
            took.append(await _end_idle(idle))
            took.append(await _end_busy(busy, load))
    good = sum(seconds <= LIMIT_SECONDS and code == 0 for seconds, code in took)
    return Result(
        name=NAME,
        rows=(
            Row(
                what=f"ended in time with exit code 0, of {len(took)}",
                value=good,
                unit="of",
                target=at_least(len(took)),
            ),
            Row(what="SIGTERM to exit, longest", value=max(took)[0], unit="s", target=at_most(LIMIT_SECONDS)),
            Row(what="longest when idle", value=max(took[::2])[0], unit="s"),
            Row(what="longest under load", value=max(took[1::2])[0], unit="s"),
        ),
        parameters=f"{len(took)} workers, idle and under load in turns; under load means that a batch was under way.",
        does_not_show="a broker that does not answer while the worker ends.",
    )


async def _end_idle(settings: Settings) -> tuple[float, int]:
    with running_worker(settings) as worker:
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        begin = time.monotonic()
        code = await asyncio.to_thread(worker.end, limit_seconds=_GIVE_UP_SECONDS)
        return time.monotonic() - begin, code


async def _end_busy(settings: Settings, load: Load) -> tuple[float, int]:
    await load.add()
    before = await load.written()

    async def has_written() -> bool:
        return await load.written() > before

    with running_worker(settings) as worker:
        await worker.wait_until(has_written, limit_seconds=_START_SECONDS_MAX)
        begin = time.monotonic()
        code = await asyncio.to_thread(worker.end, limit_seconds=_GIVE_UP_SECONDS)
        return time.monotonic() - begin, code
