"""The intake: fetched records wait here between the fetcher and the committer, in order and bounded."""

import asyncio
from collections import deque
from collections.abc import Sequence

from tailrace.streams.worker.commit import Batch, Fetched

#: Bytes in a batch, so that a batch of the largest records doesn't keep the worker's loop busy for a minute.
BATCH_BYTES_MAX = 4_000_000


class Intake:
    """A bounded queue that hands out as much as there is, up to a batch, without waiting for more.

    Natural batching: while one batch is under way the next one gathers. A quiet stream therefore has no delay, and a
    busy one has large batches.
    """

    def __init__(self, records_max: int) -> None:
        """Hold about `records_max` records; a fetch that crosses the limit is still taken whole."""
        self._records_max = records_max
        self._chunks: deque[Batch] = deque()
        self._records = 0
        self._changed = asyncio.Condition()

    def __len__(self) -> int:
        """Return the number of waiting records."""
        return self._records

    async def put(self, batch: Batch) -> None:
        """Add what was fetched; waits while there is too much already."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._records < self._records_max)
            self._chunks.append(batch)
            self._records += len(batch.fetched)
            self._changed.notify_all()

    async def take(self, events_max: int) -> Batch:
        """Wait for records and return up to `events_max` of one generation, at least one and no more bytes than fit."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._records > 0)
            generation = self._chunks[0].generation
            taken: list[Fetched] = []
            room_bytes = BATCH_BYTES_MAX
            while self._chunks and self._chunks[0].generation == generation:
                chunk = self._chunks[0].fetched
                count, room_bytes = _fitting(chunk, events_max - len(taken), room_bytes)
                taken.extend(chunk[:count])
                if count < len(chunk):
                    self._chunks[0] = Batch(generation, chunk[count:])
                    break
                self._chunks.popleft()
            self._records -= len(taken)
            self._changed.notify_all()
            return Batch(generation, taken)

    async def clear(self) -> None:
        """Forget everything: the partitions are changing hands and will be read again."""
        async with self._changed:
            self._chunks.clear()
            self._records = 0
            self._changed.notify_all()


def _fitting(chunk: Sequence[Fetched], events_max: int, bytes_max: int) -> tuple[int, int]:
    """How many records from the front of a chunk fit, and the bytes that are left. The first of a batch always fits."""
    for count, fetched in enumerate(chunk):
        if count >= events_max or bytes_max <= 0:
            return count, bytes_max
        bytes_max -= len(fetched.record.value or b"")
    return len(chunk), bytes_max
