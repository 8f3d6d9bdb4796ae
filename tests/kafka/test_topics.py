"""The topics on a real broker: made, checked, put right again."""

import asyncio
import json
import time
import uuid
from typing import Any, Protocol

import msgspec
import pytest
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import MessageSizeTooLargeError
from support.patience import LONG_SECONDS
from typer.testing import CliRunner

from ops.environment import variables_of
from tailrace.schemas.errors import ConfigError, Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.cli import app
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.broker_clock import BrokerClock, measure_skew
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topic_plan import ChangeKind, Problem
from tailrace.streams.topics.topics import letter_bytes_max, record_bytes_max

pytestmark = pytest.mark.kafka

YEAR_9999_MS = 253_402_300_799_999
HOUR_MS = 3_600_000


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
def settings(broker: Broker) -> Settings:
    return load_settings(
        broker=broker.bootstrap_servers, topics={"prefix": f"topics-{uuid.uuid4().hex[:8]}.", "partitions": 2}
    )


def with_topics(settings: Settings, **topics: object) -> Settings:
    return load_settings(broker=settings.broker, topics={**msgspec.structs.asdict(settings.topics), **topics})


async def set_configs(settings: Settings, topic: Topic, **configs: str) -> None:
    """Replace the settings of a topic, as an operator with other tools would."""
    dotted = {key.replace("_", "."): value for key, value in configs.items()}
    async with clients.admin(settings) as client:
        await client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, settings.topic(topic), configs=dotted)])


async def problems_once_seen(settings: Settings) -> list[Problem]:
    """The broker acknowledges a change a moment before it shows it."""
    async with asyncio.timeout(LONG_SECONDS):
        while not (found := await topic_admin.check(settings)):
            await asyncio.sleep(0.05)
    return found


async def test_topics_are_made_as_specified_and_a_second_time_there_is_nothing_to_do(settings: Settings) -> None:
    assert {problem.topic for problem in await topic_admin.check(settings)} == {settings.topic(t) for t in Topic}
    done = await topic_admin.apply(settings)
    assert [change.kind for change in done] == [ChangeKind.CREATE] * len(Topic)
    assert await topic_admin.check(settings) == []
    assert await topic_admin.apply(settings) == []
    topics = await topic_admin.describe(settings)
    assert {topic.partitions for topic in topics.values()} == {2}
    assert topics[settings.topic(Topic.CONTEXTS)].configs["cleanup.policy"] == "compact"
    assert topics[settings.topic(Topic.CONVERSATIONS)].configs["retention.ms"] == "-1"


async def test_drift_is_found_and_put_right_without_losing_what_the_operator_set(settings: Settings) -> None:
    await topic_admin.apply(settings)
    await set_configs(settings, Topic.CONTEXTS, cleanup_policy="delete", compression_type="zstd")
    (problem,) = await problems_once_seen(settings)
    assert problem.what == "cleanup.policy is delete, not compact"
    (change,) = await topic_admin.apply(settings)
    assert (change.kind, change.topic) == (ChangeKind.CHANGE_CONFIG, settings.topic(Topic.CONTEXTS))
    assert await topic_admin.check(settings) == []
    overrides = (await topic_admin.describe(settings))[settings.topic(Topic.CONTEXTS)].overrides
    assert (overrides["cleanup.policy"], overrides["compression.type"]) == ("compact", "zstd")


async def test_partitions_are_added_only_when_that_is_asked_for_and_never_taken_away(settings: Settings) -> None:
    await topic_admin.apply(settings)
    more = with_topics(settings, partitions=3)
    with pytest.raises(ConfigError, match="--add-partitions"):
        await topic_admin.apply(more)
    assert {topic.partitions for topic in (await topic_admin.describe(settings)).values()} == {2}
    done = await topic_admin.apply(more, add_partitions=True)
    assert {change.kind for change in done} == {ChangeKind.ADD_PARTITIONS}
    assert {topic.partitions for topic in (await topic_admin.describe(settings)).values()} == {3}
    with pytest.raises(ConfigError, match=r"topics\.partitions = 3"):
        await topic_admin.apply(settings)


