"""Looks at the topics of the broker and makes them what they should be."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import NoError, for_code

from tailrace.schemas.errors import ConfigError, Unavailable
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.kafka.clients import admin
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics.log_problems import log_problems
from tailrace.streams.topics.log_states import log_states
from tailrace.streams.topics.topic_plan import ChangeKind, ExistingTopic, Problem, TopicPlanChange, plan, problems
from tailrace.streams.topics.topics import topic_specs

#: Creating 8,000 partitions takes a broker many seconds.
_REQUEST_SECONDS_MAX: Final = 30
_POLL_SECONDS: Final = 0.1
#: Kafka's number for settings that were put on the topic itself.
_DYNAMIC_TOPIC_CONFIG: Final = 1


async def describe(settings: Settings) -> dict[str, ExistingTopic]:
    """Return our topics that the broker has, by their full names."""
    async with _client(settings) as client:
        return await _describe(client, settings)


async def check(settings: Settings) -> list[Problem]:
    """Return what forbids a worker to run; empty if nothing does. Raises Unavailable if the broker can't be asked."""
    existing = await describe(settings)
    # Only of topics that can be read at all can be told whether something is missing in them.
    return problems(existing, settings) or log_problems(await log_states(settings, partitions_of(existing)), settings)


async def usable_partitions(settings: Settings) -> int:
    """Return how many partitions every topic has. Raises ConfigError where a worker can't run on the topics."""
    existing = await describe(settings)
    refuse(problems(existing, settings), settings)
    return len(partitions_of(existing))


def partitions_of(existing: Mapping[str, ExistingTopic]) -> range:
    """Numbers of the partitions, which are the same for all topics that a worker can use."""
    return range(max((topic.partitions for topic in existing.values()), default=0))


def refuse(problems: Sequence[Problem], settings: Settings) -> None:
    """Raise a ConfigError that tells of all problems, if there are any, and what to do."""
    if problems:
        listed = "; ".join(f"{problem.topic}: {problem.what}" for problem in problems)
        fixes = ". ".join(sorted({problem.fix for problem in problems}))
        allowed = f"topics that a worker can use ({listed}). {fixes}"
        raise ConfigError("topics", settings.topics.prefix, allowed)


async def check_conversations(settings: Settings) -> None:
    """Raise at once what would otherwise only be known after a deadline: no broker, no topic to publish to."""
    name = settings.topic(Topic.CONVERSATIONS)
    if name not in await describe(settings):
        raise Unavailable(f"topic {name} is not there. Run: tailrace topics apply")


async def changes(settings: Settings) -> list[TopicPlanChange]:
    """Return what `apply` would do."""
    return plan(await describe(settings), topic_specs(settings))


async def apply(settings: Settings, *, add_partitions: bool = False) -> list[TopicPlanChange]:
    """Make the topics what they should be and return what was done.

    Changes nothing and raises ConfigError when Kafka can't do all of it, or when partitions would be added, which moves
    threads, without `add_partitions`.
    """
    async with _client(settings) as client:
        planned = plan(await _describe(client, settings), topic_specs(settings))
        _refuse(planned, settings, add_partitions=add_partitions)
        for kind, act in _ACTIONS.items():
            if chosen := [change for change in planned if change.kind is kind]:
                await act(client, chosen)
        done = [change for change in planned if change.kind in _ACTIONS]
        if done:
            await _wait_until_applied(client, settings)
        return done


async def remove(settings: Settings) -> list[str]:
    """Delete the topics of these settings, and return their names once the broker has none of them."""
    async with _client(settings) as client:
        names = sorted(await _names(client, settings))
        if names:
            response = await client.delete_topics(names)
            for name, code, *_ in response.topic_error_codes:
                _raise_for(code, f"topic {name} can't be deleted", None)
            await _wait_until_gone(client, settings)
        return names


async def _names(client: AIOKafkaAdminClient, settings: Settings) -> set[str]:
    wanted = {spec.name for spec in topic_specs(settings)}
    return {topic["topic"] for topic in await _metadata(client, wanted)}


async def _wait_until_gone(client: AIOKafkaAdminClient, settings: Settings) -> None:
    try:
        async with asyncio.timeout(_REQUEST_SECONDS_MAX):
            while left := await _names(client, settings):  # noqa: ASYNC110  the broker tells nobody
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError as error:
        raise Unavailable(
            f"the broker accepted that topics are deleted, but still has {', '.join(sorted(left))} after "
            f"{_REQUEST_SECONDS_MAX} s; is a broker of the cluster down?"
        ) from error


