"""Hand requests on and answers back, as they come: what the web server and the HTTP library of a gateway cost alone.

It is run by the benchmarks: python -m ops.bench.bare_relay PORT UPSTREAM_URL
"""

import sys
from collections.abc import AsyncIterator

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

_NOT_PASSED_ON = {"host", "connection", "content-length", "transfer-encoding"}


def make_app(upstream_url: str) -> Starlette:
    """Return the app."""
    client = httpx2.AsyncClient(base_url=upstream_url, timeout=60)

    async def relay(request: Request) -> Response:
        headers = {name: value for name, value in request.headers.items() if name not in _NOT_PASSED_ON}
        asked = client.build_request(request.method, request.url.path, content=await request.body(), headers=headers)
        answer = await client.send(asked, stream=True)

        async def pieces() -> AsyncIterator[bytes]:
            async for piece in answer.aiter_raw():
                yield piece
            await answer.aclose()

        kept = {name: value for name, value in answer.headers.items() if name not in _NOT_PASSED_ON}
        return StreamingResponse(pieces(), answer.status_code, kept)

    return Starlette(routes=[Route("/{path:path}", relay, methods=["POST"])])


if __name__ == "__main__":
    uvicorn.run(make_app(sys.argv[2]), port=int(sys.argv[1]), log_config=None, access_log=False)
