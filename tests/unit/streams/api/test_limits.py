"""What one process takes: how often, how much at once, how large and how slowly."""

import asyncio
from typing import Any

import pytest
from starlette.requests import Request

from tailrace.streams.api.limits import RequestLimits
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.settings.http import ApiSettings


def request(*pieces: bytes, **headers: str) -> Request:
    """A request whose body comes in these pieces, and then no more: it never ends."""
    left = iter(pieces)

    async def receive() -> dict[str, Any]:
        piece = next(left, None)
        if piece is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": piece, "more_body": True}

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "path": "/", "headers": named}, receive)


def status_and_wait(error: ProblemError) -> tuple[int, str | None]:
    return error.kind.status, error.headers.get("Retry-After")


def test_a_caller_who_asks_too_often_is_told_when_to_come_back_and_nobody_else_is() -> None:
    limits = RequestLimits(ApiSettings(requests_per_second=0.5))
    limits.spend("often", 100.0)

    with pytest.raises(ProblemError, match=r"more than 0\.5 requests a second") as caught:
        limits.spend("often", 100.0)
    limits.spend("other", 100.0)
    limits.spend("often", 102.0)

    assert status_and_wait(caught.value) == (429, "2")


def test_callers_who_rest_are_forgotten_and_no_others() -> None:
    limits = RequestLimits(ApiSettings(requests_per_second=0.5))
    limits.spend("often", 99_999.0)
    for number in range(20_000):
        limits.spend(f"passing {number}", 10.0 * number if number < 9_999 else 99_999.5)

    with pytest.raises(ProblemError, match="requests a second"):
        limits.spend("often", 100_000.0)
    limits.spend("passing 1", 100_000.0)


def test_places_are_given_back() -> None:
    limits = RequestLimits(ApiSettings(concurrency=1, streams_max=1))
    for place, wait in ((limits.request, "1"), (limits.stream, "5")):
        with place():
            with pytest.raises(ProblemError) as caught, place():
                raise AssertionError("there was one place")
            assert status_and_wait(caught.value) == (429, wait)
        with place():
            pass


@pytest.mark.parametrize("headers", [{"content_length": "1001"}, {}, {"content_length": "10"}])
async def test_a_body_is_refused_once_it_is_too_large_whatever_its_header_says(headers: dict[str, str]) -> None:
    limits = RequestLimits(ApiSettings(body_bytes_max=1_000))

    with pytest.raises(ProblemError, match="more than 1000 bytes") as caught:
        await limits.body(request(b"x" * 600, b"x" * 600, **headers))

    assert (caught.value.kind.status, caught.value.headers) == (413, {"Connection": "close"})


async def test_a_sender_who_never_ends_is_given_up() -> None:
    limits = RequestLimits(ApiSettings(body_seconds=0.05))

    with pytest.raises(ProblemError, match=r"did not arrive within 0\.05 s") as caught:
        await limits.body(request(b"{"))

    assert (caught.value.kind.status, caught.value.headers) == (408, {"Connection": "close"})
