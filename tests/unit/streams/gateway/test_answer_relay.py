"""Whatever a provider answers goes back as it is, only what was said whole is published, and the gateway stays up."""

import asyncio
import gzip
import json
import threading
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from support.provider_server import Provider, Said, provider_server
from support.running_gateway import TwinGateway, twin_gateway

APIS: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]},
    "/v1/responses": {"model": "gpt-4o", "input": [{"role": "user", "content": "hi"}], "store": False},
    "/v1/messages": {
        "model": "claude-sonnet-4-5",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "hi"}],
    },
}
paths = pytest.mark.parametrize("path", list(APIS))


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provider_server(lambda _: Said("A few words to say.", [("c1", "look", {"page": 1})])) as provider:
        yield provider


@pytest.fixture
async def gateway(provider: Provider, tmp_path: Path) -> AsyncIterator[TwinGateway]:
    async with twin_gateway(provider, tmp_path) as gateway:
        yield gateway


@pytest.fixture
async def client(gateway: TwinGateway) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=gateway.address, timeout=60) as client:
        yield client


async def direct_answer(provider: Provider, path: str, *, stream: bool) -> httpx2.Response:
    async with httpx2.AsyncClient() as client:
        return await client.post(provider.base_url + path, json={**APIS[path], "stream": stream})


def chunked(*pieces: bytes, kind: bytes = b"text/event-stream", end: bytes = b"") -> list[bytes]:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: " + kind + b"\r\ntransfer-encoding: chunked\r\n\r\n"
    return [head, *(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces), end]


async def stays_up(client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway) -> None:
    """The next conversation is served and published as if nothing had been."""
    provider.wire, provider.raw = (lambda _: None), (lambda _: None)
    before = len(gateway.log.records)
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Are you there?"}]}
    answer = await client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 200
    assert len(gateway.log.records) == before + 2


@paths
@pytest.mark.parametrize("stream", [False, True])
async def test_a_whole_answer_is_published_as_it_was_said(
    client: httpx2.AsyncClient,
    gateway: TwinGateway,
    path: str,
    stream: bool,  # noqa: FBT001
) -> None:
    answer = await client.post(path, json={**APIS[path], "stream": stream})

    assert answer.status_code == 200
    assert gateway.published()[0] == "user: hi"
    assert "A few words to say." in "".join(gateway.published())
    assert "tool_call" in "".join(gateway.published())
    assert gateway.answers("published") == 1


