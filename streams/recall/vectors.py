"""The optional vector index of recall, in sqlite-vec: passages by what they are made of instead of by their terms."""

import sqlite3
from collections.abc import Iterable

from tailrace.agents.recall.embedding import DIMENSIONS, embedding
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.event import Sensitivity
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.recall.scope import level

_VECTORS = "recall_vectors"
_CREATE = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS {_VECTORS} USING vec0(number INTEGER PRIMARY KEY, tenant TEXT PARTITION KEY, "
    f"thread TEXT, level INTEGER, embedding float[{DIMENSIONS}])"
)
_INSERT = f"INSERT INTO {_VECTORS} (number, tenant, thread, level, embedding) VALUES (?, ?, ?, ?, ?)"  # noqa: S608  names of ours
_DELETE = f"DELETE FROM {_VECTORS} WHERE number = ?"  # noqa: S608  names of ours
_NEAREST = (
    f"SELECT number FROM {_VECTORS} "  # noqa: S608  names of ours
    "WHERE embedding MATCH :vector AND k = :limit AND tenant = :tenant AND level <= :level"
)


class VectorIndex:
    """Vectors of the passages in a database that its caller owns."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Load the extension and create the table if it is missing."""
        _load_extension(connection)
        self._connection = connection
        connection.execute(_CREATE)

    def add(self, number: int, text: str, *, tenant: str, thread: str, sensitivity: Sensitivity) -> None:
        """Add a passage, in the place of one that was removed while vectors were off."""
        self.delete((number,))
        self._connection.execute(_INSERT, (number, tenant, thread, level(sensitivity), embedding(text)))

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete passages; those that have no vector are none to delete."""
        self._connection.executemany(_DELETE, [(number,) for number in numbers])

    def nearest(self, query: str, *, tenant: str, thread: str | None, clearance: Sensitivity, limit: int) -> list[int]:
        """Return the passages that are most like the query, the best first."""
        asked = {"vector": embedding(query), "limit": limit, "tenant": tenant, "level": level(clearance)}
        if thread is None:
            rows = self._connection.execute(_NEAREST, asked)
        else:
            rows = self._connection.execute(f"{_NEAREST} AND thread = :thread", {**asked, "thread": thread})
        return [number for (number,) in rows]


def _load_extension(connection: sqlite3.Connection) -> None:
    with missing_extras_named():
        import sqlite_vec  # noqa: PLC0415  an extra: only who wants vectors needs it
    # Some builds of Python leave the method out.
    if not hasattr(connection, "enable_load_extension"):
        raise ConfigError("vectors", True, "False: this Python's sqlite3 was built without loadable extensions")
    connection.enable_load_extension(True)
    try:
        sqlite_vec.load(connection)
    except sqlite3.Error as error:
        raise ConfigError("vectors", True, f"False: SQLite could not load sqlite-vec: {error}") from error
    finally:
        connection.enable_load_extension(False)
