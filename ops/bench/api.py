"""What the HTTP API costs beside a bare route of the same server.

Measured: reading a context, being told that it stands, and following. The file, the app and uvicorn are those of
`tailrace api`; only the broker is left out, and records are handed to the file instead. The server has a thread of its
own. A small client of our own asks over one connection, because a library's would cost more than what is measured. The
bare route returns the same bytes from memory.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, Self

import uvicorn
from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.kafka_records import InputRecord, Topic, encode
from tailrace.streams.api.access import Access
from tailrace.streams.api.app import make_app
from tailrace.streams.api.bodies import Bodies
from tailrace.streams.api.changes import Changes
from tailrace.streams.api.peers import Peers
from tailrace.streams.api.reading_feed import ReadingFeed
from tailrace.streams.api.reading_file import Origin, ReadingFile
from tailrace.streams.api.reading_intake import ReadBatch
from tailrace.streams.api.services import PublishedPlaces, Services
from tailrace.streams.api.thread_views import ThreadViews
from tailrace.streams.api.tokens import Tokens
from tailrace.streams.artifacts.lazy_store import LazyStore
from tailrace.streams.client.client import Client
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.worker.http import HttpServer

NAME = "api"
MESSAGES = 500
READS = 2_000
FOLLOWERS = 200
#: Followed threads, and how often one of them changes.
THREADS = 50
CHANGES_PER_SECOND = 20
SECONDS = 8
_LONG = "long"
_WORDS = "The gauge at the second bridge shows forty centimetres more than yesterday. " * 4
#: No compaction: what is measured is the reading of all of them.
_POLICY = {"window_tokens": 10_000_000}


async def run(stand: Stand) -> Result:
    """Measure all of it; ratios are of the same run."""
    settings = load_settings(data_dir=stand.folder / "api", policy=_POLICY, api={"requests_per_second": 1_000_000})
    reads = stand.scaled(READS, least=300)
    with _Server(settings) as server:
        server.do(server.log.say(_LONG, MESSAGES))
        bare, context, stands = await _reads(server, reads)
        changed = await _changed(server, max(20, reads // 20))
        cpu_share, events = await _followed(server)
    return Result(
        name=NAME,
        parameters=(
            f"{reads} reads each in turns over one connection, {len(server.bare):,} bytes; {FOLLOWERS} streams of "
            f"{THREADS} threads of 20 messages, {CHANGES_PER_SECOND} changes a second for {SECONDS} s; server and "
            "client in one process"
        ),
        does_not_show="networks, TLS, many readers at once, and a file of a million threads.",
        rows=(
            Row(
                what="context of 500 messages / bare route, p99",
                value=context.p99 / bare.p99,
                unit="ratio",
                target=at_most(3),
            ),
            Row(what="  the same, median", value=context.p50 / bare.p50, unit="ratio"),
            Row(what="304 / bare route, p99", value=stands.p99 / bare.p99, unit="ratio", target=at_most(1.5)),
            Row(what="  the same, median", value=stands.p50 / bare.p50, unit="ratio"),
            Row(what="bare route, median", value=bare.p50 * 1000, unit="ms"),
            Row(what="context, the first time after a change, median", value=changed.p50 * 1000, unit="ms"),
            Row(what="CPU of 200 followers / wall time", value=cpu_share, unit="ratio", target=at_most(0.1)),
            Row(what="  events that they got", value=events, unit="of"),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Times:
    p50: float
    p99: float


def _times(seconds: list[float]) -> _Times:
    return _Times(median(seconds), quantiles(seconds, n=100)[98])


async def _reads(server: "_Server", reads: int) -> tuple[_Times, _Times, _Times]:
    """Bare, context and 304, in turns, so that all of them meet the same machine."""
    path = f"/v1/threads/{_LONG}/context?format=openai.chat"
    async with _connection(server.port) as ask:
        headers, body = await ask(path)
        server.bare = body
        etag = headers["etag"]
        seconds: dict[str, list[float]] = {"bare": [], "context": [], "stands": []}
        for _ in range(reads):
            for name, asked, known in (("bare", "/bare", ""), ("context", path, ""), ("stands", path, etag)):
                begin = time.perf_counter()
                await ask(asked, known)
                seconds[name].append(time.perf_counter() - begin)
    return _times(seconds["bare"]), _times(seconds["context"]), _times(seconds["stands"])


async def _changed(server: "_Server", reads: int) -> _Times:
    seconds = []
    async with _connection(server.port) as ask:
        for _ in range(reads):
            await asyncio.to_thread(server.do, server.log.say(_LONG, 1))
            begin = time.perf_counter()
            await ask(f"/v1/threads/{_LONG}/context?format=openai.chat")
            seconds.append(time.perf_counter() - begin)
    return _times(seconds)


async def _followed(server: "_Server") -> tuple[float, int]:
    """CPU of the server while its followers are told of changes, and how many events they got."""
    for number in range(THREADS):
        await asyncio.to_thread(server.do, server.log.say(f"t{number}", 20))
    followers = [asyncio.create_task(_follow(server.port, f"t{number % THREADS}")) for number in range(FOLLOWERS)]
    await asyncio.sleep(2)
    begin, cpu = time.perf_counter(), time.process_time() - time.thread_time()
    for number in range(CHANGES_PER_SECOND * SECONDS):
        await asyncio.to_thread(server.do, server.log.say(f"t{number % THREADS}", 1))
        await asyncio.sleep(max(0.0, begin + (number + 1) / CHANGES_PER_SECOND - time.perf_counter()))
    share = (time.process_time() - time.thread_time() - cpu) / (time.perf_counter() - begin)
    for follower in followers:
        follower.cancel()
    return share, sum(await asyncio.gather(*followers))


async def _follow(port: int, thread: str) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /v1/follow?thread={thread} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    events = 0
    try:
        while line := await reader.readline():
            events += line.startswith(b"event: context")
    except asyncio.CancelledError:
        pass
    finally:
        writer.close()
    return events


class _Log:
    """What a worker writes to the contexts topic, handed to a file."""

    def __init__(self, settings: Settings, services: Services) -> None:
        self._engine: Engine = make_engine(settings)
        self._services = services
        self._place = TopicPartition(settings.topic(Topic.CONTEXTS), 0)
        self._view = PartitionView()
        self._offset = 0
        self._written = 0

    async def say(self, thread: str, messages: int) -> None:
        records = [record for _ in range(messages) for record in self._records(thread)]
        changed = await self._services.file.take(
            [ReadBatch(self._place, records, self._written)], time.time_ns() // 1_000_000
        )
        self._services.feed.positions[self._place] = self._written
        self._services.changes.tell(changed)

    def _records(self, thread: str) -> Iterator[ConsumerRecord]:
        self._offset += 1
        role = "user" if self._offset % 2 else "assistant"
        value = f'{{"role": "{role}", "content": "{self._offset} {_WORDS}"}}'.encode()
        said = InputRecord(
            topic="conversations",
            partition=0,
            offset=self._offset,
            timestamp_ms=1_760_000_000_000 + self._offset,
            key=thread.encode(),
            value=value,
        )
        for emission in process(self._view, said, self._engine).written:
            record = encode(emission, 1)
            if record.topic is not Topic.CONTEXTS:
                continue
            yield consumed(self._place, self._written, record.key, record.value, record.headers)
            self._written += 1


def consumed(
    place: TopicPartition,
    offset: int,
    key: bytes | None,
    value: bytes | None,
    headers: Iterable[tuple[str, bytes | None]],
) -> ConsumerRecord:
    return ConsumerRecord(
        topic=place.topic,
        partition=place.partition,
        offset=offset,
        timestamp=0,
        timestamp_type=0,
        key=key,
        value=value,
        checksum=None,
        serialized_key_size=0,
        serialized_value_size=0,
        headers=tuple(headers),
    )


class _Server:
    """The API in a thread of its own, with a bare route beside it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.bare = b""
        self.port = 0
        self.log: _Log

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> Self:
        self._thread.start()
        self.do(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self.do(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _start(self) -> None:
        settings = self._settings
        contexts = settings.topic(Topic.CONTEXTS)
        file = ReadingFile(settings.data_dir / "api", contexts)
        await file.open()
        await file.begin(Origin(cluster="none", topics=(contexts,)), time.time_ns() // 1_000_000)
        registry = CollectorRegistry()
        changes = Changes()
        self._services = Services(
            settings=settings,
            file=file,
            feed=ReadingFeed(settings, file, changes.tell),
            changes=changes,
            views=ThreadViews(file),
            bodies=Bodies(),
            client=Client(settings, reads=False, registry=registry),
            places=PublishedPlaces(),
            artifacts=LazyStore(settings),
            registry=registry,
            peers=Peers(settings.api),
        )
        self._services.feed.caught_up.set()
        self.log = _Log(settings, self._services)
        app = self._beside(make_app(self._services, Access(settings.api, Tokens(()))))
        self._server = HttpServer(uvicorn.Config(app, port=0, log_config=None, access_log=False, lifespan="off"))
        self._serving = asyncio.create_task(self._server.serve())
        while not self._server.started:  # noqa: ASYNC110  uvicorn has nothing else to wait for
            await asyncio.sleep(0.01)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]

    def _beside(self, app: ASGIApp) -> ASGIApp:
        async def answer(_request: Request) -> Response:
            return Response(self.bare, media_type="application/json")

        bare = Starlette(routes=[Route("/bare", answer)])

        async def both(scope: Scope, receive: Receive, send: Send) -> None:
            await (bare if scope["type"] == "http" and scope["path"] == "/bare" else app)(scope, receive, send)

        return both

    async def _stop(self) -> None:
        self._services.changes.end()
        self._server.should_exit = True
        await self._serving
        await self._services.file.close()


#: Asks for a path, with an ETag that the answer must be 304 for; returns headers and body.
_Ask = Callable[..., Awaitable[tuple[dict[str, str], bytes]]]


@asynccontextmanager
async def _connection(port: int) -> AsyncIterator[_Ask]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)

    async def ask(path: str, etag: str = "") -> tuple[dict[str, str], bytes]:
        known = f"If-None-Match: {etag}\r\n" if etag else ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{known}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
        status = int(head[0].split()[1])
        assert status == (304 if etag else 200), head[0]
        body = b"" if etag else await reader.readexactly(int(headers["content-length"]))
        return headers, body

    try:
        yield ask
    finally:
        writer.close()
