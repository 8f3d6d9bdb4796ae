"""The endpoint that follows threads: server-sent events, one stream for any number of threads.

An event says how a thread stands, not every step in between; a slow reader gets fewer. The id of an event says up to
where the contexts topic was taken into account when all that had changed was sent: a stream that is resumed with it, by
this process or another, begins with every thread that has changed behind that place. So one may be sent twice, and none
is left out.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import msgspec
from starlette.responses import Response, StreamingResponse

from tailrace.schemas.api.context import ContextNotice, FollowQuery
from tailrace.schemas.api.endpoint import EVENTS
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.changes import next_changes
from tailrace.streams.api.contexts import context_reply, etag_of
from tailrace.streams.api.cursor import cursor_id, parse_cursor
from tailrace.streams.api.services import Services
from tailrace.streams.api.thread_views import ThreadState
from tailrace.streams.client.context import context_tokens, limit_tokens

#: A line that says nothing, so that nobody in between takes the stream for dead.
KEEP_ALIVE: Final = ": still here\n\n"
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

#: Threads of one stream of which is remembered what was sent; of others it may be sent twice.
_SENT_MAX: Final = 10_000

_encode: Final = msgspec.json.Encoder().encode


async def follow(services: Services, call: ApiCall) -> Response:
    """The stream. It ends when the caller goes away or the process stops."""
    query: FollowQuery = call.query
    names = tuple(dict.fromkeys(check_id(name, "thread") for name in query.thread))
    stream = _Stream(
        services=services,
        caller=call.caller,
        tenant=call.caller.narrowed(query.tenant),
        query=query,
        names=names,
        cursor=parse_cursor(call.header("Last-Event-ID")),
    )
    return StreamingResponse(stream.events(), media_type=EVENTS, headers=STREAM_HEADERS)


@dataclass(slots=True)
class _Stream:
    services: Services
    caller: ApiCaller
    tenant: str | None
    query: FollowQuery
    #: Threads that are followed; all where none is named.
    names: tuple[str, ...]
    #: By partition, the last offset that all events so far take into account.
    cursor: dict[int, int]
    #: What was sent last of each thread.
    sent: dict[str, str] = field(default_factory=dict)

    async def events(self) -> AsyncIterator[str]:
        changes = self.services.changes
        with changes.watch(self.names) as watcher:
            place = self._place()
            async for event in self._batch(await self._first(), place):
                yield event
            # Also where nothing has changed: whoever connects sees that the stream is there, and can resume it.
            self.cursor = place
            yield f"id: {cursor_id(self.cursor)}\n: following\n\n"
            while not changes.ended:
                changed = await next_changes(watcher)
                place = self._place()
                async for event in self._batch(changed, place):
                    yield event
                if not changed and not changes.ended:
                    yield KEEP_ALIVE

    def _place(self) -> dict[int, int]:
        """Up to where the file has taken the contexts topic in; what is read of it later is at least as new."""
        contexts = self.services.settings.topic(Topic.CONTEXTS)
        positions = self.services.feed.positions
        return {
            place.partition: offset - 1 for place, offset in positions.items() if place.topic == contexts and offset
        }

    async def _first(self) -> tuple[str, ...]:
        """What a stream begins with: the threads as they are, or what has changed since the last event."""
        if self.names:
            return self.names
        if not self.cursor:
            return ()
        return await self.services.file.read(partial(_changed_since, cursor=self.cursor))

    async def _batch(self, threads: Iterable[str], place: dict[int, int]) -> AsyncIterator[str]:
        """Events of the threads that look otherwise than they did; the last of them moves the cursor."""
        waiting: str | None = None
        for thread in threads:
            data = await self._data(thread)
            if data is None:
                continue
            if waiting is not None:
                yield self._event(waiting)
            waiting = data
        self.cursor = place
        if waiting is not None:
            yield self._event(waiting)

    def _event(self, data: str) -> str:
        return f"id: {cursor_id(self.cursor)}\nevent: context\ndata: {data}\n\n"

    async def _data(self, thread: str) -> str | None:
        state = await self.services.views.state(thread)
        if state is None or not self.caller.sees(state.mark.tenant) or self.tenant not in (None, state.mark.tenant):
            return None
        etag = etag_of(state.mark, self.query.format, self.services.settings)
        if self.sent.get(thread) == etag or (thread not in self.sent and self._is_known(state)):
            return None
        self.sent.pop(thread, None)
        self.sent[thread] = etag
        if len(self.sent) > _SENT_MAX:
            del self.sent[next(iter(self.sent))]
        return (await asyncio.to_thread(self._notice, state, etag)).decode()

    def _is_known(self, state: ThreadState) -> bool:
        """Tell whether an earlier stream, which is resumed here, has sent the thread as it is."""
        return bool(self.cursor) and all(
            offset <= self.cursor.get(partition, -1) for partition, offset in state.offsets.items()
        )

    def _notice(self, state: ThreadState, etag: str) -> bytes:
        settings, view = self.services.settings, state.view
        chosen = self.query.format
        notice = ContextNotice(
            thread=state.thread,
            etag=etag,
            tokens=context_tokens(view),
            limit_tokens=limit_tokens(view, settings.compaction_policy),
            epoch=view.epoch,
            covers_through=view.covers,
            context=None if chosen is None else context_reply(settings, state, chosen, check=False),
        )
        return _encode(notice)


def _changed_since(connection: sqlite3.Connection, *, cursor: dict[int, int]) -> tuple[str, ...]:
    rows = connection.execute("SELECT DISTINCT partition FROM threads").fetchall()
    threads: dict[str, None] = {}
    for (partition,) in rows:
        changed = connection.execute(
            "SELECT thread FROM threads WHERE partition = ? AND offset > ? ORDER BY offset",
            (partition, cursor.get(partition, -1)),
        )
        threads |= dict.fromkeys(thread for (thread,) in changed)
    return tuple(threads)
