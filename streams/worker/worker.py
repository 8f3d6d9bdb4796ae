"""The worker: Faust brings records and partitions, the committer does the rest.

Ends in one of three ways: told to (SIGTERM, SIGINT: finish the batch, commit, leave the group, bounded in time),
fail-stop (anything unexpected: at once, nothing acknowledged), or refused at start (settings or topics can't work).
"""

import asyncio
import gc
import importlib.metadata
import signal
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import structlog
from aiokafka.partitioner import DefaultPartitioner
from faust.types import StreamT

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.files.exposure import warn_of_exposed_keys
from tailrace.streams.installation.rules import make_rules, warm_up
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.broker_clock import BrokerClock
from tailrace.streams.kafka.gzip_level import lower_gzip_level
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.observability.metrics import Metrics
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings
from tailrace.streams.worker import header_names
from tailrace.streams.worker.commit import Committer, OwnedPartition
from tailrace.streams.worker.exit import ExitCode, fail_stop
from tailrace.streams.worker.faust_app import TailraceApp
from tailrace.streams.worker.guard import Guard
from tailrace.streams.worker.http import HttpServer, bind, make_app, make_server
from tailrace.streams.worker.intake import Intake
from tailrace.streams.worker.lease import Lease
from tailrace.streams.worker.observers import Observers
from tailrace.streams.worker.outbox import Outbox
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection
from tailrace.streams.worker.projection_retention import Retention
from tailrace.streams.worker.recovery import recover
from tailrace.streams.worker.timers import WAIT_SECONDS_MAX, TimerWatch
from tailrace.streams.worker.topic_watch import METADATA_AGE_MS_MAX, watch_topics
from tailrace.streams.worker.upkeep import collect_artifacts, prune_projection
from tailrace.streams.worker.watchdog import Watchdog

log = structlog.get_logger("tailrace.worker")

#: How often lag is measured and the watchdog looks.
WATCH_SECONDS = 2.0
#: Part of the session timeout for which a heartbeat allows to send. The rest is for requests that are on their way:
#: they must arrive before somebody else can have the partitions.
LEASE_FRACTION = 0.7
#: How often the cluster's clock is compared with ours.
CLOCK_SECONDS = 60.0
#: How often a worker looks whether the heartbeat that it waits for was answered.
PROOF_POLL_SECONDS = 0.05


