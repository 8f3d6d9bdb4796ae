"""Real workers where the topics lose something.

Input that was cut, contexts that are gone, topics that change under them.
"""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.admin import NewPartitions, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families
from support.installations import FIRST, Broker, Place, command, new_place, place_with_models, records, until, worker
from support.patience import LONG_SECONDS

from tailrace.agents.engine.partition import PartitionView
from tailrace.schemas.records.context import REBUILT_KEY
from tailrace.schemas.records.kafka_records import Topic, decode_lifecycle
from tailrace.streams import Client
from tailrace.streams.kafka import clients
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.log_states import log_states

pytestmark = pytest.mark.kafka

PARTITIONS = 2
WINDOW_TOKENS = 4_000


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> Place:
    return await make_place(broker, tmp_path)


async def make_place(broker: Broker, folder: Path) -> Place:
    policy = {"window_tokens": WINDOW_TOKENS, "output_reserve_tokens": 256}
    port = str(free_port())
    return await new_place(broker, folder, partitions=PARTITIONS, policy=policy, HTTP__PORT=port, LOG__FORMAT="json")


async def publish(place: Place, values: list[dict[str, Any]], *, partition: int = 0, thread: str = "a") -> None:
    async with clients.producer(place.settings) as producer:
        for value in values:
            topic = place.settings.topic(Topic.CONVERSATIONS)
            await producer.send_and_wait(topic, json.dumps(value).encode(), thread.encode(), partition=partition)


def messages(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [
        {"id": f"m{number}", "role": "user", "content": f"message {number}"} for number in range(first, first + count)
    ]


def conversation(turns: int) -> list[dict[str, Any]]:
    """Return a conversation that is long enough to be compacted several times.

    It has calls, a large output, a duplicate and something that can't be read.
    """
    said: list[dict[str, Any]] = [{"id": "s", "role": "system", "content": "You look after weirs. Never open gate 7."}]
    for turn in range(turns):
        call = {
            "id": f"c{turn}",
            "type": "function",
            "function": {"name": "read_gauge", "arguments": f'{{"weir": {turn}}}'},
        }
        output = "\n".join(
            f"2026-03-01 gauge {turn}-{line} reads {line * 37} mm" for line in range(8 if turn % 9 else 300)
        )
        said += [
            {
                "id": f"u{turn}",
                "role": "user",
                "content": f"Turn {turn}: how high is weir {turn}? " + "It rains. " * 20,
            },
            {"id": f"a{turn}", "role": "assistant", "content": None, "tool_calls": [call]},
            {"id": f"r{turn}", "role": "tool", "tool_call_id": f"c{turn}", "content": output},
            {"id": f"w{turn}", "role": "assistant", "content": f"Weir {turn} stands at {turn * 37} mm. " * 5},
        ]
    return [*said, said[5], {"role": "tool", "tool_call_id": "never-made", "content": "late"}]


async def all_committed(place: Place) -> bool:
    states = await log_states(place.settings, range(PARTITIONS))
    return all((state.committed or 0) == state.input_end for state in states)


async def cut(place: Place, topic: Topic, partition: int, before_offset: int) -> None:
    place_of = TopicPartition(place.settings.topic(topic), partition)
    async with clients.admin(place.settings) as admin:
        await admin.delete_records({place_of: RecordsToDelete(before_offset=before_offset)})


async def configure(place: Place, topic: Topic, **configs: str) -> None:
    """Set something on a topic, beside what is set already."""
    name = place.settings.topic(topic)
    before = (await topic_admin.describe(place.settings))[name].overrides
    wanted = {key.replace("_", "."): value for key, value in configs.items()}
    async with clients.admin(place.settings) as admin:
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, name, configs={**before, **wanted})])

    async def seen() -> bool:
        return wanted.items() <= (await topic_admin.describe(place.settings))[name].configs.items()

    await until("the broker shows it", seen)


async def delete(place: Place, topic: Topic) -> None:
    name = place.settings.topic(topic)
    async with clients.admin(place.settings) as admin:
        await admin.delete_topics([name])

    async def gone() -> bool:
        return name not in await topic_admin.describe(place.settings)

    await until("the topic is gone", gone)


async def live(place: Place) -> dict[tuple[int, bytes], bytes]:
    """What a compacted contexts topic holds: the last value of each key."""
    last: dict[tuple[int, bytes], bytes | None] = {}
    for record in await records(place, Topic.CONTEXTS):
        last[record.partition, record.key] = record.value
    return {key: value for key, value in last.items() if value is not None and key[1] != REBUILT_KEY}


