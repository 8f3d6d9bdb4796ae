"""One request of an agent, to the provider and back.

1. what is new in it is published, and the thread's context takes the place of what is old,
2. the provider is asked; where it finds the request too long, once more with a smaller context,
3. its answer goes back byte for byte, while it is read, and is published before its last bytes are passed on.

Whatever fails on the way to Kafka or in a worker, the request goes to the provider as it came.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

import httpx2
import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent, TailraceError, Unavailable
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.streams.gateway.compaction_item import compacted, opened
from tailrace.streams.gateway.dialect import Answer, AnswerStream, Dialect
from tailrace.streams.gateway.event_stream import EventReader
from tailrace.streams.gateway.gateway_metrics import GatewayMetrics
from tailrace.streams.gateway.openai_responses import OPENAI_RESPONSES
from tailrace.streams.gateway.overflow import overflow_of
from tailrace.streams.gateway.turn import Caller, OutgoingTurn, Turn, TurnVerdict
from tailrace.streams.gateway.turns import GatewayTurns, key_hash
from tailrace.streams.gateway.upstream import Headers, Upstream, UpstreamCall, answered_headers

log = structlog.get_logger("tailrace.gateway")

_OK: Final = 200
_EVENT_STREAM: Final = "text/event-stream"
_REASON_CHARS_MAX: Final = 200

_decode = decoder()


class Exchange:
    """Takes requests to providers and answers back."""

    def __init__(
        self, turns: GatewayTurns, upstream: Upstream, metrics: GatewayMetrics, *, body_bytes_max: int
    ) -> None:
        """Everything is open already."""
        self._turns = turns
        self._upstream = upstream
        self._metrics = metrics
        self._body_bytes_max = body_bytes_max

    async def model_call(self, request: Request, dialect: Dialect, *, tenant: str = DEFAULT_TENANT) -> Response:
        """A request for an answer of a model, by an agent of this tenant."""
        content = await self._content(request)
        if content is None:
            return _too_large(self._body_bytes_max)
        call = _call(request, content)
        body = _object(content)
        outgoing = OutgoingTurn(verdict=TurnVerdict.PASSED, reason="no JSON object")
        if body is not None:
            try:
                whole = dialect.opened(body)
            except Invalid as error:
                return problem_response(400, "invalid_request_error", str(error))
            if whole is not None:
                body, call = whole, msgspec.structs.replace(call, content=msgspec.json.encode(whole))
            outgoing = await self._turns.take(dialect, _caller(request, dialect, tenant), body)
        self._metrics.requests.labels(dialect.format, outgoing.verdict).inc()
        if outgoing.reason:
            log.info("gateway.passed", reason=outgoing.reason[:_REASON_CHARS_MAX])
        try:
            response, outgoing = await self._asked(call, outgoing)
        except Unavailable as error:
            return problem_response(502, "upstream_unreachable", str(error))
        return await self._answered(response, outgoing)

    async def compaction(self, request: Request) -> Response:
        """A request for a compaction, as OpenAI's Responses have it."""
        content = await self._content(request)
        if content is None:
            return _too_large(self._body_bytes_max)
        body = _object(content)
        if body is None or OPENAI_RESPONSES.held_by(body) is not None:
            return await self._pass(_call(request, content))
        try:
            whole = opened(body) or body
            response = await asyncio.to_thread(compacted, whole, OPENAI_RESPONSES.conversation(whole))
        except (PoisonEvent, Invalid) as error:
            return problem_response(400, "invalid_request_error", str(error))
        return Response(msgspec.json.encode(response), media_type="application/json")

    async def passed(self, request: Request) -> Response:
        """Any other request: to the provider and back."""
        content = await self._content(request)
        if content is None:
            return _too_large(self._body_bytes_max)
        return await self._pass(_call(request, content))

    async def _pass(self, call: UpstreamCall) -> Response:
        try:
            response = await self._upstream.send(call)
        except Unavailable as error:
            return problem_response(502, "upstream_unreachable", str(error))
        return _relayed(response, _pieces(response), answered_headers(response))

    async def _content(self, request: Request) -> bytes | None:
        content = bytearray()
        async for piece in request.stream():
            content += piece
            if len(content) > self._body_bytes_max:
                return None
        return bytes(content)

    async def _asked(self, call: UpstreamCall, outgoing: OutgoingTurn) -> tuple[httpx2.Response, OutgoingTurn]:
        """The provider's response, and what was sent for it. Raises Unavailable."""
        response = await self._upstream.send(_with_body(call, outgoing))
        turn = outgoing.turn
        if turn is None or response.status_code == _OK:
            return response, outgoing
        refusal = await response.aread()
        overflow = overflow_of(response.status_code, refusal, turn.model)
        if overflow is None:
            return response, outgoing
        self._metrics.overflows.labels(turn.dialect.format).inc()
        smaller = await self._turns.again(turn, overflow)
        if smaller is None or smaller.body == outgoing.body:
            return response, outgoing
        return await self._upstream.send(_with_body(call, smaller)), smaller

    async def _answered(self, response: httpx2.Response, outgoing: OutgoingTurn) -> Response:
        headers = [*answered_headers(response), *_own_headers(outgoing)]
        turn = outgoing.turn
        if turn is None or response.status_code != _OK:
            return _relayed(response, _pieces(response), headers)
        if response.headers.get("content-type", "").startswith(_EVENT_STREAM):
            return _relayed(response, self._streamed(response, turn), headers)
        return _relayed(response, self._whole(response, turn), headers)

    async def _streamed(self, response: httpx2.Response, turn: Turn) -> AsyncIterator[bytes]:
        """The bytes of an answer that comes in events; it is published before those that end it are passed on."""
        reader, stream = EventReader(), turn.dialect.stream()
        published = False
        async for piece in _pieces(response):
            if not published and _takes_last(reader, stream, piece):
                published = True
                await self._publish(turn, stream)
            yield piece
        if not published:
            await self._publish(turn, stream)

    async def _whole(self, response: httpx2.Response, turn: Turn) -> AsyncIterator[bytes]:
        content = b"".join([piece async for piece in _pieces(response)])
        await self._publish(turn, _WholeAnswer(turn.dialect, content))
        yield content

    async def _publish(self, turn: Turn, stream: "AnswerStream | _WholeAnswer") -> None:
        """Publish what was said. Whatever is wrong with it, the caller gets its bytes."""
        try:
            answer = stream.answer()
            if answer is None or not answer.messages:
                self._metrics.answers.labels("incomplete").inc()
                await self._turns.settled(turn)
                return
            await self._turns.answered(turn, answer)
            self._metrics.answers.labels("published").inc()
        except (TailraceError, ValueError, TypeError, RecursionError) as error:
            self._metrics.answers.labels("unreadable").inc()
            log.warning("gateway.answer_unreadable", thread=turn.thread, error=f"{type(error).__name__}: {error}")
            await self._turns.settled(turn)


