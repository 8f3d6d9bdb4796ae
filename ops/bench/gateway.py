"""What the gateway adds to an agent's call, and how much of what providers have cached it leaves as it was.

A worker and `tailrace gateway` run as users start them, a bare relay of the same libraries beside it. A provider of our
own answers at once with a short stream. Agents hold long conversations; each request goes through the relay and through
the gateway in turns, so that both meet the same machine.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any, Final

from ops.bench.programs import Program, running
from ops.bench.report import Result, Row, at_least, at_most
from ops.bench.stand import Stand, create_topics
from ops.stream_server import StreamServer, message_in, stream_server
from tailrace.streams.client.client import Client
from tailrace.streams.local_kafka.loopback import HOST, free_port
from tailrace.streams.settings.settings import Settings

NAME: Final = "gateway"
MESSAGES: Final = 200
THREADS: Final = 10
TURNS: Final = 40
#: What a conversation of 200 messages fits, and what it does not.
LARGE_TOKENS: Final = 200_000
SMALL_TOKENS: Final = 6_000
_START_SECONDS_MAX: Final = 60.0
_WORDS: Final = "The gauge at the second bridge shows forty centimetres more than yesterday. " * 4


async def run(stand: Stand) -> Result:
    """Measure conversations that fit, and conversations that are compacted."""
    turns = stand.scaled(TURNS, least=10)
    async with stream_server() as provider:
        fits = await _measured(stand, provider, "gateway-fits", LARGE_TOKENS, turns)
        compacted = await _measured(stand, provider, "gateway-compacted", SMALL_TOKENS, turns)
    return Result(
        name=NAME,
        parameters=f"{THREADS} conversations of {MESSAGES} messages and {turns} turns more, each request through "
        f"the relay and through the gateway in turns; a window of {SMALL_TOKENS:,} tokens where they are compacted.",
        does_not_show="many agents at once, models that take their time, networks and TLS.",
        rows=(
            *_rows("conversation fits", fits),
            *_rows("conversation is compacted", compacted),
            Row(what="  requests that went on as they came", value=compacted.passed, unit="of"),
            Row(
                what="  bytes of the request before that stand again, between compactions",
                value=compacted.kept_between,
                unit="ratio",
                target=at_least(0.97),
            ),
            Row(what="  the same, compactions counted", value=compacted.kept, unit="ratio"),
            Row(what="  compactions", value=compacted.compactions, unit="of"),
        ),
    )


@dataclass(slots=True)
class _Measured:
    """Times to the first byte in ms by request, and bytes that the provider got."""

    relay_ms: list[float] = field(default_factory=list)
    gateway_ms: list[float] = field(default_factory=list)
    #: CPU for a request.
    relay_cpu_ms: float = 0.0
    gateway_cpu_ms: float = 0.0
    passed: int = 0
    compactions: int = 0
    #: Bytes of a request, and how many of them the next one begins with: whether or not it was compacted in between.
    sent_bytes: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    same_bytes: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})

    @property
    def kept_between(self) -> float:
        return self.same_bytes[False] / max(1, self.sent_bytes[False])

    @property
    def kept(self) -> float:
        return sum(self.same_bytes.values()) / max(1, sum(self.sent_bytes.values()))


def _rows(what: str, measured: _Measured) -> list[Row]:
    relay, gateway = measured.relay_ms, measured.gateway_ms
    added = [through - bare for bare, through in zip(relay, gateway, strict=True)]
    return [
        Row(what=f"{what}: added to the first byte, median", value=median(added), unit="ms", target=at_most(8)),
        Row(what="  the same, p99", value=_p99(added), unit="ms", target=at_most(30)),
        Row(what="  first byte / bare relay, median", value=median(gateway) / median(relay), unit="ratio"),
        Row(what="  the same, p99", value=_p99(gateway) / _p99(relay), unit="ratio"),
        Row(what="  bare relay, median", value=median(relay), unit="ms"),
        Row(what="  CPU of the gateway for a request", value=measured.gateway_cpu_ms, unit="ms"),
        Row(what="  CPU of the bare relay", value=measured.relay_cpu_ms, unit="ms"),
    ]


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[98]


async def _measured(stand: Stand, provider: StreamServer, name: str, window_tokens: int, turns: int) -> _Measured:
    settings = stand.settings(name)
    await create_topics(settings)
    ports = {"gateway": free_port(), "relay": free_port()}
    environment = {
        "TAILRACE_POLICY__WINDOW_TOKENS": str(window_tokens),
        "TAILRACE_GATEWAY__OPENAI_URL": provider.url,
        "TAILRACE_GATEWAY__CONTEXT_WAIT_MS": "30000",
    }
    command = "tailrace.streams.cli"
    with (
        running(command, "worker", settings=settings, environment=environment) as worker,
        running(
            command, "gateway", "--port", str(ports["gateway"]), settings=settings, environment=environment
        ) as ours,
        running("ops.bench.bare_relay", str(ports["relay"]), provider.url, settings=settings) as relay,
    ):
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        for port in ports.values():
            await _listening(port)
        for program in (ours, relay):
            program.sample()
        measured = await _conversations(settings, provider, ports, turns)
        measured.gateway_cpu_ms, measured.relay_cpu_ms = (
            _cpu_ms(program, THREADS * turns) for program in (ours, relay)
        )
        return measured


def _cpu_ms(program: Program, requests: int) -> float:
    program.sample()
    return (program.cpu[-1][1] - program.cpu[0][1]) * 1000 / requests


async def _listening(port: int) -> None:
    async with asyncio.timeout(_START_SECONDS_MAX):
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


async def _conversations(settings: Settings, provider: StreamServer, ports: dict[str, int], turns: int) -> _Measured:
    measured = _Measured()
    async with (
        Client(settings) as client,
        _connection(ports["relay"]) as relay,
        _connection(ports["gateway"]) as through,
    ):
        for thread in range(THREADS):
            messages = [_message(thread, number) for number in range(MESSAGES)]
            before, epoch = b"", 0
            for turn in range(turns):
                body = json.dumps({"model": "gpt-4o", "stream": True, "messages": messages}).encode()
                relay_ms, _, _ = await relay.ask(body)
                gateway_ms, headers, answer = await through.ask(body)
                if turn:  # The first one publishes the whole conversation.
                    measured.relay_ms.append(relay_ms)
                    measured.gateway_ms.append(gateway_ms)
                measured.passed += headers["x-tailrace-context"] == "passed"
                messages += [answer, _message(thread, len(messages) + 1)]
                now = (await client.context(headers["x-tailrace-thread"], timeout_ms=30_000)).epoch
                if turn:
                    measured.sent_bytes[now != epoch] += len(before)
                    measured.same_bytes[now != epoch] += _same_bytes(before, provider.received)
                    measured.compactions += now != epoch
                before, epoch = provider.received, now
    return measured


def _same_bytes(before: bytes, now: bytes) -> int:
    """With how many of the bytes of the request before a request begins."""
    length = min(len(before), len(now))
    return next((place for place in range(length) if before[place] != now[place]), length)


def _message(thread: int, number: int) -> dict[str, Any]:
    role = "user" if number % 2 == 0 else "assistant"
    return {"role": role, "content": f"{thread}-{number} {_WORDS}"}


@dataclass(slots=True)
class _Connection:
    """One connection of an agent. A library's would cost more than what is measured."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self, body: bytes) -> tuple[float, dict[str, str], dict[str, Any]]:
        """Return the ms to the first byte of the answer, its headers, and the message that it says."""
        begin = time.perf_counter()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer k\r\nContent-Length: "
        self.writer.write(f"{head}{len(body)}\r\nContent-Type: application/json\r\n\r\n".encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        size = int(await self.reader.readline(), 16)
        first = await self.reader.readexactly(1)
        first_byte_ms = (time.perf_counter() - begin) * 1000
        assert lines[0].split()[1] == "200", lines[0]
        answer = first + await self.reader.readexactly(size + 1)
        while size := int(await self.reader.readline(), 16):
            answer += await self.reader.readexactly(size + 2)
        await self.reader.readline()
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        return first_byte_ms, headers, message_in(answer)


@asynccontextmanager
async def _connection(port: int) -> AsyncIterator[_Connection]:
    reader, writer = await asyncio.open_connection(HOST, port, limit=1 << 24)
    try:
        yield _Connection(reader, writer)
    finally:
        writer.close()
