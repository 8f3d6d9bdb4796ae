"""Answers that were given before: the same content under the same key is never asked about twice.

Claims are kept with the places of their events in the span, not with ids, so that an answer also serves another thread
of the same tenant that holds the same content. What was refused is remembered too.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tailrace.agents.engine.spend import compactor_calls
from tailrace.agents.summary.model.input_excerpts import renamed
from tailrace.schemas.decoder import decoder
from tailrace.schemas.records.summary import (
    Answered,
    StructuredSummary,
    SummaryKey,
    SummaryRejection,
    UnansweredRequest,
)
from tailrace.streams.observability.model_calls_table import insert_told
from tailrace.streams.summarizer.records_file import RecordsFile

_encode = msgspec.json.Encoder().encode
_decode = decoder(StructuredSummary)


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """An answer that was given before: a summary, or the reason why there is none."""

    summary: StructuredSummary | None
    reason: str


class Answers:
    """The answers that this machine knows."""

    def __init__(self, file: RecordsFile) -> None:
        """Use the file; nothing is read yet."""
        self._file = file

    async def find(self, tenant: str, key: SummaryKey, ids: Sequence[str]) -> KnownAnswer | None:
        """The answer for a content, with these ids in the place of its events; None where nobody has answered."""

        def find(connection: sqlite3.Connection) -> KnownAnswer | None:
            query = "select reason, summary from summary_answers where key = ?"
            row = connection.execute(query, (_digest(tenant, key),)).fetchone()
            if row is None:
                return None
            summary = _decode(row[1]) if row[1] is not None else None
            names = {str(place): message_id for place, message_id in enumerate(ids)}
            return KnownAnswer(renamed(summary, names) if summary is not None else None, row[0])

        return await self._file.transact(find)

    async def keep(self, answers: Sequence[Answered]) -> None:
        """Remember answers, with the calls that they took."""
        await self._file.transact(lambda connection: _keep(connection, answers))

    async def next_offset(self, topic: str, partition: int) -> int:
        """Offset up to which the answers of a partition are known."""
        query = "select next_offset from summary_offsets where topic = ? and partition = ?"
        row = await self._file.transact(lambda connection: connection.execute(query, (topic, partition)).fetchone())
        return int(row[0]) if row else 0

    async def keep_read(self, answers: Sequence[Answered], topic: str, partition: int, next_offset: int) -> None:
        """Remember answers that were read from the topic, and how far it was read."""

        def keep(connection: sqlite3.Connection) -> None:
            _keep(connection, answers)
            place = (topic, partition, next_offset)
            connection.execute("insert or replace into summary_offsets values (?, ?, ?)", place)

        await self._file.transact(keep)


def _keep(connection: sqlite3.Connection, answers: Sequence[Answered]) -> None:
    for answer in answers:
        insert_told(connection, compactor_calls(answer))
        if isinstance(answer, UnansweredRequest):
            continue
        rejected = isinstance(answer, SummaryRejection)
        places = {message_id: str(place) for place, message_id in enumerate(answer.span.ids)}
        row = (
            _digest(answer.tenant, answer.key),
            answer.tenant,
            answer.key.model,
            answer.reason if isinstance(answer, SummaryRejection) else "",
            None if isinstance(answer, SummaryRejection) else _encode(renamed(answer.summary, places)),
            answer.created_at_ms,
        )
        # A summary is worth more than a refusal, whichever came first.
        conflict = "ignore" if rejected else "replace"
        connection.execute(f"insert or {conflict} into summary_answers values (?, ?, ?, ?, ?, ?)", row)  # noqa: S608


def _digest(tenant: str, key: SummaryKey) -> str:
    return hashlib.blake2b(_encode((tenant, key)), digest_size=20).hexdigest()
