"""Batches compressed at our level are smaller, and any reader of gzip gets the same records."""

import gzip
import sys

import pytest
from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

from ops.record_batches import batch_builder
from tailrace.streams.kafka.gzip_level import gzip_batch, lower_gzip_level

GZIP = 1
VALUES = [f'{{"id":"message-{number}","text":"the gate at weir nine opens slowly"}}'.encode() for number in range(200)]


@pytest.fixture(autouse=True)
def _level_of_aiokafka(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[DefaultRecordBatchBuilder.__module__]
    # Set to what it is, so that it is set back after the test.
    monkeypatch.setattr(module, "gzip_encode", module.gzip_encode)


def batch(codec: int) -> bytes:
    builder = batch_builder(codec)
    for offset, value in enumerate(VALUES):
        builder.append(offset, timestamp=1, key=b"thread", value=value, headers=[])
    return bytes(builder.build())


def test_aiokafka_s_builder_compresses_at_our_level_and_its_reader_reads_it() -> None:
    smallest = batch(GZIP)

    lower_gzip_level()
    ours = batch(GZIP)

    assert len(smallest) < len(ours) < len(batch(0)) // 2
    read = DefaultRecordBatch(ours)
    assert read.compression_type == GZIP
    assert [record.value for record in read] == VALUES


@pytest.mark.parametrize("payload", [b"", b"x" * 100_000, bytearray(b"weir"), memoryview(b"gate")])
def test_what_is_compressed_is_gzip(payload: bytes | bytearray | memoryview) -> None:
    assert gzip.decompress(gzip_batch(payload)) == bytes(payload)
