"""Threads behind gateways on a real broker: overflows that a provider reports, and several gateways on one log."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from msgspec import structs
from support.gateway_stand import Broker, fresh_settings, page
from support.provider_server import Provider, Received, Said, provider_server
from support.running_gateway import running_gateway
from support.tiny_worker import tiny_worker

from tailrace.streams.client.client import Client
from tailrace.streams.settings.settings import Settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
#: How each API refuses a request as too long.
REFUSALS: dict[str, dict[str, Any]] = {
    CHAT: {
        "error": {
            "message": "This model's maximum context length is 5000 tokens. However, your messages resulted in 5600 "
            "tokens. Please reduce the length of the messages.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        }
    },
    RESPONSES: {
        "error": {
            "message": "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "type": "invalid_request_error",
            "param": "input",
            "code": "context_length_exceeded",
        }
    },
    MESSAGES: {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 5600 tokens > 5000 maximum"},
    },
}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(lambda _: Said("Read.")) as provider:
        yield provider


@pytest.fixture
async def settings(broker: Broker, provider: Provider, tmp_path: Path) -> Settings:
    settings = fresh_settings(broker, provider, tmp_path)
    await topic_admin.apply(settings)
    return settings


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    async with (
        tiny_worker(settings),
        running_gateway(settings) as address,
        httpx2.AsyncClient(base_url=address, timeout=120) as client,
    ):
        yield client


def pages(path: str, count: int) -> dict[str, Any]:
    """A conversation of so many pages, as each API has it."""
    said = [
        {"role": ("user", "assistant")[place % 2], "content": page(place // 2) if place % 2 == 0 else "Read."}
        for place in range(2 * count - 1)
    ]
    if path == RESPONSES:
        return {"model": "gpt-4o", "input": said, "store": False}
    return {"model": "gpt-4o", "messages": said, **({"max_tokens": 9} if path == MESSAGES else {})}


def refusing(path: str, chars_max: int) -> Callable[[Received], tuple[int, str, bytes] | None]:
    def answer(received: Received) -> tuple[int, str, bytes] | None:
        return (400, "application/json", json.dumps(REFUSALS[path]).encode()) if is_long(received) else None

    def is_long(received: Received) -> bool:
        return len(received.content) > chars_max

    return answer


@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_request_that_the_provider_finds_too_long_is_sent_again_with_a_smaller_context(
    client: httpx2.AsyncClient,
    provider: Provider,
    path: str,
    stream: bool,  # noqa: FBT001
) -> None:
    body = {**pages(path, 4), "stream": stream}
    whole = await client.post(path, json=body)
    provider.raw = refusing(path, len(provider.received[-1].content) - 1)
    before = len(provider.received)

    answer = await client.post(path, json=body)

    assert whole.headers["x-tailrace-context"] == "original"
    assert (answer.status_code, answer.headers["x-tailrace-context"]) == (200, "compacted")
    refused, accepted = provider.received[before:]
    assert len(accepted.content) < len(refused.content)
    assert page(3)[:40] in accepted.content.decode()


async def test_what_can_be_made_no_smaller_is_refused_as_the_provider_refused_it(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    provider.raw = refusing(CHAT, 10)

    answer = await client.post(CHAT, json={"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]})

    assert (answer.status_code, answer.json()) == (400, REFUSALS[CHAT])
    assert answer.headers["x-tailrace-thread"]


async def test_a_named_thread_goes_on_at_any_gateway_and_takes_nobody_elses_messages(
    settings: Settings, provider: Provider, tmp_path: Path
) -> None:
    elsewhere = structs.replace(settings, data_dir=tmp_path / "elsewhere")
    named = {"x-tailrace-thread": "book", "authorization": "Bearer one"}
    async with (
        tiny_worker(settings),
        running_gateway(settings) as first,
        running_gateway(elsewhere) as second,
        httpx2.AsyncClient(timeout=120) as client,
    ):
        begun = await client.post(first + CHAT, json=pages(CHAT, 3), headers=named)
        went_on = await client.post(second + CHAT, json=pages(CHAT, 9), headers=named)
        came_back = await client.post(first + CHAT, json=pages(CHAT, 10), headers=named)
        others = await client.post(second + CHAT, json=pages(CHAT, 3), headers={**named, "authorization": "Bearer two"})
        async with Client(settings) as reader:
            context = await reader.context("book")

    assert {answer.headers["x-tailrace-thread"] for answer in (begun, went_on, came_back)} == {"book"}
    assert went_on.headers["x-tailrace-context"] == came_back.headers["x-tailrace-context"] == "compacted"
    assert others.headers["x-tailrace-thread"].startswith("book~")
    assert context.totals.messages == 20
    assert len(provider.received[2].content) < len(json.dumps(pages(CHAT, 10))) / 1.5


async def test_a_subagent_is_a_thread_of_its_own_with_a_parent(settings: Settings, provider: Provider) -> None:
    async with (
        tiny_worker(settings),
        running_gateway(settings) as address,
        httpx2.AsyncClient(base_url=address, timeout=120) as client,
    ):
        parent = await client.post(CHAT, json=pages(CHAT, 1))
        thread = parent.headers["x-tailrace-thread"]
        child = await client.post(RESPONSES, json=pages(RESPONSES, 1), headers={"x-tailrace-parent-thread": thread})
        async with Client(settings) as reader:
            context = await reader.context(child.headers["x-tailrace-thread"])

    assert child.headers["x-tailrace-thread"] != thread
    assert context.totals.messages == 2
    assert all("x-tailrace-parent-thread" not in received.headers for received in provider.received)


async def test_a_count_is_of_what_would_be_sent_and_adds_nothing(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    first = await client.post(MESSAGES, json=pages(MESSAGES, 9))
    provider.raw = lambda received: (200, "application/json", b'{"input_tokens": %d}' % len(received.content))
    asked = pages(MESSAGES, 9)
    asked["messages"] += [{"role": "assistant", "content": "Read."}, {"role": "user", "content": "And now?"}]
    del asked["max_tokens"]

    counted = await client.post(f"{MESSAGES}/count_tokens", json=asked)
    await client.post(f"{MESSAGES}/count_tokens", json=pages(MESSAGES, 2))

    assert first.headers["x-tailrace-context"] == "compacted"
    sent = provider.received[-2].body
    assert counted.json()["input_tokens"] == len(provider.received[-2].content)
    assert sent["messages"] == [*provider.received[0].body["messages"], *asked["messages"][-2:]]
    assert sent.keys() == asked.keys()
    assert provider.received[-1].body == pages(MESSAGES, 2)