class _WholeAnswer:
    """An answer that came in one piece."""

    def __init__(self, dialect: Dialect, content: bytes) -> None:
        self._dialect = dialect
        self._content = content

    def answer(self) -> Answer | None:
        """What was said, if it is an answer."""
        body = _object(self._content)
        return None if body is None else self._dialect.answer(body)


def _takes_last(reader: EventReader, stream: AnswerStream, piece: bytes) -> bool:
    """Whether the answer is whole with these bytes."""
    last = False
    for name, data in reader.feed(piece):
        last = stream.take(name, data) or last
    return last


async def _pieces(response: httpx2.Response) -> AsyncIterator[bytes]:
    try:
        if response.is_stream_consumed:
            yield response.content
            return
        async for piece in response.aiter_raw():
            yield piece
    finally:
        await response.aclose()


def _relayed(response: httpx2.Response, pieces: AsyncIterator[bytes], headers: Headers) -> Response:
    relayed = StreamingResponse(pieces, status_code=response.status_code)
    relayed.raw_headers = headers
    return relayed


def _with_body(call: UpstreamCall, outgoing: OutgoingTurn) -> UpstreamCall:
    if outgoing.body is None:
        return call
    return msgspec.structs.replace(call, content=msgspec.json.encode(outgoing.body))


def _call(request: Request, content: bytes) -> UpstreamCall:
    query = request.url.query
    return UpstreamCall(
        method=request.method,
        target=request.url.path + (f"?{query}" if query else ""),
        headers=list(request.headers.raw),
        content=content,
    )


def _caller(request: Request, dialect: Dialect, tenant: str) -> Caller:
    key = next((value for name in dialect.key_headers if (value := request.headers.get(name))), "")
    own = {
        name: request.headers.get(f"x-tailrace-{name.replace('_', '-')}")
        for name in ("thread", "agent", "parent_thread")
    }
    return Caller(
        tenant=tenant,
        key_hash=key_hash(key.encode("latin-1", errors="replace")),
        thread=own["thread"] or "",
        agent=own["agent"],
        parent_thread=own["parent_thread"],
    )


def _own_headers(outgoing: OutgoingTurn) -> Headers:
    headers = [(b"x-tailrace-context", outgoing.verdict.encode())]
    if outgoing.turn is not None:
        headers.append((b"x-tailrace-thread", outgoing.turn.thread.encode("ascii", errors="replace")))
    if outgoing.reason:
        reason = outgoing.reason[:_REASON_CHARS_MAX].replace("\n", " ")
        headers.append((b"x-tailrace-reason", reason.encode("ascii", errors="replace")))
    return headers


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        body = _decode(content)
    except PoisonEvent:
        return None
    return body if isinstance(body, dict) else None


def _too_large(bytes_max: int) -> Response:
    return problem_response(
        413, "request_too_large", f"the request is larger than gateway.body_bytes_max ({bytes_max} bytes)"
    )


def problem_response(status: int, kind: str, message: str, headers: Mapping[str, str] = {}) -> Response:
    """An error of our own, in the one form that both SDKs read."""
    error = {"type": "error", "error": {"type": kind, "code": kind, "message": f"tailrace gateway: {message}"}}
    content = msgspec.json.encode(error)
    return Response(content, status_code=status, headers=dict(headers), media_type="application/json")
