"""What is sent again, how often, and how both clients behave where a server can't answer at the moment."""

import asyncio
from collections.abc import Callable

import httpx2
import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams import AsyncHttpClient, HttpClient
from tailrace.streams.http_client.tries import Tries

BUSY = {"type": "urn:tailrace:problem:unavailable", "title": "Not now", "status": 503, "detail": "it starts"}


def test_a_request_is_sent_again_a_few_times_and_later_each_time() -> None:
    tries = Tries("http://here")
    pauses = [tries.pause_after(httpx2.Response(503)) for _ in range(4)]

    assert pauses[-1] is None
    assert pauses[:-1] == sorted(pause for pause in pauses if pause is not None)


def test_the_server_may_ask_for_a_longer_pause() -> None:
    assert Tries("http://here").pause_after(httpx2.Response(429, headers={"Retry-After": "7"})) == 7


@pytest.mark.parametrize("status", [200, 304, 404, 500, 504])
def test_every_other_answer_is_one(status: int) -> None:
    assert Tries("http://here").pause_after(httpx2.Response(status)) is None


def test_the_last_failure_says_where_nobody_answers() -> None:
    tries, refused = Tries("http://here"), httpx2.ConnectError("refused")
    pauses = [tries.pause_after_error(refused) for _ in range(3)]

    with pytest.raises(Unavailable, match="no Tailrace API answers at http://here"):
        tries.pause_after_error(refused)
    assert all(pauses)


def test_what_was_answered_begins_the_count_anew() -> None:
    tries = Tries("http://here")
    first = tries.pause_after(httpx2.Response(503))
    tries.pause_after(httpx2.Response(503))
    tries.begin_again()

    assert tries.pause_after(httpx2.Response(503)) == first


def busy_once() -> Callable[[httpx2.Request], httpx2.Response]:
    """A server that can't answer the first request, and lists no passages for the second."""
    answers = iter([httpx2.Response(503, json=BUSY), httpx2.Response(200, json={"hits": [], "missing": ["an index"]})])
    return lambda _: next(answers)


def test_the_sync_client_asks_again() -> None:
    with HttpClient(transport=httpx2.MockTransport(busy_once())) as client:
        assert client.recall("water").missing == ("an index",)


def test_the_async_client_asks_again() -> None:
    async def recalled() -> tuple[str, ...]:
        async with AsyncHttpClient(transport=httpx2.MockTransport(busy_once())) as client:
            return (await client.recall("water")).missing

    assert asyncio.run(recalled()) == ("an index",)
