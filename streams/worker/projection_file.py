"""The file of the projection, opened in the one way in which all who write it do.

Several processes open it at once, and SQLite doesn't wait for its lock where a file is made or its journal changed: a
lock of our own stands around that.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

from tailrace.streams.files.private import make_database
from tailrace.streams.local_kafka.file_lock import exclusive, shared

#: How long a transaction waits for another worker's.
BUSY_SECONDS: Final = 10
#: How long opening waits for other workers that are opening it.
OPEN_SECONDS_MAX: Final = 30.0
#: Of a file that is made here: a tenth less work, and a tenth smaller, than with the default of 4,096.
_PAGE_BYTES: Final = 8_192


def in_use(path: Path) -> Path:
    """The file whose lock everybody shares who writes into this projection, and that whoever replaces it has alone."""
    return path.with_name(f"{path.name}.use")


def open_projection(
    path: Path, create_tables: Callable[[sqlite3.Connection], None]
) -> tuple[sqlite3.Connection, IO[str]]:
    """Open the file, or make it; return it with the lock that says so until it is closed."""
    make_database(path)
    use = shared(in_use(path), seconds_max=OPEN_SECONDS_MAX)
    try:
        with exclusive(path.with_suffix(".lock"), seconds_max=OPEN_SECONDS_MAX):
            # One thread at a time uses it; SQLite itself would not mind.
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            # Both only of a file that is still empty. What is removed later can then be given back to the disk.
            connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            connection.execute("PRAGMA synchronous = NORMAL")
            create_tables(connection)
    except BaseException:
        use.close()
        raise
    return connection, use
