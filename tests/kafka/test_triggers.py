"""Triggers on a real broker with real workers.

Timers that outlive their worker, signals that hold, free, refuse and repair.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from support.installations import Broker, Place, new_place, until, values, worker
from support.patience import LONG_MS, LONG_SECONDS
from typer.testing import CliRunner

from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, Topic, decode_compaction, decode_lifecycle
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import Announce, CallEnded, CallStarted, Overflow
from tailrace.streams import Client
from tailrace.streams.cli import app
from tailrace.streams.kafka import clients

pytestmark = pytest.mark.kafka

PARTITIONS = 4
WINDOW_TOKENS = 8_000
IDLE_MS = 4_000
#: Threads that fall idle at once, and how long their compactions may take on a busy machine.
THREADS = 1_000
WAIT_SECONDS = LONG_SECONDS + THREADS / 4
YEAR_1970_MS = 1_000
YEAR_2099_MS = 4_070_908_800_000


async def triggered(broker: Broker, folder: Path, **triggers: Any) -> Place:
    """Return an installation that compacts from a tenth of the limit on, and soon misses its workers."""
    policy = {
        "window_tokens": WINDOW_TOKENS,
        "output_reserve_tokens": 0,
        "rehydration_reserve_tokens": 0,
        "upper_fraction": 0.8,
        "lower_fraction": 0.1,
        "triggers": triggers,
    }
    soon = {"WORKER__SESSION_TIMEOUT_SECONDS": "3", "WORKER__HEARTBEAT_SECONDS": "1"}
    return await new_place(broker, folder, partitions=PARTITIONS, policy=policy, **soon)


@asynccontextmanager
async def new_client(place: Place) -> AsyncIterator[Client]:
    async with Client(place.settings, registry=CollectorRegistry()) as client:
        yield client


def said(words: int = 4_000) -> list[dict[str, Any]]:
    """Eight turns of so many words together: 4,000 are two thirds of the window, below the upper mark."""
    text = "how high is the water at the weir? " * (words // 16 // 8)
    turn = [{"role": "user", "content": text}, {"role": "assistant", "content": f"It is at 41 cm. {text}"}]
    return turn * 8


async def events(place: Place) -> list[LifecycleEvent]:
    return [decode_lifecycle(value) for value in await values(place, Topic.LIFECYCLE)]


async def compactions(place: Place) -> list[CompactionRecord]:
    return [decode_compaction(value) for value in await values(place, Topic.COMPACTIONS)]


async def test_threads_fall_idle_while_their_worker_is_killed_and_each_is_cleaned_up_once(
    broker: Broker, tmp_path: Path
) -> None:
    place = await triggered(broker, tmp_path, timers={"idle_ms": IDLE_MS})
    names = [f"thread-{number}" for number in range(THREADS)]
    with worker(place) as first:
        async with new_client(place) as client:
            await asyncio.gather(*(client.publish_many(name, said()) for name in names))
            # All of it is taken in, and no timer is due yet or few are.
            await asyncio.gather(*(client.context(name) for name in names[:8]))
            first.kill()
            first.wait()
            with worker(place), worker(place):

                async def cleaned_up() -> bool:
                    return len({record.thread for record in await compactions(place)}) == THREADS

                await until("every thread is compacted", cleaned_up, WAIT_SECONDS)
                for name in names[:3]:
                    context = await client.context(name)
                    assert context.totals.compactions == 1
                    assert context.tokens <= WINDOW_TOKENS * 0.5
    done = await compactions(place)
    # A worker that died between two steps is followed by one that writes the same record again.
    assert Counter(record.thread for record in {record.id: record for record in done}.values()) == Counter(names)
    assert {(record.trigger, record.rule) for record in done} == {("temporal", "idle")}
    assert all("idle was due at" in (record.condition or "") for record in done)


async def test_a_timer_outlives_its_worker_and_no_clock_of_a_producer_moves_it(broker: Broker, tmp_path: Path) -> None:
    place = await triggered(broker, tmp_path, timers={"idle_ms": IDLE_MS})
    topic = place.settings.topic(Topic.CONVERSATIONS)
    stamps = {"old": YEAR_1970_MS, "now": None, "new": YEAR_2099_MS}
    with worker(place) as first:
        async with new_client(place) as client, clients.producer(place.settings, acks="all") as producer:
            await client.publish("begun", {"role": "user", "content": "hi"})
            await client.context("begun")
            begun_ms = time.time() * 1000
            for thread, timestamp_ms in stamps.items():
                for message in said():
                    value = json.dumps(message).encode()
                    await producer.send_and_wait(topic, value, key=thread.encode(), timestamp_ms=timestamp_ms)
            contexts = [await client.context(thread) for thread in stamps]
            assert [context.totals.compactions for context in contexts] == [0, 0, 0]
        first.kill()
        first.wait()
    with worker(place):

        async def all_of_them() -> bool:
            return {record.thread for record in await compactions(place)} == set(stamps)

        await until("all are compacted", all_of_them)
    done = {record.id: record for record in await compactions(place)}.values()
    assert sorted(record.thread for record in done) == sorted(stamps)
    for record in done:
        assert (record.rule, record.event_id.startswith("tick:idle:")) == ("idle", True)
        # Not before the time was over, and not in another century.
        assert IDLE_MS <= record.at_ms - begun_ms < 10 * LONG_MS


@pytest.fixture(scope="module")
def place(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A worker for all tests that follow; each has threads of its own."""
    shared = asyncio.run(triggered(broker, tmp_path_factory.mktemp("triggers"), timers={"idle_ms": 10 * LONG_MS}))
    with worker(shared):
        yield shared


