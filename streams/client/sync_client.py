"""The client for programs without an event loop: the same methods, which wait.

    with SyncClient() as client:
        client.publish("t1", {"role": "user", "content": "hi"}, model="gpt-4o")
        answer = openai.chat.completions.create(model="gpt-4o", **client.context("t1").request())

The client itself runs on an event loop of its own, in a thread of its own. So any thread may call, several at once,
also one whose own event loop is running: it waits for as long as the call takes.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from prometheus_client import REGISTRY, CollectorRegistry

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.signal import AnySignal
from tailrace.streams.client.client import Client
from tailrace.streams.client.context import Context
from tailrace.streams.client.publication import Published, PublishOptions
from tailrace.streams.settings.settings import Settings

_Value = TypeVar("_Value")


class SyncClient:
    """Publishes to threads and reads their contexts, from any thread. Use it with `with`."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        reads: bool = True,
        registry: CollectorRegistry = REGISTRY,
        **overrides: Any,
    ) -> None:
        """Prepare a client, as `Client` does; nothing is opened yet, and no thread is started."""
        self._client = Client(settings, reads=reads, registry=registry, **overrides)
        #: None before the start and after the stop.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._changing = threading.Lock()
        self._submitting = threading.Lock()

    @property
    def fallbacks(self) -> int:
        """How many contexts this client had to cut by itself."""
        return self._client.fallbacks

    @property
    def undelivered(self) -> int:
        """How many published messages the broker has not acknowledged."""
        return self._client.undelivered

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop."""
        self.stop()

    def start(self) -> None:
        """Begin to connect, in the background: a broker that is away makes nothing here fail or wait.

        Raises RuntimeError for a client that was stopped: make a new one.
        """
        with self._changing:
            if self._loop is not None:
                return
            if self._stopped:
                raise RuntimeError("this client was stopped; make a new one")
            self._loop = asyncio.new_event_loop()
            # A daemon: a program that forgot to stop its client ends all the same.
            self._thread = threading.Thread(target=_run, args=(self._loop,), name="tailrace-client", daemon=True)
            self._thread.start()
            self._wait(self._client.start())

    def stop(self) -> None:
        """Send what is still on its way, for a few seconds at most, close the connections and end the thread.

        Calls under way in other threads end, too: contexts are cut here, subscriptions end, the rest raises
        Unavailable.
        """
        with self._changing:
            loop = self._loop
            if loop is None or self._thread is None:
                return
            try:
                self._wait(self._client.stop())
            finally:
                # What was handed over before comes first; from here on nothing is, or its caller would wait for ever.
                with self._submitting:
                    self._loop = None
                    loop.call_soon_threadsafe(loop.stop)
                self._thread.join()

    def publish(
        self,
        thread: str,
        message: Message | Mapping[str, Any],
        *,
        timeout_ms: int | None = None,
        **options: Unpack[PublishOptions],
    ) -> Published:
        """Publish a message and return its place in the log, as `Client.publish` does."""
        return self._wait(self._client.publish(thread, message, timeout_ms=timeout_ms, **options))

    def publish_many(
        self,
        thread: str,
        messages: Iterable[Message | Mapping[str, Any]],
        *,
        timeout_ms: int | None = None,
        **options: Unpack[PublishOptions],
    ) -> list[Published]:
        """Publish messages of a thread in their order, as `Client.publish_many` does."""
        # An iterator of the caller's may take its time: not on the client's loop.
        return self._wait(self._client.publish_many(thread, list(messages), timeout_ms=timeout_ms, **options))

    def signal(
        self,
        thread: str,
        what: AnySignal,
        *,
        tenant: str = DEFAULT_TENANT,
        id: str | None = None,  # noqa: A002  the name that the records have for it
        timeout_ms: int | None = None,
    ) -> Published:
        """Tell a thread something that is not said in it, as `Client.signal` does."""
        return self._wait(self._client.signal(thread, what, tenant=tenant, id=id, timeout_ms=timeout_ms))

    def compact(
        self, thread: str, *, tenant: str = DEFAULT_TENANT, timeout_ms: int | None = None, **overrides: Any
    ) -> LifecycleEvent:
        """Ask for a compaction now, and return what became of it, as `Client.compact` does."""
        return self._wait(self._client.compact(thread, tenant=tenant, timeout_ms=timeout_ms, **overrides))

    def context(
        self,
        thread: str,
        *,
        timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
    ) -> Context:
        """Return the thread's context, as `Client.context` does."""
        return self._wait(self._client.context(thread, timeout_ms=timeout_ms, format=format))

    def subscribe(
        self,
        thread: str,
        *,
        idle_timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
    ) -> Iterator[Context]:
        """Yield the thread's context, and again whenever it has changed, as `Client.subscribe` does."""
        contexts = self._client.subscribe(thread, idle_timeout_ms=idle_timeout_ms, format=format)
        try:
            with suppress(StopAsyncIteration):
                while not self._stopped:
                    yield self._wait(_next(contexts.__anext__()))
        finally:
            if self._loop is not None:
                self._wait(contexts.aclose())

    @property
    def _stopped(self) -> bool:
        return self._thread is not None and self._loop is None

    def _wait(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        """Have the client's loop do this, and wait for it. Whoever is interrupted while waiting takes it back."""
        with self._submitting:
            if self._loop is None:
                work.close()
                raise RuntimeError(
                    "the client is not running: use `with SyncClient() as client`, or start() and stop()"
                )
            doing = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return doing.result()
        except CancelledError:
            raise Unavailable("the client was stopped before this was done") from None
        except BaseException:
            doing.cancel()
            raise


async def _next(coming: Any) -> Context:
    context: Context = await coming
    return context


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop until it is stopped, then end all that is left on it."""
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()
