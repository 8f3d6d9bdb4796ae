"""`tailrace api` as a process: listens, serves, and stops without leaving anybody in the middle of a stream."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
import uvicorn
from starlette.types import ASGIApp

from tailrace.schemas.errors import ConfigError
from tailrace.streams.api.access import Access
from tailrace.streams.api.app import make_app
from tailrace.streams.api.key_set import KeySet
from tailrace.streams.api.services import Services, running_services
from tailrace.streams.api.signed_tokens import SignedTokens
from tailrace.streams.api.tokens import load_tokens
from tailrace.streams.gateway.app import exchange
from tailrace.streams.gateway.exchange import Exchange
from tailrace.streams.settings.http import ApiSettings
from tailrace.streams.settings.jwt import JwtSettings
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topic_admin import check_conversations
from tailrace.streams.worker.http import HttpServer, listening_socket

log = structlog.get_logger("tailrace.api")

#: Requests that are under way when the process is told to stop get this long.
_SHUTDOWN_SECONDS = 5


async def serve(settings: Settings) -> None:
    """Serve until a signal comes. Raises ConfigError for settings that can't be used, Unavailable without a broker."""
    access = Access(settings.api, load_tokens(settings.api), _signed_tokens(settings.api.jwt))
    listener = _listener(settings.api)
    try:
        await check_conversations(settings)
        async with running_services(settings) as services, _exchange(settings, services) as agents:
            log.info(
                "api.listening",
                url=_url(settings.api, listener),
                file=str(services.file.path),
                gateway=agents is not None,
            )
            await _serve(services, make_app(services, access, exchange=agents), listener)
    finally:
        listener.close()


@asynccontextmanager
async def _exchange(settings: Settings, services: Services) -> AsyncIterator[Exchange | None]:
    """What serves agents, unless the settings say that nothing does."""
    if not settings.gateway.enabled:
        yield None
        return
    async with exchange(settings, services.registry) as connected:
        yield connected


async def _serve(services: Services, app: ASGIApp, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        server_header=False,
    )
    server = HttpServer(config)

    def stop() -> None:
        # First: a stream would keep the server waiting.
        services.changes.end()
        server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    await server.serve(sockets=[listener])


def _signed_tokens(settings: JwtSettings) -> SignedTokens | None:
    return SignedTokens(settings, KeySet(settings.keys)) if settings.keys else None


def _listener(settings: ApiSettings) -> socket.socket:
    try:
        return listening_socket(settings.host.strip("[]"), settings.port)
    except OSError as error:
        allowed = f"an address to listen on ({error.strerror or error}); port 0 takes any: TAILRACE_API__PORT=0"
        raise ConfigError("api.port", f"{settings.host}:{settings.port}", allowed) from error


def _url(settings: ApiSettings, listener: socket.socket) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listener.getsockname()[1]}"
