"""How much callers may ask.

Requests a second for each, requests and streams at once for all, bytes and time for a body.
"""

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, Request

from tailrace.schemas.api import problem
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.settings.http import ApiSettings

#: So many seconds' worth of requests may come at once.
_BURST_SECONDS: Final = 2.0
#: Callers that are remembered; those who rest are forgotten where there are more.
_CALLERS_MAX: Final = 10_000


@dataclass(slots=True)
class _Bucket:
    """What one caller may still ask now."""

    left: float
    at_seconds: float


class RequestLimits:
    """Counts for one process."""

    def __init__(self, settings: ApiSettings) -> None:
        """Take the settings; nothing is under way."""
        self._settings = settings
        self._buckets: dict[str, _Bucket] = {}
        self._requests = 0
        self._streams = 0

    def spend(self, caller: str, now_seconds: float) -> None:
        """Count a request. Raises a problem where the caller has asked too often."""
        rate = self._settings.requests_per_second
        full = max(1.0, rate * _BURST_SECONDS)
        if len(self._buckets) >= _CALLERS_MAX:
            # Who has not asked for so long may ask as much as somebody new.
            rested = full / rate
            self._buckets = {
                name: bucket for name, bucket in self._buckets.items() if now_seconds - bucket.at_seconds < rested
            }
        bucket = self._buckets.setdefault(caller, _Bucket(full, now_seconds))
        bucket.left = min(full, bucket.left + (now_seconds - bucket.at_seconds) * rate)
        bucket.at_seconds = now_seconds
        if bucket.left < 1:
            raise _too_many(f"more than {rate:g} requests a second", math.ceil((1 - bucket.left) / rate))
        bucket.left -= 1

    @contextmanager
    def request(self) -> Iterator[None]:
        """Hold a place among the requests that are under way. Raises a problem where there is none."""
        if self._requests >= self._settings.concurrency:
            raise _too_many(f"{self._requests} requests are under way", 1)
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    @contextmanager
    def stream(self) -> Iterator[None]:
        """Hold a place among the open streams. Raises a problem where there is none."""
        if self._streams >= self._settings.streams_max:
            raise _too_many(f"{self._streams} streams are open", 5)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    async def body(self, request: Request) -> bytes:
        """Return the body. Raises a problem for one that is too large, or too slow."""
        limit_bytes = self._settings.body_bytes_max
        named = request.headers.get("Content-Length", "")
        if named.isdecimal() and int(named) > limit_bytes:
            raise _too_large(limit_bytes)
        pieces: list[bytes] = []
        size_bytes = 0
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                async for piece in request.stream():
                    size_bytes += len(piece)
                    if size_bytes > limit_bytes:
                        raise _too_large(limit_bytes)
                    pieces.append(piece)
        except TimeoutError:
            raise ProblemError(
                problem.SLOW_BODY,
                f"the body did not arrive within {self._settings.body_seconds:g} s",
                "send it faster, or raise api.body_seconds",
                headers={"Connection": "close"},
            ) from None
        except ClientDisconnect as error:
            raise ProblemError(problem.MALFORMED, "the caller went away before the body was there") from error
        return b"".join(pieces)


def _too_many(what: str, seconds: int) -> ProblemError:
    return ProblemError(
        problem.TOO_MANY, what, f"ask again in {seconds} s", headers={"Retry-After": str(max(1, seconds))}
    )


def _too_large(limit_bytes: int) -> ProblemError:
    return ProblemError(
        problem.TOO_LARGE,
        f"the body has more than {limit_bytes} bytes",
        "send less at once, or raise api.body_bytes_max",
        where="body",
        headers={"Connection": "close"},
    )
