"""The keys with which an identity provider signs, as it publishes them: read when they are needed, and kept.

A key that is not among them makes the set be read again, for providers change their keys; but not more often than
every few seconds, whoever sends what.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx2
import jwt
import structlog

from tailrace.schemas.api import problem
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.streams.api.problems import ProblemError

log = structlog.get_logger("tailrace.api")

#: A set is read again after so long, so that a key that was withdrawn is soon none.
_KEPT_SECONDS: Final = 600.0
#: Between two readings.
_PAUSE_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 10.0
_BYTES_MAX: Final = 1_000_000
_decode: Final = decoder(dict[str, object])


class KeySet:
    """The keys of one provider."""

    def __init__(
        self,
        source: str,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take an https address or a path; nothing is read yet."""
        self._source = source
        self._transport = transport
        self._clock = clock
        self._keys: tuple[jwt.PyJWK, ...] = ()
        self._read_at_seconds = float("-inf")
        self._tried_at_seconds = float("-inf")
        self._reading = asyncio.Lock()

    async def named(self, key_id: str | None) -> tuple[jwt.PyJWK, ...]:
        """Return the keys of that id, or all where a token names none.

        Raises a problem where the set could not be read.
        """
        async with self._reading:
            if self._clock() - self._read_at_seconds > _KEPT_SECONDS or not self._of(key_id):
                await self._read_again()
        if not self._keys:
            raise ProblemError(
                problem.UNAVAILABLE,
                "the key set of api.jwt.keys can't be read at the moment",
                "ask again; the log of this process says why",
                headers={"Retry-After": str(round(_PAUSE_SECONDS))},
            )
        return self._of(key_id)

    def _of(self, key_id: str | None) -> tuple[jwt.PyJWK, ...]:
        return tuple(key for key in self._keys if key_id is None or key.key_id == key_id)

    async def _read_again(self) -> None:
        now_seconds = self._clock()
        if now_seconds - self._tried_at_seconds < _PAUSE_SECONDS:
            return
        self._tried_at_seconds = now_seconds
        try:
            self._keys = _signing_keys(await self._content())
            self._read_at_seconds = now_seconds
        except (OSError, httpx2.HTTPError, PoisonEvent, ValueError, jwt.PyJWTError) as error:
            # What is known goes on to hold: a provider that is away for a moment locks nobody out.
            log.warning("api.key_set_unreadable", source=self._source, error=type(error).__name__)

    async def _content(self) -> bytes:
        if not self._source.startswith(("https:", "http:")):
            return await asyncio.to_thread(Path(self._source).read_bytes)
        async with httpx2.AsyncClient(transport=self._transport, timeout=_ANSWER_SECONDS) as client:
            response = await client.get(self._source)
            response.raise_for_status()
            return bytes(response.content)


def _signing_keys(content: bytes) -> tuple[jwt.PyJWK, ...]:
    """The public keys of a set that are for signatures. One that can't be read is left out, not the others."""
    if len(content) > _BYTES_MAX:
        raise ValueError(f"a key set of {len(content)} bytes")
    keys: list[jwt.PyJWK] = []
    listed = _decode(content).get("keys")
    for entry in listed if isinstance(listed, list) else ():
        # A secret that both sides share has no place in a set that everybody can read.
        if not isinstance(entry, dict) or entry.get("kty") == "oct" or entry.get("use", "sig") != "sig":
            continue
        try:
            keys.append(jwt.PyJWK(entry))
        except jwt.PyJWTError as error:
            # Not what it says: that may hold the entry, and somebody may have put a private key there.
            log.warning("api.key_left_out", error=type(error).__name__)
    if not keys:
        raise ValueError("there is no key for signatures in it")
    return tuple(keys)
