"""One SQLite file, one connection, one thread: what the artifact store needs of SQLite, away from the event loop.

Workers of one machine share the file. Opening takes a lock of its own, because SQLite doesn't wait where a file is made
or its journal changed; everything else waits for the other's transaction.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlite_utils

from tailrace.schemas.errors import ArtifactCorrupt, ArtifactStoreFull, Fatal, TailraceError
from tailrace.streams.files.private import make_database
from tailrace.streams.local_kafka.file_lock import exclusive

#: How long a transaction waits for another worker's.
_BUSY_SECONDS: Final = 30
#: How long opening waits for other workers that are opening it.
_OPEN_SECONDS_MAX: Final = 30.0
#: Of a file that is made here. Most artifacts are a few kilobytes once they are sealed: they share such a page, where
#: each would leave a part of a smaller one empty.
_PAGE_BYTES: Final = 16_384
#: Primary result codes of a file that is damaged.
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE: Final = 0xFF

_Value = TypeVar("_Value")


class SqliteFile:
    """A file, open; every call runs in the thread that it belongs to."""

    def __init__(self, path: Path) -> None:
        """Name the file; `open` opens it."""
        self.path = path
        self.connection: sqlite3.Connection
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="artifacts")

    async def open(self, create_tables: Callable[[sqlite_utils.Database], None]) -> None:
        """Open the file and bring its tables up to date. Raises Fatal where it can't be used."""
        try:
            await self.run(lambda: self._open(create_tables))
        except OSError as error:
            self._thread.shutdown(wait=False)
            raise Fatal(
                f"{self.path} could not be used: {error}. Look at the disk and at who may write there"
            ) from error
        except BaseException:
            self._thread.shutdown(wait=False)
            raise

    def _open(self, create_tables: Callable[[sqlite_utils.Database], None]) -> None:
        make_database(self.path)
        with exclusive(self.path.with_suffix(".lock"), seconds_max=_OPEN_SECONDS_MAX):
            self.connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            database = sqlite_utils.Database(self.connection)
            self.connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            database.enable_wal()
            # A batch is acknowledged to Kafka once it is here, so it has to outlive a power cut.
            self.connection.execute("PRAGMA synchronous = FULL")
            # What is deleted, or encrypted anew, must not be found in free pages.
            self.connection.execute("PRAGMA secure_delete = ON")
            create_tables(database)

    async def run(self, work: Callable[[], _Value], *, artifact_id: str | None = None) -> _Value:
        """Do this in the file's thread. A damaged page is that artifact's where one is named, else the file's."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._attempt, work, artifact_id)

    def _attempt(self, work: Callable[[], _Value], artifact_id: str | None) -> _Value:
        try:
            return work()
        except sqlite3.Error as error:
            raise self._error(error, artifact_id) from error

    def _error(self, error: sqlite3.Error, artifact_id: str | None) -> TailraceError:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
        if code == sqlite3.SQLITE_FULL:
            return ArtifactStoreFull(str(self.path), str(error))
        if code in _DAMAGED and artifact_id is not None:
            return ArtifactCorrupt(artifact_id, where=str(self.path), reason=str(error))
        if code in _DAMAGED:
            return Fatal(
                f"{self.path} is damaged or no SQLite file ({error}). Move it away and start again, or restore "
                f"it from a "
                "backup; `sqlite3 FILE .recover` may save a part of it"
            )
        return Fatal(f"{self.path} could not be used: {error}. Look at the disk and at who may write there")

    @contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """All or nothing; only inside `run`. A `DEFERRED` one sees the file as it is at its first look."""
        self.connection.execute(f"BEGIN {kind}")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            # SQLite has already gone back where it ran out of room.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def rows(self, query: str, *values: Any) -> sqlite3.Cursor:
        """Run a query; only inside `run`."""
        return self.connection.execute(query, values)

    async def close(self) -> None:
        """Finish what is under way and close the file."""
        await self.run(self.connection.close)
        self._thread.shutdown()
