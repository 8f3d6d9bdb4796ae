"""Where workers of the role `summarize` keep what they share: tables beside the others in the projection's file.

Calls, their prices, finished summaries and the state of breakers are shared by the workers of one machine through this
file, and survive a restart. A worker on another machine learns by itself that a model is down, at the price of a few
calls that fail: a topic would tell it later than the model does, and that one machine can't reach a provider is no
reason for others to leave it alone. The file can be deleted: what was answered comes back from the `summaries` topic.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from tailrace.schemas.errors import Fatal
from tailrace.streams.observability.model_calls_table import make_table
from tailrace.streams.worker.projection_file import open_projection

_TABLES = """
create table if not exists summary_answers (
    key text primary key, tenant text, model text, reason text, summary blob, at_ms integer
);
create table if not exists summary_offsets (
    topic text, partition integer, next_offset integer, primary key (topic, partition)
);
create table if not exists model_breakers (
    model text primary key, failures integer not null, open_until_ms integer not null
);
"""

Result = TypeVar("Result")


class RecordsFile:
    """The file, open for one worker. Everything runs in one thread of its own, so that heartbeats go on."""

    def __init__(self, path: Path) -> None:
        """Open the file and make the tables that are missing."""
        self._connection, self._use = open_projection(path, _create_tables)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="summarizer-records")

    async def transact(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run `work` as one transaction that no other worker's comes between.

        Raises Fatal where the file can't be used.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work)

    def _transact(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(self._connection)
            except BaseException:
                # SQLite has already gone back where it ran out of room.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise Fatal(f"the records of model calls could not be written: {error}") from error
        return result

    def close(self) -> None:
        """Close the file."""
        self._thread.shutdown()
        self._connection.close()
        self._use.close()


def _create_tables(connection: sqlite3.Connection) -> None:
    make_table(connection)
    connection.executescript(_TABLES)
