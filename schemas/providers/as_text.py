"""Texts that stand for what a message format has no place for.

A model reads them, so they say what was there; they never hold the bytes of media.
"""

from collections.abc import Callable

import msgspec

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    Json,
    RefusalPart,
    TextPart,
    UriPart,
)

_encode = msgspec.json.Encoder().encode

_UNKNOWN = "[media: not shown]"


def json_text(value: Json) -> str:
    """Return the value as compact JSON, keys in the order in which they came."""
    return _encode(value).decode()


def compaction_text(part: CompactionPart) -> str:
    """Return what stands for the compacted messages; empty if only the provider can read it."""
    return part.content or ""


def media_note(part: BlobPart | FilePart | UriPart) -> str:
    """Return a note in the place of media that can't stand where the message puts it."""
    kind = f"{part.modality} {part.mime_type}" if part.mime_type else part.modality
    match part:
        case UriPart() if not part.uri.startswith("data:"):
            return f"[{kind}: {part.uri}]"
        case FilePart():
            return f"[{kind}: file {part.file_id}]"
        case _:
            return f"[{kind}: not shown]"


def note_of(item: Json, read: Callable[[list[Json], str], tuple[AnyPart, ...]]) -> str:
    """Return what stands for a content item in a message that may not hold it.

    A note for media, and a text as it is.
    """
    try:
        (part,) = read([item], "content")
    except Invalid:  # what came as tailrace/1 may hold anything
        return _UNKNOWN
    match part:
        case BlobPart() | FilePart() | UriPart():
            return media_note(part)
        case TextPart() | RefusalPart():
            return part.content
        case _:
            return _UNKNOWN
