"""The role `summarize`: takes requests from the `work` topic, asks models, and puts the answers into the log.

It has a group of its own and no part in the way of an event: contexts are made whether it runs or not. An offset is
committed after all that its request caused was delivered, so a worker that is killed loses nothing; what it repeats has
the same id, and is answered from what is known already.
"""

import asyncio
import importlib.metadata
import logging
import random
import signal
import time
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener, TopicPartition
from aiokafka.errors import KafkaError
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import ArtifactError, PoisonEvent, TailraceError
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import OutputRecord, Topic, answer_records, encode
from tailrace.schemas.records.stream_agent import StreamAgent
from tailrace.schemas.records.summary import ChunkSummary, SummaryRejection
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.files.exposure import warn_of_exposed_keys
from tailrace.streams.kafka import clients
from tailrace.streams.models.counters import counter_for
from tailrace.streams.models.model_prices import price_usd
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings
from tailrace.streams.summarizer.answers import Answers
from tailrace.streams.summarizer.breaker import Breaker
from tailrace.streams.summarizer.catch_up import catch_up
from tailrace.streams.summarizer.configured_models import make_models, read_instructions
from tailrace.streams.summarizer.model_caller import Bill, ModelCaller, SpendLimitReached
from tailrace.streams.summarizer.model_calls import ModelCalls, SpendLimits
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.summarizer.summarizer import Summarizer, Unanswered
from tailrace.streams.summarizer.summarizer_metrics import SummarizerMetrics
from tailrace.streams.summarizer.whole_output import with_whole_output
from tailrace.streams.summarizer.work_intake import dead_letter, read_request
from tailrace.streams.summarizer.work_progress import WorkProgress
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topics import letter_bytes_max
from tailrace.streams.worker.exit import ExitCode, fail_stop
from tailrace.streams.worker.http import bind, make_app, make_server
from tailrace.streams.worker.projection import PROJECTION_FILE
from tailrace.streams.worker.projection_retention import Retention
from tailrace.streams.worker.topic_watch import METADATA_AGE_MS_MAX, watch_topics
from tailrace.streams.worker.upkeep import prune_projection

AGENT: Final = StreamAgent(
    name="Summarizer",
    does="a request for a model: ask it, check the answer, put it into the log",
    reads=(Topic.WORK, Topic.SUMMARIES),
    writes=(Topic.CONVERSATIONS, Topic.SUMMARIES, Topic.DLQ),
)

log = structlog.get_logger("tailrace.summarize")

#: How long one poll waits for requests.
POLL_MS = 500
#: Requests that are under way at once, by the calls that may be: some wait for a pause, others for their turn.
UNDER_WAY_FACTOR = 2
#: What the broker allows beyond the time of a request before it gives our partitions to others.
POLL_MARGIN_SECONDS = 60.0
#: Part of the time for a shutdown that requests under way may use to finish.
GRACE_FRACTION = 0.5
#: Where spending is limited, what others have spent is known to this much, and to the moment after a rebalance.
SPENDING_SECONDS = 10.0
_SDK_LOGGERS = ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2")


@dataclass(frozen=True, slots=True)
class _Taken:
    """A request that is under way, and since when."""

    record: ConsumerRecord
    since: float


@dataclass(frozen=True, slots=True)
class _Done:
    """A request that is finished, and what has to be delivered before its offset counts."""

    record: ConsumerRecord
    caused: Sequence[OutputRecord]


