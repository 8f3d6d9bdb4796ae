"""A question that is passed on to other machines: with whose token, how long, and what is said of who is silent."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from starlette.requests import Request

from tailrace.schemas.api.departures import RecallQuery, RecallReply
from tailrace.schemas.api.endpoint import Endpoint
from tailrace.schemas.api.endpoints import ENDPOINTS
from tailrace.schemas.api.role import AccessRole
from tailrace.streams.api.call import ApiCall
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.peers import PeerReplies, Peers
from tailrace.streams.settings.http import ApiSettings

RECALL: Endpoint = next(endpoint for endpoint in ENDPOINTS if endpoint.name == "recall")
Answer = Callable[[httpx2.Request], Awaitable[httpx2.Response]]


async def asked(answer: Answer, *addresses: str, here: bool = False, wait_ms: int = 60_000) -> PeerReplies[RecallReply]:
    headers = [(b"authorization", b"Bearer of-the-caller"), (b"cookie", b"secret"), (b"x-own", b"1")]
    call = ApiCall(
        endpoint=RECALL,
        caller=ApiCaller(name="c", tenant="acme", role=AccessRole.READER),
        path={},
        query=RecallQuery(query="high water", thread="a/b", here=here),
        body=None,
        request=Request({"type": "http", "headers": headers}),
    )
    settings = ApiSettings(peers=addresses, peer_wait_ms=wait_ms)
    peers = Peers(settings, httpx2.MockTransport(answer))
    try:
        return await peers.ask(call, RecallReply)
    finally:
        await peers.close()


async def test_a_question_goes_to_every_peer_with_the_callers_token_and_nothing_else_of_it() -> None:
    requests: list[httpx2.Request] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200, json={"hits": [], "missing": []})

    replies = await asked(answer, "http://a:1", "https://b/")

    assert len(replies.replies) == 2
    assert [request.url.copy_with(query=None) for request in requests] == [
        "http://a:1/v1/recall",
        "https://b/v1/recall",
    ]
    for request in requests:
        assert dict(request.url.params) == {"query": "high water", "thread": "a/b", "limit": "5", "here": "true"}
        assert request.headers["authorization"] == "Bearer of-the-caller"
        assert not {"cookie", "x-own"} & set(request.headers)


async def test_a_question_that_was_passed_on_is_not_passed_on_again() -> None:
    async def answer(_: httpx2.Request) -> httpx2.Response:
        raise AssertionError("nobody is asked")

    assert await asked(answer, "http://a:1", here=True) == PeerReplies((), ())


async def silent(_: httpx2.Request) -> httpx2.Response:
    await asyncio.Event().wait()
    raise AssertionError("nobody wakes it")


def answers(status: int, **content: Any) -> Answer:
    async def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, **content)

    return answer


async def away(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("refused")


PROBLEM = {"type": "urn:tailrace:problem:x", "title": "No", "status": 401, "detail": "the token is not known"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (silent, "no answer within 0.05 s"),
        (away, "refused"),
        (answers(401, json=PROBLEM), "the token is not known"),
        (answers(500, content=b"<html>"), "status 500"),
        (answers(200, content=b"<html>"), ""),
        (answers(200, json={"hits": "many"}), "hits"),
        (answers(302, headers={"Location": "http://elsewhere/"}), "status 302"),
    ],
)
async def test_who_gives_no_reply_is_named_with_the_reason(answer: Answer, reason: str) -> None:
    replies = await asked(answer, "http://a:1", wait_ms=50)

    assert replies.replies == ()
    (missing,) = replies.missing
    assert missing.startswith("http://a:1: ")
    assert reason in missing


def test_a_machine_without_workers_lacks_nothing_where_another_answers() -> None:
    reply, lacking = RecallReply(hits=()), RecallReply(hits=(), missing=("c: no index there",))

    assert PeerReplies((reply,), ()).lacking("no index here") == ()
    assert PeerReplies((), ("b: away",)).lacking("no index here") == ("no index here", "b: away")
    assert PeerReplies((reply, lacking), ()).lacking("no index here") == ("c: no index there",)
    assert PeerReplies((), ()).lacking(None) == ()