@paths
async def test_a_stream_that_breaks_off_breaks_off_for_the_agent_and_is_not_published(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    whole = (await direct_answer(provider, path, stream=True)).content
    provider.wire = lambda _: chunked(whole[: len(whole) // 2])

    read = b""
    async with client.stream("POST", path, json={**APIS[path], "stream": True}) as answer:
        with pytest.raises(httpx2.RemoteProtocolError):  # noqa: PT012  the last of them
            async for piece in answer.aiter_raw():
                read += piece

    assert read == whole[: len(whole) // 2]
    assert gateway.published() == ["user: hi"]
    assert gateway.answers("incomplete") == 1
    await stays_up(client, provider, gateway)


@paths
async def test_a_stream_that_ends_before_the_answer_does_is_not_published(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    whole = (await direct_answer(provider, path, stream=True)).content
    cut = whole[: len(whole) // 2]
    provider.raw = lambda _: (200, "text/event-stream", cut)

    answer = await client.post(path, json={**APIS[path], "stream": True})

    assert answer.content == cut
    assert gateway.published() == ["user: hi"]
    assert gateway.answers("incomplete") == 1


@paths
async def test_an_answer_that_breaks_off_is_an_error_that_says_so(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    whole = (await direct_answer(provider, path, stream=False)).content
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(whole)
    provider.wire = lambda _: [head, whole[:-20]]

    answer = await client.post(path, json=APIS[path])

    assert answer.status_code == 502
    assert "broke off" in answer.json()["error"]["message"]
    assert gateway.published() == ["user: hi"]
    await stays_up(client, provider, gateway)


@paths
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_an_answer_that_is_packed_unasked_goes_back_packed_and_is_published(
    client: httpx2.AsyncClient,
    provider: Provider,
    gateway: TwinGateway,
    path: str,
    stream: bool,  # noqa: FBT001
    coding: str,
) -> None:
    direct = await direct_answer(provider, path, stream=stream)
    packed = gzip.compress(direct.content) if coding == "gzip" else zlib.compress(direct.content)
    kind = direct.headers["content-type"].encode() + b"\r\ncontent-encoding: " + coding.encode()
    provider.wire = lambda _: chunked(packed[:9], packed[9:], kind=kind, end=b"0\r\n\r\n")

    answer = await client.post(path, json={**APIS[path], "stream": stream})

    assert answer.content == direct.content
    assert answer.headers["content-encoding"] == coding
    assert "A few words to say." in "".join(gateway.published())


async def test_a_refusal_that_is_packed_can_be_read(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway
) -> None:
    refusal = gzip.compress(b'{"error":{"message":"who are you?"}}')
    head = b"HTTP/1.1 401 Unauthorized\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(refusal)
    provider.wire = lambda _: [head, refusal]

    answer = await client.post("/v1/chat/completions", json=APIS["/v1/chat/completions"])

    assert (answer.status_code, answer.json()) == (401, {"error": {"message": "who are you?"}})
    assert gateway.published() == ["user: hi"]


@paths
async def test_a_refusal_goes_back_with_its_headers(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    for status in (400, 401, 404, 408, 413, 429, 500, 503, 529):
        head = b"HTTP/1.1 %d No\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\n" % status
        provider.wire = lambda _, head=head: [head, b"nope"]

        answer = await client.post(path, json=APIS[path])

        assert (answer.status_code, answer.content, answer.headers["retry-after"]) == (status, b"nope", "7")
    assert gateway.published() == ["user: hi"]
    await stays_up(client, provider, gateway)


GARBAGE = [
    b"",
    b"<html>",
    b"\x00\xff\xfe",
    b"[]",
    b"null",
    b'{"choices":3,"output":[[]],"content":[7],"role":"assistant"}',
    b'{"choices":[{"message":{"role":"assistant","content":{"deep":[]}}}],"output":{"a":1},"content":"x"}',
]
EVENTS = [
    b"data: {\n\n",
    b"data: []\n\ndata: 3\n\n",
    (
        b'data: {"choices":[{"index":[1],"delta":{"content":"a"}}],'
        b'"type":"content_block_start","index":[],"content_block":{}}\n\n'
    ),
    (
        b'data: {"choices":[3,{"delta":{"tool_calls":[{"index":"x","function":3}]}}],'
        b'"type":"response.completed","response":7}\n\n'
    ),
    b'event: message_start\ndata: {"type":"message_start","message":{"usage":3}}\n\ndata: {"type":"message_stop"}\n\n',
    b"data: [DONE]\n\n",
    b"\r\r\r\n\n\n: comment\n\n",
]


@paths
@pytest.mark.parametrize(("kind", "contents"), [("application/json", GARBAGE), ("text/event-stream", EVENTS)])
async def test_garbage_with_200_goes_back_and_is_not_published(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str, kind: str, contents: list[bytes]
) -> None:
    for content in contents:
        provider.raw = lambda _, content=content: (200, kind, content)

        answer = await client.post(path, json={**APIS[path], "stream": kind == "text/event-stream"})

        assert (answer.status_code, answer.content) == (200, content)
        assert gateway.published() == ["user: hi"]
    assert gateway.answers("incomplete") + gateway.answers("unreadable") == len(contents)
    await stays_up(client, provider, gateway)


@paths
async def test_an_agent_that_hangs_up_in_a_stream_leaves_nothing_half_said(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway, path: str
) -> None:
    whole = (await direct_answer(provider, path, stream=True)).content
    gone = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield from chunked(whole[: len(whole) // 2])
        gone.wait(60)
        yield from chunked(whole[len(whole) // 2 :], end=b"0\r\n\r\n")[1:]

    provider.wire = lambda _: slowly()
    async with client.stream("POST", path, json={**APIS[path], "stream": True}) as answer:
        await anext(answer.aiter_raw())
    async with asyncio.timeout(60):
        while not gateway.answers("incomplete"):
            await asyncio.sleep(0.01)
    gone.set()

    await stays_up(client, provider, gateway)
    assert gateway.published()[0] == "user: hi"
    assert len([text for text in gateway.published() if text.startswith("assistant")]) == 1


async def test_a_provider_that_is_not_there_is_an_error_that_says_so(provider: Provider, tmp_path: Path) -> None:
    async with (
        twin_gateway(provider, tmp_path, openai_url="http://127.0.0.1:1") as gateway,
        httpx2.AsyncClient(base_url=gateway.address, timeout=60) as client,
    ):
        answers = [await client.post(path, json=APIS[path]) for path in list(APIS)[:2]]
        listed = await client.get("/v1/models")

    for answer in (*answers, listed):
        assert answer.status_code == 502
        assert "127.0.0.1:1 can't be reached" in answer.json()["error"]["message"]
    assert gateway.published() == ["user: hi", "user: hi"]


async def test_a_request_that_is_sent_again_after_a_failure_adds_nothing(
    client: httpx2.AsyncClient, provider: Provider, gateway: TwinGateway
) -> None:
    provider.wire = lambda _: []
    failed = await client.post("/v1/chat/completions", json=APIS["/v1/chat/completions"])
    provider.wire = lambda _: None
    done = await client.post("/v1/chat/completions", json=APIS["/v1/chat/completions"])

    assert (failed.status_code, done.status_code) == (502, 200)
    assert len(gateway.log.partition.threads) == 1
    assert [text.partition(":")[0] for text in gateway.published()] == ["user", "assistant"]
    assert json.loads(done.content)["choices"]
