"""The API's file.

The same threads as anyone who reads the topic has, whatever part of it was read when, and by whom.
"""

import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from support.live_thread import LiveThread

from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.api.context import ThreadsQuery
from tailrace.schemas.records.context import entry_key
from tailrace.schemas.records.kafka_records import ContextChange, OutputRecord, Topic, encode
from tailrace.streams.api.reading_file import Origin, ReadingFile
from tailrace.streams.api.reading_intake import ReadBatch
from tailrace.streams.api.thread_views import ThreadViews

PLACE = TopicPartition("contexts", 0)
ORIGIN = Origin(cluster="c1", topics=("contexts",))
NOW_MS = time.time_ns() // 1_000_000


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[ReadingFile]:
    file = await opened(tmp_path)
    yield file
    await file.close()


async def opened(folder: Path, origin: Origin = ORIGIN, now_ms: int = NOW_MS) -> ReadingFile:
    file = ReadingFile(folder, "contexts")
    await file.open()
    await file.begin(origin, now_ms)
    return file


def conversation(seed: int) -> tuple[LiveThread, list[ConsumerRecord]]:
    """A thread that is compacted several times, and what its worker writes to the contexts topic."""
    random = Random(seed)
    thread = LiveThread()
    written: list[OutputRecord] = []
    for number in range(60):
        outcome = thread.say(random.randint(1, 80), random.choice(["user", "assistant"]))
        if number % 9 == 5:
            outcome_of_call = thread.call(f"c{number}")
            written += contexts_of(outcome)
            outcome = outcome_of_call
        written += contexts_of(outcome)
    assert thread.view.epoch > 0
    return thread, [consumed(record, offset) for offset, record in enumerate(written)]


def contexts_of(outcome: RecordOutcome) -> list[OutputRecord]:
    return [encode(one, 7) for one in outcome.written if isinstance(one, ContextChange)]


def consumed(record: OutputRecord, offset: int, **fields: Any) -> ConsumerRecord:
    assert record.topic is Topic.CONTEXTS
    values = {
        "topic": PLACE.topic,
        "partition": PLACE.partition,
        "offset": offset,
        "timestamp": 0,
        "timestamp_type": 0,
        "key": record.key,
        "value": record.value,
        "checksum": None,
        "serialized_key_size": 0,
        "serialized_value_size": 0,
        "headers": record.headers,
    }
    return ConsumerRecord(**{**values, **fields})


async def take(file: ReadingFile, records: Sequence[ConsumerRecord]) -> None:
    await file.take([ReadBatch(PLACE, records, records[-1].offset + 1)], NOW_MS)


async def view_in(file: ReadingFile, thread: str = "thread") -> ThreadView:
    state = await ThreadViews(file).state(thread)
    assert state is not None
    return state.view


@pytest.mark.parametrize("seed", range(5))
async def test_a_thread_is_what_its_worker_has_at_every_moment(file: ReadingFile, seed: int) -> None:
    thread, records = conversation(seed)
    for begin in range(0, len(records), 7):
        await take(file, records[begin : begin + 7])

    found = await view_in(file)
    assert [entry.id for entry in found.live()] == [entry.id for entry in thread.view.live()]
    assert found.messages() == thread.view.messages()
    assert (found.tokens, found.totals, found.covers) == (
        thread.view.tokens,
        thread.view.totals,
        thread.view.covers,
    )


async def test_the_mark_is_the_same_for_a_compacted_log_and_for_one_that_repeats(tmp_path: Path) -> None:
    _, records = conversation(1)
    newest = {record.key: record for record in records}
    compacted = [record for record in records if newest[record.key] is record]
    repeated = [*records[:30], *records[20:]]
    marks = []
    for number, log in enumerate((records, compacted, repeated)):
        file = await opened(tmp_path / str(number))
        await take(file, log)
        marks.append(ThreadViews(file).mark("thread"))
        await file.close()

    assert marks[0] is not None
    assert marks[0].mark == marks[1].mark == marks[2].mark  # type: ignore[union-attr]


