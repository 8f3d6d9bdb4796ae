"""Settings of the topics: their names, their shape, and how long each keeps its records."""

from typing import Annotated, Literal

from msgspec import Meta

from tailrace.schemas.records.message import Format
from tailrace.streams.settings.section import SettingSection

_Days = Annotated[int, Meta(ge=1, le=36_500)]


class RetentionDays(SettingSection, frozen=True, kw_only=True):
    """For how many days a topic keeps its records. Unset: for ever.

    `contexts` is not here: Kafka compacts it by key.
    """

    #: The log that everything else can be made from again, as far as it goes back.
    conversations: _Days | None = None
    distillations: _Days | None = None
    summaries: _Days | None = None
    compactions: _Days | None = None
    lifecycle: _Days = 14
    #: A request that nobody took for a week has long been answered by the deterministic way.
    work: _Days = 7
    dlq: _Days | None = None


class TopicSettings(SettingSection, frozen=True, kw_only=True):
    """Names and shape of the topics."""

    prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]*\Z")] = "tailrace."
    #: Upper bound for the number of worker processes; can't be lowered later, and raising it moves threads.
    partitions: Annotated[int, Meta(ge=1, le=1000)] = 8
    replication: Annotated[int, Meta(ge=1, le=10)] = 1
    retention_days: RetentionDays = RetentionDays()
    #: What producers do to batches of records. Some clients read no lz4 and zstd without packages of their own, kafkajs
    #: among them.
    compression: Literal["none", "gzip", "lz4", "zstd"] = "gzip"
    #: Format of the topic `requests`, which has one record a thread: its whole request. Unset: there is no such topic.
    requests: Format | None = None
