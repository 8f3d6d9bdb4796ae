from collections.abc import Mapping

import msgspec
import pytest
import yaml

from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics.strimzi import resource_name, strimzi_yaml
from tailrace.streams.topics.topic_plan import ChangeKind, ExistingTopic, plan, problems
from tailrace.streams.topics.topics import (
    LETTER_OVERHEAD_BYTES,
    TopicSpec,
    in_sync_replicas,
    letter_bytes_max,
    record_bytes_max,
    topic_specs,
)

#: What a broker has where nothing was set on the topic.
BROKER_DEFAULTS = {"cleanup.policy": "delete", "retention.ms": "604800000", "max.message.bytes": "1048588"}


def settings(**topics: object) -> Settings:
    return load_settings(topics={"partitions": 4, **topics})


def existing(specs: tuple[TopicSpec, ...]) -> dict[str, ExistingTopic]:
    """Topics just as they should be."""
    return {
        spec.name: ExistingTopic(
            name=spec.name,
            partitions=spec.partitions,
            replication=spec.replication,
            configs={**BROKER_DEFAULTS, **spec.configs},
            overrides=spec.configs,
        )
        for spec in specs
    }


def changed(topics: Mapping[str, ExistingTopic], name: str, **fields: object) -> dict[str, ExistingTopic]:
    return {**topics, name: msgspec.structs.replace(topics[name], **fields)}


def with_config(topics: Mapping[str, ExistingTopic], name: str, **configs: str) -> dict[str, ExistingTopic]:
    dotted = {key.replace("_", "."): value for key, value in configs.items()}
    topic = topics[name]
    return changed(topics, name, configs={**topic.configs, **dotted}, overrides={**topic.overrides, **dotted})


def test_there_is_one_specification_for_each_topic_and_all_have_the_same_partitions() -> None:
    specs = topic_specs(settings(prefix="p."))
    assert [spec.name for spec in specs] == [f"p.{topic}" for topic in Topic]
    assert {spec.partitions for spec in specs} == {4}


@pytest.mark.parametrize(
    ("topic", "cleanup"),
    [
        (Topic.CONVERSATIONS, "keep"),
        (Topic.DISTILLATIONS, "keep"),
        (Topic.SUMMARIES, "keep"),
        (Topic.COMPACTIONS, "keep"),
        (Topic.CONTEXTS, "compact"),
        (Topic.LIFECYCLE, "delete after 3 days"),
        (Topic.WORK, "delete after 7 days"),
        (Topic.DLQ, "keep"),
    ],
)
def test_each_topic_is_kept_compacted_or_deleted_as_designed(topic: Topic, cleanup: str) -> None:
    specs = {spec.name: spec for spec in topic_specs(settings(retention_days={"lifecycle": 3}))}
    assert specs[f"tailrace.{topic}"].cleanup == cleanup


def test_a_dead_letter_has_room_for_the_largest_record_and_the_reason() -> None:
    for value_bytes_max in (1_000, 1_000_000, 50_000_000):
        chosen = load_settings(ingest={"value_bytes_max": value_bytes_max})
        assert record_bytes_max(chosen) > max(value_bytes_max, 5_000_000)
        assert letter_bytes_max(chosen) >= record_bytes_max(chosen) + LETTER_OVERHEAD_BYTES


def test_producers_clocks_count_only_where_nothing_goes_by_time() -> None:
    for spec in topic_specs(settings()):
        by_time = spec.configs.get("retention.ms", "-1") != "-1" or spec.name.endswith(Topic.CONVERSATIONS)
        assert spec.configs["message.timestamp.type"] == ("LogAppendTime" if by_time else "CreateTime")


def test_conversations_with_producers_clocks_are_no_topic_to_run_on_and_are_put_right() -> None:
    specs = topic_specs(settings())
    topics = with_config(existing(specs), "tailrace.conversations", message_timestamp_type="CreateTime")
    (problem,) = problems(topics, settings())
    assert "message.timestamp.type is CreateTime, not LogAppendTime" in problem.what
    assert problem.fix == "Run: tailrace topics apply"
    (change,) = plan(topics, specs)
    assert change.configs["message.timestamp.type"] == "LogAppendTime"


@pytest.mark.parametrize(("replication", "in_sync"), [(1, 1), (2, 1), (3, 2), (5, 2)])
def test_one_replica_may_be_down_and_none_is_trusted_alone(replication: int, in_sync: int) -> None:
    assert in_sync_replicas(replication) == in_sync


def test_topics_that_are_right_need_no_change() -> None:
    specs = topic_specs(settings())
    assert plan(existing(specs), specs) == []
    assert problems(existing(specs), settings()) == []


def test_missing_topics_are_created() -> None:
    changes = plan({}, topic_specs(settings()))
    assert {change.kind for change in changes} == {ChangeKind.CREATE}
    assert len(changes) == len(Topic)
    assert changes[0].what == "create with 4 partitions, 1 replicas, keep"


def test_more_partitions_come_with_a_warning_that_threads_move() -> None:
    (change, *_) = plan(existing(topic_specs(settings(partitions=2))), topic_specs(settings()))
    assert change.kind is ChangeKind.ADD_PARTITIONS
    assert change.what == "partitions 2 → 4"
    assert "moves threads" in (change.warning or "")


def test_fewer_partitions_are_refused_with_the_number_to_set() -> None:
    (change, *_) = plan(existing(topic_specs(settings(partitions=6))), topic_specs(settings()))
    assert change.kind is ChangeKind.REFUSED
    assert "topics.partitions = 6" in change.what