async def views(place: Place) -> dict[int, PartitionView]:
    """What readers in order make of the contexts."""
    seen = {partition: PartitionView() for partition in range(PARTITIONS)}
    for record in await records(place, Topic.CONTEXTS):
        seen[record.partition].apply_record(record.key, record.value, record.headers)
    return seen


def lost_records(place: Place, partition: int) -> float | None:
    address = f"http://127.0.0.1:{place.environment['TAILRACE_HTTP__PORT']}/metrics"
    with urllib.request.urlopen(address, timeout=LONG_SECONDS) as answer:
        text = answer.read().decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "tailrace_input_lost_records" and sample.labels["partition"] == str(partition):
                return float(sample.value)
    return None


async def run_until_committed(place: Place) -> None:
    with worker(place):
        before = assignments(place)

        async def done() -> bool:
            # One that has nothing to do has to be there, too.
            return assignments(place) > before and await all_committed(place)

        await until("all is committed", done)


def assignments(place: Place) -> int:
    return place.log().count('"partitions.assigned"')


async def refused(place: Place, *words: str) -> None:
    """A worker's start and the check say the same."""
    log = place.folder / "refused.log"
    with worker(place, log=log.name) as process:
        checked = await command(place, "topics", "check")
        await until("the worker ends", lambda: ended(process))
    started = log.read_text(encoding="utf-8")
    assert (process.returncode, checked.exit_code) == (78, 1), started[-2000:]
    for said in (started, checked.stdout):
        assert [word for word in words if word not in said] == [], said
    log.unlink()


