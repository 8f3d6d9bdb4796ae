"""What the endpoints work with.

The file and what keeps it up to date, the way into the log, and who waits for changes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.api.bodies import Bodies
from tailrace.streams.api.changes import Changes
from tailrace.streams.api.peers import Peers
from tailrace.streams.api.reading_feed import ReadingFeed
from tailrace.streams.api.reading_file import ReadingFile
from tailrace.streams.api.thread_views import ThreadViews
from tailrace.streams.artifacts.lazy_store import LazyStore
from tailrace.streams.client.client import Client
from tailrace.streams.client.publication import Published
from tailrace.streams.settings.settings import Settings

log = structlog.get_logger("tailrace.api")

FOLDER: Final = "api"
#: Places of messages that were published here: who waits for one that was refused is told by its place.
_PLACES_MAX: Final = 100_000


@dataclass(slots=True)
class PublishedPlaces:
    """Where messages stand that came through this process, the newest of them."""

    _places: OrderedDict[tuple[str, str], Published] = field(default_factory=OrderedDict)
    #: Threads with the tenant for which something was published: to everybody else they are as unknown as any.
    _threads: OrderedDict[tuple[str, str], None] = field(default_factory=OrderedDict)

    def add(self, published: Published, tenant: str) -> None:
        """Remember a message."""
        self._places[published.thread, published.event_id] = published
        self._threads[published.thread, tenant] = None
        if len(self._places) > _PLACES_MAX:
            self._places.popitem(last=False)
        if len(self._threads) > _PLACES_MAX:
            self._threads.popitem(last=False)

    def knows(self, thread: str, tenant: str) -> bool:
        """Tell whether something was published to the thread for this tenant."""
        return (thread, tenant) in self._threads

    def of(self, thread: str, event_id: str) -> Published | None:
        """Return the place of a message; None where it came another way, or long ago."""
        return self._places.get((thread, event_id))


@dataclass(slots=True)
class Backlog:
    """How many messages wait for workers, as it was when that was asked last."""

    messages: int | None = None
    asked_at_seconds: float = float("-inf")
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Services:
    """One API process."""

    settings: Settings
    file: ReadingFile
    feed: ReadingFeed
    changes: Changes
    views: ThreadViews
    bodies: Bodies
    client: Client
    places: PublishedPlaces
    artifacts: LazyStore
    registry: CollectorRegistry
    peers: Peers
    backlog: Backlog = field(default_factory=Backlog)


@asynccontextmanager
async def running_services(settings: Settings) -> AsyncIterator[Services]:
    """Yield the services, with the file being brought up to date. Raises Fatal where the file can't be used."""
    file = ReadingFile(settings.data_dir / FOLDER, settings.topic(Topic.CONTEXTS))
    await file.open()
    changes = Changes()
    registry = CollectorRegistry()
    feed = ReadingFeed(settings, file, changes.tell)
    async with Client(settings, reads=False, registry=registry) as client, LazyStore(settings) as artifacts:
        services = Services(
            settings=settings,
            file=file,
            feed=feed,
            changes=changes,
            views=ThreadViews(file),
            bodies=Bodies(),
            client=client,
            places=PublishedPlaces(),
            artifacts=artifacts,
            registry=registry,
            peers=Peers(settings.api),
        )
        reading = asyncio.create_task(feed.run())
        reading.add_done_callback(_say_why)
        try:
            yield services
        finally:
            changes.end()
            reading.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await reading
            await services.peers.close()
            await file.close()


def _say_why(reading: "asyncio.Task[Any]") -> None:
    if not reading.cancelled() and reading.exception() is not None:
        log.error("api.feed_ended", error=str(reading.exception()))
