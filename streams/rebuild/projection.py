"""Makes the projection and the index of recall again from the topics: equal to those that grew while workers ran.

What was said comes from `conversations`, less what went to the dead letters and what came twice; what was decided comes
from the topics that say so. Nothing is decided again, so it does not matter under which policy it was; only who may see
a tool's results, and whether secrets are masked, is as the policy says now.
"""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from tailrace.agents.engine.signals import model_named
from tailrace.agents.engine.spend import compactor_calls, primary_call
from tailrace.schemas.errors import PoisonEvent, Unavailable
from tailrace.schemas.ingest import decode_event, decode_signal, event_type
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.kafka_records import (
    SIGNAL_TYPE,
    Emission,
    InputRecord,
    Topic,
    decode_compaction,
    decode_distillation,
)
from tailrace.schemas.records.signal import signal_of
from tailrace.schemas.records.spend import Spent
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.dead_letters.letters import OpenLetter, open_letters
from tailrace.streams.files.private import make_folder
from tailrace.streams.indexer.index_file import IndexFile
from tailrace.streams.indexer.log_intake import LogIntake
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.committed_offsets import committed_offsets
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.rebuild.artifact_restoration import Restored, restore
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings
from tailrace.streams.summarizer.catch_up import answer_in
from tailrace.streams.topics import topic_admin
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection
from tailrace.streams.worker.projection_file import in_use
from tailrace.streams.worker.projection_retention import Retention

