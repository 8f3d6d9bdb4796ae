"""Records of a topic that nothing can be made of: skipped, counted, and each told once, with its place.

Only the worker writes dead letters, about what it was asked to do. Everybody else goes on behind a record that can't be
read: one that stopped its readers would stop them for ever.
"""

from collections.abc import Callable
from typing import Final, Protocol, TypeVar

import structlog
from aiokafka.structs import ConsumerRecord
from prometheus_client import CollectorRegistry, Counter

from tailrace.schemas.errors import PoisonEvent

log = structlog.get_logger("tailrace.records")

Value = TypeVar("Value")
#: Places that are remembered: who reads a topic again says nothing new about it.
_REMEMBERED_MAX: Final = 10_000


class Counts(Protocol):
    """Whatever wants to know how many there were."""

    def __call__(self, topic: str, /) -> None: ...


def _nobody(_topic: str) -> None:
    """Count for nobody."""


def skipped_counter(registry: CollectorRegistry) -> Counts:
    """Return what counts skipped records among the metrics of a process."""
    counter = Counter(
        "tailrace_records_skipped_total", "Records that can't be read, by topic", ["topic"], registry=registry
    )
    return lambda topic: counter.labels(topic).inc()


class SkippedRecords:
    """The records that one reader has skipped."""

    def __init__(self, count: Counts = _nobody) -> None:
        """Begin with none; `count` is called for each new one."""
        self._count = count
        self._places: dict[tuple[str, int, int], None] = {}
        #: How many there were.
        self.total = 0

    def read(self, record: ConsumerRecord, decode: Callable[[bytes | None], Value]) -> Value | None:
        """Return what a record's value says, or None for one that can't be read."""
        try:
            return decode(record.value)
        except PoisonEvent as error:
            self.note(record.topic, record.partition, record.offset, error)
            return None

    def note(self, topic: str, partition: int, offset: int, error: PoisonEvent) -> None:
        """Count and tell a record, unless it was told before."""
        place = topic, partition, offset
        if place in self._places:
            return
        self._places[place] = None
        if len(self._places) > _REMEMBERED_MAX:
            del self._places[next(iter(self._places))]
        self.total += 1
        self._count(topic)
        # The kind alone: what is wrong with a record may quote it.
        log.warning("record.skipped", topic=topic, partition=partition, offset=offset, error=type(error).__name__)
