"""The intake: fetched records wait here between the fetcher and the committer, in order and bounded."""

import asyncio
from collections import deque

from tailrace.streams.commit import Batch, Fetched


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
        """Wait for records and return up to `events_max` of one generation."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._records > 0)
            generation = self._chunks[0].generation
            taken: list[Fetched] = []
            while self._chunks and self._chunks[0].generation == generation and len(taken) < events_max:
                chunk = self._chunks.popleft()
                room = events_max - len(taken)
                taken.extend(chunk.fetched[:room])
                if len(chunk.fetched) > room:
                    self._chunks.appendleft(Batch(generation, chunk.fetched[room:]))
            self._records -= len(taken)
            self._changed.notify_all()
            return Batch(generation, taken)

    async def clear(self) -> None:
        """Forget everything: the partitions are changing hands and will be read again."""
        async with self._changed:
            self._chunks.clear()
            self._records = 0
            self._changed.notify_all()