_BATCH_RECORDS = 500
#: After so many of them the file comes down to the size that it may have: what was said longest ago leaves.
_BATCHES_PRUNED = 100


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What the new files hold."""

    path: Path
    messages: int
    compactions: int
    distillations: int
    dead_letters: int
    #: All but those that were under way when their worker ended: they are nowhere but in the projection that they were
    #: written to.
    model_calls: int
    #: Records of these topics that can't be read.
    skipped: int
    #: What became of the artifacts, where they were asked for.
    artifacts: Restored | None = None


async def rebuild(settings: Settings, *, artifacts: bool = False) -> Rebuilt:
    """Build new files beside the old ones, and put them in their place when they are whole.

    With `artifacts`, what the artifact store lacks is put back first, as far as the log holds it. Raises Unavailable
    where workers use the old ones: they would go on writing into a file that is gone.
    """
    path, recall_path = settings.data_dir / PROJECTION_FILE, settings.data_dir / RECALL_FILE
    make_folder(path.parent)
    with ExitStack() as until_done:
        for used in (path, recall_path):
            try:
                until_done.enter_context(exclusive(in_use(used), seconds_max=0))
            except Unavailable as error:
                raise Unavailable(
                    f"{used} is in use. Stop the workers of this data folder first, and start them again after"
                ) from error
        return await _rebuild(settings, path, recall_path, artifacts=artifacts)


async def _rebuild(settings: Settings, path: Path, recall_path: Path, *, artifacts: bool) -> Rebuilt:
    fresh = {place: place.with_suffix(".new") for place in (path, recall_path)}
    for file in fresh.values():
        _remove(file)
    existing = await topic_admin.describe(settings)
    projection, index = SqliteProjection(fresh[path]), IndexFile(fresh[recall_path])
    store = await open_store(settings)
    builder = _Builder(settings, projection, index, ArtifactShelf(store, settings.compaction_policy))
    try:
        await builder.letters()
        partitions = existing[settings.topic(Topic.CONVERSATIONS)].partitions
        restored = (
            await restore(settings, store, partitions=partitions, refused=builder.refused, skipped=builder.skipped)
            if artifacts
            else None
        )
        async with clients.consumer(settings, **FROM_BEGINNING) as reader:
            for partition in range(partitions):
                await builder.partition(reader, partition)
        builder.flush()
        builder.prune()
    finally:
        await store.close()
        index.close()
        projection.close()
    for old, new in fresh.items():
        _remove(old)
        new.rename(old)
    return Rebuilt(path=path, artifacts=restored, skipped=builder.skipped.total, **builder.counts)


def _remove(path: Path) -> None:
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        file.unlink(missing_ok=True)


class _Builder:
    """Reads one partition after the other into the files."""

    def __init__(
        self, settings: Settings, projection: SqliteProjection, index: IndexFile, shelf: ArtifactShelf
    ) -> None:
        self._settings = settings
        self._projection = projection
        self._index = index
        #: What of the log is no message, by topic, partition and offset.
        self.refused: dict[tuple[str, int, int], DeadLetter] = {}
        self.counts = {"messages": 0, "compactions": 0, "distillations": 0, "dead_letters": 0, "model_calls": 0}
        self._spent: list[Spent] = []
        self.skipped = SkippedRecords()
        self._intake = LogIntake(settings, index, shelf, self.skipped)
        self._batches = 0

    async def letters(self) -> None:
        """Read the dead letters, which say what of the log is no message."""
        async for opened in open_letters(self._settings):
            letter = dead_letter_of(opened)
            if opened.letter.source is not None:
                self._intake.refuse(opened.letter.source)
            if letter is not None:
                self.refused[letter.topic, letter.partition, letter.offset] = letter
        self._projection.write(list(self.refused.values()))
        self.counts["dead_letters"] = len(self.refused)

    async def partition(self, reader: AIOKafkaConsumer, partition: int) -> None:
        """Read what was said in a partition, then what was decided about it."""
        await self._messages(reader, partition)
        decided: dict[str, Emission] = {}
        compacted: list[ConsumerRecord] = []
        for topic, decode, name in _DECIDED:
            before = len(decided)
            async for record in self._records(reader, topic, partition):
                emission = self.skipped.read(record, decode)
                if emission is not None:
                    decided[emission.id] = emission
                if topic is Topic.COMPACTIONS:
                    compacted.append(record)
                if len(compacted) >= _BATCH_RECORDS:
                    await self._intake.take_compactions(partition, compacted)
                    compacted = []
            self.counts[name] += len(decided) - before
        if compacted:
            await self._intake.take_compactions(partition, compacted)
        waiting = list(decided.values())
        for begin in range(0, len(waiting), _BATCH_RECORDS):
            self._projection.write(waiting[begin : begin + _BATCH_RECORDS])
        async for record in self._records(reader, Topic.SUMMARIES, partition):
            answer = answer_in(record, self.skipped)
            if answer is not None:
                self._spend(compactor_calls(answer))

    @property
    def _input(self) -> str:
        return self._settings.topic(Topic.CONVERSATIONS)

    async def _messages(self, reader: AIOKafkaConsumer, partition: int) -> None:
        seen: set[tuple[str, str]] = set()
        waiting: list[ConsumerRecord] = []
        models: dict[str, str] = {}
        end = await self._decided_to(partition)
        async for record in self._records(reader, Topic.CONVERSATIONS, partition):
            if end is None or record.offset < end:
                waiting.append(record)
            if len(waiting) >= _BATCH_RECORDS:
                await self._take_messages(partition, waiting)
                waiting = []
            if (self._input, partition, record.offset) in self.refused:
                continue
            _note_model(models, input_record(record))
            try:
                event = decode_event(input_record(record), value_bytes_max=self._settings.ingest.value_bytes_max)
            except PoisonEvent:
                continue  # a limit was lowered since
            if (event.thread, event.id) in seen:
                continue
            seen.add((event.thread, event.id))
            model = models[event.thread] = event.model or models.get(event.thread, "")
            call = primary_call(event, model, offset=record.offset, at_ms=record.timestamp)
            self._spend((call,) if call is not None else ())
            self.counts["messages"] += 1
        if waiting:
            await self._take_messages(partition, waiting)

    async def _decided_to(self, partition: int) -> int | None:
        """The offset behind what workers have decided on; None where the broker doesn't know it any more."""
        place = TopicPartition(self._input, partition)
        async with clients.admin(self._settings) as admin:
            offset: int = (await committed_offsets(admin, self._settings.group, [place]))[place].offset
        return offset if offset >= 0 else None

    async def _take_messages(self, partition: int, records: Sequence[ConsumerRecord]) -> None:
        await self._intake.take_messages(partition, records)
        self._batches += 1
        if self._batches % _BATCHES_PRUNED == 0:
            self.prune()

    def prune(self) -> None:
        """Bring the files down to the size that they may have."""
        limits = self._settings.projection
        for path in (self._projection.path, self._index.path):
            retention = Retention(path, limits, now_ms=_now_ms, pause=lambda _seconds: None)
            while retention.prune().unfinished:
                pass

    def _spend(self, calls: Sequence[Spent]) -> None:
        """Keep calls until there are enough of them to be written."""
        self._spent += calls
        self.counts["model_calls"] += len(calls)
        if len(self._spent) >= _BATCH_RECORDS:
            self.flush()

    def flush(self) -> None:
        """Write the calls that are left."""
        self._projection.write((), self._spent)
        self._spent = []

    async def _records(self, reader: AIOKafkaConsumer, topic: Topic, partition: int) -> AsyncIterator[ConsumerRecord]:
        place = TopicPartition(self._settings.topic(topic), partition)
        async for _, records in read_to_end(reader, [place]):
            for record in records:
                yield record


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _note_model(models: dict[str, str], record: InputRecord) -> None:
    """Take in that a thread goes to another model, where the record is a signal that says so."""
    if event_type(record) != SIGNAL_TYPE:
        return
    with suppress(PoisonEvent):
        thread, signal_id, data = decode_signal(record, value_bytes_max=len(record.value or b""))
        model = model_named(signal_of(data, signal_id=signal_id, thread=thread, logged_at_ms=record.timestamp_ms))
        if model is not None and thread in models:
            models[thread] = model


_DECIDED: tuple[tuple[Topic, Callable[[bytes | None], Distillation | CompactionRecord], str], ...] = (
    (Topic.DISTILLATIONS, decode_distillation, "distillations"),
    (Topic.COMPACTIONS, decode_compaction, "compactions"),
)


def dead_letter_of(opened: OpenLetter) -> DeadLetter | None:
    """The letter as the worker wrote it; None where somebody else did."""
    letter = opened.letter
    if letter.source is None:
        return None
    return DeadLetter(
        key=letter.key,
        value=opened.value,
        headers=letter.headers,
        topic=letter.source.topic,
        partition=letter.source.partition,
        offset=letter.source.offset,
        code=letter.code,
        error=letter.error,
        message=letter.message,
    )
