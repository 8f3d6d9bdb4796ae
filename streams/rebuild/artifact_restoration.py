"""Puts back what the artifact store lacks, from the topics: for a file that was lost, or a store that is new."""

import time
from collections.abc import AsyncIterator, Callable, Container

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.structs import ConsumerRecord
from msgspec import Struct

from tailrace.agents.artifacts.stand_ins import name_behind
from tailrace.agents.engine.restoration import NamedArtifacts
from tailrace.schemas.errors import ArtifactError, ArtifactMissing, PoisonEvent
from tailrace.schemas.ingest import decode_event, event_type
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import (
    SIGNAL_TYPE,
    SUMMARY_TYPE,
    Topic,
    decode_compaction,
    decode_distillation,
)
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, input_record, read_to_end
from tailrace.streams.observability.skipped_records import SkippedRecords
from tailrace.streams.settings.settings import Settings

#: Stored at once: enough to share a transaction, and no more in memory than a few messages of the largest size.
_BATCH_BYTES = 8_000_000
_BATCH_ARTIFACTS = 200

#: A record of the log: topic, partition and offset.
Spot = tuple[str, int, int]


class Restored(Struct, frozen=True, kw_only=True):
    """What became of the artifacts that records name."""

    put_back: int = 0
    there: int = 0
    #: Their time is over.
    expired: int = 0
    #: What came as a claim, or beside one, which only the store had.
    claims_lost: int = 0
    #: What else is in neither: the log no longer holds it, or it stood for other messages.
    lost: int = 0


async def restore(
    settings: Settings, store: ArtifactStore, *, partitions: int, refused: Container[Spot], skipped: SkippedRecords
) -> Restored:
    """Put back what the store lacks of what records name. `refused` is what of the log is no message."""
    restorer = _Restorer(settings, store, refused, skipped)
    for partition in range(partitions):
        await restorer.partition(partition)
    return restorer.done()


class _Restorer:
    """Goes through one partition after the other: what its records name first, then what was said."""

    def __init__(
        self, settings: Settings, store: ArtifactStore, refused: Container[Spot], skipped: SkippedRecords
    ) -> None:
        self._skipped = skipped
        self._settings = settings
        self._store = store
        self._refused = refused
        self._count = make_engine(settings).count_tokens
        self._now_ms = time.time_ns() // 1_000_000
        #: What became of each, by tenant and id.
        self._seen: dict[tuple[str, str], str] = {}
        self._waiting: dict[str, list[NewArtifact]] = {}
        self._waiting_bytes = 0

    async def partition(self, partition: int) -> None:
        named = NamedArtifacts(self._settings.compaction_policy, self._count)
        for topic, decode in _DECIDED:
            async for record in self._records(topic, partition):
                decided = self._skipped.read(record, decode)
                if decided is not None:
                    named.note(decided, record.timestamp)
        seen: set[tuple[str, str]] = set()
        async for record in self._records(Topic.CONVERSATIONS, partition):
            event = self._event(record)
            if event is not None and (event.thread, event.id) not in seen:
                seen.add((event.thread, event.id))
                await self._restore(event, named)
        await self._flush()
        for tenant, name in named.named:
            if (tenant, name) not in self._seen:
                self._seen[tenant, name] = "there" if await self._is_there(tenant, name) else "lost"

    def _event(self, record: ConsumerRecord) -> Event | None:
        place = record.topic, record.partition, record.offset
        raw = input_record(record)
        if place in self._refused or event_type(raw) in {SIGNAL_TYPE, SUMMARY_TYPE}:
            return None
        try:
            return decode_event(raw, value_bytes_max=self._settings.ingest.value_bytes_max)
        except PoisonEvent:
            return None  # a limit was lowered since

    async def _restore(self, event: Event, named: NamedArtifacts) -> None:
        if event.claim is not None:
            behind = [name for part in event.message.parts if (name := name_behind(part))]
            for key in {(event.tenant, name) for name in (event.claim.artifact_id, *behind)}:
                self._seen[key] = "there" if await self._is_there(*key) else "claims_lost"
        artifact = named.artifact_of(event)
        if artifact is None:
            return
        key = event.tenant, artifact.id
        if key not in self._seen and await self._is_there(*key):
            self._seen[key] = "there"
        if self._seen.get(key) == "there":
            return
        if artifact.expires_at_ms is not None and artifact.expires_at_ms <= self._now_ms:
            self._seen.setdefault(key, "expired")
            return
        # The same content of another message again: the stricter sensitivity and the later end hold.
        self._seen[key] = "put_back"
        self._waiting.setdefault(event.tenant, []).append(artifact)
        self._waiting_bytes += len(artifact.content) if isinstance(artifact.content, bytes) else 0
        if self._waiting_bytes >= _BATCH_BYTES or sum(map(len, self._waiting.values())) >= _BATCH_ARTIFACTS:
            await self._flush()

    async def _is_there(self, tenant: str, name: str) -> bool:
        try:
            await self._store.metadata(SecurityContext(tenant=tenant, actor="rebuild"), name)
        except ArtifactMissing:
            return False
        except ArtifactError:
            return True  # damaged, and for people to look at
        return True

    async def _flush(self) -> None:
        for tenant, artifacts in self._waiting.items():
            await self._store.store(SecurityContext(tenant=tenant, actor="rebuild"), artifacts)
        self._waiting, self._waiting_bytes = {}, 0

    async def _records(self, topic: Topic, partition: int) -> AsyncIterator[ConsumerRecord]:
        place = TopicPartition(self._settings.topic(topic), partition)
        # A consumer of its own for each: what was read once can't be read again with the same one.
        reader: AIOKafkaConsumer
        async with clients.consumer(self._settings, **FROM_BEGINNING) as reader:
            async for _, records in read_to_end(reader, [place]):
                for record in records:
                    yield record

    def done(self) -> Restored:
        outcomes = list(self._seen.values())
        return Restored(**{name: outcomes.count(name) for name in Restored.__struct_fields__})


_Decode = Callable[[bytes | None], Distillation | CompactionRecord]
_DECIDED: tuple[tuple[Topic, _Decode], ...] = (
    (Topic.DISTILLATIONS, decode_distillation),
    (Topic.COMPACTIONS, decode_compaction),
)
