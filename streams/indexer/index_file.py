"""The file of recall, open for the one process that writes it.

How far the topics were read stands in the same file, and is written in one transaction with what was read: whoever is
killed goes on where the file ends, and nothing is in it twice or missing.
"""
# ruff: noqa: S608  all names in these statements are of ours; values are always bound

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import sqlite_utils

from tailrace.agents.engine.claim_check import ClaimedText
from tailrace.agents.engine.recall_documents import SaidThread
from tailrace.agents.summary.extract.span_document import span_document
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Fatal, PoisonEvent
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.compaction import Action, CompactionRecord
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.recall import tables
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.worker.projection_file import open_projection

#: Of a span, the newest messages say what it was about.
SPAN_MESSAGES_MAX: Final = 200
#: What makes messages leave a context; what was only cleared still has its call there.
_LEAVES: Final = (Action.SUMMARIZE, Action.DROP)

_POSITIONS: Final = f"SELECT partition, next_offset FROM {tables.PROGRESS} WHERE topic = ?"
_ADVANCE: Final = (
    f"INSERT INTO {tables.PROGRESS} (topic, partition, next_offset, end_offset) VALUES (?, ?, ?, 0) "
    "ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset"
)
_NOTE_END: Final = (
    f"INSERT INTO {tables.PROGRESS} (topic, partition, next_offset, end_offset) VALUES (?, ?, 0, ?) "
    "ON CONFLICT (topic, partition) DO UPDATE SET end_offset = excluded.end_offset"
)
_THREAD: Final = f"SELECT state FROM {tables.THREADS} WHERE thread = ?"
_KEEP_THREAD: Final = f"INSERT OR REPLACE INTO {tables.THREADS} (thread, partition, state) VALUES (?, ?, ?)"

_encode_thread = msgspec.json.Encoder().encode
_decode_thread = decoder(SaidThread)


@dataclass(frozen=True, slots=True)
class SaidEvent:
    """A message of the log with what was read of its claim."""

    event: Event
    offset: int
    claimed: ClaimedText | None = None


class IndexFile:
    """The index, for its writer."""

    def __init__(self, path: Path) -> None:
        """Open the file or make it. Raises Fatal where it can't be used."""
        self.path = path
        try:
            self._connection, self._use = open_projection(
                path, lambda connection: tables.create_tables(sqlite_utils.Database(connection))
            )
            self._index = RecallIndex(sqlite_utils.Database(self._connection))
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def positions(self, topic: Topic) -> dict[int, int]:
        """The offset behind what was read of each partition of a topic."""
        return dict(self._connection.execute(_POSITIONS, (topic,)).fetchall())

    def write_messages(self, partition: int, next_offset: int, messages: Sequence[SaidEvent], policy: Policy) -> int:
        """Make messages findable, in one transaction with the offset behind them. Returns how many were new."""
        threads: dict[str, SaidThread] = {}
        seen: set[tuple[str, str, str]] = set()
        documents: list[RecallDocument] = []
        with self._transaction():
            for message in messages:
                event = message.event
                name = (event.tenant, event.thread, event.id)
                if name in seen or self._holds(*name):
                    continue  # it came twice, and the first counts
                seen.add(name)
                thread = threads.get(event.thread)
                if thread is None:
                    thread = threads[event.thread] = self._thread(event.thread)
                try:
                    documents += thread.documents(event, message.offset, message.claimed, policy)
                except PoisonEvent:
                    continue
            self._index.add(documents)
            rows = [(name, partition, _encode_thread(thread)) for name, thread in threads.items()]
            self._connection.executemany(_KEEP_THREAD, rows)
            self._advance(Topic.CONVERSATIONS, partition, next_offset)
        return len(seen)

    def write_compactions(self, partition: int, next_offset: int, records: Sequence[CompactionRecord]) -> None:
        """Make findable what left contexts together, in one transaction with the offset behind the records."""
        with self._transaction():
            self._index.add([span for record in records for span in self._spans(record)])
            self._advance(Topic.COMPACTIONS, partition, next_offset)

    def note_ends(self, ends: Mapping[int, int]) -> None:
        """Write down where the conversations end, for whoever asks how far the index is behind."""
        with self._transaction():
            rows = [(Topic.CONVERSATIONS, partition, end) for partition, end in ends.items()]
            self._connection.executemany(_NOTE_END, rows)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        self._use.close()

    def _holds(self, tenant: str, thread: str, message_id: str) -> bool:
        key = (tenant, thread, str(RecallKind.MESSAGE), message_id)
        return self._connection.execute(tables.FIND_DOCUMENT, key).fetchone() is not None

    def _thread(self, name: str) -> SaidThread:
        row = self._connection.execute(_THREAD, (name,)).fetchone()
        return _decode_thread(row[0]) if row is not None else SaidThread()

    def _advance(self, topic: Topic, partition: int, next_offset: int) -> None:
        self._connection.execute(_ADVANCE, (topic, partition, next_offset))

    def _spans(self, record: CompactionRecord) -> Iterator[RecallDocument]:
        """Entries of the index of dropped spans, made from what the index itself has of the messages."""
        for decision in record.decisions:
            if decision.action not in _LEAVES:
                continue
            documents = self._index.documents(record.tenant, record.thread, decision.span.ids[-SPAN_MESSAGES_MAX:])
            if documents:
                yield span_document(
                    [Message(role=document.role, parts=(TextPart(content=document.text),)) for document in documents],
                    thread=record.thread,
                    id=f"{record.id}/{decision.span.ids[0]}",
                    tenant=record.tenant,
                    turn=decision.span.last_turn,
                    offset=record.offset,
                    created_at_ms=documents[-1].created_at_ms,
                    sensitivity=strictest(document.sensitivity for document in documents),
                )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            # SQLite has already gone back where it ran out of room.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._unusable(error) from error
            raise

    def _unusable(self, error: Exception) -> Fatal:
        # It holds nothing that the topics don't, so a damaged one may go.
        return Fatal(
            f"{self.path} could not be used: {error}. Look at the disk and at who may write there; if the file is "
            "damaged, delete it: `tailrace worker --role index` makes it again"
        )
