"""The projection: what people and tools ask about, in a SQLite file that datasette opens.

It holds compactions, distillations, dead letters, and calls of models with their prices, for as long as
`projection_retention` keeps them. It can be deleted at any time: everything in it comes from the topics, and `tailrace
rebuild` makes it again. Workers on one machine share the file; each batch is one transaction, in a thread of its own so
that heartbeats go on. What was said is in a file of its own, made by another process (`streams/indexer`).
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlite_utils

from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.dead_letter import REASON_CHARACTERS_MAX, DeadLetter
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.envelope import INTEGER_MAX
from tailrace.schemas.records.kafka_records import Emission
from tailrace.schemas.records.spend import Spent
from tailrace.streams.observability.model_calls_table import insert_told, make_table
from tailrace.streams.worker.projection_file import open_projection

if TYPE_CHECKING:
    from tailrace.agents.engine.partition import RecordOutcome

#: In the data folder.
PROJECTION_FILE = "projection.db"

_TABLES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "compactions": (
        {
            "id": str,
            "thread": str,
            "tenant": str,
            "epoch": int,
            "trigger": str,
            "strategy": str,
            "policy_version": str,
            "event_id": str,
            "offset": int,
            "before_tokens": int,
            "after_tokens": int,
            "limit_tokens": int,
            "messages": int,
        },
        ("id",),
    ),
    "distillations": (
        {
            "id": str,
            "thread": str,
            "tenant": str,
            "event_id": str,
            "offset": int,
            "tool": str,
            "outcome": str,
            "artifact_id": str,
            "content_hash": str,
            "method": str,
            "method_version": int,
            "policy_version": str,
            "before_tokens": int,
            "after_tokens": int,
            "secrets": str,
        },
        ("id",),
    ),
    "dead_letters": (
        {"topic": str, "partition": int, "offset": int, "code": str, "message": str, "bytes": int},
        ("topic", "partition", "offset"),
    ),
}


class SqliteProjection:
    """The file, open for one worker."""

    def __init__(self, path: Path) -> None:
        """Open the file and bring its tables up to date. Raises Fatal where it can't be used."""
        self.path = path
        try:
            self._open(path)
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def _open(self, path: Path) -> None:
        connection, self._use = open_projection(path, self._create_tables)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="projection")
        self._database = sqlite_utils.Database(connection)

    @staticmethod
    def _create_tables(connection: sqlite3.Connection) -> None:
        database = sqlite_utils.Database(connection)
        for name, (columns, key) in _TABLES.items():
            database.table(name).create(columns, pk=key, if_not_exists=True)
        make_table(connection)

    async def commit(self, outcomes: Sequence["RecordOutcome"]) -> None:
        """Write what is of interest in these outcomes, in one transaction."""
        emissions = [emission for outcome in outcomes for emission in outcome.emissions]
        spent = [call for outcome in outcomes for call in outcome.spent]
        if spent or any(isinstance(emission, CompactionRecord | DeadLetter | Distillation) for emission in emissions):
            await asyncio.get_running_loop().run_in_executor(self._thread, self.write, emissions, spent)

    def write(self, emissions: Sequence[Emission], spent: Sequence[Spent] = ()) -> None:
        """Write them now. What is written again after a crash has the same ids, and so the same rows."""
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _TABLES}
        for emission in emissions:
            match emission:
                case CompactionRecord():
                    rows["compactions"].append(_compaction_row(emission))
                case Distillation():
                    rows["distillations"].append(_distillation_row(emission))
                case DeadLetter():
                    rows["dead_letters"].append(_dead_letter_row(emission))
                case _:
                    pass
        try:
            self._write(rows, spent)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> Fatal:
        # It holds nothing that the topics don't, so a damaged one may go.
        return Fatal(
            f"{self.path} could not be used: {error}. Look at the disk and at who may write there; if the file "
            f"is damaged, "
            "delete it and run `tailrace rebuild`"
        )

    def _write(self, rows: dict[str, list[dict[str, Any]]], spent: Sequence[Spent]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            for name, (_, key) in _TABLES.items():
                if rows[name]:
                    self._database.table(name).insert_all(rows[name], pk=key, replace=True)
            insert_told(self._database.conn, spent)
            self._database.execute("COMMIT")
        except BaseException:
            # SQLite has already gone back where it ran out of room.
            if self._database.conn.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the file."""
        self._thread.shutdown()
        self._database.close()
        self._use.close()


def _compaction_row(record: CompactionRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "thread": record.thread,
        "tenant": record.tenant,
        "epoch": record.epoch,
        "trigger": str(record.trigger),
        "strategy": record.strategy,
        "policy_version": record.policy_version,
        "event_id": record.event_id,
        "offset": record.offset,
        "before_tokens": record.before_tokens,
        "after_tokens": record.after_tokens,
        "limit_tokens": record.limit_tokens,
        "messages": sum(len(decision.span.ids) for decision in record.decisions),
    }


def _distillation_row(record: Distillation) -> dict[str, Any]:
    return {
        "id": record.id,
        "thread": record.thread,
        "tenant": record.tenant,
        "event_id": record.event_id,
        "offset": record.offset,
        "tool": record.envelope.name or "",
        "outcome": str(record.envelope.outcome or ""),
        "artifact_id": record.artifact_id,
        "content_hash": record.content_hash,
        "method": record.method,
        "method_version": record.method_version,
        "policy_version": record.policy_version,
        # A claim may once have said anything of its size, and the topic keeps what was made of it.
        "before_tokens": min(record.before_tokens, INTEGER_MAX),
        "after_tokens": record.after_tokens,
        "secrets": ", ".join(record.secrets),
    }


def _dead_letter_row(letter: DeadLetter) -> dict[str, Any]:
    return {
        "topic": letter.topic,
        "partition": letter.partition,
        "offset": letter.offset,
        "code": letter.code,
        # As its header has it, so that a projection that is built again is the same.
        "message": letter.message[:REASON_CHARACTERS_MAX],
        "bytes": len(letter.value or b""),
    }
