"""`tailrace gateway`: agents that know nothing but a base URL."""

import asyncio
import signal
from typing import Annotated, Any

import typer

from tailrace.streams.extras import missing_extras_named
from tailrace.streams.observability import logs
from tailrace.streams.settings.settings import Settings, load_settings


def gateway(
    port: Annotated[int | None, typer.Option(help="Where to listen; gateway.port where it is left out.")] = None,
) -> None:
    """Serve OpenAI's and Anthropic's APIs: what agents say is published, and what they send fits the window.

    This is the part of `tailrace api` for agents, alone: it keeps no file of contexts, and starts without a broker. One
    of both is enough on a machine; they have the same port.

    Give an agent the base URL and nothing else. Its key goes on to the provider and is kept nowhere. Where Kafka or the
    workers don't answer in time, requests go on as they came.

    For example:

        tailrace gateway
        OPENAI_BASE_URL=http://127.0.0.1:8700/v1 your-agent
        ANTHROPIC_BASE_URL=http://127.0.0.1:8700 your-agent
    """
    overrides: dict[str, Any] = {} if port is None else {"gateway": {"port": port}}
    settings = load_settings(**overrides)
    logs.configure(settings.log)
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    # The web server and the client take half a second to import: only where a gateway really runs.
    with missing_extras_named("gateway"):
        from prometheus_client import CollectorRegistry  # noqa: PLC0415

        from tailrace.streams.gateway.app import exchange, make_app  # noqa: PLC0415
        from tailrace.streams.worker.http import bind_exactly, make_server  # noqa: PLC0415

    registry = CollectorRegistry()
    listener = bind_exactly(settings.gateway.host, settings.gateway.port, setting="gateway.port")
    host, port = listener.getsockname()[:2]
    async with exchange(settings, registry) as connected:
        server = make_server(make_app(connected, registry))
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
        base = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        typer.echo(f"gateway: OPENAI_BASE_URL={base}/v1 or ANTHROPIC_BASE_URL={base}")
        await server.serve(sockets=[listener])
