"""Agents that know nothing but a base URL, at the door of `tailrace api`.

Who is let in, and whose their threads are.
"""

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import httpx2
import openai
import pytest
from support.api_server import RunningApi, running_api
from support.provider_server import Provider, Said, provider_server
from support.tiny_worker import tiny_worker

from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

LONG_MS = 60_000
TOKENS = {name: f"{name}-" + "x" * 24 for name in ("ours-writer", "ours-reader", "theirs-writer")}
ENTRIES = "\n".join(f"{name}:{':'.join(name.split('-'))}:{token}" for name, token in TOKENS.items())
BODY = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}


class Broker(Protocol):
    bootstrap_servers: str


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(lambda _: Said("hello")) as provider:
        yield provider


@pytest.fixture
def settings(broker: Broker, tmp_path: Path) -> Settings:
    name = f"agents-{uuid.uuid4().hex[:8]}"
    settings = load_settings(
        broker=broker.bootstrap_servers,
        group=name,
        data_dir=tmp_path,
        topics={"prefix": f"{name}.", "partitions": 1},
        client={"context_wait_ms": LONG_MS, "publish_wait_ms": LONG_MS},
    )
    asyncio.run(topic_admin.apply(settings))
    return settings


def served(provider: Provider, **more: str) -> dict[str, str]:
    return {
        "TAILRACE_GATEWAY__OPENAI_URL": provider.base_url,
        "TAILRACE_GATEWAY__ANTHROPIC_URL": provider.base_url,
        "TAILRACE_GATEWAY__CONTEXT_WAIT_MS": str(LONG_MS),
        **more,
    }


def agent(api: RunningApi, name: str | None) -> openai.AsyncOpenAI:
    headers = {} if name is None else {"x-tailrace-token": TOKENS[name]}
    return openai.AsyncOpenAI(
        base_url=f"{api.url}/v1", api_key="of-the-provider", max_retries=0, default_headers=headers
    )


async def thread_status(client: httpx2.AsyncClient, thread: str, name: str) -> int:
    headers = {"Authorization": f"Bearer {TOKENS[name]}"}
    return (await client.get(f"/v1/threads/{thread}", headers=headers)).status_code


async def audited(client: httpx2.AsyncClient, thread: str, name: str, *, count: int) -> list[tuple[str, str]]:
    """Who sent what, by the first lines of the audit that say so."""
    lines: list[dict[str, Any]] = []
    headers = {"Authorization": f"Bearer {TOKENS[name]}"}
    async with client.stream("GET", f"/v1/lifecycle?thread={thread}&since_ms=0", headers=headers) as response:
        async for text in response.aiter_lines():
            line = json.loads(text.removeprefix("data: ")) if text.startswith("data: ") else {}
            lines += [line] if line.get("kind") == "received" else []
            if len(lines) == count:
                break
    return [(line["actor"], line["reason"]) for line in lines]


async def test_an_agent_with_a_token_is_served_and_its_thread_is_its_tenants(
    settings: Settings, provider: Provider
) -> None:
    async with tiny_worker(settings):
        with running_api(settings, served(provider, TAILRACE_API__TOKENS=ENTRIES)) as api:
            async with agent(api, "ours-writer") as sdk:
                answer = await sdk.chat.completions.with_raw_response.create(**BODY)
            thread = answer.headers["x-tailrace-thread"]
            async with api.client() as client, asyncio.timeout(60):
                while await thread_status(client, thread, "ours-reader") != 200:
                    await asyncio.sleep(0.05)
                theirs = await thread_status(client, thread, "theirs-writer")
                named = await audited(client, thread, "ours-reader", count=2)

    assert answer.parse().choices[0].message.content == "hello"
    assert theirs == 404
    assert named == [("ours-writer", "a message")] * 2
    (received,) = provider.received
    sent = {name.lower(): value for name, value in received.headers.items()}
    assert sent["authorization"] == "Bearer of-the-provider"
    assert not [name for name in sent if name.startswith("x-tailrace")]


async def test_an_agent_without_a_writers_token_reaches_no_provider(settings: Settings, provider: Provider) -> None:
    with running_api(settings, served(provider, TAILRACE_API__TOKENS=ENTRIES)) as api:
        async with agent(api, None) as sdk:
            with pytest.raises(openai.AuthenticationError, match="x-tailrace-token"):
                await sdk.chat.completions.create(**BODY)
            with pytest.raises(openai.AuthenticationError, match="x-tailrace-token"):
                await sdk.models.list()
        async with agent(api, "ours-reader") as sdk:
            with pytest.raises(openai.PermissionDeniedError, match="needs writer"):
                await sdk.chat.completions.create(**BODY)

    assert provider.received == []


async def test_a_path_of_nobodys_is_the_providers_only_with_its_key(settings: Settings, provider: Provider) -> None:
    key = {"Authorization": "Bearer of-the-provider"}
    with running_api(settings, served(provider)) as api:
        async with api.client() as client:
            ours = await client.get("/v1/threads", headers=key)
            passed = await client.get("/v1/models", headers=key)
            nobodys = await client.get("/v1/models")
            elsewhere = await client.get("/models", headers=key)
            wrong_method = await client.delete("/v1/threads", headers=key)

    assert ours.json() == {"threads": [], "next": None}
    assert passed.json()["data"] == [{"id": "gpt-4o"}]
    for response in (nobodys, elsewhere):
        assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")
    assert wrong_method.status_code == 405


async def test_agents_can_be_left_out(settings: Settings, provider: Provider) -> None:
    with running_api(settings, served(provider, TAILRACE_GATEWAY__ENABLED="false")) as api:
        async with agent(api, None) as sdk:
            with pytest.raises(openai.NotFoundError):
                await sdk.chat.completions.create(**BODY)

    assert provider.received == []