async def test_every_change_of_a_context_changes_its_mark(file: ReadingFile) -> None:
    _, records = conversation(2)
    views, seen = ThreadViews(file), set()
    for record in records:
        await take(file, [record])
        mark = views.mark("thread")
        if mark is not None:
            state = await views.state("thread")
            shown = () if state is None else (tuple(one.id for one in state.view.live()), state.view.covers)
            seen.add((mark.mark, shown))

    by_mark = dict(seen)
    assert len(by_mark) == len(seen)


async def test_a_restart_goes_on_behind_what_was_read(tmp_path: Path) -> None:
    thread, records = conversation(3)
    file = await opened(tmp_path)
    await take(file, records[:20])
    await file.close()

    again = ReadingFile(tmp_path, "contexts")
    await again.open()
    places = await again.begin(ORIGIN, NOW_MS)
    assert places == {PLACE: 20}
    await take(again, records[20:])
    assert (await view_in(again)).messages() == thread.view.messages()
    await again.close()


@pytest.mark.parametrize(
    ("origin", "later_ms"),
    [(Origin(cluster="c2", topics=("contexts",)), 0), (ORIGIN, 13 * 3_600_000)],
    ids=["another cluster", "away for too long"],
)
async def test_a_file_that_can_not_be_gone_on_with_is_emptied(tmp_path: Path, origin: Origin, later_ms: int) -> None:
    _, records = conversation(4)
    file = await opened(tmp_path)
    await take(file, records)
    await file.close()

    again = ReadingFile(tmp_path, "contexts")
    await again.open()
    assert await again.begin(origin, NOW_MS + later_ms) == {}
    assert ThreadViews(again).mark("thread") is None
    await again.close()


async def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    file = await opened(tmp_path)
    await file.close()
    file.path.write_bytes(b"no database at all" * 1_000)

    again = await opened(tmp_path)
    _, records = conversation(0)
    await take(again, records)
    assert (await view_in(again)).head is not None
    assert again.path.stat().st_mode & 0o777 == 0o600
    await again.close()


async def test_a_late_write_of_a_former_owner_counts_for_nothing(file: ReadingFile) -> None:
    _, records = conversation(0)
    await take(file, records)
    before = ThreadViews(file).mark("thread")
    late = (("ce_term", b"6"),)
    for headers in (late, ()):
        for key in (b"thread", entry_key("thread", "m-late")):
            forged = consumed(OutputRecord(Topic.CONTEXTS, key, b"{}", headers), len(records), headers=headers)
            await take(file, [forged])

    assert ThreadViews(file).mark("thread") == before


async def test_two_processes_have_a_file_each(tmp_path: Path) -> None:
    one, other = await opened(tmp_path), await opened(tmp_path)
    assert one.path != other.path
    await one.close()
    third = await opened(tmp_path)
    assert third.path == one.path
    await other.close()
    await third.close()


def renamed(value: bytes | None, number: int) -> bytes | None:
    """A record of another thread."""
    return value and value.replace(b'"thread":"thread"', b'"thread":"t%d"' % number)


async def test_views_that_are_kept_stay_within_their_room(file: ReadingFile) -> None:
    _, records = conversation(0)
    for number in range(30):
        keys = [record.key.replace(b"thread", b"t%d" % number, 1) for record in records]
        copies = [
            consumed(OutputRecord(Topic.CONTEXTS, key, renamed(record.value, number), record.headers), record.offset)
            for key, record in zip(keys, records, strict=True)
        ]
        await take(file, copies)
    views = ThreadViews(file, entries_max=100)
    page = await views.page(ThreadsQuery(limit=30), None)
    for thread in page.threads:
        await views.state(thread)

    assert len(page.threads) == 30
    assert views.kept_entries <= 100
