"""Progress: which offset of each partition comes next, and up to where it may be committed.

Faust's own bookkeeping commits past events that it skipped in a rebalance and past a single event that was never
acknowledged (faust#606). Ours moves only when everything an event caused has been delivered, and only within the
generation of the group in which the event was read.
"""

from collections.abc import Mapping


class Progress:
    """Next offset of every partition that this worker owns."""

    def __init__(self) -> None:
        """Own nothing yet."""
        self.generation = -1
        self._next: dict[int, int] = {}
        self._committed: dict[int, int] = {}

    def assign(self, generation: int, positions: Mapping[int, int]) -> None:
        """Begin a generation: `positions` are the offsets that reading starts from."""
        self.generation = generation
        self._next = dict(positions)
        self._committed = dict(positions)

    def next_offset(self, partition: int) -> int | None:
        """Offset that has to come next, None for a partition that is not ours."""
        return self._next.get(partition)

    def advance(self, generation: int, done: Mapping[int, int]) -> bool:
        """Move to the offsets behind a finished batch; False, and no move, if the batch is of another generation."""
        if generation != self.generation:
            return False
        for partition, offset in done.items():
            if offset > self._next.get(partition, offset):
                self._next[partition] = offset
        return True

    def uncommitted(self) -> dict[int, int]:
        """Offsets that are ahead of what the broker knows."""
        return {partition: offset for partition, offset in self._next.items() if offset > self._committed[partition]}

    def committed(self, offsets: Mapping[int, int]) -> None:
        """Remember what the broker has accepted."""
        for partition, offset in offsets.items():
            if partition in self._committed:
                self._committed[partition] = max(offset, self._committed[partition])
