"""Agents through the gateway.

Unmodified SDKs, a real broker, a worker, and a server that speaks the providers' APIs.
"""

import json
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from support.gateway_stand import LOOK, Broker, fresh_settings, looks_on, page
from support.provider_server import Provider, Said, provider_server
from support.running_gateway import running_gateway
from support.tiny_worker import tiny_worker

from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

pytestmark = pytest.mark.kafka

TURNS = 50


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(looks_on) as provider:
        yield provider


@pytest.fixture
async def settings(broker: Broker, provider: Provider, tmp_path: Path) -> Settings:
    settings = fresh_settings(broker, provider, tmp_path)
    await topic_admin.apply(settings)
    return settings


@pytest.fixture
async def gateway(settings: Settings) -> AsyncIterator[str]:
    async with tiny_worker(settings), running_gateway(settings) as address:
        yield address


async def chat_loop(client: openai.AsyncOpenAI, *, stream: bool, turns: int = TURNS) -> list[dict[str, Any]]:
    """An agent's loop on chat completions; returns its own history."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You read pages. Today is 2026-11-18."},
        {"role": "user", "content": f"Read all pages of book {uuid.uuid4().hex}."},
    ]
    tools = [{"type": "function", "function": {"name": "look", "parameters": LOOK}}]
    for number in range(turns):
        if stream:
            chunks = await client.chat.completions.create(
                model="gpt-4o", messages=messages, tools=tools, stream=True, stream_options={"include_usage": True}
            )
            text, call = "", {"id": "", "arguments": ""}
            async for chunk in chunks:
                for choice in chunk.choices:
                    text += choice.delta.content or ""
                    for piece in choice.delta.tool_calls or ():
                        call["id"] = piece.id or call["id"]
                        call["arguments"] += piece.function.arguments or ""
            function = {"name": "look", "arguments": call["arguments"]}
            calls = [{"id": call["id"], "type": "function", "function": function}]
            answer: dict[str, Any] = {"role": "assistant", "content": text, "tool_calls": calls}
        else:
            completion = await client.chat.completions.create(model="gpt-4o", messages=messages, tools=tools)
            answer = completion.choices[0].message.model_dump(exclude_none=True)
        messages += [
            answer,
            {"role": "tool", "tool_call_id": answer["tool_calls"][0]["id"], "content": page(number)},
        ]
    return messages


def sizes(provider: Provider) -> list[int]:
    return [len(received.content) for received in provider.received]


@pytest.mark.parametrize("stream", [False, True])
async def test_an_openai_chat_agent_stays_under_budget(gateway: str, provider: Provider, *, stream: bool) -> None:
    async with openai.AsyncOpenAI(base_url=f"{gateway}/v1", api_key="key-1", max_retries=0) as client:
        history = await chat_loop(client, stream=stream)

    assert provider.refused == []
    assert len(provider.received) == TURNS
    assert len(json.dumps(history)) > 4 * max(sizes(provider))
    assert all("x-tailrace-thread" not in received.headers for received in provider.received)
    assert all(received.headers["authorization"] == "Bearer key-1" for received in provider.received)


async def test_an_anthropic_agent_stays_under_budget(gateway: str, provider: Provider) -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Read all pages."}]
    tools = [{"name": "look", "input_schema": LOOK}]
    mark = {"cache_control": {"type": "ephemeral"}}
    async with anthropic.AsyncAnthropic(base_url=gateway, api_key="key-1", max_retries=0) as client:
        for number in range(TURNS):
            system = [{"type": "text", "text": "You read pages.", **mark}]
            async with client.messages.stream(
                model="claude-sonnet-4-5", max_tokens=100, system=system, messages=messages, tools=tools
            ) as stream:
                answer = await stream.get_final_message()
            blocks = [block.model_dump(exclude_none=True) for block in answer.content]
            call = next(block for block in blocks if block["type"] == "tool_use")
            for message in messages[-2:]:
                if isinstance(message["content"], list):
                    message["content"][0].pop("cache_control", None)
            result = {"type": "tool_result", "tool_use_id": call["id"], "content": page(number), **mark}
            messages += [{"role": "assistant", "content": blocks}, {"role": "user", "content": [result]}]

    assert provider.refused == []
    assert len(json.dumps(messages)) > 4 * max(sizes(provider))
    assert all(received.content.count(b"cache_control") <= 4 for received in provider.received)
    assert all(received.body["system"][0]["text"] == "You read pages." for received in provider.received)


async def test_an_agent_on_responses_stays_under_budget(gateway: str, provider: Provider) -> None:
    items: list[Any] = [{"role": "user", "content": "Read all pages."}]
    tools = [{"type": "function", "name": "look", "parameters": LOOK, "strict": False}]
    async with openai.AsyncOpenAI(base_url=f"{gateway}/v1", api_key="key-1", max_retries=0) as client:
        for number in range(TURNS):
            response = await client.responses.create(
                model="gpt-4o", instructions="You read pages.", input=items, tools=tools, store=False
            )
            output = [item.model_dump(exclude_none=True) for item in response.output]
            call = next(item for item in output if item["type"] == "function_call")
            result = {"type": "function_call_output", "call_id": call["call_id"], "output": page(number)}
            items += [*output, result]

    assert provider.refused == []
    assert len(json.dumps(items)) > 4 * max(sizes(provider))
    assert all(received.body["instructions"] == "You read pages." for received in provider.received)


async def test_a_conversation_is_one_thread_and_its_bytes_go_on_as_they_came_while_it_fits(
    gateway: str, provider: Provider
) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}], "unknown": {"field": [1, 2]}}
    content = json.dumps(body, indent=3).encode()
    async with httpx2.AsyncClient() as client:
        first = await client.post(f"{gateway}/v1/chat/completions", content=content, headers={"x-own": "1"})
        retried = await client.post(f"{gateway}/v1/chat/completions", content=content, headers={"x-own": "1"})
        answer = retried.json()["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": answer["tool_calls"][0]["id"], "content": "a page"}
        body["messages"] += [answer, result]
        second = await client.post(f"{gateway}/v1/chat/completions", json=body)

    assert [received.content for received in provider.received[:2]] == [content, content]
    assert provider.received[0].headers["x-own"] == "1"
    assert first.headers["x-tailrace-context"] == "original"
    assert second.headers["x-tailrace-thread"] in {
        first.headers["x-tailrace-thread"],
        retried.headers["x-tailrace-thread"],
    }
    assert json.loads(provider.received[2].content) == body


async def test_an_answer_is_the_providers_byte_for_byte(gateway: str, provider: Provider) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}], "stream": True}
    provider.script = lambda _: Said("Grüße, and a few more words. " * 40)
    async with httpx2.AsyncClient() as client:
        through = await client.post(f"{gateway}/v1/chat/completions", json=body)
        direct = await client.post(f"{provider.base_url}/v1/chat/completions", json=body)

    def without_numbers(content: bytes) -> bytes:
        return content.replace(b"chatcmpl-1", b"").replace(b"chatcmpl-2", b"")

    assert without_numbers(through.content) == without_numbers(direct.content)
    assert through.headers["content-type"] == direct.headers["content-type"]


async def test_two_callers_with_the_same_words_share_no_thread(gateway: str, provider: Provider) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
    async with httpx2.AsyncClient() as client:
        answers = [
            await client.post(f"{gateway}/v1/chat/completions", json=body, headers={"authorization": f"Bearer {key}"})
            for key in ("one", "two")
        ]

    assert len({answer.headers["x-tailrace-thread"] for answer in answers}) == 2


async def test_without_kafka_requests_go_on_as_they_came(provider: Provider, tmp_path: Path) -> None:
    settings = load_settings(
        broker="127.0.0.1:1",
        data_dir=tmp_path,
        gateway={"openai_url": provider.base_url, "anthropic_url": provider.base_url, "context_wait_ms": 200},
    )
    async with (
        running_gateway(settings) as address,
        openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k") as client,
    ):
        history = await chat_loop(client, stream=True, turns=5)

    assert len(history) == 12
    assert provider.refused == []
    assert provider.received[-1].body["messages"] == history[:-2]


@pytest.mark.parametrize(
    ("status", "body"),
    [(401, b'{"error":{"message":"no"}}'), (429, b"slow down"), (529, b"{}"), (500, b""), (200, b"<html>"), (200, b"")],
)
async def test_whatever_a_provider_answers_goes_back(
    gateway: str, provider: Provider, status: int, body: bytes
) -> None:
    provider.raw = lambda _: (status, "application/json", body)
    async with httpx2.AsyncClient() as client:
        answer = await client.post(
            f"{gateway}/v1/chat/completions", json={"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
        )

    assert (answer.status_code, answer.content) == (status, body)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"messages":3}', b'{"messages":[{"role":"user","content":' + b"[" * 5_000, b"\xff"]
)
async def test_what_is_no_request_is_the_providers_to_refuse(gateway: str, provider: Provider, content: bytes) -> None:
    provider.raw = lambda received: (400, "application/json", received.content)
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{gateway}/v1/chat/completions", content=content)

    assert (answer.status_code, answer.content) == (400, content)
    assert answer.headers["x-tailrace-context"] == "passed"


async def test_a_gateway_that_is_started_again_goes_on_with_its_threads(settings: Settings, provider: Provider) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
    provider.script = lambda _: Said("Hello.")
    async with tiny_worker(settings), httpx2.AsyncClient() as client:
        async with running_gateway(settings) as address:
            first = await client.post(f"{address}/v1/chat/completions", json=body)
        body["messages"] += [first.json()["choices"][0]["message"], {"role": "user", "content": "And then?"}]
        async with running_gateway(settings) as address:
            second = await client.post(f"{address}/v1/chat/completions", json=body)

    assert second.headers["x-tailrace-thread"] == first.headers["x-tailrace-thread"]


async def test_a_compacted_conversation_goes_on_from_one_item(gateway: str, provider: Provider) -> None:
    items: list[dict[str, Any]] = [
        {"role": "user" if place % 2 == 0 else "assistant", "content": f"Fact {place}: {page(place)}"}
        for place in range(21)
    ]
    provider.script = lambda _: Said("Understood.")
    async with openai.AsyncOpenAI(base_url=f"{gateway}/v1", api_key="key-1", max_retries=0) as client:
        compaction = await client.responses.compact(model="gpt-4o", input=items)
        output = [item.model_dump(exclude_none=True) for item in compaction.output]
        await client.responses.create(
            model="gpt-4o", input=[*output, {"role": "user", "content": "And now?"}], store=False
        )

    assert [item["type"] for item in output] == ["compaction"]
    sent = provider.received[-1].body["input"]
    assert provider.refused == []
    assert sent[-1] == {"role": "user", "content": "And now?"}
    assert len(sent) > 2
    assert len(json.dumps(sent)) < len(json.dumps(items)) / 2


async def test_a_damaged_compaction_item_is_refused_with_what_to_do(gateway: str) -> None:
    item = {"type": "compaction", "id": "cmp_1", "encrypted_content": "tailrace1.AAAA"}
    async with httpx2.AsyncClient() as client:
        answer = await client.post(f"{gateway}/v1/responses", json={"model": "gpt-4o", "input": [item]})

    assert answer.status_code == 400
    assert "send the conversation itself" in answer.json()["error"]["message"]
