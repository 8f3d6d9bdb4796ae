"""Which thread ends with which message, in a SQLite file.

A gateway that is started again goes on with the threads it knew, and so do others that share its folder. What one of
them has not brought to the log yet is its own: nobody else goes on from there, and where it has died, nobody at all.

Losing the file loses nothing that was said: conversations then begin new threads, with all that their requests hold.
"""

import sqlite3
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import sqlite_utils

from tailrace.agents.identity.chain import Link
from tailrace.agents.identity.continuation import ThreadHead
from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import make_database
from tailrace.streams.local_kafka.file_lock import exclusive, shared

#: So many conversations are remembered; the ones that were quiet the longest are forgotten first.
HEADS_MAX: Final = 1_000_000
#: Names that one query asks for; the newest are asked for first, and mostly one of them is known.
_ASKED_AT_ONCE: Final = 200
#: Looking for what is to be forgotten costs more than one move.
_MOVES_BETWEEN_LOOKS: Final = 10_000

#: Of the file that a gateway holds as long as it lives.
_PRESENCE: Final = ".alive"
_BEGIN_SECONDS_MAX: Final = 30.0
#: Another gateway writes for no longer.
_BUSY_MS: Final = 5_000

_TABLE: Final = """
create table if not exists thread_heads (
    link text not null, harness text not null, thread text not null unique, at_ms integer not null,
    pending_at text, primary key (link, harness)
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
        self._connection.execute(f"pragma busy_timeout = {_BUSY_MS}")
        self._moves = 0
        self._name = uuid.uuid4().hex
        # One after the other: nobody takes another for dead who has just begun.
        with exclusive(path.with_suffix(".lock"), seconds_max=_BEGIN_SECONDS_MAX):
            self._presence = path.with_name(f"{path.stem}-{self._name}{_PRESENCE}")
            self._held = shared(self._presence, seconds_max=0)
            self._make_table()
            self._forget_the_dead(path)

    def heads_at(self, links: Sequence[str]) -> dict[str, list[ThreadHead]]:
        """Return the threads that end with one of these links, by link.

        The links are looked up in blocks from the end of the request; the first block with a hit is the answer.
        """
        heads: dict[str, list[ThreadHead]] = {}
        for end in range(len(links), 0, -_ASKED_AT_ONCE):
            asked = links[max(0, end - _ASKED_AT_ONCE) : end]
            marks = ",".join("?" * len(asked))
            query = (
                f"select link, thread, harness from thread_heads where link in ({marks})"  # noqa: S608
                " and (pending_at is null or pending_at = ?)"
            )
            for link, thread, harness in self._connection.execute(query, (*asked, self._name)):
                heads.setdefault(link, []).append(ThreadHead(thread, harness))
            if heads:
                break
        return heads

    def begin(self, thread: str, head: Link) -> None:
        """Remember a new thread."""
        self._connection.execute(
            "insert or replace into thread_heads (link, harness, thread, at_ms, pending_at) values (?, ?, ?, ?, ?)",
            (head.id, head.harness, thread, _now_ms(), self._name),
        )
        self._forget_oldest()

    def move(self, thread: str, head: Link, next_head: Link) -> bool:
        """Let the thread end with another message. False where it did not end with that one any more."""
        moved = self._connection.execute(
            "update or replace thread_heads set link = ?, harness = ?, at_ms = ?, pending_at = ?"
            " where thread = ? and link = ? and (pending_at is null or pending_at = ?)",
            (next_head.id, next_head.harness, _now_ms(), self._name, thread, head.id, self._name),
        )
        return moved.rowcount == 1

    def settle(self, thread: str, head: Link) -> None:
        """Remember that the log has everything up to the thread's last message, if that is still this one."""
        self._connection.execute(
            "update thread_heads set pending_at = null where thread = ? and link = ?", (thread, head.id)
        )

    def knows(self, thread: str) -> bool:
        """Whether the thread was begun here."""
        return self._connection.execute("select 1 from thread_heads where thread = ?", (thread,)).fetchone() is not None

    def forget(self, thread: str, head: Link) -> None:
        """Continue this thread no more, if it still ends with this message."""
        self._connection.execute("delete from thread_heads where thread = ? and link = ?", (thread, head.id))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        self._presence.unlink(missing_ok=True)
        self._held.close()

    def _make_table(self) -> None:
        columns = {row[1] for row in self._connection.execute("pragma table_info(thread_heads)")}
        if columns and "pending_at" not in columns:
            self._connection.execute("drop table thread_heads")  # of an earlier form
        self._connection.executescript(_TABLE)

    def _forget_the_dead(self, path: Path) -> None:
        """What a gateway that died had not brought to the log is missing there: such threads are not continued."""
        for presence in path.parent.glob(f"{path.stem}-*{_PRESENCE}"):
            try:
                with exclusive(presence, seconds_max=0):
                    presence.unlink()
            except Unavailable:
                pass  # it lives
        names = self._connection.execute("select distinct pending_at from thread_heads where pending_at is not null")
        for (name,) in names.fetchall():
            if not path.with_name(f"{path.stem}-{name}{_PRESENCE}").exists():
                self._connection.execute("delete from thread_heads where pending_at = ?", (name,))

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
