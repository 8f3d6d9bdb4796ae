"""A provider's answer on its way back to the agent: byte for byte, and published before its last bytes are passed on.

An answer that breaks off is not published: the agent doesn't have it either. What of it the agent goes on with comes
back with its next request, and is published then.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import httpx2
import structlog
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from tailrace.schemas.errors import Unavailable
from tailrace.streams.gateway.answer_reader import AnswerReader, StreamReader, WholeReader
from tailrace.streams.gateway.gateway_metrics import GatewayMetrics
from tailrace.streams.gateway.request_body import problem_response
from tailrace.streams.gateway.turn import OutgoingTurn, Turn
from tailrace.streams.gateway.turns import GatewayTurns
from tailrace.streams.gateway.upstream import Headers, answered_headers

log = structlog.get_logger("tailrace.gateway")

OK: Final = 200
_REASON_CHARS_MAX: Final = 200


class AnswerRelay:
    """Takes answers back."""

    def __init__(self, turns: GatewayTurns, metrics: GatewayMetrics) -> None:
        """Everything is open already."""
        self._turns = turns
        self._metrics = metrics

    async def answered(self, response: httpx2.Response, outgoing: OutgoingTurn) -> Response:
        """The response for the agent."""
        headers, turn = self.headers(response, outgoing), outgoing.turn
        if turn is None or response.status_code != OK:
            return _Relayed(response.status_code, headers, pieces(response))
        encoding = response.headers.get("content-encoding", "")
        if _is_stream(response, turn):
            reader = StreamReader(turn.dialect, encoding)
            return _Relayed(OK, headers, self._streamed(response, turn, reader))
        return await self._whole(response, turn, headers, WholeReader(turn.dialect, encoding))

    def headers(self, response: httpx2.Response, outgoing: OutgoingTurn) -> Headers:
        """The provider's headers, and what became of the request."""
        return [*answered_headers(response), *_own_headers(outgoing)]

    async def _streamed(self, response: httpx2.Response, turn: Turn, reader: AnswerReader) -> AsyncIterator[bytes]:
        is_read = False
        try:
            async with aclosing(pieces(response)) as stream:
                async for piece in stream:
                    if not is_read and (is_whole := self._fed(turn, reader, piece)) is not False:
                        is_read = True
                        if is_whole:
                            await self._publish(turn, reader)
                    yield piece
        except BaseException:
            # The provider broke off, or the agent hung up.
            if not is_read:
                self._metrics.answers.labels("incomplete").inc()
            raise
        if not is_read:
            await self._publish(turn, reader)

    async def _whole(self, response: httpx2.Response, turn: Turn, headers: Headers, reader: AnswerReader) -> Response:
        try:
            content = await whole_content(response)
        except Unavailable as error:
            self._metrics.answers.labels("incomplete").inc()
            return problem_response(502, "upstream_broken", str(error))
        if self._fed(turn, reader, content) is not None:
            await self._publish(turn, reader)
        return relayed(response.status_code, headers, content)

    def _fed(self, turn: Turn, reader: AnswerReader, piece: bytes) -> bool | None:
        """Whether the answer is whole with these bytes; None where it can't be read any further."""
        try:
            return reader.feed(piece)
        except Exception as error:  # noqa: BLE001  whatever a server sends, the agent gets its bytes
            self._unreadable(turn, error)
            return None

    async def _publish(self, turn: Turn, reader: AnswerReader) -> None:
        """Publish what was said. Whatever is wrong with it, the agent gets its bytes."""
        try:
            answer = reader.answer()
            if answer is None or not answer.messages:
                self._metrics.answers.labels("incomplete").inc()
                return
            await self._turns.answered(turn, answer)
            self._metrics.answers.labels("published").inc()
        except Exception as error:  # noqa: BLE001  as above
            self._unreadable(turn, error)

    def _unreadable(self, turn: Turn, error: Exception) -> None:
        self._metrics.answers.labels("unreadable").inc()
        log.warning("gateway.answer_unreadable", thread=turn.thread, error=f"{type(error).__name__}: {error}")


class _Relayed(StreamingResponse):
    """Bytes as they come. Where they break off, so does what the agent reads: its connection is closed."""

    def __init__(self, status: int, headers: Headers, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, status_code=status)
        self.raw_headers = headers

    async def stream_response(self, send: Send) -> None:
        try:
            await super().stream_response(send)
        except Unavailable as error:
            log.warning("gateway.answer_broken", error=str(error))


async def pieces(response: httpx2.Response) -> AsyncGenerator[bytes, None]:
    """The bytes of a response as they come. Raises Unavailable where they break off."""
    try:
        async for piece in response.aiter_raw():
            yield piece
    except httpx2.HTTPError as error:
        raise Unavailable(f"the provider's answer broke off: {type(error).__name__}: {error}") from error
    finally:
        await response.aclose()


async def whole_content(response: httpx2.Response) -> bytes:
    """The bytes of a response, all of them. Raises Unavailable where they break off."""
    return b"".join([piece async for piece in pieces(response)])


def relayed(status: int, headers: Headers, content: bytes) -> Response:
    """A response in one piece."""
    response = Response(content, status_code=status)
    response.raw_headers = [*headers, (b"content-length", str(len(content)).encode())]
    return response


def relayed_as_it_comes(response: httpx2.Response) -> Response:
    """A response that belongs to no turn."""
    return _Relayed(response.status_code, answered_headers(response), pieces(response))


def _is_stream(response: httpx2.Response, turn: Turn) -> bool:
    kind = response.headers.get("content-type", "")
    return kind.startswith("text/event-stream") or (turn.body.get("stream") is True and "json" not in kind)


def _own_headers(outgoing: OutgoingTurn) -> Headers:
    headers = [(b"x-tailrace-context", outgoing.verdict.encode())]
    if outgoing.turn is not None:
        headers.append((b"x-tailrace-thread", outgoing.turn.thread.encode("ascii", errors="replace")))
    if outgoing.reason:
        reason = " ".join(outgoing.reason.split())[:_REASON_CHARS_MAX]
        headers.append((b"x-tailrace-reason", reason.encode("ascii", errors="replace")))
    return headers
