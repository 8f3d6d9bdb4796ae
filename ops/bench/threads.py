"""What the file of an API process costs with a million threads: to fill, to keep, to begin again, and to ask.

Records are those that a worker writes for a short thread, under as many keys, handed to the file as they come from the
broker. The memory is what the process has grown by.
"""

import itertools
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord

from ops.bench.api import consumed
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.api.context import ThreadsQuery
from tailrace.schemas.records.context import SEPARATOR
from tailrace.schemas.records.kafka_records import InputRecord, Topic, encode
from tailrace.streams.api.reading_file import Origin, ReadingFile
from tailrace.streams.api.reading_intake import ReadBatch
from tailrace.streams.api.thread_views import ThreadViews
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.settings.settings import load_settings

NAME: Final = "threads"
THREADS: Final = 1_000_000
MESSAGES: Final = 2
PARTITIONS: Final = 8
ASKED: Final = 300
_BATCH_THREADS: Final = 2_000
_WORDS: Final = "The gauge at the second bridge shows forty centimetres more than yesterday. "
_TEMPLATE: Final = b"template"
_NOW_MS: Final = 1_760_000_000_000


async def run(stand: Stand) -> Result:
    """Fill the file, begin again, ask."""
    threads = stand.scaled(THREADS, least=20_000)
    settings = load_settings(data_dir=stand.folder / "threads")
    contexts = settings.topic(Topic.CONTEXTS)
    origin = Origin(cluster="none", topics=(contexts,))
    file = ReadingFile(settings.data_dir / "api", contexts)
    await file.open()
    await file.begin(origin, _NOW_MS)
    batches = _batches(contexts, threads)
    first = [next(batches) for _ in range(3)]
    for batch in first:
        await file.take(batch, _NOW_MS)
    rss_before, begin, records = _rss_bytes(), time.perf_counter(), 0
    for batch in batches:
        await file.take(batch, _NOW_MS)
        records += sum(len(list(part.records)) for part in batch)
    fill_seconds, grown_bytes = time.perf_counter() - begin, _rss_bytes() - rss_before
    await file.close()
    size_bytes = sum(part.stat().st_size for part in Path(file.path).parent.iterdir())

    begin = time.perf_counter()
    file = ReadingFile(settings.data_dir / "api", contexts)
    await file.open()
    await file.begin(origin, _NOW_MS)
    again_seconds = time.perf_counter() - begin
    views = ThreadViews(file)

    async def state(number: int) -> None:
        assert await views.state(_name(number * 7919 % threads)) is not None

    async def page(_number: int) -> None:
        query = ThreadsQuery(limit=50, after=pages[-1] or "")
        pages.append((await views.page(query, None)).next)

    async def search(number: int) -> None:
        wanted = _name(number * 7919 % threads)
        assert (await views.page(ThreadsQuery(search=wanted, limit=50), None)).threads == (wanted,)

    pages: list[str | None] = [None]
    states, listed, searched = await _times(state), await _times(page), await _times(search, asked=10)
    await file.close()
    return Result(
        name=NAME,
        parameters=f"{threads:,} threads of {MESSAGES} messages, {records:,} records; {ASKED} threads read, {ASKED} "
        "pages of 50, 10 searches.",
        does_not_show="longer threads, a disk that is slow, or a memory too small for the pages that are in use.",
        rows=(
            Row(what="records taken in", value=records / fill_seconds, unit="records/s"),
            Row(what="bytes of the file for a thread", value=size_bytes / threads, unit="bytes"),
            Row(what="memory that the process has grown by, for a thread", value=grown_bytes / threads, unit="bytes"),
            Row(what="beginning again", value=again_seconds, unit="s", target=at_most(5)),
            Row(what="a thread that was not asked for yet, median", value=median(states), unit="ms"),
            Row(what="  the same, p99", value=quantiles(states, n=100)[98], unit="ms"),
            Row(what="a page of 50 threads, median", value=median(listed), unit="ms"),
            Row(what="a search by a part of the name, median", value=median(searched), unit="ms"),
        ),
    )


async def _times(ask: Callable[[int], Awaitable[None]], asked: int = ASKED) -> list[float]:
    """How long each of these took, in ms."""
    times = []
    for number in range(asked):
        begin = time.perf_counter()
        await ask(number)
        times.append((time.perf_counter() - begin) * 1000)
    return times


def _name(number: int) -> str:
    return f"thread-{number:07d}"


def _batches(contexts: str, threads: int) -> Iterator[list[ReadBatch]]:
    """The records of all threads, some thousands at a time, from all partitions."""
    written = list(_written())
    offsets: itertools.count[int] = itertools.count()
    for first in range(0, threads, _BATCH_THREADS):
        parts: list[ReadBatch] = []
        for partition in range(PARTITIONS):
            place = TopicPartition(contexts, partition)
            numbers = range(first + partition, min(first + _BATCH_THREADS, threads), PARTITIONS)
            records: list[ConsumerRecord] = [
                consumed(place, next(offsets), *_of_thread(number, key, value), headers)
                for number in numbers
                for key, value, headers in written
            ]
            if records:
                parts.append(ReadBatch(place, records, records[-1].offset + 1))
        yield parts


def _of_thread(number: int, key: bytes, value: bytes | None) -> tuple[bytes, bytes | None]:
    name = _name(number).encode()
    return key.replace(_TEMPLATE, name, 1), value.replace(_TEMPLATE, name) if value is not None else None


def _written() -> Iterator[tuple[bytes, bytes | None, Any]]:
    """Key, value and headers of what a worker writes for one short thread; of each key what it writes last."""
    engine, view = make_engine(load_settings(policy={"window_tokens": 100_000})), PartitionView()
    last: dict[bytes, tuple[bytes, bytes | None, Any]] = {}
    for offset in range(MESSAGES):
        said = InputRecord(
            topic="conversations",
            partition=0,
            offset=offset,
            timestamp_ms=_NOW_MS + offset,
            key=_TEMPLATE,
            value=json.dumps({"role": "user", "content": f"{offset} {_WORDS}"}).encode(),
        )
        for emission in process(view, said, engine).written:
            record = encode(emission, 1)
            if record.topic is Topic.CONTEXTS and record.key is not None:
                last[record.key] = (record.key, record.value, record.headers)
    assert {key.split(SEPARATOR.encode())[0] for key in last} == {_TEMPLATE}
    yield from last.values()


def _rss_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
