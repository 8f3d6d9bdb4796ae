"""The endpoint that follows the audit: an event for everything that triggers saw and did, as it is written.

The id of an event is its place in the lifecycle topic, by partition: a stream that is resumed goes on behind it.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from starlette.responses import Response, StreamingResponse

from tailrace.schemas.api.endpoint import EVENTS
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.kafka_records import Topic, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.changes import next_changes
from tailrace.streams.api.cursor import cursor_id, parse_cursor
from tailrace.streams.api.event_stream import KEEP_ALIVE, STREAM_HEADERS
from tailrace.streams.api.services import Services
from tailrace.streams.api.trail import readable

#: Events that are read at once.
_PAGE: Final = 500


async def watch(services: Services, call: ApiCall) -> Response:
    """The stream. It ends when the caller goes away or the process stops."""
    query = call.query
    stream = _AuditStream(
        services=services,
        caller=call.caller,
        tenant=call.caller.narrowed(query.tenant),
        names=frozenset(check_id(name, "thread") for name in query.thread),
        cursor=parse_cursor(call.header("Last-Event-ID")),
        since_ms=query.since_ms,
    )
    return StreamingResponse(stream.events(), media_type=EVENTS, headers=STREAM_HEADERS)


@dataclass(slots=True)
class _AuditStream:
    services: Services
    caller: ApiCaller
    tenant: str | None
    names: frozenset[str]
    cursor: dict[int, int]
    since_ms: int | None

    async def events(self) -> AsyncIterator[str]:
        with self.services.changes.watch(self.names) as watcher:
            if not self.cursor:
                self.cursor = await self._begin()
            yield f"id: {cursor_id(self.cursor)}\n: following\n\n"
            while not self.services.changes.ended:
                async for event in self._new():
                    yield event
                if not await next_changes(watcher) and not self.services.changes.ended:
                    yield KEEP_ALIVE

    async def _begin(self) -> dict[int, int]:
        """Where the stream begins.

        Behind all that is there, or before what happened since the moment that was named.
        """
        topic = self.services.settings.topic(Topic.LIFECYCLE)
        positions = self.services.feed.positions
        ends = {place.partition: offset - 1 for place, offset in positions.items() if place.topic == topic}
        if self.since_ms is None:
            return ends
        return ends | await self.services.file.read(partial(_first_since, topic=topic, since_ms=self.since_ms))

    async def _new(self) -> AsyncIterator[str]:
        """What came behind the cursor, oldest first in each partition."""
        topic = self.services.settings.topic(Topic.LIFECYCLE)
        for partition in sorted(self.cursor):
            while True:
                read = partial(_behind, topic=topic, partition=partition, offset=self.cursor[partition])
                rows = await self.services.file.read(read)
                for offset, value, at_ms in rows:
                    self.cursor[partition] = offset
                    event = readable(decode_lifecycle, value, at_ms)
                    if event is not None and self._wanted(event):
                        data = msgspec.json.encode(event).decode()
                        yield f"id: {cursor_id(self.cursor)}\nevent: lifecycle\ndata: {data}\n\n"
                if len(rows) < _PAGE:
                    break
                await asyncio.sleep(0)

    def _wanted(self, event: LifecycleEvent) -> bool:
        asked = not self.names or event.thread in self.names
        return asked and self.caller.sees(event.tenant) and self.tenant in (None, event.tenant)


def _behind(connection: sqlite3.Connection, *, topic: str, partition: int, offset: int) -> list[tuple[int, bytes, int]]:
    query = (
        "SELECT offset, value, at_ms FROM trail WHERE topic = ? AND partition = ? AND offset > ? "
        "ORDER BY offset LIMIT ?"
    )
    return connection.execute(query, (topic, partition, offset, _PAGE)).fetchall()


def _first_since(connection: sqlite3.Connection, *, topic: str, since_ms: int) -> dict[int, int]:
    query = "SELECT partition, min(offset) - 1 FROM trail WHERE topic = ? AND at_ms >= ? GROUP BY partition"
    return dict(connection.execute(query, (topic, since_ms)).fetchall())
