"""What leaves the projection, so that it doesn't grow for ever.

Rows by their age, and words of conversations by its size.

A worker that commits a batch waits for one short transaction of this at most. Nothing is lost that the topics don't
hold, and `tailrace rebuild` brings back what fits.

Rows have no time of their own. Now and then the last row of each table is written down with the time: what comes before
a row that was the last so long ago is older. The last row itself always stays, so that no number is given twice.
"""
# ruff: noqa: S608  all names in these statements are of ours; values are always bound

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tailrace.streams.observability.model_calls_table import TABLE as MODEL_CALLS
from tailrace.streams.recall.tables import DOCUMENTS, INDEX
from tailrace.streams.settings.projection import ProjectionSettings
from tailrace.streams.worker.projection_file import BUSY_SECONDS
from tailrace.streams.worker.recall_retention import RecallRetention
from tailrace.streams.worker.short_turns import ShortTurns

#: A round ends after this long; what is left is for the next.
_ROUND_SECONDS_MAX: Final = 30.0
#: Rows of a small table, and pages of the file, that one transaction takes on.
_ROWS_MAX: Final = 200
_PAGES_MAX: Final = 32
#: Free pages that stay: what comes next goes there.
_FREE_PAGES: Final = 32
_MARK_MS: Final = 3_600_000
_DAY_MS: Final = 86_400_000

_SMALL_TABLES: Final = frozenset({"compactions", "distillations", "dead_letters", MODEL_CALLS, "summary_answers"})
_MARKS: Final = "retention_marks"
_CREATE_MARKS: Final = (
    f"CREATE TABLE IF NOT EXISTS {_MARKS} (name TEXT, at_ms INTEGER, last_row INTEGER, PRIMARY KEY (name, at_ms))"
)


@dataclass(frozen=True, slots=True)
class Removed:
    """Rows that left in a round, by why they did, and the bytes that the file takes afterwards."""

    age: int = 0
    size: int = 0
    file_bytes: int = 0
    #: Its time was over before all was done.
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class Retention:
    """Rounds over one file."""

    path: Path
    limits: ProjectionSettings
    now_ms: Callable[[], int]
    pause: Callable[[float], None] = time.sleep

    def prune(self) -> Removed:
        """Do a round. To be called in a thread of its own: it pauses.

        Raises sqlite3.Error where the file can't be used.
        """
        if not self.path.is_file():
            return Removed()
        with closing(sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = NORMAL")
            turns = ShortTurns(connection, seconds_max=_ROUND_SECONDS_MAX, pause=self.pause)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            self._mark(turns, tables)
            age = sum(self._remove_rows(turns, name) for name in sorted(tables & _SMALL_TABLES))
            size = 0
            if INDEX in tables:
                recall = RecallRetention(turns)
                age += recall.remove_outdated(self._last_outdated(connection, DOCUMENTS))
                size = recall.shrink(bytes_used(connection), self.limits.bytes_max)
            _give_back(turns)
        return Removed(age, size, self.path.stat().st_size, unfinished=not turns.left)

    def _mark(self, turns: ShortTurns, tables: set[str]) -> None:
        """Write down which row of each table is the last one now, unless that was done lately."""
        now_ms, connection = self.now_ms(), turns.connection
        if _MARKS in tables:
            (marked_ms,) = connection.execute(f"SELECT max(at_ms) FROM {_MARKS}").fetchone()
            if marked_ms is not None and 0 <= now_ms - marked_ms < _MARK_MS:
                return
        with turns.turn():
            connection.execute(_CREATE_MARKS)
            # A clock that was set back has left marks of a time to come.
            connection.execute(f"DELETE FROM {_MARKS} WHERE at_ms > ?", (now_ms,))
            for name in tables & {*_SMALL_TABLES, DOCUMENTS}:
                last_row = f"SELECT ?, ?, coalesce(max(rowid), 0) FROM {name}"
                connection.execute(f"INSERT OR REPLACE INTO {_MARKS} {last_row}", (name, now_ms))

    def _last_outdated(self, connection: sqlite3.Connection, name: str) -> int:
        """The last row that is too old; never the last row of all."""
        before_ms = self.now_ms() - self.limits.keep_days * _DAY_MS
        marked = f"SELECT max(at_ms), last_row FROM {_MARKS} WHERE name = ? AND at_ms <= ?"
        at_ms, row = connection.execute(marked, (name, before_ms)).fetchone()
        if at_ms is None:
            return 0
        connection.execute(f"DELETE FROM {_MARKS} WHERE name = ? AND at_ms < ?", (name, at_ms))
        (last,) = connection.execute(f"SELECT coalesce(max(rowid), 0) FROM {name}").fetchone()
        return min(int(row), int(last) - 1)

    def _remove_rows(self, turns: ShortTurns, name: str) -> int:
        up_to = self._last_outdated(turns.connection, name)
        some = f"SELECT rowid FROM {name} WHERE rowid <= ? ORDER BY rowid LIMIT ?"
        removed = 0
        while turns.left:
            with turns.turn():
                count = turns.connection.execute(
                    f"DELETE FROM {name} WHERE rowid IN ({some})", (up_to, _ROWS_MAX)
                ).rowcount
            removed += count
            if count < _ROWS_MAX:
                break
        return removed


def bytes_used(connection: sqlite3.Connection) -> int:
    """Bytes of the file that hold something."""
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")


def _give_back(turns: ShortTurns) -> None:
    """Give free pages back to the disk, but for those that are needed again soon."""
    connection = turns.connection
    can_shrink = _pragma(connection, "auto_vacuum")
    while can_shrink and turns.left and _pragma(connection, "freelist_count") > _FREE_PAGES + _PAGES_MAX:
        with turns.paused_after():
            # It takes a page at each step and returns nothing, so `execute` would take only one step.
            connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_MAX})")
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)
