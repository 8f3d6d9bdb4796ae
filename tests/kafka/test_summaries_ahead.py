"""Both roles together on a real broker: chunks are summarised ahead of need, and a slow or lying model harms nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiokafka import TopicPartition
from prometheus_client import CollectorRegistry
from support.installations import FIRST, Broker, ModelPlace, place_with_models, records, worker
from support.patience import LONG_SECONDS

from ops import model_server as servers
from ops.model_server import INVENTED
from tailrace.schemas.providers.check import violations
from tailrace.schemas.records.context import Entry, HeldCandidates
from tailrace.schemas.records.kafka_records import Topic, decode_context, decode_rejection, decode_summary
from tailrace.schemas.records.ledger import Ledger
from tailrace.schemas.records.summary import ChunkSummary
from tailrace.streams import Client, Context
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.topic_end import FROM_BEGINNING
from tailrace.streams.summarizer.summarizer import OVERFLOWS_MAX

pytestmark = pytest.mark.kafka

#: Of what a hostile model says, what nobody did.
MADE_UP = (*INVENTED, "All backups were deleted.")
POLICY = {
    "window_tokens": 6_000,
    "output_reserve_tokens": 0,
    "safety_tokens": 0,
    "rehydration_reserve_tokens": 0,
    "chunks": {"enabled": True, "tokens_min": 400, "tokens_max": 1_200},
}


@pytest.fixture
async def place(broker: Broker, tmp_path: Path) -> AsyncIterator[ModelPlace]:
    async with place_with_models(broker, tmp_path, names=[FIRST], partitions=1, policy=POLICY) as made:
        yield made


async def talk(client: Client, first: int, turns: int) -> None:
    for number in range(first, first + turns):
        asked = f"Why was sluice {number} closed? " + "Please look it up in the yearbook of the river office. " * 4
        told = (
            f"Sluice {number} was closed in March because gate {number} had rusted through. "
            + "So it is written. " * 12
        )
        await client.publish("river", {"role": "user", "content": asked})
        await client.publish("river", {"role": "assistant", "content": told})


def shown(context: Context) -> str:
    return json.dumps(context.request("openai.chat")["messages"], ensure_ascii=False)


async def summaries(place: ModelPlace, count: int) -> list[ChunkSummary]:
    """Wait until so many summaries are published."""
    async with asyncio.timeout(LONG_SECONDS), clients.consumer(place.settings, **FROM_BEGINNING) as consumer:
        consumer.assign([TopicPartition(place.settings.topic(Topic.SUMMARIES), 0)])
        return [decode_summary((await consumer.getone()).value) for _ in range(count)]


async def count(place: ModelPlace, topic: Topic) -> int:
    """How many records a topic has."""
    async with clients.consumer(place.settings, **FROM_BEGINNING) as consumer:
        (end,) = (await consumer.end_offsets([TopicPartition(place.settings.topic(topic), 0)])).values()
        return int(end)


async def until_summarised(client: Client, begin: int) -> Context:
    """Talk on until a compaction has put a model's summary into the context."""
    async with asyncio.timeout(LONG_SECONDS):
        number = begin
        while True:
            context = await client.context("river")
            assert context.complete
            assert context.tokens <= context.limit_tokens
            if "## Goal" in shown(context) or "Goal" in shown(context):
                return context
            await talk(client, number, 2)
            number += 2


async def test_what_a_model_summarised_ahead_of_need_is_what_the_next_compaction_shows(place: ModelPlace) -> None:
    place.server.behave(servers.good)
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await talk(client, 0, 4)
            context = await until_summarised(client, 4)
    assert "[Context Summary - Turns" in shown(context)
    assert place.server.asked


async def test_silence_closes_what_is_open_and_its_summary_is_there_before_anybody_needs_it(place: ModelPlace) -> None:
    place.server.behave(servers.good)
    place.environment["TAILRACE_POLICY"] = json.dumps({**POLICY, "triggers": {"timers": {"chunk_ms": 1_500}}})
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await talk(client, 0, 1)
            before = (await client.context("river")).tokens
            assert POLICY["chunks"]["tokens_min"] // 4 < before < POLICY["chunks"]["tokens_min"]  # type: ignore[index]
            (ready,) = await summaries(place, 1)
            context = await client.context("river")
    assert context.tokens == before, "nothing was compacted"
    assert len(ready.span.ids) == 2
    assert place.server.calls() == 1


