"""The role `index`: reads the topics beside the workers and makes what was said findable.

It is no part of the way of an event: a context never waits for it. It reads no further than the workers have committed,
so what they refused is never in it. One process writes the file of a data folder; another one stands by.
"""

import asyncio
import importlib.metadata
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.structs import ConsumerRecord

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.kafka_records import Topic, decode_compaction
from tailrace.schemas.records.stream_agent import StreamAgent
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.dead_letters.letters import letter_in
from tailrace.streams.indexer.index_file import IndexFile
from tailrace.streams.indexer.index_metrics import IndexMetrics
from tailrace.streams.indexer.log_intake import LogIntake
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.worker.exit import ExitCode, fail_stop
from tailrace.streams.worker.http import bind, make_app, make_server
from tailrace.streams.worker.projection_retention import Retention
from tailrace.streams.worker.topic_watch import METADATA_AGE_MS_MAX, watch_topics
from tailrace.streams.worker.upkeep import prune_projection

AGENT: Final = StreamAgent(
    name="Index",
    does="workers have committed what was said, refused or compacted: make it findable, in a file",
    reads=(Topic.CONVERSATIONS, Topic.COMPACTIONS, Topic.DLQ),
    writes=(),
)

log = structlog.get_logger("tailrace.index")

#: How long a round waits for records, and how long after one that found none. What was said can be found about a second
#: later: workers commit every half second.
POLL_MS: Final = 100
PAUSE_SECONDS: Final = 0.5
#: So many records are one transaction at most.
BATCH_RECORDS: Final = 200


