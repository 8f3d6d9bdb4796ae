"""CPU time of each stage of an event's way, measured alone over the same events in this process.

The stages are run with the worker's own functions, batch by batch as a worker would; what its process used beyond their
sum is Faust, the event loop, metrics and commits.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ops.bench.events import Publication
from ops.bench.stand import Stand, create_topics, partitions_of, publish
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

_EVENTS_MAX = 8_000


@dataclass(slots=True)
class Stages:
    """CPU microseconds per event, by stage, in the order of an event's way."""

    events: int
    cpu_us_per_event: dict[str, float] = field(default_factory=dict)

    def add(self, stage: str, begin_seconds: float, *, without: Sequence[str] = ()) -> None:
        """Note a stage that began when this process had used `begin_seconds`, less other stages that it contains."""
        spent_us = (time.process_time() - begin_seconds) / self.events * 1e6
        self.cpu_us_per_event[stage] = spent_us - sum(self.cpu_us_per_event[other] for other in without)


async def measure_stages(stand: Stand, backlog: Sequence[Publication]) -> Stages:
    """Return the CPU time of each stage."""
    settings = stand.settings("stages")
    await create_topics(settings)
    chosen = backlog[:_EVENTS_MAX]
    stages = Stages(len(chosen))
    await publish(settings, chosen)
    await _fetch(settings, stages)
    # One partition holds all threads here: the cost of a step doesn't depend on it.
    records = [publication.as_input(offset) for offset, publication in enumerate(chosen)]
    written = _decide(records, make_rules(settings), stages)
    await _send(settings, written, stages)
    return stages


async def _fetch(settings: Settings, stages: Stages) -> None:
    async with kafka.consumer(settings, **FROM_BEGINNING) as consumer:
        begin = time.process_time()
        async for _ in read_to_end(consumer, partitions_of(settings, settings.topic(Topic.CONVERSATIONS))):
            pass
        stages.add("fetch", begin)


def _decide(records: Sequence[InputRecord], rules: Rules, stages: Stages) -> list[list[OutputRecord]]:
    """Run the pure stages; returns the records that each event causes."""
    begin = time.process_time()
    events = [decode_event(record, value_bytes_max=rules.value_bytes_max) for record in records]
    stages.add("decode", begin)

    rules.count_tokens(Message(role="user"), None)  # loads the vocabulary
    counted: dict[str, int] = {}
    begin = time.process_time()
    for event in events:
        counted[event.id] = rules.count_tokens(event.message, event.model)
    stages.add("count tokens", begin)

    view = PartitionView()
    tokens = iter(counted.values())
    known = replace(rules, count_tokens=lambda _message, _model: next(tokens))
    begin = time.process_time()
    outcomes = [process(view, record, known) for record in records]
    stages.add("step and apply", begin, without=["decode"])

    begin = time.process_time()
    written = [[encode(emission, 1) for emission in outcome.emissions] for outcome in outcomes]
    stages.add("encode", begin)
    return written


async def _send(settings: Settings, written: Sequence[Sequence[OutputRecord]], stages: Stages) -> None:
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
        begin = time.process_time()
        for first in range(0, len(written), batch_events):
            batch = [
                (number % settings.topics.partitions, record)
                for number, records in enumerate(written[first : first + batch_events])
                for record in records
            ]
            await (await outbox.send(batch))
        stages.add("send", begin)
