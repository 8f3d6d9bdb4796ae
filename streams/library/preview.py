"""How a message begins, on one line: what a person needs to recognise it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from tailrace.schemas.providers.as_text import media_note
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

#: More than any terminal is wide.
_CHARACTERS_MAX: Final = 500


def preview(message: Message) -> str:
    """Return the beginning of the message in one line; tool calls are `→ name(…)`, their results `← …`."""
    return "  ".join(_SHOWN[type(part)](part) for part in message.parts)[:_CHARACTERS_MAX]


def _start(text: str | None) -> str:
    return " ".join((text or "")[:_CHARACTERS_MAX].split())


def _json(value: Json) -> str:
    if isinstance(value, str):
        return _start(value)
    blocks = value if isinstance(value, list) else [value]
    texts = [block["text"] for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)]
    return _start(" ".join(texts) if texts else msgspec.json.encode(value).decode(errors="replace"))


_SHOWN: Final[dict[type[AnyPart], Callable[[Any], str]]] = {
    TextPart: lambda part: _start(part.content),
    ReasoningPart: lambda part: f"(reasoning) {_start(part.content)}",
    RefusalPart: lambda part: f"(refusal) {_start(part.content)}",
    CompactionPart: lambda part: f"(compaction) {_start(part.content)}",
    ToolCallPart: lambda part: f"→ {part.name}({_json(part.arguments)})",
    ToolCallResponsePart: lambda part: f"← {_json(part.response)}",
    BlobPart: media_note,
    FilePart: media_note,
    UriPart: media_note,
    GenericPart: lambda part: _json(part.value),
}