def test_a_changed_setting_is_put_back_and_what_else_the_operator_set_stays() -> None:
    specs = topic_specs(settings())
    topics = with_config(existing(specs), "tailrace.contexts", cleanup_policy="compact,delete", compression_type="zstd")
    (change,) = plan(topics, specs)
    assert (change.kind, change.what) == (ChangeKind.CHANGE_CONFIG, "cleanup.policy compact,delete → compact")
    assert change.configs == {**specs[4].configs, "compression.type": "zstd"}


def test_numbers_and_lists_are_compared_by_what_they_mean() -> None:
    specs = topic_specs(settings())
    topics = changed(
        existing(specs),
        "tailrace.contexts",
        configs={**BROKER_DEFAULTS, **specs[4].configs, "min.cleanable.dirty.ratio": "0.20"},
    )
    assert plan(topics, specs) == []


def test_other_replication_is_left_to_the_operator_and_the_topic_stays_writable() -> None:
    specs = topic_specs(settings(replication=3))
    topics = existing(topic_specs(settings(replication=1)))
    changes = plan(topics, specs)
    assert {change.kind for change in changes} == {ChangeKind.BY_HAND}
    assert problems(topics, settings(replication=3)) == []


def test_a_worker_is_told_which_topic_is_missing_and_what_to_type() -> None:
    topics = existing(topic_specs(settings()))
    del topics["tailrace.dlq"]
    (problem,) = problems(topics, settings())
    assert str(problem) == "tailrace.dlq: the topic is not there. Run: tailrace topics apply"


def test_unequal_partition_counts_are_a_problem_with_the_number_to_type() -> None:
    topics = changed(existing(topic_specs(settings())), "tailrace.contexts", partitions=12)
    found = problems(topics, settings())
    assert {problem.topic for problem in found} == {f"tailrace.{topic}" for topic in Topic} - {"tailrace.contexts"}
    assert found[0].fix == "Run: TAILRACE_TOPICS__PARTITIONS=12 tailrace topics apply --add-partitions"


def test_equal_partition_counts_that_differ_from_the_settings_are_no_problem() -> None:
    assert problems(existing(topic_specs(settings(partitions=12))), settings()) == []


@pytest.mark.parametrize(("name", "policy"), [("contexts", "delete"), ("conversations", "compact")])
def test_a_wrong_cleanup_policy_is_a_problem(name: str, policy: str) -> None:
    topics = with_config(existing(topic_specs(settings())), f"tailrace.{name}", cleanup_policy=policy)
    (problem,) = problems(topics, settings())
    assert policy in problem.what


def test_a_limit_below_what_workers_accept_is_a_problem() -> None:
    topics = with_config(existing(topic_specs(settings())), "tailrace.contexts", max_message_bytes="1048588")
    (problem,) = problems(topics, settings())
    assert problem.what == "max.message.bytes is 1048588, less than 1262144"


def test_dead_letters_must_take_all_that_conversations_take() -> None:
    topics = with_config(existing(topic_specs(settings())), "tailrace.conversations", max_message_bytes="20000000")
    (problem,) = problems(topics, settings())
    assert (problem.topic, problem.what) == ("tailrace.dlq", "max.message.bytes is 8065536, less than 20065536")


def test_strimzi_resources_say_what_the_specifications_say() -> None:
    specs = topic_specs(settings(prefix="Acme_", replication=3))
    documents = list(yaml.safe_load_all(strimzi_yaml(specs, cluster='my "cluster"')))
    assert len(documents) == len(specs)
    for document, spec in zip(documents, specs, strict=True):
        assert (document["apiVersion"], document["kind"]) == ("kafka.strimzi.io/v1", "KafkaTopic")
        assert document["metadata"]["labels"] == {"strimzi.io/cluster": 'my "cluster"'}
        assert document["spec"] == {
            "topicName": spec.name,
            "partitions": spec.partitions,
            "replicas": 3,
            "config": spec.configs,
        }


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("tailrace.dlq", "tailrace.dlq"),
        ("Acme_tailrace.dlq", "acme-tailrace.dlq-251669eb"),
        ("_", "d2e2adf7"),
        ("a-._b..c", "a.b.c-53a2320c"),
    ],
)
def test_resource_names_are_what_kubernetes_accepts(topic: str, name: str) -> None:
    assert resource_name(topic) == name


@pytest.mark.parametrize(
    "topic", [Topic.CONVERSATIONS, Topic.DISTILLATIONS, Topic.SUMMARIES, Topic.COMPACTIONS, Topic.DLQ]
)
def test_what_has_to_stay_may_not_be_deleted_by_age_or_size(topic: Topic) -> None:
    chosen = settings()
    name = chosen.topic(topic)
    there = existing(topic_specs(chosen))
    for key in ("retention_ms", "retention_bytes"):
        (problem,) = problems(with_config(there, name, **{key: "1000"}), chosen)
        assert (problem.topic, f"{key.replace('_', '.')} is 1000" in problem.what) == (name, True)
        assert f"topics.retention_days.{topic}" in problem.fix
    wanted = settings(retention_days={str(topic): 2})
    two_days_ms = 2 * 24 * 3600 * 1000
    assert problems(with_config(there, name, retention_ms=str(two_days_ms)), wanted) == []
    assert problems(there, wanted) == []
    (shorter,) = problems(with_config(there, name, retention_ms=str(two_days_ms - 1)), wanted)
    assert "less than" in shorter.what


@pytest.mark.parametrize("topic", [Topic.LIFECYCLE, Topic.WORK])
def test_what_is_deleted_anyway_may_go_sooner(topic: Topic) -> None:
    chosen = settings()
    there = with_config(existing(topic_specs(chosen)), chosen.topic(topic), retention_ms="1000", retention_bytes="1000")
    assert problems(there, chosen) == []