async def test_an_overflow_report_is_answered_by_a_context_that_fits(place: Place) -> None:
    async with new_client(place) as client:
        await client.publish_many("overflow", said(3_000), model="gpt-4o")
        before = await client.context("overflow")
        smaller = before.tokens // 2
        published = await client.signal("overflow", Overflow(window_tokens=smaller))
        after = await client.context("overflow", timeout_ms=LONG_MS)
        assert after.complete
        assert after.covers_through is not None
        assert after.covers_through.offset >= published.offset
        assert after.tokens <= after.limit_tokens <= smaller
        await client.signal("overflow", Overflow(window_tokens=after.tokens * 3 // 4))
        smallest = await client.context("overflow", timeout_ms=LONG_MS)
        assert smallest.complete
        assert smallest.tokens < after.tokens
    async with new_client(place) as other:
        # This one was given no context, so its report names none: it may be about what was made smaller since.
        again = await other.signal("overflow", Overflow(window_tokens=smaller))
        same = await other.context("overflow", timeout_ms=LONG_MS)
        assert same.complete
        assert same.messages == smallest.messages
        await until("the second is refused", lambda: _refused(place, "overflow", again.event_id))
    found = [event for event in await events(place) if event.rule == "overflow"]
    assert LifecycleKind.COMPLETED in {event.kind for event in found}


async def test_without_a_worker_a_client_cuts_a_context_that_fits_after_an_overflow(
    broker: Broker, tmp_path: Path
) -> None:
    place = await triggered(broker, tmp_path, timers={})
    async with new_client(place) as client:
        await client.publish_many("alone", said(3_000), model="gpt-4o")
        before = await client.context("alone", timeout_ms=200)
        smaller = before.tokens // 2
        await client.signal("alone", Overflow(window_tokens=smaller, sent_tokens=before.tokens))
        after = await client.context("alone", timeout_ms=200)
    assert not after.complete
    assert after.tokens <= after.limit_tokens <= smaller


async def test_a_call_in_flight_holds_a_compaction_back_until_it_ends_or_its_time_is_over(place: Place) -> None:
    large = {"role": "user", "content": "how high is the water at the weir? " * 250}
    async with new_client(place) as client:
        for thread, timeout_ms in (("ended", LONG_MS), ("stuck", 3_000)):
            await client.publish_many(thread, said(200))
            await client.signal(thread, CallStarted(call="c1", timeout_ms=timeout_ms))
            await client.publish_many(thread, [large] * 4)
        asked = await client.compact("ended")
        assert asked.kind is LifecycleKind.FLAGGED
        assert "a call is under way" in (asked.reason or "")
        over = await client.context("ended")
        assert (over.totals.compactions, over.tokens > over.limit_tokens) == (0, True)
        published = await client.signal("ended", CallEnded(call="c1"))
        await until("it is over", lambda: _covers(client, "ended", published.offset))
        for thread in ("ended", "stuck"):
            await until(f"{thread} fits again", lambda name=thread: _fits(client, name))
    freed = [
        event for event in await events(place) if event.thread == "stuck" and event.kind is LifecycleKind.COMPLETED
    ]
    assert freed[0].event_id.startswith("tick:call in flight:")


async def test_what_can_not_be_done_is_refused_with_a_reason_and_changes_nothing(place: Place) -> None:
    topic = place.settings.topic(Topic.CONVERSATIONS)
    async with new_client(place) as client:
        await client.publish_many("refused", said(400), tenant="ours")
        before = await client.context("refused")
        nobody = await client.compact("nobody")
        assert (nobody.kind, "there is no thread" in (nobody.reason or "")) == (LifecycleKind.REFUSED, True)
        theirs = await client.compact("refused", tenant="theirs")
        assert (theirs.kind, theirs.reason) == (LifecycleKind.REFUSED, "the thread belongs to another tenant")
        for _ in range(2):
            await client.signal("refused", Announce(tokens=5), tenant="ours", id="same")
        async with clients.producer(place.settings, acks="all") as producer:
            headers = [("ce_specversion", b"1.0"), ("ce_type", SIGNAL_TYPE.encode()), ("ce_id", b"wrong")]
            wrong = json.dumps({"kind": "compact", "target_tokens": "much"}).encode()
            await producer.send_and_wait(topic, wrong, key=b"refused", headers=headers)
            tick = json.dumps({"kind": "tick", "tenant": "ours", "timer": "moonrise", "due_ms": 5}).encode()
            headers[2] = ("ce_id", b"stale")
            await producer.send_and_wait(topic, tick, key=b"refused", headers=headers)
        for signal_id, reason in (
            ("same", "was taken before"),
            ("wrong", "target_tokens"),
            ("stale", "no thread has a timer 'moonrise'"),
        ):
            await until(signal_id, lambda one=signal_id: _refused(place, "refused", one))
            refused = [one for one in await events(place) if one.event_id == signal_id]
            assert [one.kind for one in refused] == [LifecycleKind.REFUSED]
            assert reason in (refused[0].reason or "")
        after = await client.context("refused")
        assert (after.epoch, after.messages) == (before.epoch, before.messages)


async def test_rules_are_asked_about_what_a_step_has_brought_about(broker: Broker, tmp_path: Path) -> None:
    rule = {"name": "once more", "when": 'event == "compaction_completed" and fraction > 40%'}
    place = await triggered(broker, tmp_path, rules=[rule])
    with worker(place):
        async with new_client(place) as client:
            await client.publish_many("deeper", said())
            first = await client.compact("deeper", target_fraction=0.58)
            assert first.kind is LifecycleKind.COMPLETED

            async def deeper() -> bool:
                return (await client.context("deeper")).totals.compactions == 2

            await until("the rule has fired behind the compaction", deeper)
    done = {record.id: record for record in await compactions(place)}.values()
    assert [record.rule for record in sorted(done, key=lambda one: one.epoch)] == ["invoked", "once more"]
    assert {event.kind for event in await events(place)} & {LifecycleKind.REFUSED} == set()


@pytest.mark.parametrize(
    ("triggers", "allowed"),
    [
        ({"rules": [{"name": "never", "when": "idle_ms > 5m and idle_ms < 1m"}]}, b"can hold and can fail"),
        ({"timers": {"idle_ms": -1}}, b"1 or more"),
        ({"whne": []}, b"only known keys: rules"),
    ],
)
async def test_a_policy_that_is_wrong_starts_no_worker_and_the_running_one_goes_on(
    place: Place, triggers: dict[str, Any], allowed: bytes
) -> None:
    environment = {**place.environment, "TAILRACE_POLICY": json.dumps({"triggers": triggers})}
    command = [sys.executable, "-m", "tailrace.streams.cli", "worker"]
    ended = await asyncio.to_thread(
        subprocess.run, command, env=environment, capture_output=True, timeout=LONG_SECONDS, check=False
    )
    assert ended.returncode == 78
    assert allowed in ended.stderr
    async with new_client(place) as client:
        await client.publish("unmoved", {"role": "user", "content": "are you still there?"})
        assert (await client.context("unmoved")).complete


async def test_the_commands_compact_a_thread_and_send_signals(place: Place) -> None:
    def run(*words: str) -> Any:
        return CliRunner().invoke(app, words, env=place.environment)

    async with new_client(place) as client:
        await client.publish_many("commands", said())
        before = await client.context("commands")
        done = await asyncio.to_thread(
            run, "compact", "commands", "--target-fraction", "0.3", "--reason", "to see", "--json"
        )
        assert done.exit_code == 0, done.output
        event = json.loads(done.stdout)
        assert (event["kind"], event["rule"], event["condition"]) == ("completed", "invoked", "to see")
        after = await client.context("commands")
        assert after.tokens == event["after_tokens"] < before.tokens
        refused = await asyncio.to_thread(run, "compact", "--thread", "nobody")
        assert (refused.exit_code, "there is no thread 'nobody'" in refused.stderr) == (1, True)
        sent = await asyncio.to_thread(run, "signal", "commands", "call_started", "--call", "c1")
        assert sent.exit_code == 0, sent.output
        explained = await asyncio.to_thread(run, "policy", "explain", "--thread", "commands", "--json")
        assert explained.exit_code == 0, explained.output
        lines = {line["trigger"]: line for line in json.loads(explained.stdout)["triggers"]}
        assert (lines["call in flight"]["holds"], lines["call in flight"]["now"]) == (True, "c1")
        assert lines["limit"]["holds"] is False
        assert "timer idle" in lines


async def _covers(client: Client, thread: str, offset: int) -> bool:
    covered = (await client.context(thread)).covers_through
    return covered is not None and covered.offset >= offset


async def _fits(client: Client, thread: str) -> bool:
    context = await client.context(thread)
    return context.totals.compactions > 0 and context.tokens <= context.limit_tokens


async def _refused(place: Place, thread: str, signal_id: str) -> bool:
    return any(
        event.thread == thread and event.event_id == signal_id and event.kind is LifecycleKind.REFUSED
        for event in await events(place)
    )
