"""Takes records of the topics into the index: by the role as they come, and by who makes the file again.

What went to the dead letters is no message, and the letter stands in its topic before the offset behind the record is
committed. So whoever reads no further than that, and the letters first, indexes nothing that was refused.
"""

import asyncio
from collections.abc import Sequence

from aiokafka.structs import ConsumerRecord

from tailrace.agents.engine.lookups import Needs
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.records.kafka_records import decode_compaction
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.dead_letters.letters import LetterSource
from tailrace.streams.indexer.index_file import IndexFile, SaidEvent
from tailrace.streams.kafka.topic_end import input_record
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings


class LogIntake:
    """What reads the log for one index."""

    def __init__(self, settings: Settings, file: IndexFile, shelf: ArtifactShelf, skipped: SkippedRecords) -> None:
        """Read for this file; contents that came as claims are looked up on the shelf."""
        self.file = file
        self._policy = settings.compaction_policy
        self._value_bytes_max = settings.ingest.value_bytes_max
        self._shelf = shelf
        self._skipped = skipped
        self._refused: set[LetterSource] = set()

    def refuse(self, source: LetterSource) -> None:
        """Leave out a record that went to the dead letters."""
        self._refused.add(source)

    async def take_messages(self, partition: int, records: Sequence[ConsumerRecord]) -> int:
        """Take records of the conversations, in their order. Returns how many messages were new."""
        messages = [message for record in records if (message := await self._message(record)) is not None]
        next_offset = records[-1].offset + 1
        count = await asyncio.to_thread(self.file.write_messages, partition, next_offset, messages, self._policy)
        self._refused.difference_update(
            [LetterSource(record.topic, record.partition, record.offset) for record in records]
        )
        return count

    async def take_compactions(self, partition: int, records: Sequence[ConsumerRecord]) -> None:
        """Take records of the compactions, whose messages have been taken before."""
        read = [self._skipped.read(record, decode_compaction) for record in records]
        compactions = [compaction for compaction in read if compaction is not None]
        await asyncio.to_thread(self.file.write_compactions, partition, records[-1].offset + 1, compactions)

    async def _message(self, record: ConsumerRecord) -> SaidEvent | None:
        if LetterSource(record.topic, record.partition, record.offset) in self._refused:
            return None
        try:
            event = decode_event(input_record(record), value_bytes_max=self._value_bytes_max)
        except PoisonEvent:
            return None  # a signal, or a limit was lowered since
        if event.claim is None:
            return SaidEvent(event, record.offset)
        contents = await self._shelf.contents(Needs(event.tenant, event.claim))
        return SaidEvent(event, record.offset, contents.claimed)
