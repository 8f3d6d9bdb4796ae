"""Dead letters on a real broker: listed, shown, sent back."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from typing import Any, Protocol

import pytest
from aiokafka import TopicPartition
from aiokafka.structs import ConsumerRecord
from typer.testing import CliRunner

from ops.environment import variables_of
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.kafka_records import Topic
from tailrace.streams.cli import app
from tailrace.streams.dead_letters.letters import Letter, newest_letters, open_letter, open_letters
from tailrace.streams.dead_letters.replay import Replay, replay_letters
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.topics import letter_bytes_max

pytestmark = pytest.mark.kafka

PARTITIONS = 3


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
async def settings(broker: Broker) -> Settings:
    topics = {"prefix": f"letters-{uuid.uuid4().hex[:8]}.", "partitions": PARTITIONS}
    made = load_settings(broker=broker.bootstrap_servers, topics=topics)
    await topic_admin.apply(made)
    return made


def letter(settings: Settings, offset: int, **fields: Any) -> DeadLetter:
    return DeadLetter(
        **{
            "key": b"thread-1",
            "value": b'{"role": 5}',
            "headers": (("ce_id", b"e1"), ("own", b"\xff")),
            "topic": settings.topic(Topic.CONVERSATIONS),
            "partition": 1,
            "offset": offset,
            "code": "invalid",
            "error": "tailrace.schemas.errors.Invalid",
            "message": "role must be a string",
            "stacktrace": "ingest.py:1 in decode_event",
            **fields,
        }
    )


async def bury(settings: Settings, *letters: DeadLetter, partition: int = 1) -> None:
    """Write letters as a worker does: to the partition of the original, untouched."""
    async with clients.producer(settings, max_request_size=letter_bytes_max(settings)) as producer:
        for each in letters:
            await producer.send_and_wait(
                settings.topic(Topic.DLQ),
                each.value,
                key=each.key,
                partition=partition,
                headers=list(each.to_headers()),
            )


async def conversations(settings: Settings) -> list[ConsumerRecord]:
    partitions = [TopicPartition(settings.topic(Topic.CONVERSATIONS), number) for number in range(PARTITIONS)]
    async with clients.consumer(settings, **FROM_BEGINNING) as consumer:
        return [record async for _, records in read_to_end(consumer, partitions) for record in records]


async def replay(settings: Settings, ids: Sequence[str] | None = None, *, dry_run: bool = False) -> list[Replay]:
    return [done async for done in replay_letters(settings, ids, dry_run=dry_run)]


def run(settings: Settings, *words: str) -> Any:
    return CliRunner().invoke(app, words, env=variables_of(settings))


async def command(settings: Settings, *words: str) -> Any:
    """Run a command in a thread of its own: it has its own event loop."""
    return await asyncio.to_thread(run, settings, *words)


async def test_letters_are_listed_newest_first_up_to_the_limit(settings: Settings) -> None:
    assert await newest_letters(settings, limit=5) == []
    for partition in range(PARTITIONS):
        await bury(settings, *(letter(settings, offset) for offset in range(4)), partition=partition)
    listed = await newest_letters(settings, limit=5)
    assert [found.id for found in listed] == ["2-3", "2-2", "2-1", "2-0", "1-3"]
    assert len(await newest_letters(settings, limit=100)) == 4 * PARTITIONS


async def test_a_letter_is_read_back_as_it_was_written(settings: Settings) -> None:
    await bury(settings, letter(settings, 7, value=b"\xfe\x00", headers=(("a", b"1"), ("a", b"2"))))
    opened = await open_letter(settings, "1-0")
    assert opened.value == b"\xfe\x00"
    found = opened.letter
    assert isinstance(found, Letter)
    assert (found.key, found.headers) == (b"thread-1", (("a", b"1"), ("a", b"2")))
    assert (found.code, found.message) == ("invalid", "role must be a string")
    assert found.source is not None
    assert (found.source.topic, found.source.partition, found.source.offset) == (
        settings.topic(Topic.CONVERSATIONS),
        1,
        7,
    )


@pytest.mark.parametrize("letter_id", ["1-1", "0-0", "9-0"])
async def test_a_letter_that_is_not_there_is_said_so(settings: Settings, letter_id: str) -> None:
    await bury(settings, letter(settings, 0))
    with pytest.raises(Unavailable, match=f"no dead letter {letter_id[:2]}"):
        await open_letter(settings, letter_id)


async def test_a_replayed_record_is_the_original_in_the_partition_of_its_thread(settings: Settings) -> None:
    await bury(settings, letter(settings, 0), partition=2)
    (done,) = await replay(settings, ["2-0"])
    (record,) = await conversations(settings)
    assert (done.topic, done.partition, done.offset) == (record.topic, record.partition, record.offset)
    assert (record.key, record.value) == (b"thread-1", b'{"role": 5}')
    assert record.headers == (("ce_id", b"e1"), ("own", b"\xff"))
    async with clients.producer(settings) as producer:
        again = await producer.send_and_wait(settings.topic(Topic.CONVERSATIONS), b"x", key=b"thread-1")
    assert again.partition == record.partition


async def test_replaying_all_sends_each_original_once_and_leaves_the_letters(settings: Settings) -> None:
    await bury(settings, letter(settings, 0), letter(settings, 0), letter(settings, 1, key=b"thread-2"))
    assert [done.topic for done in await replay(settings, dry_run=True)].count(None) == 1
    assert await conversations(settings) == []
    done = await replay(settings)
    assert [each.skipped for each in done] == [None, "same original as 1-0", None]
    assert sorted(record.key for record in await conversations(settings)) == [b"thread-1", b"thread-2"]
    assert len([each async for each in open_letters(settings)]) == 3


async def test_letters_that_can_not_be_sent_are_left_out_with_the_reason(settings: Settings) -> None:
    await bury(settings, letter(settings, 0, topic="somebody.elses"), letter(settings, 1, value=None))
    async with clients.producer(settings) as producer:
        await producer.send_and_wait(settings.topic(Topic.DLQ), b"no headers", partition=1)
    first, second, third = await replay(settings)
    assert "no topic of Tailrace" in (first.skipped or "")
    assert (second.skipped, second.letter.value_bytes) == (None, 0)
    assert "was not written by Tailrace" in (third.skipped or "")
    (record,) = await conversations(settings)
    assert (record.key, record.value) == (b"thread-1", None)


async def test_the_largest_letters_are_read_and_replayed(settings: Settings) -> None:
    value = b"x" * 7_900_000
    await bury(settings, letter(settings, 0, value=value), letter(settings, 1, value=value))
    assert [found.value_bytes for found in await newest_letters(settings, limit=2)] == [len(value)] * 2
    await replay(settings, ["1-1"])
    (record,) = await conversations(settings)
    assert record.value == value


async def test_the_commands_list_show_and_replay(settings: Settings) -> None:
    assert (await command(settings, "dlq", "list")).stdout == "There are no dead letters.\n"
    odd = letter(settings, 3, key=None, value=b"\x1b[2J" + b"y" * 3_000, message="no\x1bJSON", headers=(("h", b"v"),))
    await bury(settings, odd, letter(settings, 4, value=b"\xff\xfe"))

    listed = await command(settings, "dlq", "list")
    lines = listed.stdout.splitlines()
    assert listed.exit_code == 0, listed.output
    assert lines[1].split()[0] == "1-1"
    assert f"{settings.topic(Topic.CONVERSATIONS)}/1@4" in lines[1]
    assert "\x1b" not in listed.stdout
    as_json = json.loads((await command(settings, "dlq", "list", "--json", "--limit", "1")).stdout)["letters"]
    assert [(found["id"], found["code"], found["value_bytes"]) for found in as_json] == [("1-1", "invalid", 2)]

    shown = await command(settings, "dlq", "show", "1-0")
    assert "no\\x1bJSON" in shown.stdout
    assert "\\x1b[2Jyyy" in shown.stdout
    assert len(shown.stdout) < 3_000 < len((await command(settings, "dlq", "show", "1-0", "--full")).stdout)
    assert "0xfffe" in (await command(settings, "dlq", "show", "1-1")).stdout
    whole = json.loads((await command(settings, "dlq", "show", "1-1", "--json")).stdout)
    assert whole["value"] == {"base64": "//4="}
    assert whole["headers"][1] == {"name": "own", "value": {"base64": "/w=="}}

    dry = await command(settings, "dlq", "replay", "1-1", "--dry-run")
    assert "would be sent" in dry.stdout
    sent = await command(settings, "dlq", "replay", "1-1", "1-0")
    assert sent.exit_code == 0, sent.output
    assert [line.split(":")[0] for line in sent.stdout.splitlines()] == ["1-1", "1-0"]
    assert len(await conversations(settings)) == 2
