"""The body of an agent's request, within limits of size and time."""

import asyncio
from collections.abc import Mapping

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tailrace.streams.settings.gateway import GatewaySettings


async def request_body(request: Request, settings: GatewaySettings) -> bytes | Response:
    """Return the body, or what is answered to one that is too large, too slow or given up by its sender."""
    try:
        async with asyncio.timeout(settings.body_seconds):
            content = await _within(settings.body_bytes_max, request)
    except TimeoutError:
        text = f"the body did not arrive within gateway.body_seconds ({settings.body_seconds:g} s); send it faster"
        return problem_response(408, "request_timeout", text, {"connection": "close"})
    except ClientDisconnect:
        return problem_response(400, "invalid_request_error", "the caller went away before the body was there")
    if content is not None:
        return content
    text = f"the request is larger than gateway.body_bytes_max ({settings.body_bytes_max} bytes)"
    return problem_response(413, "request_too_large", text, {"connection": "close"})


async def _within(limit_bytes: int, request: Request) -> bytes | None:
    """The body; None where it is larger."""
    named = request.headers.get("content-length", "")
    if named.isdecimal() and int(named) > limit_bytes:
        return None
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > limit_bytes:
            return None
    return bytes(content)


def problem_response(status: int, kind: str, message: str, headers: Mapping[str, str] = {}) -> Response:
    """An error of our own, in the one form that both SDKs read."""
    error = {"type": "error", "error": {"type": kind, "code": kind, "message": f"tailrace gateway: {message}"}}
    content = msgspec.json.encode(error)
    return Response(content, status_code=status, headers=dict(headers), media_type="application/json")