async def test_more_replicas_than_brokers_are_refused_with_the_brokers_reason(settings: Settings) -> None:
    with pytest.raises(Unavailable, match="replication factor"):
        await topic_admin.apply(with_topics(settings, replication=9))


@pytest.mark.parametrize("timestamp_ms", [0, 1, YEAR_9999_MS])
async def test_any_clock_of_a_producer_is_accepted_and_none_counts_where_something_goes_by_time(
    settings: Settings, timestamp_ms: int
) -> None:
    await topic_admin.apply(settings)
    async with clients.producer(settings) as producer:
        sent = await producer.send_and_wait(settings.topic(Topic.COMPACTIONS), b"x", timestamp_ms=timestamp_ms)
        assert sent.timestamp == timestamp_ms
        for by_time in (Topic.CONVERSATIONS, Topic.LIFECYCLE):
            logged = await producer.send_and_wait(settings.topic(by_time), b"x", timestamp_ms=timestamp_ms)
            assert abs(logged.timestamp - time.time() * 1000) < HOUR_MS


async def test_conversations_from_before_the_brokers_clock_are_found_and_put_right(settings: Settings) -> None:
    await topic_admin.apply(settings)
    await set_configs(settings, Topic.CONVERSATIONS, message_timestamp_type="CreateTime", max_message_bytes="9000000")
    assert "CreateTime" in {problem.what.split()[2].rstrip(",") for problem in await problems_once_seen(settings)}
    await topic_admin.apply(settings)
    assert await topic_admin.check(settings) == []


async def test_large_values_reach_the_worker_and_their_dead_letters_fit(settings: Settings) -> None:
    await topic_admin.apply(settings)
    conversations, dlq = settings.topic(Topic.CONVERSATIONS), settings.topic(Topic.DLQ)
    largest = b"x" * (record_bytes_max(settings) - 1_000)
    # The broker measures what it gets, and packed these values are small.
    plain = with_topics(settings, compression="none")
    async with clients.producer(plain, max_request_size=2 * letter_bytes_max(settings)) as producer:
        await producer.send_and_wait(conversations, largest)
        await producer.send_and_wait(dlq, largest, headers=[("__streams.errors.stacktrace", b"x" * 60_000)])
        with pytest.raises(MessageSizeTooLargeError):
            await producer.send_and_wait(conversations, largest + b"x" * 2_000)


async def test_the_clock_of_the_cluster_is_read_without_writing(settings: Settings) -> None:
    async with clients.admin(settings) as client:
        skew = await measure_skew(client)
    assert skew is not None
    # The test's broker runs on this machine, or on one whose clock is set.
    assert abs(skew.ahead_ms) <= skew.error_ms + 2_000
    wrong = BrokerClock(3_600_000)
    assert await wrong.set(settings)
    assert abs(wrong.ahead_ms) <= 10_000


def run(settings: Settings, *words: str) -> Any:
    return CliRunner().invoke(app, words, env=variables_of(settings))


def test_the_commands_show_do_and_check_it(settings: Settings) -> None:
    planned = run(settings, "topics", "plan")
    assert planned.exit_code == 0, planned.output
    assert f"{settings.topics.prefix}contexts" in planned.stdout
    assert "create with 2 partitions" in planned.stdout
    assert "tailrace topics apply" in planned.stdout
    checked = run(settings, "topics", "check")
    assert (checked.exit_code, len(checked.stdout.splitlines())) == (1, len(Topic))
    applied = run(settings, "topics", "apply")
    assert (applied.exit_code, len(applied.stdout.splitlines())) == (0, len(Topic)), applied.output
    assert run(settings, "topics", "check").exit_code == 0
    assert json.loads(run(settings, "topics", "plan", "--json").stdout)["changes"] == []
    assert "Nothing to do" in run(settings, "topics", "apply").stdout
    refused = run(with_topics(settings, partitions=1), "topics", "apply")
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 1)


def test_the_doctor_finds_everything_well(settings: Settings) -> None:
    run(settings, "topics", "apply")
    result = run(settings, "doctor")
    assert result.exit_code == 0, result.output
    states = {line.split()[1]: line.split()[0] for line in result.stdout.splitlines()}
    assert states["broker"] == states["topics"] == states["clock"] == "ok"
