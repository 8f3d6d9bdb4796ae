"""The client over HTTP.

    with HttpClient() as client:
        client.publish("t1", {"role": "user", "content": "hi"}, model="gpt-4o")
        context = client.context("t1")  # includes what was just published
        answer = openai.chat.completions.create(model="gpt-4o", **context.request())

Every error is one of `tailrace.schemas.errors`. A request that gets no answer is sent again, a few times: messages have
ids, so none is taken twice.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import httpx2

from tailrace.schemas.api.departures import RecallReply
from tailrace.schemas.api.plans import CompactReply
from tailrace.schemas.api.publication import PublishedMessage
from tailrace.schemas.records.message import Message
from tailrace.streams.http_client.context import HttpContext
from tailrace.streams.http_client.exchange import (
    DEFAULT_SECONDS,
    DEFAULT_URL,
    HttpExchange,
    OutgoingRequest,
    SseReader,
    arguments,
    check,
)
from tailrace.streams.http_client.tries import STREAM_PAUSE_SECONDS, Tries


class HttpClient:
    """Publishes to threads and reads their contexts over HTTP. Use it with `with`."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        timeout_seconds: float = DEFAULT_SECONDS,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Take the address of the API and the token of the caller; nothing is sent yet."""
        self._url = url
        self._exchange = HttpExchange(token)
        self._http = httpx2.Client(
            base_url=url, timeout=timeout_seconds, headers=self._exchange.headers, transport=transport
        )

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def publish(self, thread: str, message: Message | Mapping[str, Any], **options: Any) -> PublishedMessage:
        """Publish a message and return its place in the log, once the broker has it.

        `options` are those of an envelope: `id`, `model`, `tenant`, `agent`, `turn`, `group`, `usage`, `pinned` and so
        on. An `id` inside a dict names the message too.
        """
        (published,) = self.publish_many(thread, [message], **options)
        return published

    def publish_many(
        self, thread: str, messages: Sequence[Message | Mapping[str, Any]], **options: Any
    ) -> tuple[PublishedMessage, ...]:
        """Publish messages of a thread in their order; none is sent if one of them can't be read."""
        return self._exchange.published(self._send(self._exchange.publish(thread, messages, options)))

    def context(self, thread: str, *, covers: str | None = None, wait_ms: int | None = None) -> HttpContext:
        """Return the thread's context, with everything in it that this client has published before.

        `covers` names another message to wait for. Raises Unavailable where there is no such thread, or no worker has
        taken the message in within `wait_ms`.
        """
        return self._exchange.context_in(thread, self._send(self._exchange.context(thread, covers, wait_ms)))

    def follow(self, *threads: str) -> Iterator[HttpContext]:
        """Yield the contexts of these threads, and again whenever one has changed; for ever.

        Goes on where it was when the connection is lost. Without a thread, whatever changes from now on.
        """
        reader, tries = SseReader(), Tries(self._url)
        while True:
            outgoing = self._exchange.follow(threads, reader.last_event_id)
            try:
                with self._http.stream(**arguments(outgoing), timeout=None) as response:
                    pause_seconds = tries.pause_after(response)
                    if pause_seconds is None:
                        if response.status_code != httpx2.codes.OK:
                            response.read()
                            check(response)
                        for line in response.iter_lines():
                            tries.begin_again()
                            yield from reader.take(line)
                        pause_seconds = STREAM_PAUSE_SECONDS
            except httpx2.TransportError as error:
                pause_seconds = tries.pause_after_error(error)
            time.sleep(pause_seconds)

    def compact(self, thread: str, *, wait_ms: int | None = None, **overrides: Any) -> CompactReply:
        """Ask for a compaction now, and return what became of it, once contexts show it.

        `overrides` are `target_tokens` or `target_fraction`, `strategy`, `reason`. Raises Refused where the thread
        refuses it.
        """
        return self._exchange.compacted(self._send(self._exchange.compact(thread, wait_ms, overrides)))

    def recall(self, query: str, *, thread: str | None = None, limit: int = 5) -> RecallReply:
        """Return passages of all that was said, the best first, also of what has left the contexts."""
        return self._exchange.recalled(self._send(self._exchange.recall(query, thread, limit)))

    def _send(self, outgoing: OutgoingRequest) -> httpx2.Response:
        tries = Tries(self._url)
        while True:
            try:
                response = self._http.request(**arguments(outgoing))
                pause_seconds = tries.pause_after(response)
                if pause_seconds is None:
                    return response
            except httpx2.TransportError as error:
                pause_seconds = tries.pause_after_error(error)
            time.sleep(pause_seconds)
