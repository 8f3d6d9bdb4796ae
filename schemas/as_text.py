"""Texts that stand for what a message format has no place for.

A model reads them, so they say what was there; they never hold the bytes of media.
"""

import msgspec

from tailrace.schemas.parts import BlobPart, CompactionPart, FilePart, Json, UriPart

_encode = msgspec.json.Encoder().encode


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
