"""CPU time of each stage of an event's way, measured alone over the same events in this process.

The stages are run with the worker's own functions, batch by batch as a worker would; what its process used beyond their
sum is Faust, the event loop, metrics and commits.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from ops.bench.events import Publication
from ops.bench.stand import partitions_of
from tailrace.agents.partition import PartitionView, Rules, process
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.message import Message
from tailrace.schemas.records import InputRecord, OutputRecord, Topic, encode
from tailrace.streams import kafka
from tailrace.streams.outbox import Outbox
from tailrace.streams.reading import FROM_BEGINNING, read_to_end
from tailrace.streams.settings import Settings
from tailrace.streams.rules import make_rules
from tailrace.streams.worker import faust_options

#: CPU microseconds per event, by stage, in the order of an event's way.
Stages = dict[str, float]


class _Clock:
    """Adds up the CPU time of this process by stage."""

    def __init__(self, events: int) -> None:
        self._events = events
        self._begin_seconds = 0.0
        self.stages: Stages = {}

    def begin(self) -> None:
        self._begin_seconds = time.process_time()

    def end(self, stage: str, *, without: Sequence[str] = ()) -> None:
        """Note what was used since `begin`, less the stages that it contains."""
        spent_us = (time.process_time() - self._begin_seconds) / self._events * 1e6
        self.stages[stage] = spent_us - sum(self.stages[other] for other in without)


async def measure_stages(settings: Settings, backlog: Sequence[Publication]) -> Stages:
    """Return the CPU time of each stage. The backlog is what the conversations topic holds."""
    clock = _Clock(len(backlog))
    await _fetch(settings, clock)
    # One partition holds all threads here: the cost of a step doesn't depend on it.
    records = [publication.as_input(offset) for offset, publication in enumerate(backlog)]
    written = _decide(records, make_rules(settings), clock)
    await _send(settings, written, clock)
    return clock.stages


async def _fetch(settings: Settings, clock: _Clock) -> None:
    async with kafka.consumer(settings, **FROM_BEGINNING) as consumer:
        clock.begin()
        async for _ in read_to_end(consumer, partitions_of(settings, settings.topic(Topic.CONVERSATIONS))):
            pass
        clock.end("fetch")


def _decide(records: Sequence[InputRecord], rules: Rules, clock: _Clock) -> list[list[OutputRecord]]:
    """Run the pure stages; returns the records that each event causes."""
    clock.begin()
    events = [decode_event(record, value_bytes_max=rules.value_bytes_max) for record in records]
    clock.end("decode")

    rules.count_tokens(Message(role="user"), None)  # loads the vocabulary
    counted: dict[str, int] = {}
    clock.begin()
    for event in events:
        counted[event.id] = rules.count_tokens(event.message, event.model)
    clock.end("count tokens")

    view = PartitionView()
    tokens = iter(counted.values())
    known = replace(rules, count_tokens=lambda _message, _model: next(tokens))
    clock.begin()
    outcomes = [process(view, record, known) for record in records]
    clock.end("step and apply", without=["decode"])

    clock.begin()
    written = [[encode(emission, 1) for emission in outcome.emissions] for outcome in outcomes]
    clock.end("encode")
    return written


async def _send(settings: Settings, written: Sequence[Sequence[OutputRecord]], clock: _Clock) -> None:
    options = faust_options(settings)
    batch_events = settings.worker.batch_events_max
    async with kafka.producer(
        settings,
        acks="all",
        enable_idempotence=True,
        linger_ms=int(options["producer_linger"] * 1000),
        max_batch_size=options["producer_max_batch_size"],
        max_request_size=options["producer_max_request_size"],
        compression_type=options["producer_compression_type"],
    ) as producer:
        outbox = Outbox(lambda: producer, settings.topic, delivery_seconds=settings.worker.delivery_seconds)
        clock.begin()
        for first in range(0, len(written), batch_events):
            batch = [
                (number % settings.topics.partitions, record)
                for number, records in enumerate(written[first : first + batch_events])
                for record in records
            ]
            await (await outbox.send(batch))
        clock.end("send")
