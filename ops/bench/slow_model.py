"""An event that crosses the budget, beside all others, while every model that could summarise takes half a minute.

Both roles run, and a server on the loopback that speaks OpenAI's protocol and takes its time. Events are published one
after the other, each when the context of the one before it is there; whether an event has crossed the budget shows in
its context.
"""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from ops.bench.events import Publication
from ops.bench.programs import running
from ops.bench.report import Result, Row, at_least, at_most
from ops.bench.stand import Stand, create_topics, partitions_of
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka import clients
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import record_bytes_max

NAME = "slow-model"
ANSWER_SECONDS: Final = 30.0
EVENTS: Final = 1_500
EVENTS_MIN: Final = 800
#: The first ones find everything cold, and don't count.
WARM_UP_EVENTS: Final = 100
WINDOW_TOKENS: Final = 4_000
MODEL_WINDOW_TOKENS: Final = 32_000
_START_SECONDS_MAX = 60.0
_CONTEXT_SECONDS_MAX = 30.0
#: For all events together: half of them would be a result, and none that anybody asked for.
_RUN_SECONDS_MAX = 240.0
_CLI = "tailrace.streams.cli"
_POLICY = {
    "window_tokens": WINDOW_TOKENS,
    "output_reserve_tokens": 0,
    "rehydration_reserve_tokens": 0,
    "chunks": {"enabled": True, "tokens_min": 500, "tokens_max": 1_500},
}


