"""The Python client: publish what was said, get the context to send, never wait longer than you said.

    async with Client() as client:
        await client.publish("t1", {"role": "user", "content": "hi"}, model="gpt-4o")
        context = await client.context("t1")
        answer = await openai.chat.completions.create(model="gpt-4o", **context.request())

A context includes everything that this client has published to the thread. Where Tailrace can't say so in time, because
no worker runs, it is far behind or the broker is away, the client cuts a window by itself, with the worker's own rules,
from the last context it knows and its own messages: `context.source` is then `local`, `client.fallbacks` counts it and
the log says why. One client serves any number of threads, on one event loop.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, Unpack

import msgspec
from prometheus_client import REGISTRY, CollectorRegistry

from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.schemas.errors import Invalid, TooLarge, Unavailable
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.actor import Actor
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.message import Format, Message, format_named
from tailrace.schemas.records.signal import AnySignal, Compact, Overflow
from tailrace.streams.client.client_metrics import client_metrics
from tailrace.streams.client.context import Context, context_of
from tailrace.streams.client.context_feed import ContextFeed
from tailrace.streams.client.context_waits import ContextWaits
from tailrace.streams.client.delivery import Delivery, Outgoing
from tailrace.streams.client.fallback import Fallback
from tailrace.streams.client.publication import Publication, Published, PublishOptions, make_publication, named
from tailrace.streams.client.published_messages import OwnMessages
from tailrace.streams.client.signal_answer import signal_answers
from tailrace.streams.client.signal_record import CHANGING, SignalPublication, make_signal
from tailrace.streams.client.signature import sent_by
from tailrace.streams.client.silence import BROKER_SILENT, Silence
from tailrace.streams.client.thread_watch import ThreadWatch
from tailrace.streams.observability.client_log import client_log
from tailrace.streams.settings.settings import Settings, load_settings

if TYPE_CHECKING:
    from tailrace.streams.client.claim_check import ClaimCheck

#: What is still on its way when a client stops gets this long.
_FLUSH_SECONDS: Final = 5.0


class Client:
    """Publishes to threads and reads their contexts. Use it with `async with`, from one event loop."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        reads: bool = True,
        registry: CollectorRegistry = REGISTRY,
        **overrides: Any,
    ) -> None:
        """Prepare a client; nothing is opened yet.

        Settings come from `tailrace.toml` and `TAILRACE_*` unless they are given; `overrides` go before both, as in
        `Client(broker="kafka:9092")`. Raises ConfigError for settings that can't be used. With `reads=False` the token
        vocabulary (140 MB) is only loaded when a context is asked for: right for what only publishes. Metrics go to
        `registry`.
        """
        if settings is not None and overrides:
            raise TypeError("give either settings or single overrides, not both")
        self._settings = settings or load_settings(**overrides)
        self._reads = reads
        self._log = client_log()
        self._metrics = client_metrics(registry)
        self._own = OwnMessages()
        self._delivery = Delivery(self._settings, self._log)
        self._feed = ContextFeed(self._settings, self._log)
        self._waits = ContextWaits(self._feed, self._own)
        self._fallback = Fallback(self._settings, self._log, self._metrics)
        if named_strategies(self._settings.compaction_policy):
            _ = self._fallback.engine  # a strategy that is not installed is refused here, not when it is needed
        self._silence = Silence()
        self._claim_check: ClaimCheck | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._running = False

    @property
    def fallbacks(self) -> int:
        """How many contexts this client had to cut by itself."""
        return self._fallback.count

    @property
    def undelivered(self) -> int:
        """How many published messages the broker has not acknowledged."""
        return self._delivery.waiting

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop."""
        await self.stop()

    async def start(self) -> None:
        """Begin to connect, in the background: a broker that is away makes nothing here fail or wait."""
        if self._running:
            return
        self._running = True
        self._waits.begin()
        self._tasks = [asyncio.create_task(self._delivery.run()), asyncio.create_task(self._feed.run())]
        if self._reads:
            self._fallback.prepare(None)

    async def stop(self) -> None:
        """Send what is still on its way, for a few seconds at most, end all subscriptions and close the connections."""
        if not self._running:
            return
        self._running = False
        self._waits.end()
        await self._delivery.flush(_FLUSH_SECONDS)
        if self._delivery.waiting:
            self._log.warning("client.undelivered", messages=self._delivery.waiting, reason=self._delivery.reason)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._claim_check is not None:
            await self._claim_check.close()
            self._claim_check = None

    async def publish(
        self,
        thread: str,
        message: Message | Mapping[str, Any],
        *,
        timeout_ms: int | None = None,
        **options: Unpack[PublishOptions],
    ) -> Published:
        """Publish a message and return its place in the log, once the broker has it on all replicas in sync.

        `message` is a dict as OpenAI chat or Anthropic messages have it, or a `Message`; an `id` in it names the event.
        Content that would not fit into a record goes into the artifact store, and a claim to it into the log. Raises a
        PoisonEvent, before anything is sent, if a worker could not read it; Unavailable if the broker did not
        acknowledge it in time (default: `client.publish_wait_ms`). Such a message is not lost: it counts in this
        client's contexts, is sent when the broker is back, and may be published again under the same id.
        """
        (published,) = await self.delivered(await self.begin_publishing(thread, [(message, options)]), timeout_ms)
        return published

    async def publish_many(
        self,
        thread: str,
        messages: Iterable[Message | Mapping[str, Any]],
        *,
        timeout_ms: int | None = None,
        **options: Unpack[PublishOptions],
    ) -> list[Published]:
        """Publish messages of a thread in their order, sharing round trips, and with one deadline.

        Publishes none of them if one can't be read.
        """
        if options.get("id") is not None:
            raise TypeError("one id can't name several messages")
        return await self.delivered(
            await self.begin_publishing(thread, ((message, options) for message in messages)), timeout_ms
        )

    async def begin_publishing(
        self,
        thread: str,
        messages: Iterable[tuple[Message | Mapping[str, Any], PublishOptions]],
        *,
        actor: Actor | None = None,
    ) -> Sequence[Outgoing[Publication]]:
        """Hand messages over, each with options of its own, without waiting for the broker.

        Contexts include them from now on.

        Nothing is sent if one of them can't be read. `delivered` waits until the broker has them. `actor` is who
        publishes, for the audit.
        """
        publications = [sent_by(await self._prepare(thread, message, options), actor) for message, options in messages]
        return [self._hand_over(publication) for publication in publications]

    async def delivered(self, outgoing: Sequence[Outgoing[Any]], timeout_ms: int | None = None) -> list[Published]:
        """Wait until the broker has what was handed over, and return its places.

        Raises Unavailable as `publish` does.
        """
        wait_ms = self._settings.client.publish_wait_ms if timeout_ms is None else timeout_ms
        if outgoing:
            await asyncio.wait([message.delivered for message in outgoing], timeout=wait_ms / 1000)
        late = [message.publication for message in outgoing if not message.delivered.done()]
        if late:
            self._metrics.publish_failures.inc(len(late))
            raise Unavailable(
                f"message {late[0].id} of thread {late[0].thread} was not acknowledged within {wait_ms} ms "
                f"({len(late)} of {len(outgoing)}): {self._delivery.reason}. It is sent when the broker is back; "
                "publishing it again under the same id is safe"
            )
        return [message.delivered.result() for message in outgoing]

    async def signal(
        self,
        thread: str,
        what: AnySignal,
        *,
        tenant: str = DEFAULT_TENANT,
        id: str | None = None,  # noqa: A002  the name that the records have for it
        timeout_ms: int | None = None,
        actor: Actor | None = None,
    ) -> Published:
        """Tell a thread something that is not said in it, and return its place in the log once the broker has it.

        `what` is one of the signals of `tailrace.schemas.records.signal`: that a call begins or ends, what is about to
        be added, that a provider refused a request. Whether it counts is for the thread to say: one that is refused has
        a line on `lifecycle`. The same id twice is one signal. The next context takes it into account. `actor` is who
        sends it, for the audit. Raises as `publish` does.
        """
        signal = sent_by(self._prepare_signal(thread, self._about_its_context(thread, what), tenant, id), actor)
        outgoing = self._hand_over(signal) if isinstance(what, CHANGING) else self._delivery.hand_over(signal)
        (published,) = await self.delivered([outgoing], timeout_ms)
        return published

    async def compact(
        self, thread: str, *, tenant: str = DEFAULT_TENANT, timeout_ms: int | None = None, **overrides: Any
    ) -> LifecycleEvent:
        """Ask for a compaction now, and return what became of it, once this client's contexts show it.

        `overrides` are for this call: `target_tokens` or `target_fraction` (of the limit), `strategy`, `reason`. The
        event's `kind` is `completed`, `noop` (nothing could be made smaller), `refused` (the reason says why) or
        `flagged`: a model call is under way, and the compaction comes when it ends. Raises Invalid for overrides that
        make no sense, Unavailable where no worker has answered within `timeout_ms` (default: `client.publish_wait_ms`).
        """
        try:
            asked = Compact(**overrides)
        except (TypeError, ValueError) as error:
            raise Invalid(f"compact: {error}") from error
        publication = self._prepare_signal(thread, asked, tenant, None)
        wait_ms = self._settings.client.publish_wait_ms if timeout_ms is None else timeout_ms
        try:
            async with asyncio.timeout(wait_ms / 1000), signal_answers(self._settings) as answers:
                (published,) = await self._send([publication], wait_ms)
                answer = await answers.answer_to(thread, publication.id)
                if answer.kind is not LifecycleKind.REFUSED:
                    await self._waits.covered(self._feed.watch(thread), published)
                return answer
        except TimeoutError:
            raise Unavailable(
                f"no worker has compacted thread {thread} within {wait_ms} ms; one that comes later still will, if the "
                "broker has the request"
            ) from None

    async def context(
        self,
        thread: str,
        *,
        timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
    ) -> Context:
        """Return the thread's context, with everything in it that this client has published before.

        Where that takes longer than `timeout_ms` (default: `client.context_wait_ms`, or a moment where nobody has
        answered in that time in the last seconds), returns the window that the client cuts by itself; never raises for
        it. For a thread to which this client has published nothing the context is as of this call; it is empty for a
        thread that doesn't exist. `format` is what `request` gives by default.
        """
        self._check_running()
        chosen = format_named(format or Format.OPENAI_CHAT)
        watch = self._feed.watch(check_id(thread, "thread"))
        started_at = asyncio.get_running_loop().time()
        usual_ms = self._settings.client.context_wait_ms
        short_ms = self._silence.wait_ms(self._feed.place_of(watch), usual_ms, now_seconds=started_at)
        wait_ms = short_ms if timeout_ms is None else timeout_ms
        try:
            async with asyncio.timeout(wait_ms / 1000):
                settled = await self._waits.settled(watch)
        except TimeoutError:
            settled = False
        context = self._context(watch, chosen) if settled else None
        if context is None:
            own = [outgoing.publication for outgoing in self._own.of(thread)]
            reason = self._waits.why_not(watch)
            if wait_ms >= usual_ms:
                self._silence.note(self._feed.place_of(watch), reason, now_seconds=asyncio.get_running_loop().time())
            context = await self._fallback.context(watch, own, message_format=chosen, reason=reason)
        else:
            self._fallback.forget(thread)
            self._silence.end(self._feed.place_of(watch))
        watch.given_epoch = context.epoch if context.complete and context.epoch >= 0 else None
        self._metrics.context_wait.observe(asyncio.get_running_loop().time() - started_at)
        return context

    def delivery_wait_ms(self, thread: str) -> int:
        """Return how long to wait now for what is published to a thread: hardly, where the broker is silent."""
        return self._silence.wait_ms(
            self._feed.place_of(self._feed.watch(thread)),
            self._settings.client.context_wait_ms,
            now_seconds=asyncio.get_running_loop().time(),
            reasons=BROKER_SILENT,
        )

    async def subscribe(
        self,
        thread: str,
        *,
        idle_timeout_ms: int | None = None,
        format: Format | str | None = None,  # noqa: A002  the name that the records have for it
    ) -> AsyncGenerator[Context, None]:
        """Yield the thread's context, and again whenever it has changed: the latest, not every step in between.

        A thread that doesn't exist yields its first context when it begins. Ends when the client stops. Raises
        Unavailable when nothing has changed for `idle_timeout_ms`; by default it waits for ever.
        """
        self._check_running()
        chosen = format_named(format or Format.OPENAI_CHAT)
        watch = self._feed.watch(check_id(thread, "thread"))
        seen: tuple[int, int] | None = None
        with watch.in_use():
            while self._running:
                await self._waits.changed(watch, seen, idle_timeout_ms)
                context = self._context(watch, chosen)
                if context is not None and self._running:
                    seen = watch.state
                    watch.given_epoch = context.epoch if context.epoch >= 0 else None
                    yield context

    def _context(self, watch: ThreadWatch, message_format: Format) -> Context | None:
        if watch.view is None:
            return None
        return context_of(watch.thread, watch.view, self._settings.compaction_policy, message_format=message_format)

    def _check_running(self) -> None:
        if not self._running:
            raise RuntimeError("the client is not running: use `async with Client() as client`, or start() and stop()")

    async def _prepare(self, thread: str, message: Message | Mapping[str, Any], options: PublishOptions) -> Publication:
        self._check_running()
        topic = self._settings.topic(Topic.CONVERSATIONS)
        limit_bytes = self._settings.ingest.value_bytes_max
        message, options = named(message, options)
        try:
            publication = make_publication(topic, thread, message, options, value_bytes_max=limit_bytes)
        except TooLarge:
            rest, claim = await self._opened_claim_check().put_away(thread, message, options)
            publication = make_publication(topic, thread, rest, options, value_bytes_max=limit_bytes, claim=claim)
        if self._reads and publication.event.model:
            self._fallback.prepare(publication.event.model)
        return publication

    def _opened_claim_check(self) -> "ClaimCheck":
        if self._claim_check is None:
            from tailrace.streams.client.claim_check import ClaimCheck  # noqa: PLC0415  for what is too large only

            self._claim_check = ClaimCheck(self._settings)
        return self._claim_check

    def _prepare_signal(self, thread: str, what: AnySignal, tenant: str, signal_id: str | None) -> SignalPublication:
        self._check_running()
        topic = self._settings.topic(Topic.CONVERSATIONS)
        return make_signal(topic, thread, what, tenant=tenant, signal_id=signal_id)

    async def _send(self, signals: Sequence[SignalPublication], timeout_ms: int | None) -> list[Published]:
        return await self.delivered([self._delivery.hand_over(signal) for signal in signals], timeout_ms)

    def _about_its_context(self, thread: str, what: AnySignal) -> AnySignal:
        """The signal; a refusal with the epoch of the context that this client was given last, unless it names one."""
        if not isinstance(what, Overflow) or what.epoch is not None:
            return what
        epoch = self._feed.watch(check_id(thread, "thread")).given_epoch
        return what if epoch is None else msgspec.structs.replace(what, epoch=epoch)

    def _hand_over(self, publication: Any) -> Outgoing[Any]:
        outgoing = self._delivery.hand_over(publication)
        self._own.add(outgoing)
        outgoing.delivered.add_done_callback(lambda _: self._on_delivered(outgoing))
        return outgoing

    def _on_delivered(self, outgoing: Outgoing[Any]) -> None:
        if outgoing.published is None:
            self._own.forget(outgoing)  # refused for good: it will never be part of the thread
        self._feed.notify(outgoing.publication.thread)
