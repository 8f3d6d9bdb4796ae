"""CPU time of each stage of an event's way, measured alone over the same events in this process.

The stages are run with the worker's own functions, batch by batch as a worker would; what its process used beyond their
sum is Faust, the event loop, metrics and commits.
"""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from ops.bench.events import Publication
from ops.bench.stand import partitions_of
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.records.kafka_records import Topic, encode
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.gzip_level import lower_gzip_level
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.settings.settings import Settings
from tailrace.streams.worker.outbox import Outbox
from tailrace.streams.worker.worker import faust_options

#: CPU microseconds per event, by stage, in the order of an event's way.
Stages = dict[str, float]


class _Clock:
    """Adds up the CPU time of this process by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begin = time.process_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - begin


async def measure_stages(settings: Settings, backlog: Sequence[Publication]) -> Stages:
    """Return the CPU time of each stage. The backlog is what the conversations topic holds."""
    clock = _Clock()
    lower_gzip_level()
    await _fetch(settings, clock)
    async with _outbox(settings) as outbox:
        await _process(settings, backlog, outbox, clock)
    # A step is measured together with the decoding in front of it.
    clock.seconds["step and apply"] -= clock.seconds["decode"]
    return {stage: seconds / len(backlog) * 1e6 for stage, seconds in clock.seconds.items()}


async def _fetch(settings: Settings, clock: _Clock) -> None:
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        with clock.stage("fetch"):
            async for _ in read_to_end(consumer, partitions_of(settings, settings.topic(Topic.CONVERSATIONS))):
                pass


async def _process(settings: Settings, backlog: Sequence[Publication], outbox: Outbox, clock: _Clock) -> None:
    rules = make_rules(settings)
    _warm_up(rules, backlog)
    # One partition holds all threads here, and its output is spread: neither changes the cost.
    view = PartitionView()
    batch_events = settings.worker.batch_events_max
    for first in range(0, len(backlog), batch_events):
        batch = [one.as_input(first + at) for at, one in enumerate(backlog[first : first + batch_events])]
        with clock.stage("decode"):
            events = [decode_event(record, value_bytes_max=rules.value_bytes_max) for record in batch]
        with clock.stage("count tokens"):
            tokens = [rules.count_tokens(event.message, event.model) for event in events]
        del events
        known = [_already_counted(rules, count) for count in tokens]
        with clock.stage("step and apply"):
            outcomes = [process(view, record, counted) for record, counted in zip(batch, known, strict=True)]
        with clock.stage("encode"):
            written = [
                (at % settings.topics.partitions, encode(emission, 1))
                for at, outcome in enumerate(outcomes)
                for emission in outcome.written
            ]
        del outcomes
        with clock.stage("send"):
            await (await outbox.send(written))


def _warm_up(rules: Engine, backlog: Sequence[Publication]) -> None:
    """Load vocabularies and catalogues, which a worker needs once and not for each event."""
    hello = Message(role="user", parts=(TextPart(content="hello"),))
    for model in {decode_event(one.as_input(0), value_bytes_max=rules.value_bytes_max).model for one in backlog}:
        rules.count_tokens(hello, model)
        if model is not None:
            rules.window_tokens(model)


def _already_counted(rules: Engine, tokens: int) -> Engine:
    """An engine that knows what the arriving message costs; what is made of it has to be counted."""
    arriving = iter((tokens,))

    def count(message: Message, model: str | None) -> int:
        known = next(arriving, None)
        return rules.count_tokens(message, model) if known is None else known

    return replace(rules, count_tokens=count)


@asynccontextmanager
async def _outbox(settings: Settings) -> AsyncIterator[Outbox]:
    options = faust_options(settings)
    async with clients.producer(
        settings,
        acks="all",
        enable_idempotence=True,
        linger_ms=int(options["producer_linger"] * 1000),
        max_batch_size=options["producer_max_batch_size"],
        max_request_size=options["producer_max_request_size"],
        compression_type=options["producer_compression_type"],
    ) as producer:
        yield Outbox(lambda: producer, settings.topic, delivery_seconds=settings.worker.delivery_seconds)
