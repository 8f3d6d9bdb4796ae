"""A server that speaks OpenAI's chat API on the loopback: it answers every request at once, with a short stream.

No two answers are equal, so that whoever looks for one knows which it is.
"""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from tailrace.streams.local_kafka.loopback import HOST

_WORDS: Final = "The gauge at the second bridge shows forty centimetres more than yesterday. " * 4
_REQUEST_BYTES_MAX: Final = 1 << 24


@dataclass(slots=True)
class StreamServer:
    """The server, and the last request that it got."""

    url: str = ""
    received: bytes = b""
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                size = next(line.partition(":")[2] for line in head.split("\r\n") if line.startswith("content-length"))
                self.received = await reader.readexactly(int(size))
                content = b"".join(self._events())
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                )
                writer.write(f"{len(content):x}\r\n".encode() + content + b"\r\n0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _events(self) -> list[bytes]:
        number = next(self.numbers)
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": f"Answer {number}. "}, {"content": _WORDS}, {}]
        reasons = (None, None, "stop")
        chunks = [
            {"id": f"c{number}", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
            for delta, reason in zip(deltas, reasons, strict=True)
        ]
        return [*(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks), b"data: [DONE]\n\n"]


@asynccontextmanager
async def stream_server() -> AsyncIterator[StreamServer]:
    """Serve until the block is left."""
    served = StreamServer()
    server = await asyncio.start_server(served.serve, HOST, 0, limit=_REQUEST_BYTES_MAX)
    served.url = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
    try:
        yield served
    finally:
        server.close()


def message_in(stream: bytes) -> dict[str, Any]:
    """The message that a stream of events says, as an agent keeps it."""
    lines = [line.removeprefix(b"data: ") for line in stream.splitlines() if line.startswith(b"data: {")]
    deltas = (json.loads(line)["choices"][0]["delta"] for line in lines)
    return {"role": "assistant", "content": "".join(delta.get("content", "") for delta in deltas)}