async def test_a_model_that_never_answers_keeps_nobody_waiting(place: ModelPlace) -> None:
    place.server.behave(servers.hangs)
    with worker(place, "context"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            await talk(client, 0, 60)
            context = await client.context("river")
    assert context.complete
    assert context.totals.compactions > 0
    assert context.tokens <= context.limit_tokens


async def test_whatever_a_model_does_contexts_are_valid_fit_and_say_nothing_that_nobody_said(place: ModelPlace) -> None:
    """A good answer comes now and then: what is accepted must be as harmless as what is refused."""
    place.server.behave(servers.in_turn(*servers.HOSTILE, servers.good))
    place.environment.update(
        OPENAI_API_KEY="sk-nobody-may-read-this",
        TAILRACE_LOG__LEVEL="debug",
        TAILRACE_SUMMARIZER__TIMEOUT_SECONDS="1",
        TAILRACE_SUMMARIZER__BREAKER_SECONDS="1",
        TAILRACE_SUMMARIZER__REQUEST_SECONDS="20",
        TAILRACE_SUMMARIZER__TRIES_MAX="2",
    )
    rule = "Never open a sluice while the ferry is on the river."
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client, asyncio.timeout(3 * LONG_SECONDS):
            await talk(client, 0, 1)
            await client.publish("river", {"role": "user", "content": rule})
            context = await client.context("river")
            number = 1
            while place.server.calls() < 2 * len(servers.HOSTILE) or context.totals.compactions < 3:
                await talk(client, number, 4)
                number += 4
                context = await client.context("river")
                request = context.request("openai.chat")
                assert context.complete
                assert context.tokens <= context.limit_tokens
                assert violations(request, "openai.chat") == []
                assert not [invented for invented in MADE_UP if invented in shown(context)]
                assert rule in shown(context)
            requests = await count(place, Topic.WORK)
    answered = [one.value for one in await records(place, Topic.SUMMARIES)]
    refused = [decode_rejection(value) for value in answered if b'"reason"' in value]
    assert refused
    assert all(one.reason and not any(text in one.reason for text in (rule, *MADE_UP)) for one in refused)
    assert not [text for text in MADE_UP if any(text.encode() in value for value in answered)]
    # Two summaries at most, each tried twice, and once more for a model that says that it can't read so much.
    assert place.server.calls() <= requests * 2 * 2 * (1 + OVERFLOWS_MAX)
    assert {asked.key for asked in place.server.asked} == {"Bearer sk-nobody-may-read-this"}
    assert "sk-nobody-may-read-this" not in place.log()


async def test_rules_that_a_model_makes_up_never_reach_a_context(place: ModelPlace) -> None:
    place.server.behave(servers.invented_rules)
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client:
            seen: list[Any] = []
            for begin in range(0, 80, 8):
                await talk(client, begin, 8)
                seen.append(shown(await client.context("river")))
            context = await client.context("river")
    assert place.server.asked
    assert context.totals.compactions > 0
    assert not [rule for rule in INVENTED for text in seen if rule in text]


#: What somebody means to hold, and the rules of the ledger don't find.
NERVOUS = "The harbour master gets nervous when somebody wakes the gulls."
MAY_ADD = json.dumps({**POLICY, "ledger": {"candidates": True}})


async def added(place: ModelPlace) -> list[tuple[str, str]]:
    """Return every text of a model that got into the state or a ledger of the thread, with its kind of record."""
    found = []
    for record in await records(place, Topic.CONTEXTS):
        change = decode_context(record.key, record.value)
        match change:
            case HeldCandidates():
                found += [(one.text, "state") for one in change.directives]
            case Entry(ledger=Ledger() as ledger):
                found += [(one.text, "ledger") for one in ledger.directives if one.added_by]
    return found


async def test_of_what_a_model_makes_up_for_the_ledger_nothing_gets_in(place: ModelPlace) -> None:
    place.server.behave(servers.invents_constraints)
    place.environment["TAILRACE_POLICY"] = MAY_ADD
    with worker(place, "context"), worker(place, "summarize"):
        async with Client(place.settings, registry=CollectorRegistry()) as client, asyncio.timeout(2 * LONG_SECONDS):
            await client.publish("river", {"role": "user", "content": NERVOUS})
            context = await until_summarised(client, 0)
            number = 200
            while place.server.calls() < 6 or context.totals.compactions < 3:
                await talk(client, number, 4)
                number += 4
                context = await client.context("river")
    assert await added(place) == []
    assert not [invented for invented in INVENTED if invented in shown(context)]


async def test_what_a_model_points_out_outlasts_a_killed_worker_and_its_own_message(place: ModelPlace) -> None:
    place.server.behave(servers.points_out(NERVOUS))
    place.environment["TAILRACE_POLICY"] = MAY_ADD
    number = 0
    async with Client(place.settings, registry=CollectorRegistry()) as client, asyncio.timeout(3 * LONG_SECONDS):
        with worker(place, "summarize"):
            with worker(place, "context") as first:
                await talk(client, 0, 1)
                await client.publish("river", {"role": "user", "content": NERVOUS})
                while await count(place, Topic.WORK) == 0:
                    number += 2
                    await talk(client, number, 2)
                    await client.context("river")
                # Talking on here would race the model: once a compaction took the chunk, its summary comes too late.
                while (NERVOUS, "state") not in await added(place):
                    await asyncio.sleep(0.1)
                first.kill()
                first.wait()
            with worker(place, "context"):
                context = await client.context("river")
                said = {"role": "user", "content": NERVOUS}
                assert said in context.request("openai.chat")["messages"]
                while said in context.request("openai.chat")["messages"]:
                    number += 4
                    await talk(client, number, 4)
                    context = await client.context("river")
                compactions = context.totals.compactions
                while context.totals.compactions < compactions + 3:
                    number += 4
                    await talk(client, number, 4)
                    context = await client.context("river")
    # In the ledger, and as a quotation in a summary that was written down while the ledger had no room for it.
    assert 1 <= shown(context).count(NERVOUS) <= 2
    assert (NERVOUS, "ledger") in await added(place)
    assert {text for text, _ in await added(place)} == {NERVOUS}
