"""Requests for providers at the same door.

An agent that knows nothing but a base URL reaches its provider through the gateway.

Callers are recognised as everywhere here, but by a header of ours: `Authorization` belongs to the provider. Refusals
have the form that the providers' SDKs read.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tailrace.schemas.api.role import AccessRole
from tailrace.streams.api.access import Access
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.limits import RequestLimits
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.stream_place import Holding
from tailrace.streams.gateway.app import COMPACTION_PATH, COUNTS, DIALECTS
from tailrace.streams.gateway.dialect import Dialect
from tailrace.streams.gateway.exchange import Exchange
from tailrace.streams.gateway.request_body import problem_response

#: A request with one of these has a provider's key: a path of it that we don't know is the provider's.
_KEY_HEADERS: Final = ("Authorization", "x-api-key")
_BELOW: Final = "/v1/"

_Ask = Callable[[Request, ApiCaller], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class ProviderCalls:
    """The gateway as a part of the API's process."""

    exchange: Exchange
    access: Access
    limits: RequestLimits

    def routes(self) -> list[Route]:
        """The paths that are the providers' alone. Whatever else is one is found by `is_one`."""
        calls = [
            Route(path, self._endpoint(self._model_call(dialect)), methods=["POST"])
            for path, dialect in DIALECTS.items()
        ]
        counts = [
            Route(path, self._endpoint(self._count(dialect)), methods=["POST"]) for path, dialect in COUNTS.items()
        ]
        return [*calls, *counts, Route(COMPACTION_PATH, self._endpoint(self._compaction), methods=["POST"])]

    def is_one(self, request: Request) -> bool:
        """Tell whether a path that nobody here knows is meant for a provider: who asks has a key of one."""
        return request.url.path.startswith(_BELOW) and any(name in request.headers for name in _KEY_HEADERS)

    async def passed(self, request: Request) -> Response:
        """Pass a request to its provider as it is."""
        return await self._let_in(request, self._passed)

    def _endpoint(self, ask: _Ask) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            return await self._let_in(request, ask)

        return answer

    async def _let_in(self, request: Request, ask: _Ask) -> Response:
        try:
            caller = await self.access.agent(request, AccessRole.WRITER)
            self.limits.spend(caller.name, asyncio.get_running_loop().time())
            with ExitStack() as held:
                # A model takes its time, as whoever follows a stream does.
                held.enter_context(self.limits.stream())
                answered = await ask(request, caller)
                return Holding(held.pop_all(), answered) if isinstance(answered, StreamingResponse) else answered
        except ProblemError as error:
            text = "; ".join(part for part in (error.detail, error.remedy) if part)
            return problem_response(error.kind.status, error.kind.name, text, error.headers)

    def _model_call(self, dialect: Dialect) -> _Ask:
        async def ask(request: Request, caller: ApiCaller) -> Response:
            tenant = caller.acting_for(None)
            return await self.exchange.model_call(request, dialect, tenant=tenant, actor=caller.actor(tenant))

        return ask

    def _count(self, dialect: Dialect) -> _Ask:
        async def ask(request: Request, caller: ApiCaller) -> Response:
            return await self.exchange.token_count(request, dialect, tenant=caller.acting_for(None))

        return ask

    async def _compaction(self, request: Request, _caller: ApiCaller) -> Response:
        return await self.exchange.compaction(request)

    async def _passed(self, request: Request, _caller: ApiCaller) -> Response:
        return await self.exchange.passed(request)
