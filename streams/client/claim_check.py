"""Claim check: what is too large for a record goes into the artifact store, and the record says where it is.

The worker shows what it needs of it, distilled; everybody else reads it by its id. Client and workers must use the same
store: the same machine, or `artifacts.url`.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tailrace.agents.artifacts.names import content_id, content_of
from tailrace.agents.artifacts.stand_ins import call_reference, media_reference
from tailrace.agents.messages.envelope import given_for, rule_for, ttl_seconds_of
from tailrace.agents.messages.wording import pointer_text
from tailrace.agents.secrets.mask import mask_message
from tailrace.schemas.errors import Invalid
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import detect_format, read_native
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.event import DEFAULT_TENANT, Claim, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, TextPart, ToolCallPart, ToolCallResponsePart
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.client.publication import PublishOptions
from tailrace.streams.extras import missing_extras_named
from tailrace.streams.settings.settings import Settings

PLACEHOLDER = "[content of {size_bytes} bytes - artifact:{artifact_id}]"
#: Of a record, what a message may take; the rest is for what is said about it.
_MESSAGE_FRACTION: Final = 0.9
#: Parts of which a worker shows a distillation.
_DISTILLED = TextPart | ToolCallResponsePart
#: A guess, as a worker makes it.
_BYTES_PER_TOKEN: Final = 4


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
        """Store the largest parts of the message, whole, and return the message without them.

        The claim is to the largest text or tool result, of which the worker shows more than a pointer; where there is
        none, to the largest call or media. What is still too much for a record beside it is stored as well, and
        pointers stand in those places. Raises Invalid where the message has nothing that could be put away.
        """
        read = message if isinstance(message, Message) else _read(message, options)
        largest = _large_first(read)
        if not largest:
            raise Invalid(
                "the message is too large for a record, and has no text, tool result, call or media that could "
                "be put into the "
                "artifact store"
            )
        room_bytes = int(self._settings.ingest.value_bytes_max * _MESSAGE_FRACTION)
        mask = self._settings.compaction_policy.mask_secrets
        rest = read
        put: list[_LargePart] = []
        for part in largest:
            if put and len(msgspec.json.encode(rest)) <= room_bytes:
                break
            await self._keep(thread, read, part, options)
            rest = _with_part(rest, part.place, await asyncio.to_thread(_stand_in, read, part, mask=mask))
            put.append(part)
        claimed = next((part for part in put if isinstance(read.parts[part.place], _DISTILLED)), put[0])
        whole = read.parts[claimed.place]
        if isinstance(whole, _DISTILLED):
            note = PLACEHOLDER.format(size_bytes=len(claimed.content), artifact_id=claimed.name)
            rest = _with_part(rest, claimed.place, _with_text(whole, note))
        media = not isinstance(whole, _DISTILLED | ToolCallPart)
        return rest, Claim(artifact_id=claimed.name, size_bytes=len(claimed.content), part=claimed.place, media=media)

    async def _keep(self, thread: str, message: Message, part: "_LargePart", options: PublishOptions) -> None:
        now_ms = time.time_ns() // 1_000_000
        ttl_seconds = _ttl_seconds(message, part.place, options, self._settings.compaction_policy)
        artifact = NewArtifact(
            id=part.name,
            media_type=part.media_type,
            content=part.content,
            created_at_ms=now_ms,
            expires_at_ms=now_ms + ttl_seconds * 1000 if ttl_seconds is not None else None,
            sensitivity=await self._sensitivity(_alone(message, part.place), options),
            thread=thread,
            message_id=options.get("id") or "",
        )
        store = await self._opened()
        await store.store(SecurityContext(tenant=options.get("tenant") or DEFAULT_TENANT, actor="client"), [artifact])

    async def close(self) -> None:
        """Close the store, if it was ever opened."""
        if self._store is not None:
            await self._store.close()
            self._store = None

    async def _opened(self) -> ArtifactStore:
        async with self._opening:
            if self._store is None:
                with missing_extras_named():
                    # Only who has something large to say needs SQLite.
                    from tailrace.streams.artifacts.open_store import open_store  # noqa: PLC0415

                self._store = await open_store(self._settings)
            return self._store

    async def _sensitivity(self, kept: Message, options: PublishOptions) -> Sensitivity:
        stated = Sensitivity(options.get("sensitivity") or Sensitivity.INTERNAL)
        if not self._settings.compaction_policy.mask_secrets:
            return stated
        return Sensitivity.RESTRICTED if await asyncio.to_thread(mask_message, kept) is not kept else stated


def _read(message: Mapping[str, Any], options: PublishOptions) -> Message:
    stated = options.get("format")
    return read_native(stated or detect_format(message), message)


def _ttl_seconds(message: Message, place: int, options: PublishOptions, policy: Policy) -> int | None:
    """How long the content is kept. Which tool it is of is known here only where the producer says so."""
    part = message.parts[place]
    if not isinstance(part, ToolCallResponsePart):
        return policy.artifact_ttl_seconds
    envelopes = [msgspec.convert(tool, ToolEnvelope, from_attributes=True) for tool in options.get("tools") or ()]
    before = sum(isinstance(answer, ToolCallResponsePart) for answer in message.parts[:place])
    rule = rule_for(given_for(part, before, envelopes).name or "", policy.tools)
    return ttl_seconds_of([rule], policy.artifact_ttl_seconds)


@dataclass(frozen=True, slots=True)
class _LargePart:
    """A part that could be put away: where it stands, and what it is kept as."""

    place: int
    media_type: str
    content: bytes

    @property
    def name(self) -> str:
        return content_id(self.media_type, self.content)


def _large_first(message: Message) -> list[_LargePart]:
    """The parts that can be put away, the largest first. A result of blocks is kept as such, its media included."""
    parts = [
        _LargePart(place, *content_of(_alone(message, place)))
        for place, part in enumerate(message.parts)
        if isinstance(part, _DISTILLED | ToolCallPart) or media_reference(part, "") is not part
    ]
    return sorted(parts, key=lambda part: -len(part.content))


def _stand_in(message: Message, large: _LargePart, *, mask: bool) -> AnyPart:
    """What stands in the record for a part that was put away.

    A secret is masked before anything is cut, or half of it stays.
    """
    part = message.parts[large.place]
    if isinstance(part, ToolCallPart):
        (masked,) = mask_message(_alone(message, large.place)).parts if mask else (part,)
        return call_reference(masked, large.name) if isinstance(masked, ToolCallPart) else part
    if isinstance(part, _DISTILLED):
        return _with_text(part, pointer_text(large.name, len(large.content) // _BYTES_PER_TOKEN))
    return media_reference(part, large.name)


def _alone(message: Message, place: int) -> Message:
    return msgspec.structs.replace(message, parts=(message.parts[place],))


def _with_part(message: Message, place: int, part: AnyPart) -> Message:
    return msgspec.structs.replace(message, parts=(*message.parts[:place], part, *message.parts[place + 1 :]))


def _with_text(part: TextPart | ToolCallResponsePart, text: str) -> AnyPart:
    field = "response" if isinstance(part, ToolCallResponsePart) else "content"
    return msgspec.structs.replace(part, **{field: text})
