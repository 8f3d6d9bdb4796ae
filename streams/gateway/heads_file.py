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

from tailrace.agents.identity.chain import Link
from tailrace.agents.identity.continuation import ThreadHead
from tailrace.streams.files.private import make_database

#: So many conversations are remembered; the ones that were quiet the longest are forgotten first.
HEADS_MAX: Final = 1_000_000
#: Names that one query asks for; the newest are asked for first, and mostly one of them is known.
_ASKED_AT_ONCE: Final = 200
#: Looking for what is to be forgotten costs more than one move.
_MOVES_BETWEEN_LOOKS: Final = 10_000

_TABLE: Final = """
create table if not exists thread_heads (
    link text not null, harness text not null, thread text not null unique, at_ms integer not null,
    settled integer not null default 0, primary key (link, harness)
) without rowid;
create index if not exists thread_heads_at_ms on thread_heads (at_ms);
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
        self._connection.execute("delete from thread_heads where not settled")
        self._moves = 0

    def heads_at(self, links: Sequence[str]) -> dict[str, list[ThreadHead]]:
        """Return the threads that end with one of these links, by link.

        The links are looked up in blocks from the end of the request; the first block with a hit is the answer.
        """
        heads: dict[str, list[ThreadHead]] = {}
        for end in range(len(links), 0, -_ASKED_AT_ONCE):
            asked = links[max(0, end - _ASKED_AT_ONCE) : end]
            marks = ",".join("?" * len(asked))
            query = f"select link, thread, harness from thread_heads where link in ({marks})"  # noqa: S608
            for link, thread, harness in self._connection.execute(query, asked):
                heads.setdefault(link, []).append(ThreadHead(thread, harness))
            if heads:
                break
        return heads

    def begin(self, thread: str, head: Link) -> None:
        """Remember a new thread."""
        self._connection.execute(
            "insert or replace into thread_heads (link, harness, thread, at_ms) values (?, ?, ?, ?)",
            (head.id, head.harness, thread, _now_ms()),
        )
        self._forget_oldest()

    def move(self, thread: str, head: Link, next_head: Link) -> bool:
        """Let the thread end with another message. False where it did not end with that one any more."""
        moved = self._connection.execute(
            "update or replace thread_heads set link = ?, harness = ?, at_ms = ?, settled = 0"
            " where thread = ? and link = ?",
            (next_head.id, next_head.harness, _now_ms(), thread, head.id),
        )
        return moved.rowcount == 1

    def settle(self, thread: str, head: Link) -> None:
        """Remember that the log has everything up to the thread's last message, if that is still this one."""
        self._connection.execute("update thread_heads set settled = 1 where thread = ? and link = ?", (thread, head.id))

    def knows(self, thread: str) -> bool:
        """Whether the thread was begun here."""
        return self._connection.execute("select 1 from thread_heads where thread = ?", (thread,)).fetchone() is not None

    def forget(self, thread: str, head: Link) -> None:
        """Continue this thread no more, if it still ends with this message."""
        self._connection.execute("delete from thread_heads where thread = ? and link = ?", (thread, head.id))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _forget_oldest(self) -> None:
        self._moves += 1
        if self._moves % _MOVES_BETWEEN_LOOKS:
            return
        self._connection.execute(
            "delete from thread_heads where thread in"
            " (select thread from thread_heads order by at_ms desc limit -1 offset ?)",
            (HEADS_MAX,),
        )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
