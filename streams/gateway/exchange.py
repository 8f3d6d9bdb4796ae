"""One request of an agent, to the provider and back.

1. what is new in it is published, and the thread's context takes the place of what is old,
2. the provider is asked; where it finds the request too long, once more with a smaller context,
3. its answer goes back byte for byte, while it is read, and is published before its last bytes are passed on.

Whatever fails on the way to Kafka or in a worker, the request goes to the provider as it came.
"""

import asyncio
from typing import Any, Final

import httpx2
import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent, TailraceError, Unavailable
from tailrace.schemas.records.actor import Actor
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.streams.gateway.answer_relay import OK, AnswerRelay, relayed, relayed_as_it_comes, whole_content
from tailrace.streams.gateway.compaction_item import as_response, compacted, events_of, opened
from tailrace.streams.gateway.dialect import Dialect
from tailrace.streams.gateway.gateway_metrics import GatewayMetrics
from tailrace.streams.gateway.openai_responses import OPENAI_RESPONSES
from tailrace.streams.gateway.overflow import overflow_of
from tailrace.streams.gateway.request_body import problem_response, request_body
from tailrace.streams.gateway.turn import Caller, OutgoingTurn, TurnVerdict
from tailrace.streams.gateway.turns import GatewayTurns, key_hash
from tailrace.streams.gateway.unpacker import unpacker
from tailrace.streams.gateway.upstream import Upstream, UpstreamCall
from tailrace.streams.settings.gateway import GatewaySettings

log = structlog.get_logger("tailrace.gateway")

_REFUSED: Final = "invalid_request_error"
_JSON: Final = "application/json"

_decode = decoder()