def _refuse(planned: Iterable[TopicPlanChange], settings: Settings, *, add_partitions: bool) -> None:
    for change in planned:
        if change.kind is ChangeKind.REFUSED:
            raise ConfigError("topics.partitions", settings.topics.partitions, f"{change.topic} {change.what}")
        if change.kind is ChangeKind.ADD_PARTITIONS and not add_partitions:
            allowed = (
                f"what the topics have ({change.topic}: {change.what}). Adding partitions {change.warning}; "
                "if you want that: tailrace topics apply --add-partitions"
            )
            raise ConfigError("topics.partitions", settings.topics.partitions, allowed)


@asynccontextmanager
async def _client(settings: Settings) -> AsyncIterator[AIOKafkaAdminClient]:
    async with admin(settings, request_timeout_ms=_REQUEST_SECONDS_MAX * 1000) as client:
        yield client


async def _describe(client: AIOKafkaAdminClient, settings: Settings) -> dict[str, ExistingTopic]:
    wanted = {spec.name for spec in topic_specs(settings)}
    descriptions = {topic["topic"]: topic for topic in await _metadata(client, wanted)}
    configs = await _configs(client, descriptions)
    return {
        name: ExistingTopic(
            name=name,
            partitions=len(topic["partitions"]),
            replication=min((len(partition["replicas"]) for partition in topic["partitions"]), default=0),
            configs=configs[name][0],
            overrides=configs[name][1],
        )
        for name, topic in descriptions.items()
    }


async def _metadata(client: AIOKafkaAdminClient, names: Collection[str]) -> list[dict[str, Any]]:
    # Asked for all topics, not for ours: a request that names a topic creates it on a broker with auto-creation.
    return [topic for topic in await client.describe_topics() if topic["topic"] in names]


async def _configs(
    client: AIOKafkaAdminClient, names: Iterable[str]
) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Return the settings of topics: all in force, and those of them that were put on the topic itself."""
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    by_topic = {}
    for response in await client.describe_configs(resources) if resources else ():
        for code, message, _, name, entries in response.resources:
            _raise_for(code, f"the settings of topic {name} can't be read", message)
            # Entry: name, value, read only, source, sensitive, synonyms. Sensitive ones have no value.
            configs = {entry[0]: entry[1] for entry in entries if entry[1] is not None}
            overrides = {entry[0]: entry[1] for entry in entries if entry[3] == _DYNAMIC_TOPIC_CONFIG}
            by_topic[name] = (configs, overrides)
    return by_topic


async def _create(client: AIOKafkaAdminClient, chosen: Iterable[TopicPlanChange]) -> None:
    topics = [
        NewTopic(change.topic, change.partitions, change.replication, topic_configs=dict(change.configs))
        for change in chosen
    ]
    response = await client.create_topics(topics)
    for name, code, message in response.topic_errors:
        _raise_for(code, f"topic {name} can't be created", message)


async def _add_partitions(client: AIOKafkaAdminClient, chosen: Iterable[TopicPlanChange]) -> None:
    await client.create_partitions({change.topic: NewPartitions(change.partitions) for change in chosen})


async def _change_configs(client: AIOKafkaAdminClient, chosen: Iterable[TopicPlanChange]) -> None:
    resources = [
        ConfigResource(ConfigResourceType.TOPIC, change.topic, configs=dict(change.configs)) for change in chosen
    ]
    for response in await client.alter_configs(resources):
        for code, message, _, name in response.resources:
            _raise_for(code, f"the settings of topic {name} can't be changed", message)


_ACTIONS: Final[dict[ChangeKind, Callable[[AIOKafkaAdminClient, Iterable[TopicPlanChange]], Any]]] = {
    ChangeKind.CREATE: _create,
    ChangeKind.ADD_PARTITIONS: _add_partitions,
    ChangeKind.CHANGE_CONFIG: _change_configs,
}


async def _wait_until_applied(client: AIOKafkaAdminClient, settings: Settings) -> None:
    """Return once the broker shows what it was told and every partition has a leader: it acknowledges long before."""
    specs = {spec.name: spec for spec in topic_specs(settings)}
    try:
        async with asyncio.timeout(_REQUEST_SECONDS_MAX):
            while True:
                led = {
                    topic["topic"]: sum(partition["leader"] >= 0 for partition in topic["partitions"])
                    for topic in await _metadata(client, specs)
                }
                if all(led.get(name, 0) >= spec.partitions for name, spec in specs.items()):
                    missing = plan(await _describe(client, settings), specs.values())
                    if not any(change.kind in _ACTIONS for change in missing):
                        return
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError as error:
        raise Unavailable(
            f"the broker accepted the topics, but doesn't show them as asked after {_REQUEST_SECONDS_MAX} s; "
            "is a broker of the cluster down? `tailrace topics plan` shows what is missing"
        ) from error


def _raise_for(code: int, what: str, message: str | None) -> None:
    error = for_code(code)
    if error is not NoError:
        raise Unavailable(f"{what}: {message or error.description} ({error.__name__})")
