"""Threads as the API's file has them.

Which there are, their marks, and the view of each, as the topic's records make it.

Views are kept as long as their mark stands and there is room: what is asked for often costs a look at the mark. Memory
grows with the room that is set, not with the number of threads.
"""

import base64
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct

from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.api.context import ThreadsQuery
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent, Unavailable
from tailrace.schemas.records.context import SEPARATOR
from tailrace.schemas.records.kafka_records import decode_context
from tailrace.streams.api.reading_file import ReadingFile

#: Entries of all views that are kept; an entry takes some kilobytes.
ENTRIES_MAX: Final = 50_000
_decode_place: Final[Callable[[bytes], tuple[int, str]]] = decoder(tuple[int, str])


class ThreadMark(Struct, frozen=True):
    """What tells the states of a thread apart, without its records."""

    tenant: str
    mark: int
    agent: str | None
    said_at_ms: int


@dataclass(frozen=True, slots=True)
class ThreadState:
    """A thread at one moment."""

    thread: str
    mark: ThreadMark
    view: ThreadView
    #: Where the last record of it stands, by partition of the contexts topic.
    offsets: dict[int, int]


class ThreadPage(Struct, frozen=True):
    """Ids of threads, newest first, and where the next page begins."""

    threads: tuple[str, ...]
    next: str | None


class ThreadViews:
    """The threads of one file."""

    def __init__(self, file: ReadingFile, entries_max: int = ENTRIES_MAX) -> None:
        """Keep no view yet."""
        self._file = file
        self._entries_max = entries_max
        self._entries = 0
        self._states: OrderedDict[str, ThreadState] = OrderedDict()

    @property
    def kept_entries(self) -> int:
        """Entries of the views that are kept, with one more for each view."""
        return self._entries

    def mark(self, thread: str) -> ThreadMark | None:
        """Return the mark of a thread; None where there is no such thread. Takes microseconds."""
        row = self._file.glance(_MARKS, thread)
        if row is None or row[0] is None or row[1] is None:
            return None
        tenant, mark, other_mark, agent, said_at_ms = row
        return ThreadMark(tenant, mark ^ (other_mark or 0), agent, said_at_ms)

    async def state(self, thread: str) -> ThreadState | None:
        """Return the thread as it is now; None where there is none.

        Raises Unavailable where a record of it can't be read.
        """
        mark = self.mark(thread)
        if mark is None:
            return None
        kept = self._states.get(thread)
        if kept is not None and kept.mark == mark:
            self._states.move_to_end(thread)
            return kept
        state = await self._file.read(partial(_read_state, thread=thread))
        if state is not None:
            self._keep(state)
        return state

    async def page(self, query: ThreadsQuery, tenant: str | None) -> ThreadPage:
        """Return the ids of threads that fit, newest first, of one tenant or of all.

        Raises Invalid for a wrong `after`.
        """
        after = _parse_after(query.after)
        rows = await self._file.read(partial(_read_page, query=query, tenant=tenant, after=after))
        more = len(rows) > query.limit
        shown = rows[: query.limit]
        return ThreadPage(tuple(thread for thread, _ in shown), _after(shown[-1]) if more else None)

    def _keep(self, state: ThreadState) -> None:
        self._drop(state.thread)
        self._states[state.thread] = state
        self._entries += _size(state)
        while self._entries > self._entries_max and self._states:
            self._drop(next(iter(self._states)))

    def _drop(self, thread: str) -> None:
        state = self._states.pop(thread, None)
        if state is not None:
            self._entries -= _size(state)


#: A thread is on one partition, unless its producers use several partitioners: then its mark is of both.
_MARKS: Final = """
SELECT max(tenant), min(mark), CASE WHEN count(*) > 1 THEN max(mark) END, max(agent), max(said_at_ms)
FROM threads WHERE thread = ? AND tenant <> ''
"""


def _size(state: ThreadState) -> int:
    return 1 + len(state.view.entries)


def _read_state(connection: sqlite3.Connection, *, thread: str) -> ThreadState | None:
    row = connection.execute(_MARKS, (thread,)).fetchone()
    if row is None or row[1] is None:
        return None
    tenant, mark, other_mark, agent, said_at_ms = row
    views: dict[int, ThreadView] = {}
    offsets: dict[int, int] = {}
    query = "SELECT partition, name, offset, value FROM records WHERE thread = ? ORDER BY partition, offset"
    for partition, name, offset, value in connection.execute(query, (thread,)):
        key = f"{thread}{SEPARATOR}{name}" if name else thread
        try:
            change = decode_context(key.encode(), value)
        except (PoisonEvent, ValueError) as error:
            raise Unavailable(
                f"the context of thread {thread} holds a record that this release can't read; "
                "is it older than the workers?"
            ) from error
        if change is not None:
            views.setdefault(partition, ThreadView()).apply(change)
        offsets[partition] = max(offset, offsets.get(partition, -1))
    offsets |= dict(connection.execute("SELECT partition, offset FROM threads WHERE thread = ?", (thread,)))
    # On two partitions: it counts where more was said.
    view = max(
        (view for view in views.values() if view.head is not None),
        key=lambda view: view.totals.messages,
        default=None,
    )
    if view is None:
        return None
    return ThreadState(thread, ThreadMark(tenant, mark ^ (other_mark or 0), agent, said_at_ms), view, offsets)


def _read_page(
    connection: sqlite3.Connection, *, query: ThreadsQuery, tenant: str | None, after: tuple[int, str] | None
) -> list[tuple[str, int]]:
    conditions: dict[str, list[object]] = {
        "tenant = ?": [tenant] if tenant is not None else [],
        "agent = ?": [query.agent] if query.agent is not None else [],
        "model = ?": [query.model] if query.model is not None else [],
        "thread LIKE ? ESCAPE '\\'": [f"%{_escaped(query.search)}%"] if query.search else [],
        "(said_at_ms, thread) < (?, ?)": list(after) if after is not None else [],
    }
    chosen = {sql: values for sql, values in conditions.items() if values}
    where = " AND ".join(["tenant <> ''", *chosen])
    values = [value for listed in chosen.values() for value in listed]
    sql = f"SELECT thread, said_at_ms FROM threads WHERE {where} ORDER BY said_at_ms DESC, thread DESC LIMIT ?"  # noqa: S608  names of ours
    return connection.execute(sql, (*values, query.limit + 1)).fetchall()


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _after(last: tuple[str, int]) -> str:
    thread, said_at_ms = last
    return base64.urlsafe_b64encode(msgspec.json.encode((said_at_ms, thread))).decode()


def _parse_after(text: str) -> tuple[int, str] | None:
    if not text:
        return None
    try:
        return _decode_place(base64.urlsafe_b64decode(text.encode()))
    except (ValueError, PoisonEvent) as error:
        raise Invalid("after must be `next` of the page before") from error
