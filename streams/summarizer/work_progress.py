"""How far each partition of `work` is finished: up to the first request that is not, whatever came later."""

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord


class WorkProgress:
    """Requests that were taken, in the order of their offsets, and which of them are finished."""

    def __init__(self) -> None:
        """Nothing was taken yet."""
        self._taken: dict[TopicPartition, dict[int, bool]] = {}

    def take(self, record: ConsumerRecord) -> None:
        """Note that a request is under way."""
        taken = self._taken.setdefault(_place(record), {})
        if taken and record.offset <= next(reversed(taken)):
            # The partition was somebody else's in between, and is read again from what is committed.
            taken.clear()
        taken[record.offset] = False

    def finish(self, record: ConsumerRecord) -> None:
        """Note that all that a request caused is delivered."""
        taken = self._taken.get(_place(record), {})
        if record.offset in taken:
            taken[record.offset] = True

    def committable(self) -> dict[TopicPartition, int]:
        """Offsets to commit for what was finished since this was asked last."""
        offsets: dict[TopicPartition, int] = {}
        for place, taken in self._taken.items():
            while taken and taken[offset := next(iter(taken))]:
                del taken[offset]
                offsets[place] = offset + 1
        return offsets


def _place(record: ConsumerRecord) -> TopicPartition:
    return TopicPartition(record.topic, record.partition)
