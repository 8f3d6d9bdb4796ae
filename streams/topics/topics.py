"""What the topics must look like. Pure: `topic_admin` asks and changes the broker.

All topics have one partition count: a worker owns partition N of every topic, and with it its threads whole. Each
setting that matters is written out, because the default of somebody's broker is not ours.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.request_record import REQUESTS_TOPIC
from tailrace.streams.settings.settings import Settings

#: A value of 5 MB must reach a worker, to be refused there with a reason. Managed Kafka seldom allows more than 8 MiB.
CONVERSATION_BYTES_MIN: Final = 8_000_000
#: Key, headers and the fields around a message, in an event as in an entry of a context.
RECORD_OVERHEAD_BYTES: Final = 256 * 1024
#: The six headers of a dead letter, around a record that was as large as could be.
LETTER_OVERHEAD_BYTES: Final = 64 * 1024

_DAY_MS: Final = 24 * 3600 * 1000
_LONG_MAX: Final = 2**63 - 1
#: How Kafka writes that nothing is deleted by age, or by size.
_FOR_EVER: Final = "-1"

#: Topics whose records something of ours needs later: nobody may cut them sooner than the settings say.
LASTING: Final = (Topic.CONVERSATIONS, Topic.DISTILLATIONS, Topic.SUMMARIES, Topic.COMPACTIONS, Topic.DLQ)

#: Setting that decides whose time a record carries, and its value where that is the broker's.
CLOCK: Final = "message.timestamp.type"
BROKER_CLOCK: Final = "LogAppendTime"

_COMPACT: Final = {
    "cleanup.policy": "compact",
    # Kafka never compacts the segment that is being written. Small ones, closed each hour, keep what a worker reads to
    # recover close to what is live; the default of 1 GB or a week would keep every context that ever was.
    "segment.bytes": str(64 * 1024 * 1024),
    "segment.ms": str(3600 * 1000),
    # Compact once a fifth is obsolete: recovery is read more often than it is compacted.
    "min.cleanable.dirty.ratio": "0.2",
    # A reader that is away for less than this can't miss a tombstone. Ours lose nothing if they do, since a head names
    # all that it removed; a plain key-value reader, such as a connector, depends on it.
    "delete.retention.ms": str(_DAY_MS),
    "min.compaction.lag.ms": "0",
}

# The producer's clock is data: one that stands in 1970 or 9999 is accepted, and never the reason for a lost message.
_ANY_CLOCK: Final = {
    CLOCK: "CreateTime",
    "message.timestamp.before.max.ms": str(_LONG_MAX),
    "message.timestamp.after.max.ms": str(_LONG_MAX),
}

# Where age decides what is deleted, the broker's own clock counts: with the producer's, one record of the year 9999
# would keep its segment for ever, and a replay of old conversations would be deleted at once. Conversations have it
# because timers go by it; what the producer's clock said is in `ce_time`.
_BROKER_CLOCK: Final = {CLOCK: BROKER_CLOCK}
_BY_BROKER_CLOCK: Final = frozenset({Topic.CONVERSATIONS, Topic.LIFECYCLE, Topic.WORK})


class TopicSpec(Struct, frozen=True, kw_only=True):
    """A topic as it should be; `configs` are Kafka's topic settings."""

    name: str
    partitions: int
    replication: int
    configs: Mapping[str, str]

    @property
    def cleanup(self) -> str:
        """How the broker frees space, in one word or two."""
        if self.configs["cleanup.policy"] == "compact":
            return "compact"
        retention_ms = int(self.configs["retention.ms"])
        return "keep" if retention_ms < 0 else f"delete after {retention_ms // _DAY_MS} days"


def record_bytes_max(settings: Settings) -> int:
    """Return the largest record that every topic takes: at least this must a producer's max_request_size be."""
    return max(CONVERSATION_BYTES_MIN, record_bytes_needed(settings))


def letter_bytes_max(settings: Settings) -> int:
    """Return the largest record that the dead letters take: whatever conversations took, and the reason."""
    return record_bytes_max(settings) + LETTER_OVERHEAD_BYTES


def record_bytes_needed(settings: Settings) -> int:
    """Return the size below which a topic refuses records that a worker accepts."""
    return settings.ingest.value_bytes_max + RECORD_OVERHEAD_BYTES


def topic_specs(settings: Settings) -> tuple[TopicSpec, ...]:
    """Return what each topic should be, in the order of `Topic`; last the one that is there where somebody asks."""
    beside = () if settings.topics.requests is None else (REQUESTS_TOPIC,)
    return tuple(_spec(topic, settings) for topic in (*Topic, *beside))


def _spec(topic: str, settings: Settings) -> TopicSpec:
    size_bytes = letter_bytes_max(settings) if topic is Topic.DLQ else record_bytes_max(settings)
    configs = {
        **_retention(topic, settings),
        "max.message.bytes": str(size_bytes),
        "min.insync.replicas": str(in_sync_replicas(settings.topics.replication)),
    }
    return TopicSpec(
        name=settings.topic(topic),
        partitions=settings.topics.partitions,
        replication=settings.topics.replication,
        configs=configs,
    )


def _retention(topic: str, settings: Settings) -> dict[str, str]:
    clock = _BROKER_CLOCK if topic in _BY_BROKER_CLOCK else _ANY_CLOCK
    if topic in {Topic.CONTEXTS, REQUESTS_TOPIC}:
        return {**_COMPACT, **clock}
    days: int | None = getattr(settings.topics.retention_days, topic)
    retention_ms = _FOR_EVER if days is None else str(days * _DAY_MS)
    return {"cleanup.policy": "delete", "retention.ms": retention_ms, "retention.bytes": _FOR_EVER, **clock}


def in_sync_replicas(replication: int) -> int:
    """Return how many replicas must have a record before it counts as delivered.

    One may be down, none is trusted alone.
    """
    return max(1, min(2, replication - 1))
