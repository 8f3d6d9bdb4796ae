"""The gateway's HTTP server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tailrace.streams.client.client import Client
from tailrace.streams.gateway.anthropic_messages import ANTHROPIC_MESSAGES
from tailrace.streams.gateway.dialect import Dialect
from tailrace.streams.gateway.exchange import Exchange
from tailrace.streams.gateway.gateway_metrics import GatewayMetrics
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.openai_chat import OPENAI_CHAT
from tailrace.streams.gateway.openai_responses import OPENAI_RESPONSES
from tailrace.streams.gateway.turns import GatewayTurns
from tailrace.streams.gateway.upstream import Upstream
from tailrace.streams.settings.settings import Settings

#: The API of each path on which models answer.
DIALECTS: Final[dict[str, Dialect]] = {
    "/v1/chat/completions": OPENAI_CHAT,
    "/v1/responses": OPENAI_RESPONSES,
    "/v1/messages": ANTHROPIC_MESSAGES,
}
#: The API of each path on which what a model would be sent is counted.
COUNTS: Final[dict[str, Dialect]] = {
    "/v1/responses/input_tokens": OPENAI_RESPONSES,
    "/v1/messages/count_tokens": ANTHROPIC_MESSAGES,
}
#: Where a conversation is answered with as one item.
COMPACTION_PATH: Final = "/v1/responses/compact"
HEADS_FILE: Final = "gateway.db"
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]

Endpoint = Callable[[Request], Awaitable[Response]]


@asynccontextmanager
async def exchange(settings: Settings, registry: CollectorRegistry) -> AsyncIterator[Exchange]:
    """An exchange that is connected, until the context is left."""
    heads = HeadsFile(settings.data_dir / HEADS_FILE)
    upstream = Upstream(settings.gateway)
    try:
        waits = msgspec.structs.replace(settings.client, context_wait_ms=settings.gateway.context_wait_ms)
        async with Client(msgspec.structs.replace(settings, client=waits), registry=registry) as client:
            turns = GatewayTurns(settings.gateway, client, heads)
            yield Exchange(turns, upstream, GatewayMetrics(registry), settings.gateway)
    finally:
        await upstream.close()
        heads.close()


def make_app(exchange: Exchange, registry: CollectorRegistry) -> Starlette:
    """ASGI app of a gateway."""

    async def metrics(_: Request) -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    async def livez(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    calls = [Route(path, _model_call(exchange, dialect), methods=["POST"]) for path, dialect in DIALECTS.items()]
    counts = [Route(path, _count(exchange, dialect), methods=["POST"]) for path, dialect in COUNTS.items()]
    return Starlette(
        routes=[
            Route("/metrics", metrics),
            Route("/livez", livez),
            *calls,
            *counts,
            Route(COMPACTION_PATH, exchange.compaction, methods=["POST"]),
            Route("/{path:path}", exchange.passed, methods=_METHODS),
        ]
    )


def _model_call(exchange: Exchange, dialect: Dialect) -> Endpoint:
    async def call(request: Request) -> Response:
        return await exchange.model_call(request, dialect)

    return call


def _count(exchange: Exchange, dialect: Dialect) -> Endpoint:
    async def count(request: Request) -> Response:
        return await exchange.token_count(request, dialect)

    return count
