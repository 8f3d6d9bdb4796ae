"""The recall index of this machine, for those who only read it.

Its file may be away, may be made anew at any time, and belongs to the process that writes it: it is opened for each
question, in a mode in which nothing can be written.
"""
# ruff: noqa: S608  all names in these statements are of ours; values are always bound

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlite_utils

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallHit, RecallKind
from tailrace.streams.recall import tables
from tailrace.streams.recall.index import RecallIndex

# Of several threads that use an id, the one that is asked from comes first, then the newest. What stands in the
# artifact store is read there: here it would outlive its expiry.
_FIND_SAID: Final = (
    f"SELECT number, thread, turn, role, tool, sensitivity FROM {tables.DOCUMENTS} WHERE tenant = ? AND kind != "
    f"? AND id = ? "
    "ORDER BY thread IS NOT ?, created_at_ms DESC, number DESC LIMIT 1"
)
_LAG: Final = f"SELECT sum(max(0, end_offset - next_offset)) FROM {tables.PROGRESS} WHERE topic = 'conversations'"
_TEXT: Final = f"SELECT text FROM {tables.PASSAGES} WHERE document = ? ORDER BY first_char"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMessage:
    """A message as it was said, secrets masked, whether a context still holds it or not."""

    id: str
    thread: str
    turn: int
    role: str
    tool: str
    sensitivity: Sensitivity
    text: str


class RecallReader:
    """The index in a file that may not be there. Every question raises Unavailable where it can't be asked."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self._path = path

    def search(
        self, query: str, *, tenant: str, thread: str | None, clearance: Sensitivity, limit: int
    ) -> list[RecallHit]:
        """Return the passages that fit the query best, the best first."""
        with self._opened() as database:
            index = RecallIndex(database)
            return index.search(query, tenant=tenant, thread=thread, clearance=clearance, limit=limit)

    def lag_records(self) -> int:
        """Return how many records of the conversations can't be found yet, when that was looked at last."""
        with self._opened() as database:
            (lag,) = database.execute(_LAG).fetchone()
        return lag or 0

    def message(self, message_id: str, *, tenant: str, thread: str | None) -> SaidMessage | None:
        """Return the message of this id, whatever its sensitivity.

        From `thread` if it has one, else from the newest that has.

        None where the tenant has said nothing under this id, and where nothing has been written yet.
        """
        if not self._path.is_file():
            return None
        try:
            names = (tenant.encode().decode(), RecallKind.ARTIFACT, message_id.encode().decode(), thread)
        except UnicodeEncodeError:
            return None  # SQLite holds no such names
        with self._opened() as database:
            row = database.execute(_FIND_SAID, names).fetchone()
            if row is None:
                return None
            number, found_thread, turn, role, tool, sensitivity = row
            text = "".join(piece for (piece,) in database.execute(_TEXT, (number,)))
        return SaidMessage(
            id=message_id,
            thread=found_thread,
            turn=turn,
            role=role,
            tool=tool,
            sensitivity=Sensitivity(sensitivity),
            text=text,
        )

    @contextmanager
    def _opened(self) -> Iterator[sqlite_utils.Database]:
        path = self._path
        if not path.is_file():
            raise Unavailable(f"there is no index at {path} yet. Start what makes it: tailrace worker --role index")
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                database = sqlite_utils.Database(connection)
                if not tables.are_there(database):
                    raise Unavailable(
                        f"{path} holds no recall index yet: `tailrace worker --role index` makes it when it starts"
                    )
                yield database
        except sqlite3.Error as error:
            raise Unavailable(f"{path} could not be read: {error}") from error
