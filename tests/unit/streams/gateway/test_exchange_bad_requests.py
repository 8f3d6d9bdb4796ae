"""Whatever an agent sends gets a clear status, reaches the provider where that is to judge, and ends no gateway."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from support.provider_server import Provider, Said, provider_server
from support.running_gateway import TwinGateway, twin_gateway

BODIES_BYTES = 50 * 1024 * 1024

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
APIS: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "hi"}]},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "a page"},
        ],
    },
    "/v1/responses": {
        "model": "gpt-4o",
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "hi"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "a page"},
        ],
    },
    "/v1/messages": {
        "model": "claude-sonnet-4-5",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a page"}]},
        ],
    },
}
paths = pytest.mark.parametrize("path", list(APIS))
#: What stands in the place of a value that is right.
WRONG: tuple[Any, ...] = (None, True, 3, -1.5, "", "x", [], [[]], {}, {"type": 3}, [None], "\u0000", "a\x1fb", "é" * 9)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(lambda _: Said("Yes.")) as provider:
        yield provider


@pytest.fixture
async def gateway(provider: Provider, tmp_path: Path) -> AsyncIterator[TwinGateway]:
    async with twin_gateway(provider, tmp_path, body_seconds=1.0) as gateway:
        yield gateway


@pytest.fixture
async def client(gateway: TwinGateway) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=gateway.address, timeout=120) as client:
        yield client


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a body."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield (*at, key)
        yield from places(held, (*at, key))


def spoilt(body: dict[str, Any], random: Random) -> dict[str, Any]:
    """The body with something else, or nothing, at one of its places."""
    copy = json.loads(json.dumps(body))
    *outer, last = random.choice(list(places(copy)))
    holder = copy
    for key in outer:
        holder = holder[key]
    if random.random() < 0.2:
        del holder[last]
    else:
        holder[last] = random.choice(WRONG)
    return copy


@paths
async def test_wrong_types_are_the_providers_to_judge(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    provider.raw = lambda received: (422, "application/json", received.content)
    random = Random(path)
    for _ in range(150):
        body = spoilt(spoilt(APIS[path], random), random)
        answer = await client.post(path, json=body)

        assert answer.status_code == 422, body
        assert answer.headers["x-tailrace-context"] in {"original", "passed"}
        assert answer.json() == body
        assert "failed" not in answer.headers.get("x-tailrace-reason", ""), body


NO_REQUESTS = (b"", b"{", b"[]", b"3", b'{"messages":3,"input":3}', b"\xff", b'{"a":"\\ud800"}', b"[" * 5_000)


@paths
async def test_what_is_no_request_goes_on_as_it_came(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    provider.raw = lambda received: (400, "application/json", received.content)
    for content in NO_REQUESTS:
        answer = await client.post(path, content=content)

        assert (answer.status_code, answer.content) == (400, content)
        assert answer.headers["x-tailrace-context"] == "passed"
        assert answer.headers["x-tailrace-reason"]
    assert gateway.published() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("x-tailrace-thread", "a\x1fb"), ("x-tailrace-thread", "x" * 5_000)],
)
async def test_a_thread_that_can_have_no_such_name_is_said(
    client: httpx2.AsyncClient, provider: Provider, name: str, value: str
) -> None:
    answer = await client.post(
        "/v1/chat/completions", json=APIS["/v1/chat/completions"], headers={name: value.encode("latin-1")}
    )

    assert answer.status_code == 200
    assert answer.headers["x-tailrace-context"] == "passed"
    assert "unreadable" in answer.headers["x-tailrace-reason"]


async def test_a_body_of_fifty_megabytes_reaches_the_provider_and_others_are_served_meanwhile(
    client: httpx2.AsyncClient, provider: Provider
) -> None:
    large = {"model": "gpt-4o", "messages": [{"role": "user", "content": "a line of it\n" * (BODIES_BYTES // 13)}]}
    small = {"model": "gpt-4o", "input": [{"role": "user", "content": "hi"}]}

    answers = await asyncio.gather(
        client.post("/v1/chat/completions", json=large), *(client.post("/v1/responses", json=small) for _ in range(3))
    )

    assert [answer.status_code for answer in answers] == [200] * 4
    assert max(len(received.content) for received in provider.received) > BODIES_BYTES * 0.98


@paths
@pytest.mark.parametrize("is_told", [True, False])
async def test_a_body_above_the_limit_is_refused(provider: Provider, tmp_path: Path, path: str, is_told: bool) -> None:  # noqa: FBT001
    content = b"x" * 5_000

    async def pieces() -> AsyncIterator[bytes]:
        yield content

    async with (
        twin_gateway(provider, tmp_path, body_bytes_max=4_000) as gateway,
        httpx2.AsyncClient(base_url=gateway.address, timeout=60) as client,
    ):
        answer = await client.post(path, content=content if is_told else pieces())

    assert answer.status_code == 413
    assert "gateway.body_bytes_max (4000 bytes)" in answer.json()["error"]["message"]
    assert provider.received == []


@paths
async def test_a_body_that_does_not_come_is_given_up(gateway: TwinGateway, provider: Provider, path: str) -> None:
    reader, writer = await asyncio.open_connection(*gateway.address.removeprefix("http://").split(":"))
    writer.write(f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n{{".encode())
    answer = (await reader.read()).decode()
    writer.close()

    assert answer.startswith("HTTP/1.1 408 ")
    assert "gateway.body_seconds" in answer
    assert provider.received == []


@paths
async def test_an_agent_that_hangs_up_in_its_request_is_forgotten(
    gateway: TwinGateway, client: httpx2.AsyncClient, provider: Provider, path: str
) -> None:
    _, writer = await asyncio.open_connection(*gateway.address.removeprefix("http://").split(":"))
    writer.write(f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n{{".encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()

    answer = await client.post(path, json=APIS[path])

    assert answer.status_code == 200
    assert len(provider.received) == 1


async def test_a_path_is_passed_on_as_it_came(client: httpx2.AsyncClient, provider: Provider) -> None:
    await client.post("/v1/files/a%2Fb%20c?d=%20e&f", content=b"x")

    assert [received.path for received in provider.received] == ["/v1/files/a%2Fb%20c?d=%20e&f"]
