"""Whether the process lives, and whether what it serves is up to date: for load balancers, which have no token."""

from functools import cache
from typing import Any

import msgspec
from starlette.responses import JSONResponse, Response

from tailrace.schemas.api.endpoint import JSON
from tailrace.schemas.api.openapi import document
from tailrace.schemas.api.problem import UNAVAILABLE
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.services import Services


async def livez(_services: Services, _call: ApiCall) -> Any:
    """The process answers."""
    return JSONResponse({"status": "ok"})


async def readyz(services: Services, _call: ApiCall) -> Response:
    """Whether everything is there that the topics held when the process began."""
    if services.feed.caught_up.is_set():
        return JSONResponse({"status": "ok"})
    reason = services.feed.problem or f"{services.feed.behind} records are still to be read"
    return JSONResponse({"status": "unavailable", "reason": reason}, status_code=UNAVAILABLE.status)


async def show_openapi(_services: Services, _call: ApiCall) -> Response:
    """The document that says all of this."""
    return Response(_document(), media_type=JSON)


@cache
def _document() -> bytes:
    return msgspec.json.encode(document())
