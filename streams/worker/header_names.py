r"""Header names that are no UTF-8.

Aiokafka can't read past a record that has one, so it would stop its partition for ever.

Kafka takes any bytes as a header's name, and producers in C write what they are given. aiokafka's parser fails on such
a batch at every attempt. Here the batch is then read once more, by aiokafka's slower parser in Python, with the
unreadable bytes of names written as `\xff`: the record reaches whoever decides what becomes of it. It can go when
aiokafka gives names that it can't decode to its caller.
"""

from typing import Any

from aiokafka.consumer import fetcher
from aiokafka.record.default_records import _DefaultRecordBatchPy
from aiokafka.record.memory_records import _MemoryRecordsPy

_FIRST_MAGIC_WITH_HEADERS = 2


class _Names(bytearray):
    """Bytes of a batch; aiokafka decodes nothing of them but header names."""

    def __getitem__(self, place: Any) -> Any:
        part = super().__getitem__(place)
        return _Names(part) if isinstance(part, bytearray) else part

    def decode(self, encoding: str = "utf-8", errors: str = "backslashreplace") -> str:
        return super().decode(encoding, errors)


class _PatientBatch(_DefaultRecordBatchPy):  # type: ignore[misc]  # aiokafka is untyped
    def _maybe_uncompress(self) -> None:
        super()._maybe_uncompress()
        buffer: Any = self._buffer
        self._buffer: Any = _Names(buffer)


class _PatientRecords(_MemoryRecordsPy):  # type: ignore[misc]  # aiokafka is untyped
    def next_batch(self) -> Any:
        batch, magic = self._next_slice, self._next_slice[self.MAGIC_OFFSET] if self._next_slice else 0
        parsed = super().next_batch()
        return _PatientBatch(batch) if magic >= _FIRST_MAGIC_WITH_HEADERS else parsed


class _KeptRecords(fetcher.MemoryRecords):  # type: ignore[misc]  # aiokafka is untyped
    """What was fetched, together with its bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.data = data


class _PartitionRecords(fetcher.PartitionRecords):  # type: ignore[misc]  # aiokafka is untyped
    def __next__(self) -> Any:
        try:
            return super().__next__()
        except UnicodeDecodeError:
            # Begins again with the first batch, and skips what was handed out already.
            kept: _KeptRecords = self._records
            self._records: Any = _PatientRecords(kept.data)
            self._records_iterator: Any = self._unpack_records()
            return super().__next__()


def tolerate() -> None:
    """Make all consumers of this process read past header names that are no UTF-8."""
    fetcher.MemoryRecords = _KeptRecords
    fetcher.PartitionRecords = _PartitionRecords
