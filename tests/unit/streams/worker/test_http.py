"""The worker's HTTP server, on a real socket."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families

from tailrace.schemas.errors import ConfigError
from tailrace.streams.settings.settings import HttpSettings
from tailrace.streams.worker.http import bind, listening_socket, make_app, make_server

ANY_PORT = HttpSettings(port=0)


@dataclass(slots=True)
class Answer:
    """What the server said."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(slots=True)
class Health:
    """What the checks say; None is well."""

    not_alive: str | None = None
    not_ready: str | None = None
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)


@asynccontextmanager
async def serving(health: Health) -> AsyncIterator[int]:
    listener = bind(ANY_PORT)
    app = make_app(health.registry, live=lambda: health.not_alive, ready=lambda: health.not_ready)
    server = make_server(app)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await asyncio.wait_for(running, 10)


async def get(port: int, path: str) -> Answer:
    """Ask as plainly as possible, so that what is tested is the server."""
    async with asyncio.timeout(60):
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.01)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        raw = (await reader.read()).decode()
        writer.close()
    head, _, body = raw.partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(status.split()[1]), headers, body)


async def test_metrics_are_served_as_prometheus_reads_them() -> None:
    health = Health()
    Counter("tailrace_test", "Says that it works", registry=health.registry).inc(3)
    async with serving(health) as port:
        answer = await get(port, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    samples = [one for family in text_string_to_metric_families(answer.body) for one in family.samples]
    assert ("tailrace_test_total", 3.0) in [(one.name, one.value) for one in samples]


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_all_is_well(path: str) -> None:
    async with serving(Health()) as port:
        answer = await get(port, path)
    assert (answer.status, json.loads(answer.body)) == (200, {"status": "ok"})


async def test_a_worker_that_is_not_ready_says_why_and_is_still_alive() -> None:
    async with serving(Health(not_ready="recovering")) as port:
        ready, live = await get(port, "/readyz"), await get(port, "/livez")
    assert (ready.status, json.loads(ready.body)["reason"]) == (503, "recovering")
    assert live.status == 200


async def test_a_worker_that_is_stuck_says_so() -> None:
    async with serving(Health(not_alive="no progress for 61 s")) as port:
        answer = await get(port, "/livez")
    assert (answer.status, json.loads(answer.body)["reason"]) == (503, "no progress for 61 s")


async def test_the_checks_are_asked_each_time() -> None:
    health = Health(not_ready="not yet")
    async with serving(health) as port:
        assert (await get(port, "/readyz")).status == 503
        health.not_ready = None
        assert (await get(port, "/readyz")).status == 200


async def test_nothing_else_is_served() -> None:
    async with serving(Health()) as port:
        assert (await get(port, "/")).status == 404
        assert (await get(port, "/docs")).status == 404


def test_only_this_machine_can_ask_by_default() -> None:
    listener = bind(ANY_PORT)
    assert listener.getsockname()[0] == "127.0.0.1"
    listener.close()


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_an_ipv6_address_can_be_bound() -> None:
    listener = bind(HttpSettings(host="::1", port=0))
    assert listener.family is socket.AF_INET6
    listener.close()


def test_a_port_that_is_taken_is_refused_with_what_to_do() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"http.port.*{port}.*TAILRACE_HTTP__PORT=0"):
            bind(HttpSettings(port=port))


async def test_what_is_written_is_sent_at_once() -> None:
    sent_at_once: list[int] = []

    async def look(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = writer.get_extra_info("socket")
        sent_at_once.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = listening_socket("127.0.0.1", 0)
    async with await asyncio.start_server(look, sock=listener):
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        await reader.read()
        writer.close()

    assert sent_at_once == [1]


def test_an_address_that_is_not_ours_is_refused() -> None:
    with pytest.raises(ConfigError, match="http"):
        bind(HttpSettings(host="192.0.2.1", port=0))


def test_without_a_set_port_the_next_free_one_is_taken() -> None:
    first = bind(HttpSettings())
    second = bind(HttpSettings())
    try:
        assert second.getsockname()[1] > first.getsockname()[1]
    finally:
        first.close()
        second.close()
