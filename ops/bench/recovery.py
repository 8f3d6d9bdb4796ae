"""How fast a worker rebuilds its state from the contexts topic, beside only reading the same records."""

import gc
import itertools
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

import msgspec

from ops.bench.report import Result, Row
from ops.bench.stand import Stand, create_topics, partitions_of
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Entry, Head
from tailrace.schemas.records.kafka_records import OutputRecord, Topic, encode
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings
from tailrace.streams.worker.outbox import Outbox
from tailrace.streams.worker.recovery import recover
from tailrace.streams.worker.worker import faust_options

NAME = "recovery"
LIVE_ENTRIES = 100_000
ROUNDS = 3
_CHUNK_RECORDS = 2_000
_POLL_MS = 500


async def run(stand: Stand) -> Result:
    """Write that many live entries, then read and recover them in turns."""
    settings = stand.settings("recovery")
    await create_topics(settings)
    entries = stand.scaled(LIVE_ENTRIES, least=2_000)
    threads = await _write(settings, stand, entries)
    raw, recovered = [], []
    for _ in range(ROUNDS):
        raw.append(await _read(settings))
        recovered.append(await _recover(settings, entries))
    raw_rate, recovery_rate = median(raw), median(recovered)
    return Result(
        name=NAME,
        rows=(
            Row(what="recovery / raw aiokafka getmany", value=recovery_rate / raw_rate, unit="ratio"),
            Row(what="recovery", value=recovery_rate, unit="records/s"),
            Row(what="raw aiokafka, reading alone", value=raw_rate, unit="records/s"),
            Row(
                what=f"state of {entries:,} live entries is back in",
                value=(entries + threads) / recovery_rate,
                unit="s",
            ),
        ),
        parameters=f"{entries:,} live entries and {threads} heads of {stand.corpus.name}, lz4, median of {ROUNDS} "
        "rounds.",
        does_not_show="what a log holds that is not compacted yet: it is read too.",
    )


async def _write(settings: Settings, stand: Stand, entries: int) -> int:
    """Write entries and heads as a worker would, and return the number of heads."""
    written = list(_records(settings, stand, entries))
    options = faust_options(settings)
    async with clients.producer(
        settings,
        acks="all",
        max_batch_size=options["producer_max_batch_size"],
        max_request_size=options["producer_max_request_size"],
        compression_type=options["producer_compression_type"],
    ) as producer:
        outbox = Outbox(lambda: producer, settings.topic, delivery_seconds=settings.worker.delivery_seconds)
        for first in range(0, len(written), _CHUNK_RECORDS):
            await (await outbox.send(written[first : first + _CHUNK_RECORDS]))
    return len(written) - entries


def _records(settings: Settings, stand: Stand, entries: int) -> Iterator[tuple[int, OutputRecord]]:
    """Yield records with their partitions: the same conversations over and over, each time as other threads."""
    changes = _changes(settings, stand, min(entries, stand.events))
    left = entries
    for copy in itertools.count():
        for change in changes:
            if left == 0:
                return
            thread = f"{change.thread}-{copy}"
            left -= isinstance(change, Entry)
            partition = zlib.crc32(thread.encode()) % settings.topics.partitions
            yield partition, encode(msgspec.structs.replace(change, thread=thread), 1)


def _changes(settings: Settings, stand: Stand, events: int) -> Sequence[Entry | Head]:
    # Nothing is compacted, and tokens don't matter here: counting them would take longer than all the rest.
    rules = replace(make_rules(settings), policy=Policy(window_tokens=1 << 40), count_tokens=lambda _message, _model: 1)
    view = PartitionView()
    outcomes = [process(view, event.as_input(at), rules) for at, event in enumerate(stand.corpus.publications(events))]
    return [change for outcome in outcomes for change in outcome.emissions if isinstance(change, Entry | Head)]


async def _read(settings: Settings) -> float:
    """Records per second of a consumer that does nothing with them."""
    partitions = partitions_of(settings, settings.topic(Topic.CONTEXTS))
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        begin = time.perf_counter()
        consumer.assign(partitions)
        expected = sum((await consumer.end_offsets(partitions)).values())
        records = 0
        while records < expected:
            records += sum(len(chunk) for chunk in (await consumer.getmany(timeout_ms=_POLL_MS)).values())
        return records / (time.perf_counter() - begin)


async def _recover(settings: Settings, entries: int) -> float:
    """Records per second of a recovery."""
    topic = settings.topic(Topic.CONTEXTS)
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        begin = time.perf_counter()
        owned = await recover(consumer, topic, range(settings.topics.partitions), skipped=SkippedRecords())
        seconds = time.perf_counter() - begin
    views = [view for one in owned.values() for view in one.view.threads.values()]
    found = sum(len(view.entries) for view in views)
    if found != entries:
        raise AssertionError(f"recovered {found} live entries, wrote {entries}")
    del owned
    gc.collect()
    return (entries + len(views)) / seconds
