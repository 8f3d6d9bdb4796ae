"""The client without an event loop, on a real broker.

From threads, from inside a loop, and what is left of it afterwards.
"""

import asyncio
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from prometheus_client import CollectorRegistry
from support.patience import LONG_MS
from support.tiny_worker import tiny_worker

from tailrace.schemas.errors import Invalid, Unavailable
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.streams import ContextSource, SyncClient
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka


class Broker(Protocol):
    bootstrap_servers: str


def settings_for(servers: str, folder: Path) -> Settings:
    name = f"sync-{uuid.uuid4().hex[:8]}"
    return load_settings(
        broker=servers,
        group=name,
        data_dir=folder,
        topics={"prefix": f"{name}.", "partitions": 3},
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )


@pytest.fixture
def settings(broker: Broker, tmp_path: Path) -> Settings:
    settings = settings_for(broker.bootstrap_servers, tmp_path)
    asyncio.run(topic_admin.apply(settings))
    return settings


@pytest.fixture
def worker(settings: Settings) -> Iterator[None]:
    """Run a worker on an event loop of its own: the tests of this file have none, or block it."""
    started, ended = threading.Event(), threading.Event()

    async def run() -> None:
        async with tiny_worker(settings):
            started.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert started.wait(LONG_MS / 1000)
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    waited_until = time.monotonic() + LONG_MS / 1000
    while (left := set(threading.enumerate()) - before) and time.monotonic() < waited_until:
        time.sleep(0.05)
    assert not left


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


@pytest.mark.usefixtures("worker")
def test_all_that_the_client_does_without_an_event_loop(settings: Settings) -> None:
    with no_thread_left(), SyncClient(settings, registry=CollectorRegistry()) as client:
        first = client.publish("t1", user("one"), model="gpt-4o")
        others = client.publish_many("t1", (user(text) for text in ("two", "three")))
        assert [one.offset for one in (first, *others)] == [0, 1, 2]
        context = client.context("t1", format="openai.chat")
        assert context.source is ContextSource.TAILRACE
        assert context.request()["messages"] == [user("one"), user("two"), user("three")]
        with pytest.raises(Invalid):
            client.publish("t1", {"role": "nobody"})
        contexts = client.subscribe("t1")
        assert next(contexts).totals.messages == 3
        client.publish("t1", user("four"))
        assert next(one for one in contexts if one.totals.messages == 4)
        assert client.compact("t1").kind in LifecycleKind
        assert (client.fallbacks, client.undelivered) == (0, 0)
    assert list(contexts) == []


@pytest.mark.usefixtures("worker")
def test_many_threads_use_one_client(settings: Settings) -> None:
    with no_thread_left(), SyncClient(settings, registry=CollectorRegistry()) as client:

        def talk(number: int) -> list[Any]:
            for text in ("one", "two"):
                client.publish(f"t{number}", user(f"{number} {text}"))
            context = client.context(f"t{number}")
            return [message["content"] for message in context.request()["messages"]]

        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(talk, range(32))) == [[f"{n} one", f"{n} two"] for n in range(32)]
        assert client.fallbacks == 0


@pytest.mark.usefixtures("worker")
def test_it_is_used_from_inside_a_running_loop(settings: Settings) -> None:
    async def use() -> list[Any]:
        with SyncClient(settings, registry=CollectorRegistry()) as client:
            client.publish("t1", user("hello"))
            return list(client.context("t1").request()["messages"])

    with no_thread_left():
        assert asyncio.run(use()) == [user("hello")]


def test_without_a_broker_it_answers_in_time_and_stops(tmp_path: Path) -> None:
    settings = settings_for(f"127.0.0.1:{free_port()}", tmp_path)
    with no_thread_left(), SyncClient(settings, registry=CollectorRegistry()) as client:
        with pytest.raises(Unavailable):
            client.publish("t1", user("hello"), timeout_ms=50)
        context = client.context("t1", timeout_ms=50)
        assert context.source is ContextSource.LOCAL
        assert context.request()["messages"] == [user("hello")]


def test_a_call_under_way_ends_when_the_client_stops(tmp_path: Path) -> None:
    settings = settings_for(f"127.0.0.1:{free_port()}", tmp_path)
    client = SyncClient(settings, registry=CollectorRegistry())
    client.start()
    outcomes: list[object] = []

    def publish() -> None:
        try:
            outcomes.append(client.publish("t1", user("hello"), timeout_ms=10 * LONG_MS))
        except Unavailable as error:
            outcomes.append(error)

    with no_thread_left():
        publishing = threading.Thread(target=publish)
        publishing.start()
        while not client.undelivered:
            time.sleep(0.01)
        client.stop()
        publishing.join(LONG_MS / 1000)
        assert not publishing.is_alive()
    (outcome,) = outcomes
    assert isinstance(outcome, Unavailable)


def test_a_client_that_does_not_run_says_so(tmp_path: Path) -> None:
    client = SyncClient(settings_for("127.0.0.1:1", tmp_path), registry=CollectorRegistry())
    with pytest.raises(RuntimeError, match="not running"):
        client.context("t1")
    client.start()
    client.start()
    client.stop()
    client.stop()
    with pytest.raises(RuntimeError, match="not running"):
        client.publish("t1", user("hello"))
    with pytest.raises(RuntimeError, match="make a new one"):
        client.start()
