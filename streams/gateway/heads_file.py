"""Which thread ends with which message, in a SQLite file.

A gateway that is started again goes on with the threads it knew.

Losing the file loses nothing that was said: conversations then begin new threads, with all that their requests hold.
"""

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import sqlite_utils

from tailrace.streams.files.private import make_database

#: So many conversations are remembered; the ones that were quiet the longest are forgotten first.
HEADS_MAX: Final = 1_000_000
#: Names that one query asks for; the newest are asked for first, and mostly one of them is known.
_ASKED_AT_ONCE: Final = 200
#: Looking for what is to be forgotten costs more than one move.
_MOVES_BETWEEN_LOOKS: Final = 10_000

_TABLE: Final = """
create table if not exists heads (
    link text primary key, thread text not null unique, at_ms integer not null, settled integer not null default 0
) without rowid;
create index if not exists heads_at_ms on heads (at_ms);
"""


class HeadsFile:
    """The heads of all threads of one gateway."""

    def __init__(self, path: Path) -> None:
        """Open the file, for its owner alone."""
        make_database(path)
        self._connection = sqlite3.connect(path, isolation_level=None)
        sqlite_utils.Database(self._connection).enable_wal()
        self._connection.execute("pragma synchronous = normal")
        self._connection.executescript(_TABLE)
        # What a gateway that died had not brought to the log is missing there: such threads are not continued.
        self._connection.execute("delete from heads where not settled")
        self._moves = 0

    def threads_of(self, links: Sequence[str]) -> dict[str, str]:
        """Return the threads that end with one of these links, by link.

        The links are looked up in blocks from the end of the request; the first block with a hit is the answer.
        """
        for end in range(len(links), 0, -_ASKED_AT_ONCE):
            asked = links[max(0, end - _ASKED_AT_ONCE) : end]
            marks = ",".join("?" * len(asked))
            rows = self._connection.execute(f"select link, thread from heads where link in ({marks})", asked)  # noqa: S608
            if threads := dict(rows.fetchall()):
                return threads
        return {}

    def begin(self, thread: str, link: str) -> None:
        """Remember a new thread."""
        self._connection.execute(
            "insert or replace into heads (link, thread, at_ms) values (?, ?, ?)", (link, thread, _now_ms())
        )
        self._forget_oldest()

    def move(self, thread: str, link: str, next_link: str) -> bool:
        """Let the thread end with another message. False where it did not end with that one any more."""
        moved = self._connection.execute(
            "update or replace heads set link = ?, at_ms = ?, settled = 0 where thread = ? and link = ?",
            (next_link, _now_ms(), thread, link),
        )
        return moved.rowcount == 1

    def settle(self, thread: str, link: str) -> None:
        """Remember that the log has everything up to the thread's last message, if that is still this one."""
        self._connection.execute("update heads set settled = 1 where thread = ? and link = ?", (thread, link))

    def knows(self, thread: str) -> bool:
        """Whether the thread was begun here."""
        return self._connection.execute("select 1 from heads where thread = ?", (thread,)).fetchone() is not None

    def forget(self, thread: str) -> None:
        """Continue this thread no more."""
        self._connection.execute("delete from heads where thread = ?", (thread,))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _forget_oldest(self) -> None:
        self._moves += 1
        if self._moves % _MOVES_BETWEEN_LOOKS:
            return
        self._connection.execute(
            "delete from heads where link in (select link from heads order by at_ms desc limit -1 offset ?)",
            (HEADS_MAX,),
        )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