async def ended(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is not None


async def test_input_that_was_deleted_unread_is_refused_until_somebody_accepts_the_loss(place: Place) -> None:
    await publish(place, messages(20))
    await run_until_committed(place)
    await publish(place, messages(10, first=20))
    await cut(place, Topic.CONVERSATIONS, 0, 25)
    topic = place.settings.topic(Topic.CONVERSATIONS)
    await refused(place, topic, "partition 0", "offsets 20 to 24", "tailrace topics accept-loss")

    examined = await command(place, "doctor")
    assert (examined.exit_code, "tailrace topics accept-loss" in " ".join(examined.stdout.split())) == (1, True)

    accepted = await command(place, "topics", "accept-loss")
    assert (accepted.exit_code, "offsets 20 to 24 are lost" in accepted.stdout) == (0, True), accepted.stderr
    with worker(place):
        await until("the rest is committed", lambda: all_committed(place))
        assert lost_records(place, 0) == 5
        assert lost_records(place, 1) == 0
        running = await command(place, "topics", "accept-loss")
        assert (running.exit_code, "Nothing was lost" in running.stdout) == (0, True)
    assert (await views(place))[0].threads["a"].totals.messages == 25
    (event,) = [
        decode_lifecycle(record.value) for record in await records(place, Topic.LIFECYCLE) if b'"lost"' in record.value
    ]
    assert (event.kind, event.offset, "offsets 20 to 24" in (event.reason or "")) == ("lost", 20, True)
    with worker(place):
        await until("the loss is still shown", lambda: shown(place))


async def test_markers_of_transactions_that_a_retention_took_away_are_no_lost_input(place: Place) -> None:
    topic = place.settings.topic(Topic.CONVERSATIONS)
    producer = AIOKafkaProducer(bootstrap_servers=place.settings.broker, transactional_id=f"{place.settings.group}-tx")
    async with producer, producer.transaction():
        for message in messages(5):
            await producer.send_and_wait(topic, json.dumps(message).encode(), b"a", partition=0)

    # Five messages, and the marker that ends the transaction: an offset that no consumer is given.
    await run_until_committed(place)
    assert (await log_states(place.settings, [0]))[0].committed == 6
    await cut(place, Topic.CONVERSATIONS, 0, 6)

    checked = await command(place, "topics", "check")
    assert (checked.exit_code, checked.stderr) == (0, "")
    await publish(place, messages(3, first=5))
    await run_until_committed(place)
    assert (await views(place))[0].threads["a"].totals.messages == 8


async def shown(place: Place) -> bool:
    try:
        return lost_records(place, 0) == 5
    except OSError:
        return False


async def test_a_log_that_was_cut_before_the_first_worker_came_is_refused_too(place: Place) -> None:
    await publish(place, messages(10), partition=1)
    await cut(place, Topic.CONVERSATIONS, 1, 10)
    await refused(place, "partition 1", "offsets 0 to 9", "tailrace topics accept-loss")
    assert (await command(place, "topics", "accept-loss")).exit_code == 0
    assert (await command(place, "topics", "check")).exit_code == 0


@pytest.mark.parametrize("before_offset", [45, 50])
async def test_input_that_is_cut_under_a_worker_ends_it(place: Place, before_offset: int) -> None:
    """With something left behind the cut, and with nothing."""
    await publish(place, messages(20))
    with worker(place) as process:
        await until("all is committed", lambda: all_committed(place))
        process.send_signal(signal.SIGSTOP)
        await publish(place, messages(30, first=20))
        await cut(place, Topic.CONVERSATIONS, 0, before_offset)
        process.send_signal(signal.SIGCONT)
        # Where its last fetch was answered while it stood still, it has the records: then nothing is lost.
        await until("it has ended or gone on", lambda: ended_or_went_on(place, process))
        if process.poll() is None:
            assert (await views(place))[0].threads["a"].totals.messages == 50
        else:
            assert process.returncode == 78
            assert "input.cut" in place.log() or "were deleted before they were read" in place.log()
            assert "accept-loss" in place.log()


async def ended_or_went_on(place: Place, process: subprocess.Popen[bytes]) -> bool:
    thread = (await views(place))[0].threads["a"]
    return process.poll() is not None or thread.totals.messages == 50


async def test_a_retention_that_would_delete_what_has_to_stay_is_refused_unless_it_is_wanted(place: Place) -> None:
    await configure(place, Topic.CONVERSATIONS, retention_ms=str(7 * 24 * 3600 * 1000))
    await configure(place, Topic.SUMMARIES, retention_bytes="1000000")
    await refused(
        place, "retention.ms is 604800000", "retention.bytes is 1000000", "topics.retention_days.conversations"
    )
    assert (await command(place, "topics", "apply")).exit_code == 0
    assert (await command(place, "topics", "check")).exit_code == 0

    wanted = {"TOPICS__RETENTION_DAYS__CONVERSATIONS": "7"}
    assert (await command(place, "topics", "apply", **wanted)).exit_code == 0
    assert (await command(place, "topics", "check", **wanted)).exit_code == 0
    assert (await command(place, "topics", "check")).exit_code == 1
    await configure(place, Topic.CONVERSATIONS, cleanup_policy="compact,delete")
    mixed = await command(place, "topics", "check", **wanted)
    assert (mixed.exit_code, "cleanup.policy is" in mixed.stdout) == (1, True)


async def test_contexts_that_were_lost_are_noticed_and_made_again_byte_for_byte(place: Place) -> None:
    await publish(place, conversation(40))
    await publish(place, conversation(12), partition=1, thread="d")
    with worker(place):
        await until("all is committed", lambda: all_committed(place))
        running = await command(place, "rebuild", "contexts")
        assert (running.exit_code, "Stop all of them first" in running.stderr) == (1, True), running.stderr
    before, before_views = await live(place), await views(place)
    assert before_views[0].threads["a"].totals.compactions >= 2
    described = {topic: len(await records(place, topic)) for topic in (Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.DLQ)}
    await delete(place, Topic.CONTEXTS)
    assert (await command(place, "topics", "apply")).exit_code == 0
    await refused(place, place.settings.topic(Topic.CONTEXTS), "partition 0", "tailrace rebuild contexts")

    rebuilt = await command(place, "rebuild", "contexts")
    assert rebuilt.exit_code == 0, rebuilt.stderr
    assert await live(place) == before
    after_views = await views(place)
    for partition in range(PARTITIONS):
        assert after_views[partition].threads == before_views[partition].threads
    await publish(place, [{"id": "after", "role": "user", "content": "And now?"}])
    await run_until_committed(place)
    assert (await views(place))[0].threads["a"].totals.messages == before_views[0].threads["a"].totals.messages + 1
    assert {topic: len(await records(place, topic)) for topic in described} == described, "nothing was decided twice"


async def test_contexts_that_were_cut_are_noticed_and_replaced_whole(place: Place) -> None:
    await publish(place, conversation(40))
    await run_until_committed(place)
    before, before_views = await live(place), await views(place)
    async with Client(place.settings, registry=CollectorRegistry()) as client:
        followed = (await client.context("a")).messages
        await cut_and_rebuild(place, before, before_views[0])

        async def follows_again() -> bool:
            return (await client.context("a")).messages == followed

        await until("a client that was there before has the same context", follows_again)
    await run_until_committed(place)


async def cut_and_rebuild(place: Place, before: dict[tuple[int, bytes], bytes], view: PartitionView) -> None:
    # Kafka deletes records only where a topic is not compacted: somebody had it wrong for a while.
    await configure(place, Topic.CONTEXTS, cleanup_policy="delete")
    await refused(place, "cleanup.policy is delete, not compact")
    await cut(place, Topic.CONTEXTS, 0, 60)
    assert (await command(place, "topics", "apply")).exit_code == 0
    await refused(place, place.settings.topic(Topic.CONTEXTS), "partition 0", "tailrace rebuild contexts")
    for _ in range(2):  # a second time over its own work
        rebuilt = await command(place, "rebuild", "contexts")
        assert rebuilt.exit_code == 0, rebuilt.stderr
        assert await live(place) == before
        assert (await views(place))[0].threads == view.threads


async def test_a_rebuild_that_was_interrupted_keeps_workers_away_and_can_be_begun_again(place: Place) -> None:
    await publish(place, conversation(40))
    await run_until_committed(place)
    before = await live(place)
    process = subprocess.Popen(
        [sys.executable, "-m", "tailrace.streams.cli", "rebuild", "contexts"], env=place.environment, cwd=place.folder
    )

    async def begun() -> bool:
        (state, *_) = await log_states(place.settings, [0])
        return state.note is not None and state.note.rebuilding

    try:
        await until("it has begun", begun)
    finally:
        process.kill()
        process.wait()
    await refused(place, "being made again", "tailrace rebuild contexts")
    assert (await command(place, "rebuild", "contexts")).exit_code == 0
    assert await live(place) == before
    assert (await command(place, "topics", "check")).exit_code == 0


async def test_contexts_of_a_log_that_is_gone_are_refused(place: Place) -> None:
    """With the topic its offsets are gone: what comes now would pass for what was processed before."""
    await publish(place, messages(20))
    await run_until_committed(place)
    await delete(place, Topic.CONVERSATIONS)
    assert (await command(place, "topics", "apply")).exit_code == 0
    await publish(place, messages(3, first=100))
    with worker(place) as process:
        await until("the worker ends", lambda: ended(process))
        assert process.returncode == 78
    assert "created anew" in place.log()
    assert "another TAILRACE_GROUP" in place.log()


async def test_contexts_from_the_rest_of_a_log_are_made_only_if_that_is_asked_for(place: Place) -> None:
    await publish(place, messages(20))
    await run_until_committed(place)
    await cut(place, Topic.CONVERSATIONS, 0, 5)
    await delete(place, Topic.CONTEXTS)
    assert (await command(place, "topics", "apply")).exit_code == 0
    whole = await command(place, "rebuild", "contexts")
    assert (whole.exit_code, "--incomplete" in whole.stderr) == (1, True)
    rest = await command(place, "rebuild", "contexts", "--incomplete")
    assert rest.exit_code == 0, rest.stderr
    assert (await views(place))[0].threads["a"].totals.messages == 15
    await run_until_committed(place)


async def ends_before_the_watchdog(place: Place, process: subprocess.Popen[bytes]) -> int:
    """Exit code of a worker that has to notice by itself what happened, before the watchdog does."""
    await until("the worker ends", lambda: ended(process))
    assert "watchdog.stalled" not in place.log(), place.log()[-2000:]
    return int(process.returncode)


async def rebuild_once_the_group_is_empty(place: Place) -> None:
    """Rebuild the contexts. A worker that ended at once counts as a member until its session is over."""

    async def is_rebuilt() -> bool:
        rebuilt = await command(place, "rebuild", "contexts")
        assert rebuilt.exit_code == 0 or "Stop all of them first" in rebuilt.stderr, rebuilt.stderr
        return rebuilt.exit_code == 0

    await until("contexts are made again", is_rebuilt)


@pytest.mark.parametrize("topic", [Topic.CONVERSATIONS, Topic.CONTEXTS])
async def test_a_topic_that_is_made_anew_at_once_is_not_taken_for_the_former_one(place: Place, topic: Topic) -> None:
    """Too fast for anybody who only looks which topics there are."""
    await publish(place, messages(20))
    with worker(place) as process:
        await until("all is committed", lambda: all_committed(place))
        await delete(place, topic)
        await topic_admin.apply(place.settings)
        if topic is Topic.CONTEXTS:
            await publish(place, messages(1, first=20))  # with nothing to write it has nothing to notice
        assert await ends_before_the_watchdog(place, process) in {75, 78}
    if topic is Topic.CONTEXTS:
        await refused(place, "partition 0", "tailrace rebuild contexts")
        await rebuild_once_the_group_is_empty(place)
        await run_until_committed(place)
        assert (await views(place))[0].threads["a"].totals.messages == 21
    else:
        assert "created anew" in place.log()
        assert "another TAILRACE_GROUP" in place.log()


async def add_partition(place: Place, *topics: Topic) -> None:
    async with clients.admin(place.settings) as admin:
        added = {place.settings.topic(topic): NewPartitions(PARTITIONS + 1) for topic in topics}
        await admin.create_partitions(added)


@pytest.mark.parametrize("topic", [Topic.CONVERSATIONS, Topic.CONTEXTS, Topic.WORK])
async def test_a_worker_ends_in_time_where_a_topic_is_deleted_under_it(place: Place, topic: Topic) -> None:
    await publish(place, messages(3))
    with worker(place) as process:
        await until("all is committed", lambda: all_committed(place))
        await delete(place, topic)
        assert await ends_before_the_watchdog(place, process) == 78
    assert place.settings.topic(topic) in place.log()
    assert "tailrace" in place.log()


async def test_a_worker_ends_in_time_where_partitions_are_added_and_the_next_one_reads_them(place: Place) -> None:
    await publish(place, messages(3))
    with worker(place) as process:
        await until("all is committed", lambda: all_committed(place))
        await add_partition(place, Topic.CONVERSATIONS)
        assert await ends_before_the_watchdog(place, process) == 78
    assert "tailrace topics apply --add-partitions" in place.log()
    assert "moves threads" in place.log()
    more = {"TOPICS__PARTITIONS": str(PARTITIONS + 1)}
    assert (await command(place, "topics", "apply", "--add-partitions", **more)).exit_code == 0
    with worker(place):
        await publish(place, messages(1, first=50), partition=PARTITIONS, thread="d")

        async def read() -> bool:
            states = await log_states(place.settings, [PARTITIONS])
            return states[0].committed == 1

        await until("the new partition is read", read)


async def test_a_worker_starts_again_where_all_topics_have_more_partitions(place: Place) -> None:
    with worker(place) as process:
        await publish(place, messages(3))
        await until("all is committed", lambda: all_committed(place))
        await add_partition(place, *Topic)
        assert await ends_before_the_watchdog(place, process) == 75


async def test_a_summarizer_ends_in_time_where_its_topic_is_deleted(broker: Broker, tmp_path: Path) -> None:
    async with place_with_models(broker, tmp_path, names=[FIRST], partitions=PARTITIONS, policy={}) as place:
        with worker(place, "summarize") as process:

            async def started() -> bool:
                return "partitions.assigned" in place.log()

            await until("it has requests to wait for", started)
            await delete(place, Topic.WORK)
            assert await ends_before_the_watchdog(place, process) == 78
        assert place.settings.topic(Topic.WORK) in place.log()


async def test_a_record_that_claims_more_input_than_there_is_stops_nobody(place: Place) -> None:
    """Somebody else wrote it: the group's own notes tell how far it came in this log."""
    await publish(place, messages(5))
    await run_until_committed(place)
    before = await views(place)
    head = next(one for one in reversed(await records(place, Topic.CONTEXTS)) if one.key == b"a")
    value = {**json.loads(head.value), "covers_through": {"event_id": "m4", "offset": 10**6}}
    async with clients.producer(place.settings) as producer:
        topic = place.settings.topic(Topic.CONTEXTS)
        await producer.send_and_wait(topic, json.dumps(value).encode(), b"a", partition=0, headers=list(head.headers))
    await publish(place, messages(5, first=5))
    await run_until_committed(place)

    assert "record.skipped" in place.log()
    live_ids = [entry.id for entry in (await views(place))[0].threads["a"].live()]
    assert live_ids == [*(entry.id for entry in before[0].threads["a"].live()), *(f"m{n}" for n in range(5, 10))]
