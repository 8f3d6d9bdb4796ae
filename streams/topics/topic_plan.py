"""The differences between the topics that are there and those that should be: changes, and problems."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.topics import (
    BROKER_CLOCK,
    CLOCK,
    LASTING,
    LETTER_OVERHEAD_BYTES,
    TopicSpec,
    in_sync_replicas,
    record_bytes_needed,
    topic_specs,
)

_MOVES_THREADS: Final = (
    "moves threads: a thread's messages will go to another partition than its context so far, and it starts anew there"
)
_CUT: Final = "the broker would delete what nothing can bring back"


class ExistingTopic(Struct, frozen=True, kw_only=True):
    """A topic as it is. `configs` are the values in force, `overrides` those among them that were set on the topic."""

    name: str
    partitions: int
    replication: int
    configs: Mapping[str, str]
    overrides: Mapping[str, str]


class ChangeKind(StrEnum):
    """What is to be done about a topic."""

    CREATE = "create"
    ADD_PARTITIONS = "add_partitions"
    CHANGE_CONFIG = "change_config"
    #: Differs in a way that only the operator can change, and that doesn't matter for a worker.
    BY_HAND = "by_hand"
    #: Kafka can't do it: the settings must change.
    REFUSED = "refused"


class TopicPlanChange(Struct, frozen=True, kw_only=True):
    """One step from what is to what should be."""

    kind: ChangeKind
    topic: str
    #: What would happen, in words.
    what: str
    partitions: int
    replication: int
    #: The complete set of settings to put on the topic.
    configs: Mapping[str, str]
    warning: str | None = None


class Problem(Struct, frozen=True, kw_only=True):
    """Why a worker must not run on these topics, and what to type."""

    topic: str
    what: str
    fix: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.topic}: {self.what}. {self.fix}"


def plan(existing: Mapping[str, ExistingTopic], wanted: Iterable[TopicSpec]) -> list[TopicPlanChange]:
    """Return the changes that make the wanted topics out of the existing ones; none where all is well."""
    return [change for spec in wanted for change in _changes(existing.get(spec.name), spec)]


def problems(existing: Mapping[str, ExistingTopic], settings: Settings) -> list[Problem]:
    """Return what forbids a worker to run. Other differences are left to the operator; `plan` shows them."""
    wanted = topic_specs(settings)
    apply = "Run: tailrace topics apply"
    problems = [
        Problem(topic=spec.name, what="the topic is not there", fix=apply)
        for spec in wanted
        if spec.name not in existing
    ]
    there = [(spec, existing[spec.name]) for spec in wanted if spec.name in existing]
    problems += _foreign_clock(existing.get(settings.topic(Topic.CONVERSATIONS)), apply)
    problems += _unequal_partitions([topic for _, topic in there], settings)
    for spec, topic in there:
        policy, right = topic.configs["cleanup.policy"], spec.configs["cleanup.policy"]
        if not _same(policy, right):
            problems.append(Problem(topic=spec.name, what=f"cleanup.policy is {policy}, not {right}", fix=apply))
        problems += _cut_early(topic, spec, settings)
        size_bytes, needed = int(topic.configs["max.message.bytes"]), _bytes_needed(spec, existing, settings)
        if size_bytes < needed:
            what = f"max.message.bytes is {size_bytes}, less than {needed}"
            problems.append(Problem(topic=spec.name, what=what, fix=apply))
    return problems


def _changes(topic: ExistingTopic | None, spec: TopicSpec) -> list[TopicPlanChange]:
    if topic is None:
        what = f"create with {spec.partitions} partitions, {spec.replication} replicas, {spec.cleanup}"
        return [_change(ChangeKind.CREATE, spec, what)]
    return [*_partition_changes(topic, spec), *_replication_changes(topic, spec), *_config_changes(topic, spec)]


def _partition_changes(topic: ExistingTopic, spec: TopicSpec) -> list[TopicPlanChange]:
    if topic.partitions < spec.partitions:
        what = f"partitions {topic.partitions} → {spec.partitions}"
        return [_change(ChangeKind.ADD_PARTITIONS, spec, what, warning=_MOVES_THREADS)]
    if topic.partitions > spec.partitions:
        what = (
            f"has {topic.partitions} partitions and Kafka can't take any away: set topics.partitions = "
            f"{topic.partitions}"
        )
        return [_change(ChangeKind.REFUSED, spec, what)]
    return []


def _replication_changes(topic: ExistingTopic, spec: TopicSpec) -> list[TopicPlanChange]:
    if topic.replication == spec.replication:
        return []
    what = f"replicas {topic.replication}, wanted {spec.replication}: move it with kafka-reassign-partitions.sh"
    return [_change(ChangeKind.BY_HAND, spec, what)]


def _config_changes(topic: ExistingTopic, spec: TopicSpec) -> list[TopicPlanChange]:
    # With more replicas in sync than there are, nobody could write.
    in_sync = str(in_sync_replicas(min(topic.replication, spec.replication)))
    configs = {**spec.configs, "min.insync.replicas": in_sync}
    different = {
        key: (topic.configs.get(key, "unset"), value)
        for key, value in configs.items()
        if not _same(topic.configs.get(key), value)
    }
    if not different:
        return []
    what = ", ".join(f"{key} {old} → {new}" for key, (old, new) in different.items())
    # What else the operator has set on the topic stays: the request replaces the whole set.
    return [_change(ChangeKind.CHANGE_CONFIG, spec, what, configs={**topic.overrides, **configs})]


def _change(
    kind: ChangeKind,
    spec: TopicSpec,
    what: str,
    *,
    configs: Mapping[str, str] | None = None,
    warning: str | None = None,
) -> TopicPlanChange:
    return TopicPlanChange(
        kind=kind,
        topic=spec.name,
        what=what,
        partitions=spec.partitions,
        replication=spec.replication,
        configs=spec.configs if configs is None else configs,
        warning=warning,
    )


def _unequal_partitions(topics: list[ExistingTopic], settings: Settings) -> list[Problem]:
    most = max((topic.partitions for topic in topics), default=0)
    assign = "" if settings.topics.partitions == most else f"TAILRACE_TOPICS__PARTITIONS={most} "
    return [
        Problem(
            topic=topic.name,
            what=f"has {topic.partitions} partitions where another topic has {most}: all must have the same number",
            fix=f"Run: {assign}tailrace topics apply --add-partitions",
        )
        for topic in topics
        if topic.partitions != most
    ]


def _foreign_clock(conversations: ExistingTopic | None, fix: str) -> list[Problem]:
    """What is wrong where producers, and not the broker, say when something was said."""
    clock = conversations.configs.get(CLOCK) if conversations is not None else BROKER_CLOCK
    if conversations is None or clock == BROKER_CLOCK:
        return []
    what = f"{CLOCK} is {clock}, not {BROKER_CLOCK}: a producer's clock that is wrong would move timers"
    return [Problem(topic=conversations.name, what=what, fix=fix)]


def _cut_early(topic: ExistingTopic, spec: TopicSpec, settings: Settings) -> list[Problem]:
    """Return the problems of a topic whose broker deletes records that have to stay, or deletes them too soon."""
    name = next((str(topic_name) for topic_name in LASTING if settings.topic(topic_name) == spec.name), None)
    if name is None:
        return []
    fix = f"Run: tailrace topics apply. Where it is wanted, set topics.retention_days.{name} to as many days"
    return [
        Problem(topic=spec.name, what=f"{key} is {topic.configs[key]}, {_wanted(spec.configs[key])}: {_CUT}", fix=fix)
        for key in ("retention.ms", "retention.bytes")
        if _is_less(int(topic.configs.get(key, "-1")), int(spec.configs[key]))
    ]


def _wanted(limit: str) -> str:
    return "not -1 (for ever)" if limit == "-1" else f"less than {limit}"


def _is_less(limit: int, wanted: int) -> bool:
    """Tell whether a limit of Kafka's is below another; -1 means none."""
    return limit >= 0 and (wanted < 0 or limit < wanted)


def _bytes_needed(spec: TopicSpec, existing: Mapping[str, ExistingTopic], settings: Settings) -> int:
    conversations = existing.get(settings.topic(Topic.CONVERSATIONS))
    if spec.name == settings.topic(Topic.DLQ) and conversations is not None:
        # Whatever one takes, the other must take with the reason around it.
        return int(conversations.configs["max.message.bytes"]) + LETTER_OVERHEAD_BYTES
    return record_bytes_needed(settings)


def _same(current: str | None, wanted: str) -> bool:
    """Tell whether two values mean the same: lists in any order, numbers in any notation."""
    if current is None:
        return False
    if set(current.split(",")) == set(wanted.split(",")):
        return True
    try:
        return float(current) == float(wanted)
    except ValueError:
        return False
