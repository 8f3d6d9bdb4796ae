"""The intake: order, batches, limits."""

import asyncio

import pytest

from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.streams.worker.commit import Batch, Fetched
from tailrace.streams.worker.intake import BATCH_BYTES_MAX, Intake


def fetched(offset: int, size_bytes: int = 1) -> Fetched:
    record = InputRecord(
        topic="conversations", partition=0, offset=offset, timestamp_ms=0, key=b"t", value=b"x" * size_bytes
    )
    return Fetched(record, follows_offset=offset)


def batch(generation: int, *offsets: int) -> Batch:
    return Batch(generation, [fetched(offset) for offset in offsets])


def offsets(taken: Batch) -> list[int]:
    return [one.record.offset for one in taken.fetched]


async def blocks(waiting: "asyncio.Task[object]") -> bool:
    """Tell whether a task still waits after everything that can happen has happened."""
    for _ in range(20):
        await asyncio.sleep(0)
    return not waiting.done()


async def test_what_there_is_comes_at_once_in_order() -> None:
    intake = Intake(100)
    await intake.put(batch(1, 0, 1))
    await intake.put(batch(1, 2))
    assert offsets(await intake.take(10)) == [0, 1, 2]
    assert len(intake) == 0


async def test_a_batch_has_no_more_than_was_asked_for_and_the_rest_stays() -> None:
    intake = Intake(100)
    await intake.put(batch(1, 0, 1, 2, 3, 4))
    assert offsets(await intake.take(2)) == [0, 1]
    assert len(intake) == 3
    assert offsets(await intake.take(2)) == [2, 3]
    assert offsets(await intake.take(2)) == [4]


async def test_a_batch_is_of_one_generation() -> None:
    intake = Intake(100)
    await intake.put(batch(1, 0, 1))
    await intake.put(batch(2, 0))
    first, second = await intake.take(10), await intake.take(10)
    assert (first.generation, offsets(first)) == (1, [0, 1])
    assert (second.generation, offsets(second)) == (2, [0])


async def test_taking_waits_for_the_first_record() -> None:
    intake = Intake(100)
    taking = asyncio.create_task(intake.take(10))
    assert await blocks(taking)
    await intake.put(batch(1, 0))
    assert offsets(await taking) == [0]


async def test_a_full_intake_holds_the_fetcher_back_until_something_is_taken() -> None:
    intake = Intake(2)
    await intake.put(batch(1, 0, 1, 2))
    putting = asyncio.create_task(intake.put(batch(1, 3)))
    assert await blocks(putting)
    await intake.take(2)
    await putting
    assert len(intake) == 2


async def test_clearing_forgets_everything_and_lets_the_fetcher_go_on() -> None:
    intake = Intake(1)
    await intake.put(batch(1, 0))
    putting = asyncio.create_task(intake.put(batch(1, 1)))
    assert await blocks(putting)
    await intake.clear()
    await putting
    assert offsets(await intake.take(10)) == [1]


async def test_large_records_make_small_batches() -> None:
    intake = Intake(100)
    half = BATCH_BYTES_MAX // 2 + 1
    await intake.put(Batch(1, [fetched(offset, half) for offset in range(5)]))
    assert offsets(await intake.take(10)) == [0, 1]
    assert offsets(await intake.take(10)) == [2, 3]


@pytest.mark.parametrize("size_bytes", [BATCH_BYTES_MAX, BATCH_BYTES_MAX * 3])
async def test_a_record_that_is_larger_than_any_batch_comes_alone(size_bytes: int) -> None:
    intake = Intake(100)
    await intake.put(Batch(1, [fetched(0, size_bytes), fetched(1)]))
    await intake.put(batch(1, 2))
    assert offsets(await intake.take(10)) == [0]
    assert offsets(await intake.take(10)) == [1, 2]
