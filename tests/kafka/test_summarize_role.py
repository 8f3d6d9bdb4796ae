"""The role `summarize` as a real process on a real broker, against a server that speaks the chat protocol."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.structs import ConsumerRecord
from prometheus_client import CollectorRegistry
from support.installations import FIRST, SECOND, Broker, ModelPlace, command, place_with_models, records, worker
from support.patience import LONG_SECONDS
from support.work_requests import harbour, request, said

from ops import model_server as servers
from ops.model_server import INVENTED
from tailrace.schemas.records.kafka_records import SUMMARY_TYPE, Topic, decode_rejection, decode_summary, encode
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams import Client, Context
from tailrace.streams.local_kafka.loopback import free_port
from tailrace.streams.worker.projection import PROJECTION_FILE

pytestmark = pytest.mark.kafka

PARTITIONS = 2


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> AsyncIterator[ModelPlace]:
    variables = {
        "HTTP__PORT": str(free_port()),
        "LOG__FORMAT": "json",
        "WORKER__SESSION_TIMEOUT_SECONDS": "6",
    }
    names = [FIRST, SECOND]
    async with place_with_models(broker, tmp_path, names=names, partitions=PARTITIONS, policy={}, **variables) as made:
        yield made


def role(place: ModelPlace) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """Run `tailrace worker --role summarize`."""
    return worker(place, "summarize")


def stop(process: subprocess.Popen[bytes], place: ModelPlace) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=place.settings.worker.shutdown_seconds + 5) == 0, place.log()[-3000:]


async def until(condition: Callable[[], bool], what: str, place: ModelPlace) -> None:
    try:
        async with asyncio.timeout(LONG_SECONDS):
            while not condition():
                await asyncio.sleep(0.05)
    except TimeoutError:
        pytest.fail(f"{what} did not happen:\n{place.log()[-5000:]}")


def assigned(place: ModelPlace) -> list[int]:
    """How many partitions each assignment gave, of all workers, in the order of the log."""
    lines = [json.loads(line) for line in place.log().splitlines() if line.endswith("}")]
    return [len(line["partitions"]) for line in lines if line["event"] == "partitions.assigned"]


async def ask(place: ModelPlace, requests: Sequence[WorkRequest]) -> None:
    async with AIOKafkaProducer(bootstrap_servers=place.settings.broker, acks="all") as producer:
        for number, one in enumerate(requests):
            record = encode(one, 1)
            await producer.send_and_wait(
                place.settings.topic(record.topic),
                key=record.key,
                value=record.value,
                headers=list(record.headers),
                partition=number % PARTITIONS,
            )


async def committed(place: ModelPlace) -> int:
    """Requests that the group says are finished."""
    group = f"{place.settings.group}-summarize"
    async with AIOKafkaConsumer(bootstrap_servers=place.settings.broker, group_id=group) as consumer:
        places = [TopicPartition(place.settings.topic(Topic.WORK), number) for number in range(PARTITIONS)]
        consumer.assign(places)
        return sum([await consumer.committed(one) or 0 for one in places])


async def answers(place: ModelPlace, topic: Topic, count: int) -> list[ConsumerRecord]:
    """Wait for so many records."""
    async with asyncio.timeout(LONG_SECONDS):
        while len(found := await records(place, topic)) < count:
            assert "summarize.failed" not in place.log(), place.log()[-3000:]
            await asyncio.sleep(0.1)
    return found


def ids(found: Sequence[ConsumerRecord]) -> set[str]:
    """Ids of the requests that these records answer."""
    return {decode_summary(one.value).request_id for one in found}


def model_calls(place: ModelPlace) -> list[dict[str, Any]]:
    """The calls that the projection knows of."""
    with closing(sqlite3.connect(place.settings.data_dir / PROJECTION_FILE)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute("select * from model_calls order by id")]


def numbered(number: int) -> WorkRequest:
    """A request like no other."""
    extra = said(f"n{number}", "assistant", f"Pier {number} was surveyed as well.")
    return request([*harbour(), extra], thread=f"harbour-{number}")


async def test_a_request_is_answered_in_summaries_and_in_the_log_of_its_thread(place: ModelPlace) -> None:
    asked = [numbered(number) for number in range(3)]
    await ask(place, asked)
    with role(place) as process:
        kept = await answers(place, Topic.SUMMARIES, 3)
        in_log = await answers(place, Topic.CONVERSATIONS, 3)
        with urllib.request.urlopen(
            f"http://127.0.0.1:{place.environment['TAILRACE_HTTP__PORT']}/metrics", timeout=LONG_SECONDS
        ) as answer:
            metrics = answer.read().decode()
        stop(process, place)

    assert 'tailrace_summary_requests_total{outcome="summarized"} 3.0' in metrics
    assert sorted((one.partition, one.key, one.value) for one in kept) == sorted(
        (one.partition, one.key, one.value) for one in in_log
    )
    for one in in_log:
        summary = decode_summary(one.value)
        headers = dict(one.headers)
        request_ = next(each for each in asked if each.id == summary.request_id)
        assert (one.key.decode(), headers["ce_type"].decode()) == (request_.thread, SUMMARY_TYPE)
        assert headers["ce_id"].decode() == summary.id
        assert "ce_term" not in headers
        assert (summary.span, summary.key.content_hash) == (request_.span, request_.content_hash)
        assert "Move the tide gauges of the harbour" in summary.text
        # Co-partitioned: the owner of the thread meets it.
        assert one.partition == asked.index(request_) % PARTITIONS
    assert await committed(place) == 3
    assert [call["outcome"] for call in model_calls(place)].count("answered") == 3
    assert "tide gauges" not in place.log()


async def test_nothing_is_lost_or_done_twice_when_it_is_killed_in_the_middle(place: ModelPlace) -> None:
    requests = [numbered(number) for number in range(6)]
    # Some are answered, then the server hangs: the worker is killed with both kinds under way.
    place.server.behave(servers.good, servers.good, servers.hangs)
    await ask(place, requests)
    with role(place) as process:
        await until(lambda: place.server.calls() >= 4, "the calls under way", place)
        process.kill()
        process.wait()
    place.server.behave(servers.good)
    with role(place) as process:
        await answers(place, Topic.CONVERSATIONS, 6)
        stop(process, place)

    found = [decode_summary(one.value) for one in await records(place, Topic.CONVERSATIONS)]
    assert {one.request_id for one in found} == {one.id for one in requests}
    # At least once in, effectively once out: what is there twice is the same, under the same id.
    by_id = {one.id: one.text for one in found}
    assert len(by_id) == 6
    assert all(by_id[one.id] == one.text for one in found)
    assert await committed(place) == 6


async def test_it_stops_in_time_while_a_model_hangs_and_what_was_under_way_is_taken_again(place: ModelPlace) -> None:
    place.server.behave(servers.hangs)
    await ask(place, [numbered(1)])
    with role(place) as process:
        await until(lambda: place.server.calls() >= 1, "the call", place)
        stop(process, place)
    assert await committed(place) == 0
    place.server.behave(servers.good)
    with role(place) as process:
        (one,) = await answers(place, Topic.SUMMARIES, 1)
        stop(process, place)
    assert decode_summary(one.value).request_id == numbered(1).id


async def test_an_answer_waits_for_no_other_and_what_hangs_is_taken_again(place: ModelPlace) -> None:
    place.server.behave(servers.hangs, servers.good)
    await ask(place, [numbered(number) for number in range(4)])
    with role(place) as process:
        before = await answers(place, Topic.CONVERSATIONS, 3)
        stop(process, place)
    place.server.behave(servers.good)
    with role(place) as process:
        # What was answered behind the one that hung was not committed, and is answered again under the same id.
        async with asyncio.timeout(LONG_SECONDS):
            while len(after := ids(await records(place, Topic.CONVERSATIONS))) < 4:
                await asyncio.sleep(0.1)
        stop(process, place)
    assert len(ids(before)) == 3
    assert after == {numbered(number).id for number in range(4)}
    assert await committed(place) == 4


async def test_what_can_t_be_read_or_answered_becomes_a_dead_letter_and_what_is_refused_says_why(
    place: ModelPlace,
) -> None:
    settings = {**place.environment, "TAILRACE_SUMMARIZER__REQUEST_SECONDS": "2", "TAILRACE_SUMMARIZER__TRIES_MAX": "1"}
    place = replace(place, environment=settings)
    place.server.behave(servers.nothing_right)
    await ask(place, [numbered(1)])
    async with AIOKafkaProducer(bootstrap_servers=place.settings.broker) as producer:
        await producer.send_and_wait(place.settings.topic(Topic.WORK), b"no request", key=b"x", partition=0)
    with role(place) as process:
        (refused,) = await answers(place, Topic.SUMMARIES, 1)
        (poison,) = await answers(place, Topic.DLQ, 1)
        place.server.behave(servers.down)
        place.server.behave(servers.down, model="second")
        await ask(place, [numbered(2)])
        letters = await answers(place, Topic.DLQ, 2)
        stop(process, place)

    rejection = decode_rejection(refused.value)
    assert "not in the event" in rejection.reason
    assert poison.value == b"no request"
    names = {dict(letter.headers)["__streams.errors.exception"].decode().rpartition(".")[2] for letter in letters}
    assert names == {"UnknownVersion", "Unanswered"}
    grown = model_calls(place)
    assert {"answered", "unavailable"} <= {call["outcome"] for call in grown}
    rebuilt = await command(place, "rebuild")
    assert rebuilt.exit_code == 0, rebuilt.stderr
    assert model_calls(place) == grown, "what failed is known to the topics, too"
    assert await records(place, Topic.CONVERSATIONS) == []
    assert await committed(place) == 3


async def test_a_replay_calls_no_model_not_even_on_another_machine(place: ModelPlace) -> None:
    await ask(place, [numbered(1)])
    with role(place) as process:
        (first,) = await answers(place, Topic.CONVERSATIONS, 1)
        stop(process, place)
    calls = len(place.server.asked)
    elsewhere = replace(
        place, environment={**place.environment, "TAILRACE_DATA_DIR": str(place.folder / "other-machine")}
    )
    await ask(place, [numbered(1)])
    with role(elsewhere) as process:
        again = (await answers(place, Topic.CONVERSATIONS, 2))[-1]
        stop(process, elsewhere)

    assert len(place.server.asked) == calls
    one, other = decode_summary(first.value), decode_summary(again.value)
    assert (one.id, one.text, one.tokens) == (other.id, other.text, other.tokens)
    assert other.calls == ()


async def test_what_one_machine_has_spent_another_does_not_spend_again(place: ModelPlace) -> None:
    """Hold the limit of the fleet for a worker that takes requests over.

    It holds though that worker was up before they were answered elsewhere.
    """
    limited = {**place.environment, "TAILRACE_SUMMARIZER__FLEET_HOUR_TOKENS": "7000"}
    here = replace(place, environment=limited)
    other = {**limited, "TAILRACE_DATA_DIR": str(place.folder / "other-machine"), "TAILRACE_HTTP__PORT": "0"}
    elsewhere = replace(place, environment=other)
    with role(elsewhere) as successor:
        await until(lambda: assigned(place) == [PARTITIONS], "the first worker has all partitions", place)
        with role(here) as process:
            # A request that is under way while the group changes hands is answered twice, by design.
            await until(lambda: assigned(place)[-2:] == [1, 1], "the workers share the partitions", place)
            await ask(place, [numbered(1)])
            await answers(place, Topic.CONVERSATIONS, 1)
            calls = len(place.server.asked)
            stop(process, here)
        await ask(place, [numbered(2), numbered(3)])
        await until(lambda: place.log().count('"summarize.spend_limit"') >= 2, "the limit is seen", place)
        stop(successor, elsewhere)
    assert len(place.server.asked) == calls
    assert await committed(place) == 3


CHUNKS = {
    "window_tokens": 6_000,
    "output_reserve_tokens": 200,
    "chunks": {"enabled": True, "tokens_min": 300, "tokens_max": 600},
}


def context_worker(place: ModelPlace) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """Run the worker that makes contexts beside the role, in the same installation."""
    own = {"TAILRACE_HTTP__PORT": "0", "TAILRACE_POLICY": json.dumps(CHUNKS)}
    return worker(replace(place, environment={**place.environment, **own}))


def patient_client(place: ModelPlace) -> Client:
    return Client(place.settings, registry=CollectorRegistry())


async def talk(client: Client, turns: range) -> list[Context]:
    """Say something, and take the context as it is when the event that crossed the budget has arrived."""
    seen = []
    for number in turns:
        question = (
            f"What does gauge {number} of pier {number * 3} read? " + f"The tide at pier {number * 3} is low. " * 8
        )
        await client.publish("tide", {"role": "user", "content": question})
        reading = f"Gauge {number} reads {number * 17} mm. " + f"The float of gauge {number} hangs free. " * 20
        await client.publish("tide", {"role": "assistant", "content": reading})
        seen.append(await client.context("tide"))
        assert seen[-1].complete, "the worker has not answered; see worker.log"
    return seen


async def test_a_summariser_that_hangs_holds_up_no_context(place: ModelPlace) -> None:
    place.server.behave(servers.hangs)
    place.server.behave(servers.hangs, model="second")
    with role(place), context_worker(place):
        async with patient_client(place) as client:
            seen = await talk(client, range(1, 30))
        await until(lambda: place.server.calls() > 0, "a request to the model", place)

    assert seen[-1].totals.compactions > 0
    assert all(context.complete and context.tokens <= context.limit_tokens for context in seen)
    assert await records(place, Topic.SUMMARIES) == []


async def test_a_summary_that_is_ready_stands_for_its_chunk_after_the_next_compaction(place: ModelPlace) -> None:
    with role(place), context_worker(place):
        async with patient_client(place) as client:
            await talk(client, range(1, 5))
            await answers(place, Topic.SUMMARIES, 1)
            seen = await talk(client, range(5, 30))
    text = "\n".join(json.dumps(context.request("openai.chat")) for context in seen)
    assert "## Goal" in text
    assert all(context.complete and context.tokens <= context.limit_tokens for context in seen)
    letters = await records(place, Topic.DLQ)
    assert letters == []


async def test_rules_that_a_model_invents_reach_no_context(place: ModelPlace) -> None:
    place.server.behave(servers.invented_rules)
    with role(place), context_worker(place):
        async with patient_client(place) as client:
            await talk(client, range(1, 5))
            await answers(place, Topic.SUMMARIES, 1)
            seen = await talk(client, range(5, 25))
    assert seen[-1].totals.compactions > 0
    text = "\n".join(json.dumps(context.request("openai.chat")) for context in seen)
    assert not any(rule in text for rule in INVENTED)
    assert all(context.complete and context.tokens <= context.limit_tokens for context in seen)
