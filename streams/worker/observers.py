"""Several observers of a committer as one: metrics count what happened, timers learn which threads were touched."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailrace.agents.engine.partition import RecordOutcome
from tailrace.schemas.records.kafka_records import InputRecord
from tailrace.streams.worker.commit import Observer


@dataclass(frozen=True, slots=True)
class Observers:
    """Tells each of them, in order."""

    all: tuple[Observer, ...]

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        """Tell the outcome of one record."""
        for observer in self.all:
            observer.processed(record, outcome)

    def delivered(self, records: Sequence[InputRecord]) -> None:
        """Tell that everything the records of a batch caused is delivered."""
        for observer in self.all:
            observer.delivered(records)
