"""The topic of whole requests on a real broker: one record a thread, which a plain consumer sends as it is."""

import asyncio
import dataclasses
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiokafka import TopicPartition
from support.installations import Broker, Place, new_place, until, worker

from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.request_record import REQUESTS_TOPIC
from tailrace.streams import Client
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING, read_to_end
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

POLICY = {"window_tokens": 2_000, "output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0}
PARTITIONS = 2


async def place_with_requests(broker: Broker, folder: Path) -> Place:
    place = await new_place(broker, folder, partitions=PARTITIONS, policy=POLICY, TOPICS__REQUESTS="openai.chat")
    topics = msgspec.structs.replace(place.settings.topics, requests="openai.chat")
    settings = msgspec.structs.replace(place.settings, topics=topics)
    await topic_admin.apply(settings)
    return dataclasses.replace(place, settings=settings)


async def records(place: Place) -> list[tuple[str, dict[str, Any]]]:
    """Thread and value of every record, in the order of each partition."""
    topic = place.settings.topic(REQUESTS_TOPIC)
    async with clients.consumer(place.settings, **FROM_BEGINNING) as reader:
        places = [TopicPartition(topic, number) for number in range(PARTITIONS)]
        return [
            (record.key.decode(), json.loads(record.value))
            async for _, batch in read_to_end(reader, places)
            for record in batch
        ]


async def test_each_thread_has_one_whole_request_and_a_restart_writes_none_again(
    broker: Broker, tmp_path: Path
) -> None:
    place = await place_with_requests(broker, tmp_path)
    wanted: dict[str, Any] = {}

    async def are_there() -> bool:
        newest = {thread: value["request"] for thread, value in await records(place)}
        return newest == wanted

    async with Client(place.settings) as client:
        with worker(place), worker(place, "requests", log="requests.log"):
            for thread in ("t1", "t2", "t3"):
                for number in range(12):
                    await client.publish(thread, {"role": "user", "content": f"{number}: {'How high? ' * 60}"})
                context = await client.context(thread)
                assert context.epoch > 0
                wanted[thread] = context.request("openai.chat")
            await until("the requests are the contexts", are_there)
        before = await records(place)
        assert all(value["problem"] is None and value["format"] == "openai.chat" for _, value in before)

        with worker(place, "requests", log="requests.log"), worker(place):
            await client.publish("t1", {"role": "user", "content": "And now?"})
            wanted["t1"] = (await client.context("t1")).request("openai.chat")
            await until("the new request is there", are_there)
        after = await records(place)
    for thread in wanted:
        values = [value for name, value in after if name == thread]
        assert len(values) > 1
        assert all(value != next_value for value, next_value in itertools.pairwise(values))


async def test_without_a_format_there_is_no_such_topic_and_no_such_role(broker: Broker, tmp_path: Path) -> None:
    place = await new_place(broker, tmp_path, partitions=1, policy=POLICY)
    topics = await topic_admin.describe(place.settings)
    assert set(topics) == {place.settings.topic(topic) for topic in Topic}

    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tailrace.streams.cli", "worker", "--role", "requests"),
        env=place.environment,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await process.communicate()

    assert process.returncode == 78
    assert b"topics.requests" in errors