class Worker:
    """One worker process."""

    def __init__(self, settings: Settings) -> None:
        """Put the parts together; nothing is opened yet."""
        header_names.tolerate()
        lower_gzip_level()
        self.settings = settings
        self._partitions_count = settings.topics.partitions
        self.metrics = Metrics(self._partition_of)
        self._skipped = SkippedRecords(self.metrics.count_skipped)
        self.metrics.build.info({"version": importlib.metadata.version("tailrace")})
        self._watchdog = Watchdog(settings.worker.watchdog_seconds)
        self._lease = Lease(settings.worker.session_timeout_seconds * LEASE_FRACTION)
        self._clock = BrokerClock()
        self._guard = Guard(settings)
        self._intake = Intake(settings.worker.buffer_records_max)
        self._input_topic = settings.topic(Topic.CONVERSATIONS)
        self._stopping = asyncio.Event()
        #: Held while a batch is under way and while partitions change hands: never both.
        self._busy = asyncio.Lock()
        self._ready = False
        self._stalled_seconds = 0.0
        self.app: TailraceApp
        self._committer: Committer
        self._outbox: Outbox
        self._timers: TimerWatch

    def _partition_of(self, key: bytes) -> int:
        partitions = list(range(self._partitions_count))
        return int(DefaultPartitioner()(key, partitions, partitions))

    async def run(self) -> ExitCode:
        """Run until told to stop."""
        self._partitions_count = await self._guard.admit()
        warn_of_exposed_keys(self.settings)
        listener = bind(self.settings.http)
        projection = SqliteProjection(self.settings.data_dir / PROJECTION_FILE)
        artifacts = await open_store(self.settings)
        tells_time = await self._clock.set(self.settings)
        self._build(projection, artifacts)
        server = make_server(make_app(self.metrics.registry, live=self._not_alive, ready=self._not_ready))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        host, port = listener.getsockname()[:2]
        log.info("worker.started", http=f"http://{host}:{port}", topic=self._input_topic, group=self.settings.group)
        self._listen_to_signals()
        tasks = [
            self._watch(),
            watch_topics(self.settings, self._partitions_count),
            self._keep_time(),
            collect_artifacts(artifacts, self.metrics.artifacts_expired.inc),
            prune_projection(self._retention(), self.metrics.projection.pruned),
            *([self._set_clock()] if tells_time else []),
        ]
        beside = [asyncio.create_task(job) for job in tasks]
        await self._start()
        await self._stopping.wait()
        for task in beside:
            task.cancel()
        code = await self._shut_down(server, serving)
        await artifacts.close()
        projection.close()
        return code

    def _retention(self) -> Retention:
        return Retention(self.settings.data_dir / PROJECTION_FILE, self.settings.projection, now_ms=self._clock.now_ms)

    async def _start(self) -> None:
        """Start Faust. Whoever ends the worker meanwhile need not wait for a broker that may never answer."""
        stopping = asyncio.create_task(self._stopping.wait())
        starting = asyncio.create_task(self.app.start())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if starting.done():
            async with clients.reachable(self.settings):
                starting.result()

    def _build(self, projection: SqliteProjection, artifacts: ArtifactStore) -> None:
        rules = make_rules(self.settings)
        warm_up()
        self._timers = TimerWatch(rules.policy.triggers, self._clock.now_ms)
        self._outbox = Outbox(
            lambda: self.app.kafka_producer,
            self.settings.topic,
            delivery_seconds=self.settings.worker.delivery_seconds,
            on_failure=self.metrics.delivery_failed,
            on_contexts=self._guard.notes.delivered,
        )
        self._committer = Committer(
            rules=rules,
            log=self._outbox,
            shelf=ArtifactShelf(artifacts, rules.policy),
            projection=projection,
            observer=Observers((self.metrics, self._timers)),
        )
        self.app = TailraceApp(
            self.settings.group,
            input_topic=self._input_topic,
            lease=self._lease,
            progress=self._committer.progress,
            notes=self._guard.notes,
            intake=self._intake,
            **faust_options(self.settings),
        )
        conversations = self.app.topic(
            self._input_topic, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw"
        )
        self.app.agent(conversations, name="tailrace")(self._work)
        self.app.on_partitions_revoked.connect(self._on_revoked)
        self.app.on_rebalance_complete.connect(self._on_assigned)

    async def _work(self, _stream: StreamT[Any]) -> None:
        """Run batches for ever. The stream itself stays empty: the consumer hands records to the intake in bulk."""
        while True:
            batch = await self._intake.take(self.settings.worker.batch_events_max)
            async with self._busy:
                try:
                    await self._committer.run(batch)
                except Exception as error:  # noqa: BLE001  whatever it is, nothing may be acknowledged after it
                    fail_stop(ExitCode.TEMPORARY, "batch.failed", error=repr(error), exc_info=True)

    async def _on_revoked(self, *_args: Any, **_kwargs: Any) -> None:
        """Finish the batch under way before the group goes on: afterwards the partitions may be someone else's."""
        self._ready = False
        if self._busy.locked() and not self._lease.valid:
            fail_stop(ExitCode.TEMPORARY, "lease.lost", generation=self._committer.progress.generation)
        await self._intake.clear()
        async with self._busy:
            await self._intake.clear()

    async def _on_assigned(self, *_args: Any, **_kwargs: Any) -> None:
        """Bring the state of the partitions that are ours now."""
        try:
            async with self._busy:
                await self._recover()
        except Exception as error:  # noqa: BLE001  a state that is not whole must not be used
            fail_stop(ExitCode.TEMPORARY, "recovery.failed", error=repr(error), exc_info=True)

    async def _recover(self) -> None:
        started = time.monotonic()
        generation = self.app.consumer_generation_id
        positions = await self.app.consumer.find_positions()
        await self._guard.look(positions)
        missing = self._committer.begin(generation, positions)
        fresh = await self._read_contexts(missing, generation)
        if input_ends := await self._guard.compare(fresh):
            fresh |= await self._read_contexts(list(input_ends), generation, input_ends)
        if any(owned.term > generation for owned in fresh.values()):
            await self._prove_membership(generation)
        lost = self._guard.own({**self._committer.partitions, **fresh})
        await self._committer.own(fresh)
        views = {partition: owned.view for partition, owned in self._committer.partitions.items()}
        self._timers.own(views)
        self.metrics.own(views)
        self.metrics.own_losses(lost)
        self._ready = True
        seconds = time.monotonic() - started
        self.metrics.recovery.set(seconds)
        log.info(
            "partitions.assigned",
            generation=generation,
            partitions=sorted(positions),
            recovered=sorted(fresh),
            threads=sum(len(owned.view.threads) for owned in fresh.values()),
            seconds=round(seconds, 3),
        )

    async def _read_contexts(
        self, partitions: Collection[int], generation: int, input_ends: Mapping[int, int] | None = None
    ) -> dict[int, OwnedPartition]:
        topic = self.settings.topic(Topic.CONTEXTS)
        async with clients.consumer(self.settings, **FROM_BEGINNING) as reader:
            with _collector_paused():
                return await recover(
                    reader, topic, partitions, generation=generation, skipped=self._skipped, input_ends=input_ends
                )

    async def _prove_membership(self, generation: int) -> None:
        """Wait for a heartbeat that the broker accepts; end the process if it has given our partitions to others.

        The log holds a later generation than ours. That is so after the group was deleted, and in a worker that was
        frozen and has missed a rebalance: only the broker knows which.
        """
        asked_at = self._lease.now()
        while not self._lease.renewed_since(asked_at):
            late = self._lease.now() - asked_at > self.settings.worker.session_timeout_seconds
            if late or self.app.consumer_generation_id != generation:
                fail_stop(ExitCode.TEMPORARY, "lease.lost", generation=generation)
            await asyncio.sleep(PROOF_POLL_SECONDS)

    async def _watch(self) -> None:
        """Measure lag and commit age; end the process when it is stuck or Faust has crashed."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            if self.app.crashed:
                fail_stop(ExitCode.TEMPORARY, "faust.crashed", error=repr(self.app.crash_reason))
            now = self._lease.now()
            lag_records = await self._lag()
            self._stalled_seconds = self._watchdog.stalled_seconds(
                lag_records=lag_records, committed_at=self.app.committed_at_seconds, now=now
            )
            self.metrics.commit_age.set(now - self.app.committed_at_seconds)
            self.metrics.threads.set(sum(len(owned.view.threads) for owned in self._committer.partitions.values()))
            self.metrics.timers.set(self._timers.pending)
            if self._watchdog.barks(self._stalled_seconds):
                fail_stop(ExitCode.TEMPORARY, "watchdog.stalled", seconds=self._stalled_seconds, lag=lag_records)

    async def _keep_time(self) -> None:
        """Put ticks on the log for the timers that are due, between batches and under the batches' lease."""
        while True:
            await asyncio.sleep(self._timers.wait_seconds if self._ready else WAIT_SECONDS_MAX)
            async with self._busy:
                ticks = self._timers.ticks() if self._ready else []
                if not ticks:
                    continue
                try:
                    await (await self._outbox.send(ticks))
                except Exception as error:  # noqa: BLE001  the producer that lost a record can't be used any more
                    fail_stop(ExitCode.TEMPORARY, "ticks.failed", error=repr(error), exc_info=True)
                self.metrics.ticks.inc(len(ticks))

    async def _set_clock(self) -> None:
        """Follow the cluster's clock: ours, or that of its leader, may be set at any time."""
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            await self._clock.set(self.settings)

    async def _lag(self) -> int:
        """Records behind the end of our partitions. A broker that doesn't answer counts as one record of lag."""
        try:
            lags = await asyncio.wait_for(self.app.consumer.lag_records(), timeout=WATCH_SECONDS * 2)
        except Exception as error:  # noqa: BLE001  the watchdog must outlive what it watches
            log.warning("lag.unknown", error=repr(error))
            return 1
        self.metrics.lag.clear()  # partitions that are somebody else's now
        for partition, lag_records in lags.items():
            self.metrics.lag.labels(str(partition)).set(lag_records)
        return sum(lags.values())

    def _not_alive(self) -> str | None:
        if self._watchdog.barks(self._stalled_seconds):
            return f"no progress for {self._stalled_seconds:.0f} s although there is work"
        return None

    def _not_ready(self) -> str | None:
        if self._stopping.is_set():
            return "stopping"
        return None if self._ready else "partitions are not assigned or not recovered yet"

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)

    async def _shut_down(self, server: HttpServer, serving: asyncio.Task[None]) -> ExitCode:
        """Finish the batch, commit, leave the group, in this order and within the limit.

        The consumer goes last, so that its heartbeats keep the partitions ours until everything is committed. Faust's
        own shutdown is not used: it can wait for ever (faust#162).
        """
        # Before the first assignment nothing was read: there is nothing to commit, and perhaps nobody to do it.
        committed = self._committer.progress.generation < 0
        try:
            async with asyncio.timeout(self.settings.worker.shutdown_seconds):
                await self._busy.acquire()  # and never released: no batch may start any more
                await self._intake.clear()
                await self.app.consumer.commit()
                committed = True
                log.info("worker.committed")
                await self.app.consumer.leave_group()
        except Exception as error:  # noqa: BLE001  what is not committed is replayed
            log.warning("worker.stopped_hard", error=repr(error), committed=committed)
            # In a rebalance a farewell may find nobody to take it. Once all is committed nothing hangs on it: the group
            # finds out.
            return ExitCode.OK if committed else ExitCode.TEMPORARY
        server.should_exit = True
        with suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(serving, timeout=1)
        log.info("worker.stopped")
        return ExitCode.OK


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from looking at a growing state again and again, and afterwards out of it for good.

    The state has no cycles: what leaves it is freed at once. Recovery is a third faster without the collector.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def faust_options(settings: Settings) -> dict[str, Any]:
    """Every setting of Faust that matters, none left to its default."""
    worker = settings.worker
    return {
        "broker": [f"kafka://{server.strip()}" for server in clients.bootstrap_servers(settings).split(",")],
        "broker_credentials": clients.faust_credentials(settings),
        "broker_client_id": "tailrace",
        "broker_session_timeout": worker.session_timeout_seconds,
        "broker_heartbeat_interval": worker.heartbeat_seconds,
        "broker_commit_interval": worker.commit_interval_seconds,
        # Our own progress is committed by time alone.
        "broker_commit_every": None,
        "broker_request_timeout": max(30.0, worker.session_timeout_seconds + 5),
        "broker_rebalance_timeout": 60.0,
        "broker_max_poll_interval": 300.0,
        "broker_check_crcs": True,
        "consumer_auto_offset_reset": "earliest",
        "consumer_metadata_max_age_ms": METADATA_AGE_MS_MAX,
        "consumer_max_fetch_size": 4 * 1024 * 1024,
        "producer_acks": -1,
        # The outbox builds whole batches; waiting for more would only add latency.
        "producer_linger": 0,
        "producer_max_batch_size": 512 * 1024,
        "producer_max_request_size": settings.ingest.value_bytes_max + 16 * 1024 * 1024,
        "producer_request_timeout": worker.delivery_seconds,
        "producer_compression_type": clients.compression_type(settings),
        "processing_guarantee": "at_least_once",
        "stream_wait_empty": False,
        "table_standby_replicas": 0,
        "topic_disable_leader": True,
        "topic_allow_declare": False,
        "web_enabled": False,
        "worker_redirect_stdouts": False,
        "datadir": settings.data_dir / "faust",
    }
