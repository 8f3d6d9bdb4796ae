"""From publishing an event to reading its context, at a gentle rate, beside an echo through raw aiokafka.

Both are measured by the same publisher and the same reader, in turns, so that whatever else the machine does hits both.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.structs import ConsumerRecord

from ops.bench import raw_copy
from ops.bench.events import Publication
from ops.bench.programs import running, running_worker
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand, create_topic, create_topics, partitions_of
from tailrace.schemas.records.context import parse_key
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import record_bytes_max

NAME = "latency"
EVENTS_PER_SECOND = 100
SECONDS = 20
#: Both ways take turns of this length. The first turn of each warms up and doesn't count.
TURN_SECONDS = 4
_START_SECONDS_MAX = 60.0
_ANSWER_SECONDS_MAX = 30.0


@dataclass(slots=True)
class Way:
    """One way from the publisher to the reader."""

    settings: Settings
    output: str
    event_id: Callable[[ConsumerRecord], str | None]
    producer: AIOKafkaProducer
    consumer: AIOKafkaConsumer
    latencies_ms: list[float] = field(default_factory=list)

    async def take_turn(self, publications: Sequence[Publication], *, counts: bool) -> None:
        """Publish at the rate, read until every event is answered, and note how long each took."""
        sent: dict[str, float] = {}
        reading = asyncio.create_task(self._read({one.event_id for one in publications}))
        await self._publish(publications, sent)
        received = await asyncio.wait_for(reading, _ANSWER_SECONDS_MAX)
        if counts:
            self.latencies_ms += [(received[event_id] - moment) * 1000 for event_id, moment in sent.items()]

    async def _publish(self, publications: Sequence[Publication], sent: dict[str, float]) -> None:
        topic = self.settings.topic(Topic.CONVERSATIONS)
        begin = time.perf_counter()
        deliveries = []
        for number, one in enumerate(publications):
            await asyncio.sleep(max(0.0, begin + number / EVENTS_PER_SECOND - time.perf_counter()))
            sent[one.event_id] = time.perf_counter()
            headers = list(one.headers)
            deliveries.append(await self.producer.send(topic, key=one.key, value=one.value, headers=headers))
        await asyncio.gather(*deliveries)

    async def _read(self, waiting: set[str]) -> dict[str, float]:
        received: dict[str, float] = {}
        while waiting:
            for records in (await self.consumer.getmany(timeout_ms=1000)).values():
                now = time.perf_counter()
                for record in records:
                    event_id = self.event_id(record)
                    if event_id in waiting:
                        waiting.discard(event_id)
                        received[event_id] = now
        return received


async def run(stand: Stand) -> Result:
    """Measure both ways in turns."""
    contexts, echo = stand.settings("contexts"), stand.settings("echo")
    for settings in (contexts, echo):
        await create_topics(settings)
    await create_topic(echo, echo.topic("copy"))
    turns = max(1, stand.scaled(SECONDS) // TURN_SECONDS)
    events = stand.corpus.publications((turns + 1) * TURN_SECONDS * EVENTS_PER_SECOND)
    with (
        running_worker(contexts) as worker,
        running("ops.bench.raw_copy", f"{echo.group}.raw", echo.topic("copy"), "0", settings=echo) as copier,
    ):
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        await copier.wait_for_line(raw_copy.READY, limit_seconds=_START_SECONDS_MAX)
        worker_ms, echo_ms = await _in_turns(contexts, echo, _chunks(events, TURN_SECONDS * EVENTS_PER_SECOND))
    return Result(
        name=NAME,
        rows=(
            Row(
                what="p99, worker / raw echo",
                value=_p(99, worker_ms) / _p(99, echo_ms),
                unit="ratio",
                target=at_most(5),
            ),
            Row(what="p50, worker / raw echo", value=_p(50, worker_ms) / _p(50, echo_ms), unit="ratio"),
            Row(what="publish to context, p50", value=_p(50, worker_ms), unit="ms"),
            Row(what="publish to context, p99", value=_p(99, worker_ms), unit="ms"),
            Row(what="raw aiokafka echo, p50", value=_p(50, echo_ms), unit="ms"),
            Row(what="raw aiokafka echo, p99", value=_p(99, echo_ms), unit="ms"),
        ),
        parameters=f"{EVENTS_PER_SECOND} events/s for {turns * TURN_SECONDS} s each way, in turns of {TURN_SECONDS} s, "
        "linger 0, acks all, the reader is part of both.",
        does_not_show="latency under more load, or of the first events after a start.",
    )


async def _in_turns(
    contexts: Settings, echo: Settings, turns: Iterator[Sequence[Publication]]
) -> tuple[list[float], list[float]]:
    async with (
        clients.producer(contexts, acks="all", max_request_size=record_bytes_max(contexts)) as producer,
        clients.consumer(contexts, auto_offset_reset="earliest") as context_reader,
        clients.consumer(echo, auto_offset_reset="earliest") as echo_reader,
    ):
        ways = (
            Way(contexts, contexts.topic(Topic.CONTEXTS), _id_in_key, producer, context_reader),
            Way(echo, echo.topic("copy"), _id_in_header, producer, echo_reader),
        )
        for way in ways:
            way.consumer.assign(partitions_of(way.settings, way.output))
        for number, publications in enumerate(turns):
            for way in ways:
                await way.take_turn(publications, counts=number > 0)
        return ways[0].latencies_ms, ways[1].latencies_ms


def _chunks(events: Sequence[Publication], size: int) -> Iterator[Sequence[Publication]]:
    return (events[first : first + size] for first in range(0, len(events), size))


def _id_in_key(record: ConsumerRecord) -> str | None:
    return parse_key(record.key).message_id


def _id_in_header(record: ConsumerRecord) -> str | None:
    return next((value.decode() for name, value in record.headers if name == "ce_id"), None)


def _p(percent: int, values: Sequence[float]) -> float:
    return quantiles(values, n=100)[percent - 1]
