"""The file that one API process keeps: opened, written by one thread, read by a few others.

Who writes has a thread of its own, so that reading never waits for a batch; SQLite's journal lets both go on beside
each other. Nobody but the user of the process can read the file. Two processes of one data folder have a file each: the
first that is free.
"""

import asyncio
import fcntl
import sqlite3
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import msgspec
from aiokafka import TopicPartition
from msgspec import Struct

from tailrace.schemas.errors import Fatal
from tailrace.streams.api.reading_intake import ReadBatch, ReadingIntake
from tailrace.streams.api.reading_tables import FORM, create_tables, empty_tables
from tailrace.streams.files.private import make_database, make_folder, opener, with_beside

FILE: Final = "contexts.db"
_LOCK_FILE: Final = "lock"
_FILES_MAX: Final = 100
_READERS: Final = 3
_BUSY_SECONDS: Final = 30
#: Longer away than this, and the broker may have forgotten a deletion that the file still has to learn of: it keeps
#: them for a day.
_AWAY_MS_MAX: Final = 12 * 60 * 60 * 1000

_Value = TypeVar("_Value")


class Origin(Struct, frozen=True, kw_only=True):
    """What a file was read from; a file of another origin is of no use."""

    cluster: str
    topics: tuple[str, ...]
    form: int = FORM


class ReadingFile:
    """A file, open. Queries run in threads; `glance` runs at once, for what takes microseconds."""

    def __init__(self, folder: Path, contexts: str) -> None:
        """Take the folder of all API processes and the name of the contexts topic; `open` opens a file there."""
        self._folder = folder
        self._contexts = contexts
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="api-writer")
        self._readers = ThreadPoolExecutor(max_workers=_READERS, thread_name_prefix="api-reader")
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._lock: IO[str]
        self._connection: sqlite3.Connection
        self._glances: sqlite3.Connection
        self._terms: dict[TopicPartition, int] = {}
        self.path: Path

    async def open(self) -> None:
        """Open the first file that no other process has. Raises Fatal where that can't be done."""
        await self._in_thread(self._writer, self._open)

    async def begin(self, origin: Origin, now_ms: int) -> dict[TopicPartition, int]:
        """Say what will be read; return how far each partition was read before. A file of another origin is emptied."""
        return await self._in_thread(self._writer, lambda: self._begin(origin, now_ms))

    async def take(self, batches: Iterable[ReadBatch], now_ms: int) -> set[str]:
        """Take records in, with the places behind them, all or nothing; return the threads that have changed."""
        return await self._in_thread(self._writer, lambda: self._take(batches, now_ms))

    async def forget(self, place: TopicPartition) -> None:
        """Forget what was read of a partition: its log is no longer the one that it was."""
        await self._in_thread(self._writer, lambda: self._forget(place))

    async def expire(self, topic: str, before_ms: int) -> int:
        """Remove what a topic said before this moment from the trail; return how much that was."""
        query = "DELETE FROM trail WHERE topic = ? AND at_ms < ?"
        return await self._in_thread(
            self._writer, lambda: self._write(lambda: self._connection.execute(query, (topic, before_ms)).rowcount)
        )

    async def read(self, work: Callable[[sqlite3.Connection], _Value]) -> _Value:
        """Do this in a thread of the readers, in one transaction: all of it sees the file at one moment."""
        return await self._in_thread(self._readers, lambda: self._read(work))

    def glance(self, query: str, *values: Any) -> Any:
        """Return the first row of a query that is answered from an index; None where there is none."""
        return self._glances.execute(query, values).fetchone()

    async def close(self) -> None:
        """Finish what is under way and close the file."""
        await self._in_thread(self._writer, lambda: None)
        self._writer.shutdown()
        self._readers.shutdown()
        for connection in self._opened:
            connection.close()
        self._lock.close()

    async def _in_thread(self, executor: ThreadPoolExecutor, work: Callable[[], _Value]) -> _Value:
        return await asyncio.get_running_loop().run_in_executor(executor, self._or_fatal, work)

    def _or_fatal(self, work: Callable[[], _Value]) -> _Value:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            where = getattr(self, "path", self._folder)
            raise Fatal(
                f"{where} could not be used: {error}. It can be deleted: everything in it is read again from the topics"
            ) from error

    def _open(self) -> None:
        self.path = self._locked_folder() / FILE
        make_database(self.path)
        try:
            self._connection = self._connect()
            create_tables(self._connection)
            self._connection.execute("SELECT count(*) FROM places").fetchone()
        except sqlite3.DatabaseError:
            self._throw_away()
            self._connection = self._connect()
            create_tables(self._connection)
        self._glances = self._connect()

    def _locked_folder(self) -> Path:
        for number in range(1, _FILES_MAX + 1):
            folder = self._folder / str(number)
            make_folder(self._folder)
            make_folder(folder)
            lock = open(folder / _LOCK_FILE, "a", opener=opener)  # noqa: SIM115  held as long as the file is
            try:
                fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                continue
            self._lock = lock
            return folder
        raise OSError(f"{_FILES_MAX} other processes use the files there")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        self._opened.append(connection)
        return connection

    def _throw_away(self) -> None:
        """Remove a file that is damaged."""
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        for file in with_beside(self.path):
            file.unlink(missing_ok=True)
        make_database(self.path)

    def _begin(self, origin: Origin, now_ms: int) -> dict[TopicPartition, int]:
        def begin() -> None:
            facts = dict(self._connection.execute("SELECT name, value FROM facts"))
            is_same = facts.get("origin") == msgspec.json.encode(origin).decode()
            if not is_same or now_ms - int(facts.get("taken_at_ms", 0)) > _AWAY_MS_MAX:
                empty_tables(self._connection)
            self._note("origin", msgspec.json.encode(origin).decode())
            self._note("taken_at_ms", str(now_ms))

        self._write(begin)
        rows = self._connection.execute("SELECT topic, partition, offset, term FROM places").fetchall()
        self._terms = {TopicPartition(topic, partition): term for topic, partition, _, term in rows}
        return {TopicPartition(topic, partition): offset for topic, partition, offset, _ in rows}

    def _take(self, batches: Iterable[ReadBatch], now_ms: int) -> set[str]:
        intake = ReadingIntake(self._connection, self._contexts, dict(self._terms))

        def take() -> set[str]:
            changed = intake.take(batches)
            self._note("taken_at_ms", str(now_ms))
            return changed

        changed = self._write(take)
        self._terms = intake.terms
        return changed

    def _forget(self, place: TopicPartition) -> None:
        def forget() -> None:
            values = place.topic, place.partition
            self._connection.execute("DELETE FROM places WHERE topic = ? AND partition = ?", values)
            self._connection.execute("DELETE FROM trail WHERE topic = ? AND partition = ?", values)
            if place.topic == self._contexts:
                for table in ("records", "threads"):
                    self._connection.execute(f"DELETE FROM {table} WHERE partition = ?", (place.partition,))  # noqa: S608  names of ours

        self._write(forget)
        self._terms.pop(place, None)

    def _note(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _write(self, work: Callable[[], _Value]) -> _Value:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            done = work()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return done

    def _read(self, work: Callable[[sqlite3.Connection], _Value]) -> _Value:
        if not hasattr(self._local, "connection"):
            self._local.connection = self._connect()
        connection: sqlite3.Connection = self._local.connection
        connection.execute("BEGIN")
        try:
            return work(connection)
        finally:
            connection.execute("COMMIT")