class Exchange:
    """Takes requests to providers and answers back."""

    def __init__(
        self, turns: GatewayTurns, upstream: Upstream, metrics: GatewayMetrics, settings: GatewaySettings
    ) -> None:
        """Everything is open already."""
        self._turns = turns
        self._upstream = upstream
        self._metrics = metrics
        self._settings = settings
        self._relay = AnswerRelay(turns, metrics)

    async def model_call(
        self, request: Request, dialect: Dialect, *, tenant: str = DEFAULT_TENANT, actor: Actor | None = None
    ) -> Response:
        """A request for an answer of a model, by an agent of this tenant; `actor` names it in the audit."""
        content = await request_body(request, self._settings)
        if isinstance(content, Response):
            return content
        call, body = _call(request, content), _object(content)
        outgoing = OutgoingTurn(verdict=TurnVerdict.PASSED, reason="no JSON object")
        try:
            if body is not None:
                if (asked := dialect.triggered(body)) is not None and dialect.held_by(body) is None:
                    return await self._triggered(asked)
                if (whole := dialect.opened(body)) is not None:
                    body, call = whole, msgspec.structs.replace(call, content=msgspec.json.encode(whole))
                outgoing = await self._turns.take(dialect, _caller(request, dialect, tenant, actor), body)
            self._metrics.requests.labels(dialect.format, outgoing.verdict).inc()
            if outgoing.reason:
                log.info("gateway.passed", reason=outgoing.reason)
            return await self._asked(call, outgoing)
        except Invalid as error:
            return problem_response(400, _REFUSED, str(error))
        except Unavailable as error:
            return problem_response(502, "upstream_unreachable", str(error))

    async def token_count(self, request: Request, dialect: Dialect, *, tenant: str = DEFAULT_TENANT) -> Response:
        """A request for a count: of what a model would be sent. Nothing is published."""
        content = await request_body(request, self._settings)
        if isinstance(content, Response):
            return content
        body = _object(content)
        smaller = None
        if body is not None:
            smaller = await self._turns.looked_up(dialect, _caller(request, dialect, tenant), body)
        return await self._pass(_call(request, content if smaller is None else msgspec.json.encode(smaller)))

    async def compaction(self, request: Request) -> Response:
        """A request for a compaction, as OpenAI's Responses have it."""
        content = await request_body(request, self._settings)
        if isinstance(content, Response):
            return content
        body = _object(content)
        if body is None or OPENAI_RESPONSES.held_by(body) is not None:
            return await self._pass(_call(request, content))
        try:
            return Response(msgspec.json.encode(await self._compacted(body)), media_type=_JSON)
        except TailraceError as error:
            return problem_response(400, _REFUSED, str(error))

    async def _triggered(self, body: dict[str, Any]) -> Response:
        """The same as the answer to a usual request."""
        try:
            response = as_response(await self._compacted(body), body.get("model"))
        except TailraceError as error:
            return problem_response(400, _REFUSED, str(error))
        if body.get("stream") is True:
            return Response(b"".join(events_of(response)), media_type="text/event-stream")
        return Response(msgspec.json.encode(response), media_type=_JSON)

    async def _compacted(self, body: dict[str, Any]) -> dict[str, Any]:
        whole = opened(body) or body
        return await asyncio.to_thread(compacted, whole, OPENAI_RESPONSES.conversation(whole))

    async def passed(self, request: Request) -> Response:
        """Any other request: to the provider and back."""
        content = await request_body(request, self._settings)
        return content if isinstance(content, Response) else await self._pass(_call(request, content))

    async def _pass(self, call: UpstreamCall) -> Response:
        try:
            return relayed_as_it_comes(await self._upstream.send(call))
        except Invalid as error:
            return problem_response(400, _REFUSED, str(error))
        except Unavailable as error:
            return problem_response(502, "upstream_unreachable", str(error))

    async def _asked(self, call: UpstreamCall, outgoing: OutgoingTurn) -> Response:
        """The provider's answer to what is sent; where that is too long, to something smaller. Raises Unavailable."""
        response = await self._upstream.send(_with_body(call, outgoing))
        if outgoing.turn is None or response.status_code == OK:
            return await self._relay.answered(response, outgoing)
        refusal = await whole_content(response)
        smaller = await self._smaller(response, refusal, outgoing)
        if smaller is None:
            return relayed(response.status_code, self._relay.headers(response, outgoing), refusal)
        return await self._relay.answered(await self._upstream.send(_with_body(call, smaller)), smaller)

    async def _smaller(self, response: httpx2.Response, refusal: bytes, outgoing: OutgoingTurn) -> OutgoingTurn | None:
        """What to send in place of a request that was refused as too long; None for any other refusal."""
        turn = outgoing.turn
        overflow = overflow_of(response.status_code, _readable(response, refusal), turn.model) if turn else None
        if turn is None or overflow is None:
            return None
        self._metrics.overflows.labels(turn.dialect.format).inc()
        smaller = await self._turns.again(turn, overflow)
        return None if smaller is None or smaller.body == outgoing.body else smaller


def _readable(response: httpx2.Response, content: bytes) -> bytes:
    try:
        return unpacker(response.headers.get("content-encoding", "")).feed(content)
    except PoisonEvent:
        return content


def _with_body(call: UpstreamCall, outgoing: OutgoingTurn) -> UpstreamCall:
    if outgoing.body is None:
        return call
    return msgspec.structs.replace(call, content=msgspec.json.encode(outgoing.body))


def _call(request: Request, content: bytes) -> UpstreamCall:
    # As it came: a path that was decoded once is another one when it is written again.
    path = request.scope.get("raw_path") or request.url.path.encode()
    query = request.scope.get("query_string", b"")
    return UpstreamCall(
        method=request.method,
        target=(path + (b"?" + query if query else b"")).decode("latin-1"),
        headers=list(request.headers.raw),
        content=content,
    )


def _caller(request: Request, dialect: Dialect, tenant: str, actor: Actor | None = None) -> Caller:
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
        actor=actor,
    )


def _object(content: bytes) -> dict[str, Any] | None:
    try:
        body = _decode(content)
    except PoisonEvent:
        return None
    return body if isinstance(body, dict) else None
