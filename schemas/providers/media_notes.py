"""Media inside a provider's JSON, such as an image in a tool result, replaced by text that says what was there."""

from collections.abc import Callable
from typing import Any

from tailrace.schemas.providers.as_text import json_text, media_note
from tailrace.schemas.records.media import Media, block_media, find_media, inline_media
from tailrace.schemas.records.parts import BlobPart, Json

#: Text that stands for media; None leaves the media where it is.
Note = Callable[[Media], str | None]


def unseen(media: Media) -> str:
    """Return a note that media was here."""
    return media_note(BlobPart(content="", modality=media.modality))


def replace_media(value: Json, note: Note) -> Json:
    """Return the value with a note in the place of all media, however deep; the very same value where it holds none."""
    if next(find_media(value), None) is None:
        return value
    try:
        return _replace(value, note)
    except RecursionError:
        # Nested as no tool nests its answers: then its media stays.
        return value


def readable_json(value: Json) -> str:
    """Return the value as a text that a model can read: JSON with notes in the place of media."""
    return json_text(replace_media(value, unseen))


def _replace(value: Json, note: Note) -> Json:
    if isinstance(value, list):
        return [_replace_block(block, note) for block in value]
    return _replace_object(value, note) if isinstance(value, dict) else value


def _replace_object(holder: dict[str, Any], note: Note) -> Json:
    media = block_media(holder)
    if media is not None:
        return note(media) or holder
    inline = dict(inline_media(holder))
    if "data" in inline:
        # An object around bytes is nothing without them; any other field has a meaning of its own.
        return note(inline["data"]) or holder
    return {
        key: (note(inline[key]) or child) if key in inline else _replace(child, note) for key, child in holder.items()
    }


def _replace_block(block: Json, note: Note) -> Json:
    replaced = _replace(block, note)
    if isinstance(block, dict) and isinstance(replaced, str):
        # A list of blocks stays one. OpenAI's Responses name what goes into a model apart from what comes out.
        kind = "input_text" if str(block.get("type")).startswith("input_") else "text"
        return {"type": kind, "text": replaced}
    return replaced
