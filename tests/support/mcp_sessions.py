"""`tailrace mcp` as a real process, and the official client on the other end."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from support.patience import LONG_SECONDS

from ops.environment import bare_environment


def environment(**variables: str) -> dict[str, str]:
    """Return what a server gets to see: nothing of Tailrace's but these."""
    return {**bare_environment(), "TAILRACE_LOG__FORMAT": "json", **variables}


@asynccontextmanager
async def over_stdio(
    folder: Path, variables: Mapping[str, str], *options: str, mode: str = "auto"
) -> AsyncIterator[Client]:
    """Yield a client of a server that it has started; what that writes to standard error is in `mcp.log`."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tailrace.streams.cli", "mcp", *options],
        env=environment(**variables),
        cwd=folder,
    )
    with (folder / "mcp.log").open("w") as log:
        async with asyncio.timeout(LONG_SECONDS), Client(stdio_client(server, errlog=log), mode=mode) as client:
            yield client


@asynccontextmanager
async def over_http(
    folder: Path, variables: Mapping[str, str], *options: str, address: str = "0"
) -> AsyncIterator[str]:
    """Yield the URL of a server that listens on a port of its own; what it logs is in `mcp.log`."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tailrace.streams.cli", "mcp", "--http", address, *options),
        env=environment(**variables),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    try:
        async with asyncio.timeout(LONG_SECONDS):
            url = None
            while url is None:
                line = await process.stderr.readline()
                assert line, f"the server ended with {await process.wait()}"
                event = json.loads(line)
                url = event.get("url") if event["event"] == "mcp.listening" else None
            yield url
            process.send_signal(signal.SIGTERM)
            output, logged = await process.communicate()
            (folder / "mcp.log").write_bytes(logged)
            assert output == b"", "standard output belongs to the protocol"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def call(client: Client, name: str, **arguments: Any) -> tuple[str, bool]:
    """Return the text of an answer, and whether it is an error."""
    result = await client.call_tool(name, arguments)
    return "".join(getattr(block, "text", "") for block in result.content), result.is_error
