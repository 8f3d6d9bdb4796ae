"""The client on a real broker: what it promises with a worker, without one, and without a broker."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Iterable
from typing import Any, Protocol

import pytest
from prometheus_client import CollectorRegistry
from support.patience import LONG_MS, LONG_SECONDS
from support.tiny_worker import tiny_worker

from tailrace.schemas.errors import Invalid, PoisonEvent, Unavailable, UnknownVersion
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.message import Message
from tailrace.streams import Client, Context, ContextSource
from tailrace.streams.kafka import clients
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

#: Generous: the machine may be busy with other tests.
POLICY = {"window_tokens": 2_000, "output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}


class Broker(Protocol):
    bootstrap_servers: str

    def restart(self) -> None: ...


def fresh_settings(servers: str, **overrides: Any) -> Settings:
    name = f"client-{uuid.uuid4().hex[:8]}"
    return load_settings(
        broker=servers,
        group=name,
        topics={"prefix": f"{name}.", "partitions": 3},
        policy=POLICY,
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
        **overrides,
    )


@pytest.fixture
async def settings(broker: Broker) -> Settings:
    settings = fresh_settings(broker.bootstrap_servers)
    await topic_admin.apply(settings)
    return settings


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with Client(settings, registry=CollectorRegistry()) as client:
        yield client


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def texts(context: Context) -> list[Any]:
    return [message.get("content") for message in context.request("openai.chat")["messages"]]


def assert_valid(messages: Iterable[Message]) -> None:
    called: set[str] = set()
    for message in messages:
        assert set(message.answered_ids) <= called
        called |= set(message.call_ids)


def tool_call(call_id: str) -> dict[str, Any]:
    function = {"name": "look", "arguments": "{}"}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def tool_result(call_id: str, text: str = "seen") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


async def test_a_context_includes_what_was_just_published(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        for number in range(20):
            published = await client.publish("t1", user(f"message {number}"))
            context = await client.context("t1")

            assert context.source is ContextSource.TAILRACE
            assert context.complete
            assert context.covers_through is not None
            assert context.covers_through.offset >= published.offset
            assert context.covers_through.event_id == published.event_id
            assert texts(context) == [f"message {n}" for n in range(number + 1)]
    assert client.fallbacks == 0


async def test_many_messages_keep_their_order_and_compactions_keep_the_budget(
    client: Client, settings: Settings
) -> None:
    async with tiny_worker(settings):
        published = await client.publish_many("t1", [user(f"{n} " + "word " * 50) for n in range(500)])
        context = await client.context("t1")

    assert [one.offset for one in published] == sorted(one.offset for one in published)
    assert context.complete
    assert context.totals.messages == 500
    assert context.epoch > 0
    assert context.tokens <= context.limit_tokens == 2_000
    assert texts(context)[0].startswith("0 ")
    assert texts(context)[-1].startswith("499 ")


async def test_two_clients_see_each_other(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings), Client(settings, registry=CollectorRegistry()) as other:
        await client.publish("t1", user("from one"))
        await client.context("t1")
        await other.publish("t1", {"role": "assistant", "content": "from the other"})

        assert texts(await other.context("t1")) == ["from one", "from the other"]
        assert texts(await client.context("t1")) == ["from one", "from the other"]


async def test_a_thread_that_was_there_before_is_found_with_its_past(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        for number in range(30):
            await client.publish(f"t{number % 10}", user(f"message {number}"))
        for number in range(10):
            await client.context(f"t{number}")

    async with Client(settings, registry=CollectorRegistry()) as late:
        contexts = await asyncio.gather(*(late.context(f"t{number}") for number in range(10)))

        assert all(context.complete for context in contexts)
        assert [texts(context)[0] for context in contexts] == [f"message {number}" for number in range(10)]
        assert late.fallbacks == 0


async def test_a_thread_that_does_not_exist_has_an_empty_context(client: Client) -> None:
    context = await client.context("nobody")

    assert context.complete
    assert context.messages == ()
    assert context.tokens == 0
    assert context.covers_through is None


async def test_without_a_worker_the_client_cuts_a_valid_window_in_time(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "be brief"}, user("the first question")]
    for number in range(60):
        messages += [tool_call(f"c{number}"), tool_result(f"c{number}", "secret " + "word " * 40)]
    # Answered once the contexts are read: from here on only the worker is missing, however busy the machine is.
    assert (await client.context("t1")).complete
    await client.publish_many("t1", messages)
    # What counting needs is loaded in the background; no deadline is promised for the first second of a process.
    await client.context("t1", timeout_ms=0)
    caplog.clear()
    before = time.monotonic()
    with caplog.at_level(logging.WARNING, "tailrace.client"):
        context = await client.context("t1", timeout_ms=300)
    waited_seconds = time.monotonic() - before

    assert 0.25 < waited_seconds < 3
    assert context.source is ContextSource.LOCAL
    assert not context.complete
    assert context.covers_through is None
    assert context.tokens <= context.limit_tokens == 2_000
    assert_valid(context.messages)
    assert texts(context)[:2] == ["be brief", "the first question"]
    assert context.messages[-1].answered_ids == ("c59",)
    assert client.fallbacks == 2
    (record,) = [record for record in caplog.records if record.name == "tailrace.client"]
    assert "client.fallback" in record.getMessage()
    assert "behind" in record.getMessage()
    assert "secret" not in record.getMessage()
    assert context == await client.context("t1", timeout_ms=0)


async def test_the_local_window_begins_with_the_last_context_that_is_known(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        await client.publish("t1", user("known"), model="gpt-4o")
        known = await client.context("t1")
    await client.publish("t1", {"role": "assistant", "content": "mine"})

    local = await client.context("t1", timeout_ms=200)

    assert texts(local) == ["known", "mine"]
    assert local.covers_through == known.covers_through
    assert local.model == "gpt-4o"
    async with tiny_worker(settings):
        again = await client.context("t1")
    assert again.complete
    assert again.messages == local.messages
    assert again.tokens == local.tokens


async def test_fallbacks_are_counted_where_the_application_counts(settings: Settings) -> None:
    registry = CollectorRegistry()
    async with Client(settings, registry=registry) as first, Client(settings, registry=registry) as second:
        for client in (first, second):
            await client.publish("t1", user("hi"))
            await client.context("t1", timeout_ms=0)

    counted = sum(
        sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "tailrace_client_fallbacks_total"
    )
    assert counted == 2
    assert first.fallbacks == second.fallbacks == 1


async def test_events_that_add_nothing_are_covered_too(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        await client.publish("t1", user("hi"), id="m1")
        await client.publish("t1", user("hi"), id="m1")
        assert texts(await client.context("t1")) == ["hi"]
        await client.publish("t1", tool_result("nobody asked"))
        context = await client.context("t1")

    assert texts(context) == ["hi"]
    assert client.fallbacks == 0


async def test_a_subscription_shows_the_state_and_then_every_change(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        subscription = client.subscribe("t1", idle_timeout_ms=LONG_MS)
        waiting = asyncio.create_task(anext(subscription))
        await client.publish("t1", user("first"))
        first = await waiting
        await client.publish("t1", user("second"))
        second = await anext(subscription)
        await client.publish_many("t1", [user("word " * 100) for _ in range(40)])
        compacted = second
        while compacted.totals.messages < 42:
            compacted = await anext(subscription)

        assert texts(first) == ["first"]
        assert texts(second) == ["first", "second"]
        assert compacted.epoch > 0
        assert compacted.totals.compactions == compacted.epoch
        assert compacted.tokens <= compacted.limit_tokens
        late = client.subscribe("t1", idle_timeout_ms=LONG_MS)
        assert (await anext(late)).covers_through == compacted.covers_through


async def test_a_subscription_gives_up_when_told_to_and_ends_with_the_client(settings: Settings) -> None:
    async with Client(settings, registry=CollectorRegistry()) as client:
        with pytest.raises(Unavailable, match="200 ms"):
            await anext(client.subscribe("t1", idle_timeout_ms=200))

        async def follow() -> list[Context]:
            return [context async for context in client.subscribe("t1")]

        following = asyncio.create_task(follow())
        await asyncio.sleep(0)
    assert await asyncio.wait_for(following, LONG_SECONDS) == []


async def test_what_a_worker_could_not_read_is_not_sent(client: Client, settings: Settings) -> None:
    with pytest.raises(PoisonEvent, match="role"):
        await client.publish("t1", {"content": "who?"})
    # Text, arguments and media would go into the artifact store; why a model refuses something can't.
    with pytest.raises(Invalid, match="too large for a record"):
        await client.publish("t1", {"role": "assistant", "content": None, "refusal": "x" * 1_000_001})
    with pytest.raises(PoisonEvent):
        await client.publish_many("t1", [user("good"), {"role": "nobody"}])
    with pytest.raises(UnknownVersion, match="wire/9"):
        await client.context("t1", format="wire/9")
    published = await client.publish("t1", user("the first that is sent"))

    assert published.offset == 0


async def test_a_message_larger_than_the_window_passes_and_is_shortened_to_fit(
    client: Client, settings: Settings
) -> None:
    async with tiny_worker(settings):
        await client.publish_many("t1", [user("x" * 900_000), user("small")])
        context = await client.context("t1")

    assert context.complete
    assert context.tokens <= context.limit_tokens
    assert "read_artifact(" in texts(context)[0]
    assert texts(context)[-1] == "small"


async def test_without_a_broker_an_agent_goes_on_and_nothing_is_lost_when_it_comes_back(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = fresh_settings(f"127.0.0.1:{free_port()}")
    async with Client(nowhere, registry=CollectorRegistry()) as client:
        await client.context("t1", timeout_ms=0)
        before = time.monotonic()
        for number in range(3):
            with pytest.raises(Unavailable, match="same id"):
                await client.publish("t1", user(f"message {number}"), timeout_ms=100)
        context = await client.context("t1", timeout_ms=100)

        assert time.monotonic() - before < 5
        assert texts(context) == ["message 0", "message 1", "message 2"]
        assert context.source is ContextSource.LOCAL
        assert client.undelivered == 3
    assert "client.undelivered" in caplog.text


async def test_a_broker_that_restarts_is_found_again_by_feed_and_delivery(
    client: Client, settings: Settings, broker: Broker
) -> None:
    async with tiny_worker(settings):
        await client.publish("t1", user("before"))
        await client.context("t1")
    restarting = asyncio.create_task(asyncio.to_thread(broker.restart))
    said = await say_until_it_fails(client, "t2")
    await restarting

    async with tiny_worker(settings):
        await client.publish("t1", user("after"))
        one, two = await client.context("t1"), await client.context("t2")

    assert texts(one) == ["before", "after"]
    assert two.complete
    assert two.totals.messages == said
    assert client.undelivered == 0


async def say_until_it_fails(client: Client, thread: str) -> int:
    """Publish until the broker is away.

    Return how many messages were published, with the one that was not acknowledged.
    """
    for number in range(100_000):
        try:
            await client.publish(thread, user(f"message {number}"), timeout_ms=200)
        except Unavailable as error:
            assert "same id" in str(error)  # noqa: PT017  any of many calls may be the one
            return number + 1
    raise AssertionError("the broker was never away")


async def test_topics_that_are_missing_are_named_and_used_as_soon_as_they_are_there(broker: Broker) -> None:
    settings = fresh_settings(broker.bootstrap_servers)
    async with Client(settings, registry=CollectorRegistry()) as client:
        with pytest.raises(Unavailable, match="tailrace topics apply"):
            await client.publish("t1", user("too early"), timeout_ms=2_000)
        await topic_admin.apply(settings)
        async with tiny_worker(settings):
            await client.publish("t1", user("in time"))

            assert texts(await client.context("t1")) == ["too early", "in time"]


async def test_topics_that_were_deleted_and_made_again_are_followed_anew(client: Client, settings: Settings) -> None:
    async with tiny_worker(settings):
        for number in range(5):
            await client.publish("t1", user(f"old {number}"))
        await client.context("t1")
    async with clients.admin(settings) as admin:
        await admin.delete_topics([settings.topic(topic) for topic in Topic])
    async with asyncio.timeout(LONG_SECONDS):
        while await topic_admin.describe(settings):
            await asyncio.sleep(0.1)
    await topic_admin.apply(settings)

    async with tiny_worker(settings):
        await client.publish("t1", user("new"))

        assert texts(await client.context("t1")) == ["new"]


async def test_a_client_that_is_not_running_says_so(settings: Settings) -> None:
    client = Client(settings, registry=CollectorRegistry())
    with pytest.raises(RuntimeError, match="async with"):
        await client.publish("t1", user("hi"))
    with pytest.raises(RuntimeError, match="async with"):
        await client.context("t1")


def test_settings_are_given_whole_or_one_by_one(settings: Settings) -> None:
    with pytest.raises(TypeError, match="either"):
        Client(settings, broker="elsewhere:9092")
