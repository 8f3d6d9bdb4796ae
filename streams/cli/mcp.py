"""`tailrace mcp`: the tools for programs that speak MCP."""

import asyncio
import logging
import re
import signal
from typing import Annotated, Final

import typer

from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.event import DEFAULT_TENANT, Sensitivity
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.local_kafka.loopback import HOST
from tailrace.streams.observability import logs
from tailrace.streams.settings.settings import load_settings

_ADDRESS: Final = re.compile(r"(?:(?P<host>[^\s:\[\]]+|\[[0-9A-Fa-f:.]+\])?:)?(?P<port>[0-9]{1,5})")
_PORT_MAX: Final = 65_535
#: Libraries that would quote what is sent and received.
_TALKATIVE: Final = ("mcp", "sse_starlette")


def mcp(
    *,
    http: Annotated[
        str | None,
        typer.Option(metavar="[HOST:]PORT", help="Serve streamable HTTP here instead of standard input and output."),
    ] = None,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose conversations.")] = DEFAULT_TENANT,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="The thread that is meant where a call names none.")
    ] = None,
    clearance: Annotated[
        Sensitivity, typer.Option(help="The highest sensitivity that callers see.")
    ] = Sensitivity.INTERNAL,
) -> None:
    """Serve what left the contexts, and the contexts, to programs that speak MCP.

    The tools are `read_artifact`, `recall`, `context` and `compact`; only the last changes something. The first two
    read what the workers of this machine have written down, the others ask the broker. Tenant and clearance are set
    here, once: no caller can change them. Over HTTP it listens on loopback unless another host is named; that needs a
    token, which callers send: TAILRACE_MCP__TOKEN or mcp.token_file.

    For example:

        tailrace mcp --thread t1
        tailrace mcp --http 8765 --tenant acme --clearance confidential
    """
    address = None if http is None else _address(http)
    settings = load_settings()
    # The protocol's package is an extra: only who wants it needs it.
    with missing_extras_named("mcp"):
        from tailrace.streams.tools.mcp_server import Address, serve  # noqa: PLC0415
    logs.configure(settings.log)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    caller = SecurityContext(tenant=tenant, clearance=clearance, actor="mcp")
    listen = None if address is None else Address(host=address[0], port=address[1])
    if listen is None:
        # Reading standard input can't be interrupted, and there is nothing to finish: Ctrl-C ends it at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(serve(settings, caller, thread=thread, address=listen))


def _address(text: str) -> tuple[str, int]:
    match = _ADDRESS.fullmatch(text.strip())
    if match is None or int(match["port"]) > _PORT_MAX:
        raise typer.BadParameter(
            f"{text!r} is no address: write PORT or HOST:PORT, for example 8765", param_hint="--http"
        )
    return (match["host"] or HOST).strip("[]"), int(match["port"])
