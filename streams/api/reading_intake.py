"""Takes records of the topics into the API's file: one transaction for a batch and the places up to which it was read.

What counts is told by the rules of `schemas/records/context.py` that concern single records: a lower term, or none,
counts for nothing, and the last record of a key is the one that holds. All others are for the view that is made of a
thread's records.

Every thread has a mark: the sum (exclusive or) of hashes of its head and entries. Equal marks are equal contexts, in
every process that has read the same log, whatever it has read before.
"""

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.context import DERIVED_ID_PREFIX, SEPARATOR
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import term_of

_HEAD: Final = ""
_MARK_BYTES: Final = 8


class _Facts(Struct):
    """What a list of threads says of a head or an entry."""

    tenant: str = DEFAULT_TENANT
    agent: str | None = None
    model: str | None = None
    created_at_ms: int = 0
    logged_at_ms: int = 0


class _TrailFacts(Struct):
    """By what a compaction or an event of the audit is looked up."""

    event_id: str = ""
    at_ms: int = 0


_decode_facts: Final = decoder(_Facts)
_decode_trail: Final = decoder(_TrailFacts)


@dataclass(slots=True)
class ReadBatch:
    """Records of one partition, and the offset behind them."""

    place: TopicPartition
    records: Iterable[ConsumerRecord]
    next_offset: int


@dataclass(slots=True)
class _ThreadRow:
    """A line of the table of threads while a batch is taken in."""

    tenant: str = ""
    offset: int = 0
    mark: int = 0
    said_at_ms: int = 0
    agent: str | None = None
    model: str | None = None


@dataclass(slots=True)
class ReadingIntake:
    """What one batch changes."""

    connection: sqlite3.Connection
    #: The topic that holds contexts; all others are parts of the trail.
    contexts: str
    #: Terms by place, as they were before; those of this batch are added.
    terms: dict[TopicPartition, int]
    changed: set[str] = field(default_factory=set)
    _rows: dict[tuple[str, int], _ThreadRow] = field(default_factory=dict)

    def take(self, batches: Iterable[ReadBatch]) -> set[str]:
        """Take all of them in; return the threads that have changed. The transaction is the caller's."""
        for batch in batches:
            take = self._take_context if batch.place.topic == self.contexts else self._take_trail
            for record in batch.records:
                if self._counts(batch.place, record):
                    take(record)
            self.connection.execute(
                "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)",
                (batch.place.topic, batch.place.partition, batch.next_offset, self.terms.get(batch.place, 0)),
            )
        self._write_threads()
        return self.changed

    def _counts(self, place: TopicPartition, record: ConsumerRecord) -> bool:
        term = term_of(record.headers)
        if term is None or term < self.terms.get(place, 0):
            return False
        self.terms[place] = term
        return True

    def _take_context(self, record: ConsumerRecord) -> None:
        thread, _, name = (record.key or b"").decode(errors="replace").partition(SEPARATOR)
        if record.value is None and name == _HEAD:
            return
        row = self._row(thread, record.partition)
        row.mark ^= self._replaced_mark(thread, record.partition, name)
        row.offset = record.offset
        self.changed.add(thread)
        if record.value is None:
            self.connection.execute(
                "DELETE FROM records WHERE thread = ? AND partition = ? AND name = ?", (thread, record.partition, name)
            )
            return
        mark = 0 if name.startswith(SEPARATOR) else mark_of(name, record.value)
        row.mark ^= mark
        self.connection.execute(
            "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)",
            (thread, record.partition, name, record.offset, mark, record.value),
        )
        if not name.startswith(SEPARATOR):
            _note(row, name, record.value)

    def _replaced_mark(self, thread: str, partition: int, name: str) -> int:
        replaced = self.connection.execute(
            "SELECT mark FROM records WHERE thread = ? AND partition = ? AND name = ?", (thread, partition, name)
        ).fetchone()
        return int(replaced[0]) if replaced else 0

    def _row(self, thread: str, partition: int) -> _ThreadRow:
        key = thread, partition
        if key not in self._rows:
            columns = self.connection.execute(
                "SELECT tenant, offset, mark, said_at_ms, agent, model FROM threads WHERE thread = ? AND partition = ?",
                key,
            ).fetchone()
            self._rows[key] = _ThreadRow(*columns) if columns else _ThreadRow()
        return self._rows[key]

    def _write_threads(self) -> None:
        rows = [
            (*key, row.tenant, row.offset, row.mark, row.said_at_ms, row.agent, row.model)
            for key, row in self._rows.items()
        ]
        self.connection.executemany("INSERT OR REPLACE INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _take_trail(self, record: ConsumerRecord) -> None:
        if record.value is None or record.key is None:
            return
        try:
            facts = _decode_trail(record.value)
        except PoisonEvent:
            return  # of a later release, about something that is not known here
        thread = record.key.decode(errors="replace")
        # What is repeated after a crash has the same id: the first one stays.
        self.connection.execute(
            "INSERT OR IGNORE INTO trail VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                record.topic,
                _id_of(record),
                thread,
                record.partition,
                record.offset,
                facts.event_id,
                facts.at_ms or record.timestamp,
                record.value,
            ),
        )
        self.changed.add(thread)


def mark_of(name: str, value: bytes) -> int:
    """What a head or an entry adds to the mark of its thread."""
    digest = hashlib.blake2b(name.encode(), digest_size=_MARK_BYTES)
    digest.update(b"\0")
    digest.update(value)
    return int.from_bytes(digest.digest(), signed=True)


def _note(row: _ThreadRow, name: str, value: bytes) -> None:
    try:
        facts = _decode_facts(value)
    except PoisonEvent:
        return  # the view of the thread says so to whoever asks for it
    row.tenant = row.tenant or facts.tenant
    row.model = facts.model or row.model
    row.agent = row.agent or facts.agent
    if name != _HEAD and not name.startswith(DERIVED_ID_PREFIX):
        row.said_at_ms = max(row.said_at_ms, facts.logged_at_ms or facts.created_at_ms)


def _id_of(record: ConsumerRecord) -> str:
    return next((value.decode(errors="replace") for name, value in record.headers if name == "ce_id" and value), "")
