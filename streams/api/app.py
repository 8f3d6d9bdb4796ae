"""The app: a route for each endpoint of the table, and what all of them have in common.

Every request goes the same way: who asks, whether there is room, what is asked, the answer. Whatever goes wrong on it
becomes a problem document.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tailrace.schemas.api import problem
from tailrace.schemas.api.endpoint import EVENTS, JSON, Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.errors import TailraceError
from tailrace.streams.api import (
    audit_stream,
    care,
    contexts,
    departures,
    event_stream,
    health,
    letters,
    plans,
    publication,
    trail,
)
from tailrace.streams.api.access import Access
from tailrace.streams.api.call import ApiCall, read_body, read_path, read_query
from tailrace.streams.api.limits import RequestLimits
from tailrace.streams.api.problems import ProblemError, problem_of, response_of
from tailrace.streams.api.provider_calls import ProviderCalls
from tailrace.streams.api.services import Services
from tailrace.streams.api.stream_place import Holding
from tailrace.streams.gateway.exchange import Exchange

log = structlog.get_logger("tailrace.api")

#: Answers one endpoint: with a response, or with a record that becomes its JSON.
Handler = Callable[[Services, ApiCall], Awaitable[Any]]

#: By the names of the endpoints; a test compares both.
HANDLERS: Final[Mapping[str, Handler]] = {
    "list_threads": contexts.list_threads,
    "show_thread": contexts.show_thread,
    "publish": publication.publish,
    "read_context": contexts.read_context,
    "follow": event_stream.follow,
    "show_history": trail.show_history,
    "list_compactions": trail.list_compactions,
    "show_compaction": trail.show_compaction,
    "watch": audit_stream.watch,
    "plan": plans.plan,
    "compact": plans.compact,
    "send_signal": plans.send_signal,
    "recall": departures.recall,
    "show_artifact": departures.show_artifact,
    "show_artifact_lines": departures.show_artifact_lines,
    "show_artifact_meta": departures.show_artifact_meta,
    "delete_artifact": departures.delete_artifact,
    "list_tools": departures.list_tools,
    "list_policies": care.list_policies,
    "diff_policies": care.diff_policies,
    "check_policy": care.check_policy,
    "show_policy": care.show_policy,
    "explain_policy": care.explain_policy,
    "show_cost": care.show_cost,
    "list_letters": letters.list_letters,
    "show_letter": letters.show_letter,
    "replay_letter": letters.replay_letter,
    "show_stats": care.show_stats,
    "show_version": care.show_version,
    "show_openapi": health.show_openapi,
    "show_metrics": care.show_metrics,
    "livez": health.livez,
    "readyz": health.readyz,
}

#: What needs nothing of the file, or tells how far it is.
_AT_ANY_TIME: Final = frozenset(
    {"publish", "show_stats", "show_version", "show_openapi", "show_metrics", "list_tools", "livez", "readyz"}
)

_encode: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class _Gate:
    """The way that every request goes."""

    services: Services
    access: Access
    limits: RequestLimits

    def route(self, endpoint: Endpoint, handler: Handler) -> Route:
        async def answer(request: Request) -> Response:
            try:
                return await self._answer(endpoint, handler, request)
            except TailraceError as error:
                return response_of(problem_of(error), request.url.path)

        route = Route(endpoint.path, answer, methods=[endpoint.method], name=endpoint.name)
        # Starlette adds it to every GET; a stream would never end.
        (route.methods or set()).discard("HEAD")
        return route

    async def _answer(self, endpoint: Endpoint, handler: Handler, request: Request) -> Response:
        caller = await self.access.caller(request, endpoint.role)
        if endpoint.name not in _AT_ANY_TIME and not self.services.feed.caught_up.is_set():
            raise _not_ready(self.services)
        self.limits.spend(caller.name, asyncio.get_running_loop().time())
        with ExitStack() as held:
            held.enter_context(self.limits.stream() if endpoint.media_type == EVENTS else self.limits.request())
            body = await self.limits.body(request) if endpoint.request is not None else b""
            call = ApiCall(
                endpoint=endpoint,
                caller=caller,
                path=read_path(request),
                query=read_query(request.query_params, endpoint.query),
                body=_body(endpoint, body, request),
                request=request,
            )
            answered = await handler(self.services, call)
            if isinstance(answered, StreamingResponse):
                return Holding(held.pop_all(), answered)
            if isinstance(answered, Response):
                return answered
            return Response(_encode(answered), status_code=endpoint.status, media_type=JSON)


def _not_ready(services: Services) -> ProblemError:
    """What is in the file may be older than what callers have seen elsewhere.

    They are better served by another process.
    """
    reason = services.feed.problem or f"{services.feed.behind} records are still to be read"
    return ProblemError(
        problem.UNAVAILABLE,
        f"this process is not up to date yet: {reason}",
        "ask again once /readyz answers 200",
        headers={"Retry-After": "1"},
    )


def _body(endpoint: Endpoint, body: bytes, request: Request) -> Any:
    if endpoint.request is None:
        return None
    return read_body(body, request.headers.get("Content-Type", ""), endpoint.request)


def make_app(
    services: Services,
    access: Access,
    *,
    exchange: Exchange | None = None,
    endpoints: Iterable[Endpoint] = ENDPOINTS,
    handlers: Mapping[str, Handler] = HANDLERS,
) -> ASGIApp:
    """Return the app. `services` must be running, as must be `exchange`.

    With it, requests for providers are passed on.
    """
    limits = RequestLimits(services.settings.api)
    gate = _Gate(services, access, limits)
    routes = [gate.route(endpoint, handlers[endpoint.name]) for endpoint in endpoints]
    calls = ProviderCalls(exchange, access, limits) if exchange is not None else None
    app = Starlette(
        routes=[*routes, *(calls.routes() if calls is not None else ())],
        exception_handlers={HTTPException: _http_problem, Exception: _mistake},
    )
    app.router.redirect_slashes = False
    if calls is not None:
        app.router.default = _default(calls, app.router.default)
    return _as_sent(app)


def _as_sent(app: ASGIApp) -> ASGIApp:
    """Route by the path as it was sent: `a%2Fb` is one id, and not two steps."""

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": scope["raw_path"].decode("ascii", errors="replace")}
        await app(scope, receive, send)

    return routed


def _default(calls: ProviderCalls, unknown: ASGIApp) -> ASGIApp:
    """What becomes of a path that has no route here: it is a provider's, or nobody's."""

    async def default(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and calls.is_one(request := Request(scope, receive, send)):
            answered = await calls.passed(request)
            await answered(scope, receive, send)
        else:
            await unknown(scope, receive, send)

    return default


async def _http_problem(request: Request, error: Exception) -> Response:
    """What the router has to say: no such path, no such method."""
    status = error.status_code if isinstance(error, HTTPException) else problem.INTERNAL.status
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if status == problem.METHOD.status:
        allowed = headers.get("Allow", "")
        refused = ProblemError(
            problem.METHOD, f"{request.method} is not for this path", f"use {allowed}", headers=headers
        )
    else:
        refused = ProblemError(
            problem.NOT_FOUND, "there is no such path", "GET /v1/openapi.json lists those there are", headers=headers
        )
    return response_of(refused, request.url.path)


async def _mistake(request: Request, error: Exception) -> Response:
    """An error of our own: said without a word of what the request held."""
    log.error("api.mistake", path=request.url.path, error=type(error).__name__, exc_info=error)
    return response_of(
        ProblemError(problem.INTERNAL, "the server has met an error of its own", "look at its log, and report it"),
        request.url.path,
    )
