"""`tailrace api`: the HTTP API in a process of its own."""

import asyncio
import os
import sys
from typing import Annotated

import typer

from tailrace.schemas.errors import ConfigError, TailraceError
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.kafka.client_logs import silence_client_logs
from tailrace.streams.observability import logs
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.worker.exit import ExitCode


def api(
    *,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; by default api.host. Others than loopback need tokens.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on, 0 for any; by default api.port.")
    ] = None,
) -> None:
    """Serve everything over HTTP, for agents that know nothing of Kafka, or nothing but a base URL.

    One process serves any number of workers, and any number of processes stand beside each other. Each keeps what it
    serves in a file of its own, read from the topics; it can be deleted at any time. Without tokens only programs of
    this machine are served.

    Agents reach their providers through the same address, as through `tailrace gateway`, unless gateway.enabled is
    false. Where there are tokens, they send one as x-tailrace-token.

    For example:

        tailrace api
        OPENAI_BASE_URL=http://127.0.0.1:8700/v1 your-agent
        curl -d '{"role":"user","content":"hi"}' http://127.0.0.1:8700/v1/threads/t1/messages
        curl 'http://127.0.0.1:8700/v1/threads/t1/context?format=anthropic.messages'
        curl -N 'http://127.0.0.1:8700/v1/follow?thread=t1'
    """
    overrides = {name: value for name, value in {"host": host, "port": port}.items() if value is not None}
    try:
        settings = load_settings(api=overrides) if overrides else load_settings()
        # Starlette and what is below it: only where an API really runs.
        with missing_extras_named("api"):
            from tailrace.streams.api.server import serve  # noqa: PLC0415

        logs.configure(settings.log)
        silence_client_logs()
        asyncio.run(serve(settings))
        code = ExitCode.OK
    except ConfigError as error:
        # Not 2, as other commands: a supervisor must be able to tell that starting again won't help.
        typer.echo(f"error: {error}", err=True)
        code = ExitCode.CONFIG
    except TailraceError as error:
        typer.echo(f"error: {error}", err=True)
        code = ExitCode.TEMPORARY
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(code))
