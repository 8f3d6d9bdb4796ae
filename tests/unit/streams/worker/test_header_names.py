"""Header names that are no UTF-8: the record is read, and so is what stands around it."""

from collections.abc import Iterator

import pytest
from aiokafka import TopicPartition
from aiokafka.consumer import fetcher
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy

from ops.record_batches import batch_builder
from tailrace.streams.worker import header_names

Header = tuple[str, bytes | None]


class BadName(str):
    """A name that a producer in C may write: aiokafka asks it for its bytes."""

    __slots__ = ()

    def encode(self, *_args: object) -> bytes:
        return b"\xffname"


@pytest.fixture(autouse=True)
def _tolerant() -> Iterator[None]:
    before = fetcher.MemoryRecords, fetcher.PartitionRecords
    header_names.tolerate()
    yield
    fetcher.MemoryRecords, fetcher.PartitionRecords = before


def batch(*values: tuple[bytes, list[Header]], base_offset: int = 0, compression: int = 0) -> bytes:
    builder = batch_builder(compression, kind=_DefaultRecordBatchBuilderPy)
    for offset, (value, headers) in enumerate(values):
        builder.append(offset, timestamp=7, key=b"key", value=value, headers=headers)
    built = builder.build()
    # As a broker does it: the offset of the first record is not part of the checksum.
    return base_offset.to_bytes(8, "big") + bytes(built[8:])


def read(data: bytes, *, fetch_offset: int = 0) -> list[tuple[int, bytes, tuple[Header, ...]]]:
    place = TopicPartition("conversations", 0)
    records = fetcher.PartitionRecords(
        place, fetcher.MemoryRecords(data), None, fetch_offset, None, None, True, fetcher.READ_UNCOMMITTED
    )
    return [(record.offset, record.value, tuple(record.headers)) for record in records]


GOOD: list[Header] = [("ce_id", b"1"), ("null", None)]


@pytest.mark.parametrize("compression", [0, 1, 3, 4], ids=["none", "gzip", "lz4", "zstd"])
def test_a_record_with_a_bad_name_is_read_between_others_each_once(compression: int) -> None:
    data = batch((b"a", GOOD), (b"b", [(BadName("x"), b"\xfe"), *GOOD]), (b"c", []), compression=compression)
    assert read(data) == [
        (0, b"a", tuple(GOOD)),
        (1, b"b", (("\\xffname", b"\xfe"), *GOOD)),
        (2, b"c", ()),
    ]


def test_batches_before_and_behind_are_read_too() -> None:
    data = (
        batch((b"a", GOOD))
        + batch((b"b", [(BadName("x"), None)]), base_offset=1)
        + batch((b"c", [(BadName("x"), None)]), (b"d", GOOD), base_offset=2)
    )
    assert [(offset, value) for offset, value, _ in read(data)] == [(0, b"a"), (1, b"b"), (2, b"c"), (3, b"d")]


def test_reading_from_the_middle_of_a_batch_hands_out_nothing_before() -> None:
    data = batch((b"a", GOOD), (b"b", [(BadName("x"), None)]), (b"c", GOOD), base_offset=10)
    assert [offset for offset, _, _ in read(data, fetch_offset=12)] == [12]


def test_ordinary_records_are_read_by_the_fast_parser() -> None:
    assert isinstance(fetcher.MemoryRecords(batch((b"a", GOOD))), fetcher.MemoryRecords)
    assert read(batch((b"a", GOOD), (b"b", [("日本", b"x")]))) == [
        (0, b"a", tuple(GOOD)),
        (1, b"b", (("日本", b"x"),)),
    ]
