"""What of a message makes it the same message when a runtime sends it again.

Runtimes send a conversation whole with every request, and not always with the same bytes: they move cache marks, drop
thinking, write a text as a string or as a list, and wrap reminders and dates around what was said. A fingerprint leaves
such things out. It may be too coarse without harm: what is sent to a model is always taken from the request itself.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.providers.cache_marks import MARK
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    BlobPart,
    CompactionPart,
    FilePart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)
from tailrace.schemas.tagged_blocks import TaggedBlocks

#: Blocks that a harness puts into messages and renews with every request.
_HARNESS_BLOCKS: Final = TaggedBlocks("system-reminder|environment_context|environment_details", ignores_case=True)
#: What changes in a system prompt from day to day: numbers, dates and times, ids and hashes.
_ROTATING: Final = re.compile(r"\b[0-9a-f]*[0-9][0-9a-f-]*\b", re.IGNORECASE)
#: Fields that a provider adds to what it answers with and that may be missing when it is sent back.
_PASSING: Final = frozenset({MARK, "status", "id", "annotations", "logprobs", "citations", "phase"})
_SYSTEM_ROLES: Final = frozenset({"system", "developer"})

_decode = decoder()
_encode = msgspec.json.Encoder(order="deterministic").encode


def fingerprint(message: Message) -> bytes | None:
    """Digest of what a message says; None for one that says nothing of its own, such as reasoning alone."""
    pieces = list(_pieces(message))
    if not pieces:
        return None
    role = "system" if message.role in _SYSTEM_ROLES else message.role
    return hashlib.blake2b(_encode([role, *pieces]), digest_size=16).digest()


def harness_text(message: Message) -> str:
    """What a harness put around what was said; of a system prompt all, because dates and numbers in it are left out."""
    if message.role in _SYSTEM_ROLES:
        return "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
    return "\n".join(block for text in _texts(message) for block in _HARNESS_BLOCKS.blocks_in(text))


def _texts(message: Message) -> Iterator[str]:
    for part in message.parts:
        if isinstance(part, TextPart):
            yield part.content
        elif isinstance(part, ToolCallResponsePart):
            yield from _result_texts(part.response)


def _result_texts(response: Json) -> Iterator[str]:
    if isinstance(response, str):
        yield response
    elif isinstance(response, list):
        yield from (
            item["text"] for item in response if isinstance(item, Mapping) and isinstance(item.get("text"), str)
        )


def _pieces(message: Message) -> Iterator[list[Json]]:
    """Kind and content of each thing that the message says; texts in a row are one."""
    is_system = message.role in _SYSTEM_ROLES
    texts: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart | RefusalPart):
            texts.append(part.content)
        elif not isinstance(part, ReasoningPart):
            yield from _text_piece(texts, is_system=is_system)
            texts = []
            yield _piece(part)
    yield from _text_piece(texts, is_system=is_system)


def _text_piece(texts: list[str], *, is_system: bool) -> Iterator[list[Json]]:
    text = _without_harness("\n".join(texts))
    if is_system:
        text = _ROTATING.sub("0", text)
    text = " ".join(text.split())
    if text:
        yield ["text", text]


def _without_harness(text: str) -> str:
    return _HARNESS_BLOCKS.removed_from(text, " ")


def _piece(part: Any) -> list[Json]:
    read = _READERS.get(type(part))
    return read(part) if read is not None else ["other", _lasting(part.value)]


def _decoded(arguments: Json) -> Json:
    """Arguments as a value: one provider sends them as text, and runtimes write that text anew."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return _decode(arguments or "{}")
    except PoisonEvent:
        return arguments


def _said_by(response: Json) -> Json:
    """A tool's answer: a list that holds nothing but texts says what one text says."""
    if not isinstance(response, list):
        return " ".join(_without_harness(response).split()) if isinstance(response, str) else response
    if all(isinstance(item, Mapping) and isinstance(item.get("text"), str) for item in response):
        return _said_by("\n".join(item["text"] for item in response))
    return _lasting(response)


def _lasting(value: Json) -> Json:
    """A value without the fields that come and go."""
    if isinstance(value, Mapping):
        return {key: _lasting(inner) for key, inner in value.items() if key not in _PASSING}
    return [_lasting(item) for item in value] if isinstance(value, list) else value


#: What identifies a part beside text.
_READERS: Final[Mapping[type, Callable[[Any], list[Json]]]] = {
    ToolCallPart: lambda part: ["call", part.id, part.name, _decoded(part.arguments)],
    ToolCallResponsePart: lambda part: ["result", part.id, _said_by(part.response)],
    BlobPart: lambda part: ["media", part.content],
    FilePart: lambda part: ["media", part.file_id],
    UriPart: lambda part: ["media", part.uri],
    CompactionPart: lambda part: ["compaction", part.content, _lasting(part.extra)],
}
