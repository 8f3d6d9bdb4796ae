"""Claim check: what is too large for a record goes into the artifact store, and the record says where it is.

The worker shows what it needs of it, distilled; everybody else reads it by its id. Client and workers must use the same
store: the same machine, or `artifacts.url`.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from tailrace.agents.artifacts import TEXT_TYPE, content_id
from tailrace.agents.envelope import given_for, rule_for, ttl_seconds_of
from tailrace.agents.part_text import text_of
from tailrace.agents.secrets import find_secrets
from tailrace.schemas.artifact import NewArtifact, SecurityContext
from tailrace.schemas.envelope import ToolEnvelope
from tailrace.schemas.errors import Invalid
from tailrace.schemas.event import DEFAULT_TENANT, Claim, Sensitivity
from tailrace.schemas.formats import detect_format, read_native
from tailrace.schemas.message import Format, Message
from tailrace.schemas.parts import AnyPart, TextPart, ToolCallResponsePart
from tailrace.schemas.policy import Policy
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.client.publication import PublishOptions
from tailrace.streams.settings import Settings

PLACEHOLDER = "[content of {size_bytes} bytes - artifact:{artifact_id}]"


class ClaimCheck:
    """Puts large contents away; the store is opened when the first comes."""

    def __init__(self, settings: Settings) -> None:
        """Open nothing yet."""
        self._settings = settings
        self._store: ArtifactStore | None = None
        self._opening = asyncio.Lock()

    async def put_away(
        self, thread: str, message: Message | Mapping[str, Any], options: PublishOptions
    ) -> tuple[Message, Claim]:
        """Store the largest text of the message, and return the message without it.

        Raises Invalid where the message has no text that could be put away.
        """
        read = message if isinstance(message, Message) else _read(message, options)
        place, text = _largest(read)
        content = text.encode(errors="surrogatepass")
        name = content_id(TEXT_TYPE, content)
        now_ms = time.time_ns() // 1_000_000
        ttl_seconds = _ttl_seconds(read, place, options, self._settings.compaction_policy)
        artifact = NewArtifact(
            id=name,
            media_type=TEXT_TYPE,
            content=content,
            created_at_ms=now_ms,
            expires_at_ms=now_ms + ttl_seconds * 1000 if ttl_seconds is not None else None,
            sensitivity=await self._sensitivity(text, options),
            thread=thread,
            message_id=options.get("id") or "",
        )
        store = await self._opened()
        await store.store(SecurityContext(tenant=options.get("tenant") or DEFAULT_TENANT, actor="client"), [artifact])
        note = PLACEHOLDER.format(size_bytes=len(content), artifact_id=name)
        parts = list(read.parts)
        parts[place] = _with_text(parts[place], note)
        return msgspec.structs.replace(read, parts=tuple(parts)), Claim(
            artifact_id=name, size_bytes=len(content), part=place
        )

    async def close(self) -> None:
        """Close the store, if it was ever opened."""
        if self._store is not None:
            await self._store.close()
            self._store = None

    async def _opened(self) -> ArtifactStore:
        async with self._opening:
            if self._store is None:
                # Only who has something large to say needs SQLite.
                from tailrace.streams.artifacts.open_store import open_store  # noqa: PLC0415

                self._store = await open_store(self._settings)
            return self._store

    async def _sensitivity(self, text: str, options: PublishOptions) -> Sensitivity:
        given = Sensitivity(options.get("sensitivity") or Sensitivity.INTERNAL)
        if not self._settings.compaction_policy.mask_secrets:
            return given
        return Sensitivity.RESTRICTED if await asyncio.to_thread(find_secrets, text) else given


def _read(message: Mapping[str, Any], options: PublishOptions) -> Message:
    given = options.get("format")
    return read_native(Format(given) if given else detect_format(message), message)


def _ttl_seconds(message: Message, place: int, options: PublishOptions, policy: Policy) -> int | None:
    """How long the content is kept. Which tool it is of is known here only where the producer says so."""
    part = message.parts[place]
    if not isinstance(part, ToolCallResponsePart):
        return policy.artifact_ttl_seconds
    given = [msgspec.convert(one, ToolEnvelope, from_attributes=True) for one in options.get("tools") or ()]
    before = sum(isinstance(one, ToolCallResponsePart) for one in message.parts[:place])
    rule = rule_for(given_for(part, before, given).name or "", policy.tools)
    return ttl_seconds_of([rule], policy.artifact_ttl_seconds)


def _largest(message: Message) -> tuple[int, str]:
    texts = [
        (len(text := text_of(part)), -place, text)
        for place, part in enumerate(message.parts)
        if isinstance(part, TextPart | ToolCallResponsePart)
    ]
    if not texts:
        raise Invalid(
            "the message is too large for a record, and has no text that could be put into the artifact store"
        )
    _, place, text = max(texts)
    return -place, text


def _with_text(part: AnyPart, text: str) -> AnyPart:
    field = "response" if isinstance(part, ToolCallResponsePart) else "content"
    return msgspec.structs.replace(part, **{field: text})
