"""A gateway that serves on a port of the loopback: with Kafka behind it, or with a log and a worker in memory."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry
from support.conversations import small_engine
from support.log_twin import ClientTwin, LogTwin
from support.provider_server import Provider

from tailrace.schemas.policy.policy import Policy
from tailrace.streams.gateway.app import exchange, make_app
from tailrace.streams.gateway.exchange import Exchange
from tailrace.streams.gateway.gateway_metrics import GatewayMetrics
from tailrace.streams.gateway.heads_file import HeadsFile
from tailrace.streams.gateway.turns import GatewayTurns
from tailrace.streams.gateway.upstream import Upstream
from tailrace.streams.settings.gateway import GatewaySettings
from tailrace.streams.settings.settings import Settings
from tailrace.streams.worker.http import bind_exactly, make_server


@asynccontextmanager
async def running_gateway(settings: Settings) -> AsyncIterator[str]:
    """A gateway's address; it serves until the context is left."""
    registry = CollectorRegistry()
    async with exchange(settings, registry) as connected, _serving(connected, registry) as address:
        yield address


@dataclass(slots=True)
class TwinGateway:
    """A gateway whose log can be looked at."""

    address: str
    log: LogTwin
    registry: CollectorRegistry

    def published(self) -> list[str]:
        """Role and text of every message in the log, in their order."""
        return [
            f"{publication.event.message.role}: "
            + "".join(
                getattr(part, "content", None) or part.__struct_config__.tag for part in publication.event.message.parts
            )
            for publication in self.log.records
        ]

    def answers(self, outcome: str) -> float:
        return self.registry.get_sample_value("tailrace_gateway_answers_total", {"outcome": outcome}) or 0.0


@asynccontextmanager
async def twin_gateway(
    provider: Provider, folder: Path, *, policy: Policy | None = None, **settings: object
) -> AsyncIterator[TwinGateway]:
    """A gateway on a log in memory; contexts are those of the worker's rules."""
    registry, log = CollectorRegistry(), LogTwin(small_engine(policy or Policy(window_tokens=100_000)))
    gateway = GatewaySettings(
        **{"openai_url": provider.base_url, "anthropic_url": provider.base_url, "upstream_seconds": 20.0, **settings}
    )
    heads, upstream = HeadsFile(folder / "gateway.db"), Upstream(gateway)
    turns = GatewayTurns(gateway, ClientTwin(log), heads)
    connected = Exchange(turns, upstream, GatewayMetrics(registry), gateway)
    try:
        async with _serving(connected, registry) as address:
            yield TwinGateway(address, log, registry)
    finally:
        await upstream.close()
        heads.close()


@asynccontextmanager
async def _serving(connected: Exchange, registry: CollectorRegistry) -> AsyncIterator[str]:
    listener: socket.socket = bind_exactly("127.0.0.1", 0, setting="gateway.port")
    server = make_server(make_app(connected, registry))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