@dataclass
class SlowModel:
    """A server that answers each request after `ANSWER_SECONDS`, or never."""

    port: int = 0
    asked: int = 0
    answered: int = 0
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self) -> bytes | None:
        """The answer, when its time has come; None where the server closes before."""
        with self.lock:
            self.asked += 1
        if self.closing.wait(ANSWER_SECONDS):
            return None
        with self.lock:
            self.answered += 1
        choice = {"index": 0, "message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
        answer = {"id": "x", "object": "chat.completion", "created": 0, "model": "slow", "choices": [choice]}
        return json.dumps(answer).encode()


@dataclass(slots=True)
class Measured:
    """How long events took, and whether their contexts fit."""

    crossing_ms: list[float] = field(default_factory=list)
    other_ms: list[float] = field(default_factory=list)
    too_large: int = 0

    def note(self, milliseconds: float, view: ThreadView, *, crossed: bool) -> None:
        """Note one event."""
        (self.crossing_ms if crossed else self.other_ms).append(milliseconds)
        limit_tokens = view.head.limit_tokens if view.head is not None else 0
        self.too_large += view.request_tokens > limit_tokens


async def run(stand: Stand) -> Result:
    """Publish one event after the other, with both roles running; then the same without any model."""
    publications = stand.corpus.publications(stand.scaled(EVENTS, least=EVENTS_MIN))
    with _slow_model() as model:
        with_model = await _with_model(stand.settings("slow-model"), model, publications)
        under_way, answered = model.asked - model.answered, model.answered
    settings = stand.settings("no-model")
    await create_topics(settings)
    policy = {**_POLICY, "chunks": {"enabled": False}}
    with running(_CLI, "worker", settings=settings, environment={"TAILRACE_POLICY": json.dumps(policy)}) as worker:
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        without = await _measure(settings, publications)
    crossing_ms, other_ms = median(with_model.crossing_ms), median(with_model.other_ms)
    longest_ms = max(with_model.crossing_ms)
    rows = (
        Row(
            what="an event that crosses the budget / any other, median",
            value=crossing_ms / other_ms,
            unit="ratio",
            target=at_most(3),
        ),
        Row(
            what="an event that crosses the budget / the same without any model, median",
            value=crossing_ms / median(without.crossing_ms),
            unit="ratio",
            target=at_most(1.5),
        ),
        Row(
            what="a model's answer / an event that crosses the budget, longest",
            value=ANSWER_SECONDS * 1000 / longest_ms,
            unit="ratio",
            target=at_least(30),
        ),
        Row(what="publish to context, crossing: median", value=crossing_ms, unit="ms"),
        Row(what="publish to context, crossing: longest", value=longest_ms, unit="ms"),
        Row(what="publish to context, any other: median", value=other_ms, unit="ms"),
        Row(what="contexts above their limit", value=with_model.too_large, unit="of", target=at_most(0)),
        Row(what="events that crossed the budget", value=len(with_model.crossing_ms), unit="of"),
        Row(what="requests that the model was asked and had not answered", value=under_way, unit="of"),
    )
    return Result(
        name=NAME,
        rows=rows,
        parameters=f"{len(publications)} events one after the other, a window of {WINDOW_TOKENS:,} tokens, chunks of "
        f"500 to 1,500, a model that answers after {ANSWER_SECONDS:g} s; {answered} answers came before "
        "the end.",
        does_not_show="events that come at once, or what a summary adds that comes in time.",
    )


async def _with_model(settings: Settings, model: SlowModel, publications: Sequence[Publication]) -> Measured:
    await create_topics(settings)
    environment = {
        "TAILRACE_POLICY": json.dumps(_POLICY),
        "TAILRACE_SUMMARIZER__MODELS": json.dumps(
            [{"model": "slow", "base_url": f"http://127.0.0.1:{model.port}/v1", "window_tokens": MODEL_WINDOW_TOKENS}]
        ),
    }
    with (
        running(_CLI, "worker", settings=settings, environment=environment) as worker,
        running(_CLI, "worker", "--role", "summarize", settings=settings, environment=environment) as summarizer,
    ):
        await worker.wait_for_line('"partitions.assigned"', limit_seconds=_START_SECONDS_MAX)
        await summarizer.wait_for_line('"summaries.known"', limit_seconds=_START_SECONDS_MAX)
        return await _measure(settings, publications)


async def _measure(settings: Settings, publications: Sequence[Publication]) -> Measured:
    measured = Measured()
    views = {place.partition: PartitionView() for place in partitions_of(settings, settings.topic(Topic.CONTEXTS))}
    async with (
        clients.producer(settings, acks="all", max_request_size=record_bytes_max(settings)) as producer,
        clients.consumer(settings, auto_offset_reset="earliest") as reader,
    ):
        reader.assign(partitions_of(settings, settings.topic(Topic.CONTEXTS)))
        async with asyncio.timeout(_RUN_SECONDS_MAX):
            for number, one in enumerate(publications):
                await _one_event(
                    producer, reader, views, one, measured if number >= WARM_UP_EVENTS else Measured(), settings
                )
    return measured


async def _one_event(
    producer: AIOKafkaProducer,
    reader: AIOKafkaConsumer,
    views: dict[int, PartitionView],
    one: Publication,
    measured: Measured,
    settings: Settings,
) -> None:
    thread = one.key.decode()
    known = next((view.threads[thread] for view in views.values() if thread in view.threads), None)
    epoch = known.epoch if known is not None else 0
    begin = time.perf_counter()
    delivery = await producer.send(
        settings.topic(Topic.CONVERSATIONS), key=one.key, value=one.value, headers=list(one.headers)
    )
    async with asyncio.timeout(_CONTEXT_SECONDS_MAX):
        view = await _covering(reader, views, thread, one.event_id)
    milliseconds = (time.perf_counter() - begin) * 1000
    await delivery
    measured.note(milliseconds, view, crossed=view.epoch > epoch)


async def _covering(
    reader: AIOKafkaConsumer, views: dict[int, PartitionView], thread: str, event_id: str
) -> ThreadView:
    """The thread's context once it covers an event."""
    while True:
        for place, records in (await reader.getmany(timeout_ms=1_000)).items():
            for record in records:
                views[place.partition].apply_record(record.key, record.value, record.headers)
            view = views[place.partition].threads.get(thread)
            if view is not None and view.covers is not None and view.covers.event_id == event_id:
                return view


@contextmanager
def _slow_model() -> Iterator[SlowModel]:
    model = SlowModel()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            answer = model.reply()
            if answer is None:
                self.close_connection = True
                return
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_args: Any) -> None:
            """Whoever asked has ended."""

    with Server(("127.0.0.1", 0), Handler) as server:
        model.port = server.server_address[1]
        serving = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        serving.start()
        try:
            yield model
        finally:
            model.closing.set()
            server.shutdown()
            serving.join()
