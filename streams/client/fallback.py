"""What a client does when Tailrace doesn't answer in time: cuts the window itself, counts it, says why."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from tailrace.schemas.errors import TailraceError
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.client.client_metrics import ClientMetrics
from tailrace.streams.client.context import Context, ContextSource, context_of
from tailrace.streams.client.publication import Publication
from tailrace.streams.client.signal_record import SignalPublication
from tailrace.streams.client.thread_watch import ThreadWatch
from tailrace.streams.settings.settings import Settings

if TYPE_CHECKING:
    from tailrace.agents.engine.engine import Engine
    from tailrace.streams.client.local_window import LocalWindow

#: Windows are kept because the next one of a thread mostly begins with the last.
_WINDOWS_MAX: Final = 1_000
#: More than any application talks to.
_MODELS_MAX: Final = 64


class FallbackReason(StrEnum):
    """Why a context is not Tailrace's own."""

    #: A message of this client is not acknowledged by the broker yet.
    UNDELIVERED = "undelivered"
    #: The contexts can't be read: the broker is away, or the topic is missing.
    UNREACHABLE = "unreachable"
    #: The thread's past is not read yet.
    LOADING = "loading"
    #: No worker has covered this client's messages yet, or the feed is behind.
    BEHIND = "behind"
    #: A record of the thread that this release can't read.
    UNREADABLE = "unreadable"


class Fallback:
    """The windows of one client."""

    def __init__(self, settings: Settings, log: Any, metrics: ClientMetrics) -> None:
        """Prepare; `prepare` loads what counting needs."""
        self.count = 0
        self._settings = settings
        self._log = log
        self._metrics = metrics
        self._windows: OrderedDict[str, LocalWindow] = OrderedDict()
        self._lock = asyncio.Lock()
        self._preparing: dict[str | None, asyncio.Task[None]] = {}

    @cached_property
    def engine(self) -> "Engine":
        """The worker's rules. Raises ConfigError where the policy names a strategy that is not installed."""
        # All that decides about contexts: most of what this package is, and a client that only publishes has no use for
        # it.
        from tailrace.streams.installation.engine import make_engine  # noqa: PLC0415

        return make_engine(self._settings)

    def prepare(self, model: str | None) -> None:
        """Load in the background what counting for a model needs: a second at first, which no deadline must pay for."""
        if model not in self._preparing and len(self._preparing) < _MODELS_MAX:
            self._preparing[model] = asyncio.create_task(asyncio.to_thread(self._load, model))

    def forget(self, thread: str) -> None:
        """Free the window of a thread: Tailrace has answered."""
        self._windows.pop(thread, None)

    async def context(
        self,
        watch: ThreadWatch,
        own: Sequence[Publication | SignalPublication],
        *,
        message_format: Format,
        reason: FallbackReason,
    ) -> Context:
        """Return the last known context with the client's own messages behind it, cut by the worker's rules."""
        thread = watch.thread
        async with self._lock:
            window = await self._window(thread)
            window.rebase(watch.view, watch.version)
            try:
                # In a thread of its own: counting a long message must not stop the application's event loop.
                view = await asyncio.to_thread(window.view, thread, own)
            except BaseException:
                self.forget(thread)  # cancelled: that other thread may still be at work on it
                raise
            context = context_of(
                thread,
                view,
                self._settings.compaction_policy,
                source=ContextSource.LOCAL,
                message_format=message_format,
            )
            while len(self._windows) > _WINDOWS_MAX:
                self._windows.popitem(last=False)
        self.count += 1
        self._metrics.fallbacks.labels(reason).inc()
        self._log.warning(
            "client.fallback",
            thread=thread,
            reason=str(reason),
            messages=len(context.messages),
            own=len(own),
            left_out=window.left_out,
            tokens=context.tokens,
            limit_tokens=context.limit_tokens,
        )
        return context

    async def _window(self, thread: str) -> "LocalWindow":
        if thread not in self._windows:
            self._windows[thread] = await asyncio.to_thread(self._new_window)
        self._windows.move_to_end(thread)
        return self._windows[thread]

    def _new_window(self) -> "LocalWindow":
        from tailrace.streams.client.local_window import LocalWindow  # noqa: PLC0415  as heavy as the rules

        return LocalWindow(self.engine)

    def _load(self, model: str | None) -> None:
        try:
            self.engine.count_tokens(Message(role="user"), model)
            if model is not None:
                self.engine.window_tokens(model)
        except TailraceError as error:
            self._log.warning("client.not_prepared", model=model, error=str(error))
