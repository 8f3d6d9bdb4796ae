"""Waiting for a context until it includes what a client published, until it covers an offset, or until it changes."""

import asyncio

from tailrace.schemas.errors import Unavailable
from tailrace.streams.client.context_feed import ContextFeed
from tailrace.streams.client.fallback import FallbackReason
from tailrace.streams.client.publication import Published
from tailrace.streams.client.published_messages import OwnMessages
from tailrace.streams.client.thread_watch import ThreadWatch


class ContextWaits:
    """What a client waits for; it ends for good when the client stops."""

    def __init__(self, feed: ContextFeed, own: OwnMessages) -> None:
        """Wait for what the feed brings, with regard to the client's own messages."""
        self._feed = feed
        self._own = own
        self._ended = False

    def begin(self) -> None:
        """The client runs."""
        self._ended = False

    def end(self) -> None:
        """Let nobody wait any longer."""
        self._ended = True
        self._feed.wake_all()

    async def settled(self, watch: ThreadWatch) -> bool:
        """Wait until the thread's view includes what it must. False where waiting has no point."""
        with watch.in_use():
            own = bool(self._own.of(watch.thread))
            await watch.changed.until(lambda: watch.view is not None or self._hopeless(watch))
            if not own and not self._hopeless(watch):
                await self._feed.reach_end(watch)
            await watch.changed.until(lambda: self._is_settled(watch) or self._hopeless(watch))
            return watch.view is not None and not self._hopeless(watch)

    async def covered(self, watch: ThreadWatch, published: Published) -> None:
        """Wait until the thread's context takes what stands at this place into account."""
        with watch.in_use():
            await watch.changed.until(lambda: watch.view is not None or self._hopeless(watch))
            if watch.partition != published.partition:
                self._feed.move(watch, published.partition)
            await watch.changed.until(lambda: watch.covers(published.offset) or self._hopeless(watch))

    def _hopeless(self, watch: ThreadWatch) -> bool:
        return watch.unreadable or self._ended

    def _is_settled(self, watch: ThreadWatch) -> bool:
        if watch.view is None or watch.partition is None:
            return False
        for outgoing in self._own.of(watch.thread):
            published = outgoing.published
            if published is not None and published.partition != watch.partition:
                self._feed.move(watch, published.partition)
                return False
        return self._own.settle(watch.thread, watch.view, watch.partition)

    def why_not(self, watch: ThreadWatch) -> FallbackReason:
        """Return why the thread's context is not complete yet."""
        if watch.unreadable:
            return FallbackReason.UNREADABLE
        if any(outgoing.published is None for outgoing in self._own.of(watch.thread)):
            return FallbackReason.UNDELIVERED
        if not self._feed.connected:
            return FallbackReason.UNREACHABLE
        return FallbackReason.LOADING if watch.view is None else FallbackReason.BEHIND

    async def changed(self, watch: ThreadWatch, seen: tuple[int, int] | None, idle_timeout_ms: int | None) -> None:
        """Wait until the thread has another state than the one that was seen, or the client stops."""
        seconds = None if idle_timeout_ms is None else idle_timeout_ms / 1000
        try:
            async with asyncio.timeout(seconds):
                await watch.changed.until(lambda: watch.state not in (None, seen) or self._hopeless(watch))
        except TimeoutError:
            raise Unavailable(f"the context of thread {watch.thread} did not change for {idle_timeout_ms} ms") from None
        if watch.unreadable:
            raise Unavailable(
                f"the context of thread {watch.thread} holds a record that this release can't read; is this "
                f"client older "
                "than the workers?"
            )
