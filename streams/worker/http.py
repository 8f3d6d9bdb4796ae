"""The worker's own HTTP server: /metrics, /livez and /readyz, on the worker's event loop."""

import contextlib
import errno
import socket
from collections.abc import Callable, Iterator

import uvicorn
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.http import DEFAULT_PORT, HttpSettings

#: A check's answer: what is wrong, or None.
Check = Callable[[], str | None]


def make_app(registry: CollectorRegistry, *, live: Check, ready: Check) -> Starlette:
    """ASGI app of a worker. The checks are asked at every request."""

    async def metrics(_request: Request) -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    async def livez(_request: Request) -> Response:
        return _verdict(live())

    async def readyz(_request: Request) -> Response:
        return _verdict(ready())

    return Starlette(routes=[Route("/metrics", metrics), Route("/livez", livez), Route("/readyz", readyz)])


def _verdict(problem: str | None) -> Response:
    if problem is None:
        return JSONResponse({"status": "ok"})
    return JSONResponse({"status": "unavailable", "reason": problem}, status_code=503)


class HttpServer(uvicorn.Server):
    """Uvicorn without its signal handlers: the worker decides when to stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the worker."""
        yield


#: Workers that find a port of their own beside each other on one machine.
_PORTS_TRIED = 100


def bind(settings: HttpSettings) -> socket.socket:
    """Socket for the server. Raises ConfigError if the address can't be had.

    A port that was set is that port. Where none was set, the next free one after the default is taken, so that several
    workers can be started on one machine without thinking of it.
    """
    first, tries = (DEFAULT_PORT, _PORTS_TRIED) if settings.port is None else (settings.port, 1)
    for port in range(first, first + tries):
        try:
            return listening_socket(settings.host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port == first + tries - 1:
                allowed = f"an address to listen on ({error.strerror}); port 0 takes any: TAILRACE_HTTP__PORT=0"
                raise ConfigError("http.port", f"{settings.host}:{port}", allowed) from error
    raise AssertionError("a range of at least one port was tried")


def bind_exactly(host: str, port: int, *, setting: str) -> socket.socket:
    """Socket for a server that others know the address of. Raises ConfigError if the address can't be had."""
    try:
        return listening_socket(host, port)
    except OSError as error:
        allowed = f"an address to listen on ({error.strerror}); is another one running there? Port 0 takes any"
        raise ConfigError(setting, f"{host}:{port}", allowed) from error


def listening_socket(host: str, port: int) -> socket.socket:
    """Socket that listens on an address. Raises OSError if it can't be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, because asyncio sends small writes at once only on sockets that say that they are TCP:
    # without it every response waits 40 ms for the acknowledgement of its first part.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        # Now, not when serving begins: until then another worker could bind it too.
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def make_server(app: Starlette) -> HttpServer:
    """Server to run with `serve(sockets=[...])`."""
    return HttpServer(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off"))