class IndexWorker:
    """One worker of the role."""

    def __init__(self, settings: Settings) -> None:
        """Put the parts together; nothing is opened yet."""
        self.settings = settings
        self.metrics = IndexMetrics()
        self.metrics.build.info({"version": importlib.metadata.version("tailrace")})
        self._path = settings.data_dir / RECALL_FILE
        self._skipped = SkippedRecords(self.metrics.count_skipped)
        self._stopping = asyncio.Event()
        self._intake: LogIntake
        self._admin: AIOKafkaAdminClient
        self._messages: _PartialReader
        self._compactions: _PartialReader
        self._letters: AIOKafkaConsumer
        self._partitions = 0
        #: What conversations' offsets are behind which everything is in the file.
        self._done: dict[int, int] = {}
        self._ends: dict[int, int] = {}

    async def run(self) -> ExitCode:
        """Run until told to stop."""
        self._partitions = await topic_admin.usable_partitions(self.settings)
        listener = bind(self.settings.http)
        self._listen_to_signals()
        server = make_server(make_app(self.metrics.registry, live=lambda: None, ready=self._not_ready))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        host, port = listener.getsockname()[:2]
        log.info("index.started", http=f"http://{host}:{port}", file=str(self._path))
        try:
            async with AsyncExitStack() as stack:
                if await self._alone(stack):
                    await self._open(stack)
                    await self._work()
        except Exception as error:  # noqa: BLE001  whatever it is, the file says how far it got
            fail_stop(ExitCode.TEMPORARY, "index.failed", error=repr(error), exc_info=True)
        server.should_exit = True
        with suppress(TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(serving, timeout=1)
        log.info("index.stopped")
        return ExitCode.OK

    async def _alone(self, stack: AsyncExitStack) -> bool:
        """Wait until no other process writes the file; False where this one is to stop before."""
        lock = self._path.with_suffix(".writer")
        waits = False
        while not self._stopping.is_set():
            try:
                stack.enter_context(exclusive(lock, seconds_max=0))
            except Unavailable:
                if not waits:
                    log.info("index.stands_by", file=str(self._path))
                waits = True
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), PAUSE_SECONDS)
            else:
                return True
        return False

    async def _open(self, stack: AsyncExitStack) -> None:
        file = IndexFile(self._path)
        stack.callback(file.close)
        store = await open_store(self.settings)
        stack.push_async_callback(store.close)
        self._intake = LogIntake(
            self.settings, file, ArtifactShelf(store, self.settings.compaction_policy), self._skipped
        )
        self._admin = await stack.enter_async_context(clients.admin(self.settings))
        self._done = file.positions(Topic.CONVERSATIONS)
        self._messages = await self._reader(stack, Topic.CONVERSATIONS, self._done)
        self._compactions = await self._reader(stack, Topic.COMPACTIONS, file.positions(Topic.COMPACTIONS))
        # All of them, each time: a letter may be about a record that is still to come, and they are few.
        self._letters = (await self._reader(stack, Topic.DLQ, {})).consumer
        beside = [
            asyncio.create_task(watch_topics(self.settings, self._partitions)),
            asyncio.create_task(
                prune_projection(
                    Retention(self._path, self.settings.projection, now_ms=_now_ms), self.metrics.recall_file.pruned
                )
            ),
        ]
        for task in beside:
            stack.callback(task.cancel)

    async def _reader(self, stack: AsyncExitStack, topic: Topic, positions: Mapping[int, int]) -> "_PartialReader":
        options: dict[str, Any] = {
            "client_id": "tailrace-index",
            "enable_auto_commit": False,
            # What was deleted before it was read can't be found by anybody.
            "auto_offset_reset": "earliest",
            "metadata_max_age_ms": METADATA_AGE_MS_MAX,
        }
        consumer = await stack.enter_async_context(clients.consumer(self.settings, **options))
        places = [TopicPartition(self.settings.topic(topic), number) for number in range(self._partitions)]
        consumer.assign(places)
        begins = await consumer.beginning_offsets(places)
        for place in places:
            # Always somewhere that is named: see FROM_BEGINNING.
            consumer.seek(place, max(begins[place], positions.get(place.partition, 0)))
        return _PartialReader(consumer)

    async def _work(self) -> None:
        while not self._stopping.is_set():
            took = await self._round()
            if not took:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), PAUSE_SECONDS)

    async def _round(self) -> bool:
        """Take what there is, once. False where there was nothing."""
        places = sorted(self._messages.consumer.assignment())
        offsets = await committed_offsets(self._admin, self.settings.group, places)
        committed = {place.partition: offsets[place].offset for place in places}
        await self._take_letters()
        took = False
        messages = await self._messages.take(lambda record: record.offset < committed[record.partition])
        for place, records in messages.items():
            self.metrics.messages.inc(await self._intake.take_messages(place.partition, records))
            self._done[place.partition] = records[-1].offset + 1
            took = True
        for place, records in (await self._compactions.take(self._messages_taken)).items():
            await self._intake.take_compactions(place.partition, records)
            took = True
        await self._look_at_ends(places)
        return took

    async def _look_at_ends(self, places: Sequence[TopicPartition]) -> None:
        ends = {place.partition: end for place, end in (await self._messages.consumer.end_offsets(places)).items()}
        if ends != self._ends:
            self._ends = ends
            await asyncio.to_thread(self._intake.file.note_ends, ends)
        self.metrics.lag.set(sum(end - min(end, self._done.get(number, 0)) for number, end in ends.items()))

    def _messages_taken(self, record: ConsumerRecord) -> bool:
        """Whether the messages of a compaction have been taken."""
        compaction = self._skipped.read(record, decode_compaction)
        return compaction is None or compaction.offset < self._done.get(record.partition, 0)

    async def _take_letters(self) -> None:
        """Read the letters as far as they go now."""
        ends = await self._letters.end_offsets(sorted(self._letters.assignment()))
        left = set(ends)
        while left := {place for place in left if await self._letters.position(place) < ends[place]}:
            for records in (await self._letters.getmany(timeout_ms=POLL_MS)).values():
                for record in records:
                    source = letter_in(record).letter.source
                    if source is not None and source.offset >= self._done.get(source.partition, 0):
                        self._intake.refuse(source)

    def _not_ready(self) -> str | None:
        return "stopping" if self._stopping.is_set() else None

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)


class _PartialReader:
    """A consumer of which records are taken as long as they may be, and the rest later."""

    def __init__(self, consumer: AIOKafkaConsumer) -> None:
        self.consumer = consumer
        self._waiting: dict[TopicPartition, list[ConsumerRecord]] = {}

    async def take(self, may: Callable[[ConsumerRecord], bool]) -> dict[TopicPartition, Sequence[ConsumerRecord]]:
        """The next records of each partition, up to the first that may not be taken yet."""
        # A partition whose records must wait holds up no other.
        free = self.consumer.assignment() - self._waiting.keys()
        if free:
            self._waiting |= await self.consumer.getmany(*free, timeout_ms=POLL_MS, max_records=BATCH_RECORDS)
        taken: dict[TopicPartition, Sequence[ConsumerRecord]] = {}
        for place, records in list(self._waiting.items()):
            count = next((at for at, record in enumerate(records) if not may(record)), len(records))
            if count:
                taken[place] = records[:count]
            if count == len(records):
                del self._waiting[place]
            else:
                self._waiting[place] = records[count:]
        return taken


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
