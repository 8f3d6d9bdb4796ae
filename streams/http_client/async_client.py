"""The client over HTTP, for programs with an event loop.

    async with AsyncHttpClient() as client:
        await client.publish("t1", {"role": "user", "content": "hi"}, model="gpt-4o")
        context = await client.context("t1")  # includes what was just published
        answer = await openai.chat.completions.create(model="gpt-4o", **context.request())

Says and does what `HttpClient` does.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
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


class AsyncHttpClient:
    """Publishes to threads and reads their contexts over HTTP. Use it with `async with`."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        token: str | None = None,
        timeout_seconds: float = DEFAULT_SECONDS,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """Take the address of the API and the token of the caller; nothing is sent yet."""
        self._url = url
        self._exchange = HttpExchange(token)
        self._http = httpx2.AsyncClient(
            base_url=url, timeout=timeout_seconds, headers=self._exchange.headers, transport=transport
        )

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def publish(self, thread: str, message: Message | Mapping[str, Any], **options: Any) -> PublishedMessage:
        """Publish a message, as `HttpClient.publish` does."""
        (published,) = await self.publish_many(thread, [message], **options)
        return published

    async def publish_many(
        self, thread: str, messages: Sequence[Message | Mapping[str, Any]], **options: Any
    ) -> tuple[PublishedMessage, ...]:
        """Publish messages of a thread in their order, as `HttpClient.publish_many` does."""
        return self._exchange.published(await self._send(self._exchange.publish(thread, messages, options)))

    async def context(self, thread: str, *, covers: str | None = None, wait_ms: int | None = None) -> HttpContext:
        """Return the thread's context, as `HttpClient.context` does."""
        return self._exchange.context_in(thread, await self._send(self._exchange.context(thread, covers, wait_ms)))

    async def follow(self, *threads: str) -> AsyncGenerator[HttpContext, None]:
        """Yield the contexts of these threads, as `HttpClient.follow` does."""
        reader, tries = SseReader(), Tries(self._url)
        while True:
            outgoing = self._exchange.follow(threads, reader.last_event_id)
            try:
                async with self._http.stream(**arguments(outgoing), timeout=None) as response:
                    pause_seconds = tries.pause_after(response)
                    if pause_seconds is None:
                        if response.status_code != httpx2.codes.OK:
                            await response.aread()
                            check(response)
                        async for line in response.aiter_lines():
                            tries.begin_again()
                            for context in reader.take(line):
                                yield context
                        pause_seconds = STREAM_PAUSE_SECONDS
            except httpx2.TransportError as error:
                pause_seconds = tries.pause_after_error(error)
            await asyncio.sleep(pause_seconds)

    async def compact(self, thread: str, *, wait_ms: int | None = None, **overrides: Any) -> CompactReply:
        """Ask for a compaction now, as `HttpClient.compact` does."""
        return self._exchange.compacted(await self._send(self._exchange.compact(thread, wait_ms, overrides)))

    async def recall(self, query: str, *, thread: str | None = None, limit: int = 5) -> RecallReply:
        """Return passages of all that was said, the best first, also of what has left the contexts."""
        return self._exchange.recalled(await self._send(self._exchange.recall(query, thread, limit)))

    async def _send(self, outgoing: OutgoingRequest) -> httpx2.Response:
        tries = Tries(self._url)
        while True:
            try:
                response = await self._http.request(**arguments(outgoing))
                pause_seconds = tries.pause_after(response)
                if pause_seconds is None:
                    return response
            except httpx2.TransportError as error:
                pause_seconds = tries.pause_after_error(error)
            await asyncio.sleep(pause_seconds)
