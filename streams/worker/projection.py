"""The projection: compactions and dead letters in a SQLite file, for people and for datasette.

It can be deleted at any time: everything in it comes from the topics. Workers on one machine share the file; each
batch is one transaction, and a batch that has nothing of interest doesn't touch it.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlite_utils

from tailrace.schemas.compaction import CompactionRecord
from tailrace.schemas.dead_letter import DeadLetter
from tailrace.schemas.errors import Fatal
from tailrace.schemas.records import Emission
from tailrace.streams.local_kafka.file_lock import exclusive

#: How long a transaction waits for another worker's.
BUSY_SECONDS = 10
#: How long opening waits for other workers that are opening it.
OPEN_SECONDS_MAX = 30.0


class SqliteProjection:
    """The file, open for one worker."""

    def __init__(self, path: Path) -> None:
        """Open the file and bring its tables up to date."""
        # Several workers start at once, and SQLite doesn't wait for its lock where a file is made or its journal changed.
        with exclusive(path.with_suffix(".lock"), seconds_max=OPEN_SECONDS_MAX):
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            self._database = sqlite_utils.Database(connection)
            self._database.enable_wal()
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._create_tables()

    def _create_tables(self) -> None:
        tables: dict[str, tuple[dict[str, Any], str | tuple[str, ...]]] = {
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
                "id",
            ),
            "dead_letters": (
                {"topic": str, "partition": int, "offset": int, "code": str, "message": str, "bytes": int},
                ("topic", "partition", "offset"),
            ),
        }
        for name, (columns, key) in tables.items():
            self._database.table(name).create(columns, pk=key, if_not_exists=True)

    def commit(self, emissions: Sequence[Emission]) -> None:
        """Write the compactions and dead letters among the emissions, in one transaction."""
        compactions = [_compaction_row(one) for one in emissions if isinstance(one, CompactionRecord)]
        letters = [_dead_letter_row(one) for one in emissions if isinstance(one, DeadLetter)]
        if not compactions and not letters:
            return
        try:
            self._write(compactions, letters)
        except sqlite3.Error as error:
            raise Fatal(f"the projection could not be written: {error}") from error

    def _write(self, compactions: list[dict[str, Any]], letters: list[dict[str, Any]]) -> None:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            # Written again after a crash: the same ids, so the same rows.
            self._database.table("compactions").insert_all(compactions, pk="id", replace=True)
            self._database.table("dead_letters").insert_all(letters, pk=("topic", "partition", "offset"), replace=True)
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._database.close()


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


def _dead_letter_row(letter: DeadLetter) -> dict[str, Any]:
    return {
        "topic": letter.topic,
        "partition": letter.partition,
        "offset": letter.offset,
        "code": letter.code,
        "message": letter.message,
        "bytes": len(letter.value or b""),
    }