class _LoggedAssignments(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is not typed
    """Says which requests are ours, as the other role does."""

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Say nothing: what counts is what the group decides next."""

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Say it after every rebalance."""
        log.info("partitions.assigned", partitions=sorted(place.partition for place in assigned))


class SummarizeWorker:
    """One worker of the role."""

    def __init__(self, settings: Settings) -> None:
        """Put the parts together; nothing is opened yet. Raises ConfigError where no model can be asked."""
        self.settings = settings
        self.group = f"{settings.group}-summarize"
        self.metrics = SummarizerMetrics()
        self._skipped = SkippedRecords(self.metrics.count_skipped)
        self._version = importlib.metadata.version("tailrace")
        self.metrics.build.info({"version": self._version})
        _silence_sdks()
        self._models = make_models(settings)
        self._stopping = asyncio.Event()
        self._consumer: AIOKafkaConsumer
        self._producer: AIOKafkaProducer
        self._summarizer: Summarizer
        self._answers: Answers
        self._partitions = 0
        #: Which partitions of requests were ours when the answers of others were read last, and when that was.
        self._read_for: frozenset[TopicPartition] = frozenset()
        self._read_at = 0.0
        chosen = settings.summarizer
        self._limits = (
            SpendLimits(chosen.tenant_hour_usd, chosen.tenant_hour_tokens),
            SpendLimits(chosen.fleet_hour_usd, chosen.fleet_hour_tokens),
        )
        self._store: ArtifactStore
        self._ready = False
        self._progress = WorkProgress()
        self._under_way: dict[asyncio.Future[None], _Taken] = {}

    async def run(self) -> ExitCode:
        """Run until told to stop."""
        partitions = await topic_admin.usable_partitions(self.settings)
        warn_of_exposed_keys(self.settings)
        listener = bind(self.settings.http)
        async with AsyncExitStack() as stack:
            file = RecordsFile(self.settings.data_dir / PROJECTION_FILE)
            stack.callback(file.close)
            self._store = await open_store(self.settings)
            stack.push_async_callback(self._store.close)
            for model in self._models:
                stack.push_async_callback(model.provider.close)
            self._answers = self._build(file)
            server = make_server(make_app(self.metrics.registry, live=self._not_alive, ready=self._not_ready))
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            host, port = listener.getsockname()[:2]
            names = [model.key for model in self._models]
            log.info("summarizer.started", http=f"http://{host}:{port}", group=self.group, models=names)
            self._partitions = partitions
            records = await self._catch_up()
            log.info("summaries.known", records=records)
            # The clients last: they are the first to stop.
            self._producer = await stack.enter_async_context(
                clients.producer(self.settings, **self._producer_options())
            )
            options = self._consumer_options()
            self._consumer = await stack.enter_async_context(clients.consumer(self.settings, **options))
            # Until here there is nothing to finish, and a signal ends the process at once.
            self._listen_to_signals()
            self._consumer.subscribe([self.settings.topic(Topic.WORK)], listener=_LoggedAssignments())
            self._ready = True
            watching = asyncio.create_task(watch_topics(self.settings, partitions))
            stack.callback(watching.cancel)
            retention = Retention(self.settings.data_dir / PROJECTION_FILE, self.settings.projection, now_ms=_now_ms)
            pruning = asyncio.create_task(prune_projection(retention, self.metrics.projection.pruned))
            code = await self._work()
            pruning.cancel()
            server.should_exit = True
            with suppress(TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(serving, timeout=1)
        log.info("summarizer.stopped")
        return code

    def _build(self, file: RecordsFile) -> Answers:
        chosen = self.settings.summarizer
        pause_ms = int(chosen.breaker_seconds * 1000)
        caller = ModelCaller(
            settings=chosen,
            calls=ModelCalls(file, *self._limits),
            breaker=Breaker(file, failures_max=chosen.breaker_failures, pause_ms=pause_ms),
            metrics=self.metrics,
            now_ms=_now_ms,
            chance=random.Random(),  # noqa: S311  spreads retries; nothing secret hangs on it
        )
        # The first price takes a second to look up, which no heartbeat should wait for.
        price_usd("openai", "gpt-4o-mini", input_tokens=1, output_tokens=1)
        answers = Answers(file)
        self._summarizer = Summarizer(
            models=self._models,
            caller=caller,
            answers=answers,
            counter=counter_for(None),
            created_by=f"tailrace/{self._version} summarize",
            now_ms=_now_ms,
            instructions=read_instructions(self.settings),
        )
        return answers

    async def _work(self) -> ExitCode:
        """Take requests until told to stop.

        Whatever is unexpected ends the process, with nothing acknowledged after it.
        """
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            while not self._stopping.is_set():
                await self._take_more(stopping)
                await self._settle()
            if self._under_way:
                grace_seconds = self.settings.worker.shutdown_seconds * GRACE_FRACTION
                await asyncio.wait(self._under_way, timeout=grace_seconds)
                await self._settle()
        except Exception as error:  # noqa: BLE001  whatever it is, nothing may be acknowledged after it
            fail_stop(ExitCode.TEMPORARY, "summarize.failed", error=repr(error), exc_info=True)
        finally:
            stopping.cancel()
            for task in self._under_way:
                task.cancel()
        # What is given up here is taken again by whoever has the partition next.
        await asyncio.gather(*self._under_way, return_exceptions=True)
        return ExitCode.OK

    async def _take_more(self, stopping: "asyncio.Task[bool]") -> None:
        """Take as many requests as there is room for; where there is none, wait until one is finished."""
        room = self.settings.summarizer.concurrency * UNDER_WAY_FACTOR - len(self._under_way)
        if room <= 0:
            either: set[asyncio.Future[Any]] = {*self._under_way, stopping}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return
        records = await self._take(stopping, room)
        if records:
            await self._learn_spending()
        for record in records:
            self._progress.take(record)
            task = asyncio.ensure_future(self._answer_and_deliver(record))
            self._under_way[task] = _Taken(record, time.monotonic())

    async def _settle(self) -> None:
        """Commit as far as everything before is finished. Raises what a request has raised."""
        for task in [task for task in self._under_way if task.done()]:
            taken = self._under_way.pop(task)
            task.result()
            self._progress.finish(taken.record)
        mine = self._consumer.assignment()
        await self._commit({place: offset for place, offset in self._progress.committable().items() if place in mine})

    async def _catch_up(self) -> int:
        self._read_at = time.monotonic()
        return await catch_up(self.settings, self._answers, self._partitions, self._skipped)

    async def _learn_spending(self) -> None:
        """Read what workers of other machines have answered, and so spent.

        Who takes their requests over goes on with their limits.
        """
        mine = frozenset(self._consumer.assignment())
        recent = time.monotonic() - self._read_at < SPENDING_SECONDS
        if any(limits.any for limits in self._limits) and not (recent and mine == self._read_for):
            await self._catch_up()
            self._read_for = mine

    async def _take(self, stopping: "asyncio.Task[bool]", count: int) -> list[ConsumerRecord]:
        polling = asyncio.ensure_future(self._consumer.getmany(timeout_ms=POLL_MS, max_records=count))
        await asyncio.wait({polling, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if self._stopping.is_set():
            polling.cancel()
            return []
        return [record for records in (await polling).values() for record in records]

    async def _answer_and_deliver(self, record: ConsumerRecord) -> None:
        """Answer a request. An answer waits for no other: a summary that comes late is never used."""
        await self._deliver(await self._answer(record))

    async def _deliver(self, done: _Done) -> None:
        async with asyncio.timeout(self.settings.worker.delivery_seconds):
            for written in done.caused:
                await self._producer.send_and_wait(
                    self.settings.topic(written.topic),
                    key=written.key,
                    value=written.value,
                    headers=list(written.headers),
                    partition=done.record.partition,
                )

    async def _commit(self, progress: dict[TopicPartition, int]) -> None:
        if not progress:
            return
        try:
            await self._consumer.commit(progress)
        except KafkaError as error:
            # The partitions are somebody else's now: what was delivered is recognised by its id.
            log.warning("summarize.not_committed", error=repr(error))

    async def _answer(self, record: ConsumerRecord) -> _Done:
        started = time.monotonic()
        bill: Bill | None = None
        try:
            request = await with_whole_output(read_request(record), self._store)
            bill = Bill(request)
            answer = await self._summarizer.answer(request, bill)
        except SpendLimitReached:
            log.warning("summarize.spend_limit", partition=record.partition, offset=record.offset)
            return self._counted("spend_limit", _Done(record, self._charged(bill)), started)
        except (PoisonEvent, Unanswered, ArtifactError) as error:
            letter = encode(self._letter(record, error), 0)
            return self._counted("dead_letter", _Done(record, [letter, *self._charged(bill)]), started)
        return self._counted(self._outcome(answer), _Done(record, answer_records(answer)), started)

    def _charged(self, bill: Bill | None) -> list[OutputRecord]:
        """What tells of the calls behind a request that was not answered."""
        unanswered = self._summarizer.unanswered(bill) if bill is not None else None
        return answer_records(unanswered) if unanswered is not None else []

    def _letter(self, record: ConsumerRecord, error: TailraceError) -> DeadLetter:
        log.warning(
            "summarize.dead_letter", error=type(error).__name__, partition=record.partition, offset=record.offset
        )
        return dead_letter(record, error)

    def _outcome(self, answer: ChunkSummary | SummaryRejection) -> str:
        if isinstance(answer, SummaryRejection):
            log.info("summary.rejected", request=answer.request_id, model=answer.key.model, reason=answer.reason)
            return "rejected"
        outcome = "known" if not answer.calls else "summarized"
        log.info(
            "summary.made", request=answer.request_id, model=answer.key.model, tokens=answer.tokens, outcome=outcome
        )
        return outcome

    def _counted(self, outcome: str, done: _Done, started: float) -> _Done:
        self.metrics.answers.labels(outcome).inc()
        self.metrics.seconds.observe(time.monotonic() - started)
        return done

    def _consumer_options(self) -> dict[str, Any]:
        worker = self.settings.worker
        poll_seconds = self.settings.summarizer.request_seconds + POLL_MARGIN_SECONDS
        return {
            "group_id": self.group,
            "client_id": "tailrace-summarize",
            "enable_auto_commit": False,
            "auto_offset_reset": "earliest",
            "metadata_max_age_ms": METADATA_AGE_MS_MAX,
            "session_timeout_ms": int(worker.session_timeout_seconds * 1000),
            "heartbeat_interval_ms": int(worker.heartbeat_seconds * 1000),
            # A request that is under way may take as long as it is allowed to.
            "max_poll_interval_ms": int(poll_seconds * 1000),
            "rebalance_timeout_ms": int(poll_seconds * 1000),
        }

    def _producer_options(self) -> dict[str, Any]:
        return {
            "client_id": "tailrace-summarize",
            "acks": "all",
            "enable_idempotence": True,
            "max_request_size": letter_bytes_max(self.settings) + 1024 * 1024,
            "request_timeout_ms": int(self.settings.worker.delivery_seconds * 1000),
        }

    def _not_alive(self) -> str | None:
        limit_seconds = self.settings.summarizer.request_seconds + POLL_MARGIN_SECONDS
        oldest = min((taken.since for taken in self._under_way.values()), default=None)
        if oldest is not None and time.monotonic() - oldest > limit_seconds:
            return "a request takes longer than it may"
        return None

    def _not_ready(self) -> str | None:
        if self._stopping.is_set():
            return "stopping"
        return None if self._ready and self._consumer.assignment() else "partitions are not assigned yet"

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)


def _silence_sdks() -> None:
    """Keep what providers' SDKs log to themselves: at debug they write down what was sent."""
    for name in _SDK_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
