"""Media as both of OpenAI's APIs have them: sound as an item of its own, and the bytes of other media in data URLs."""

from typing import Any

from tailrace.schemas.fields import nested, object_field, rest_of_nested, text_field
from tailrace.schemas.providers.as_text import media_note
from tailrace.schemas.providers.content import text_item
from tailrace.schemas.records.parts import AnyPart, BlobPart, GenericPart

_MIME_TYPES = {"wav": "audio/wav", "mp3": "audio/mpeg"}
_AUDIO_FORMATS = {mime_type: name for name, mime_type in _MIME_TYPES.items()}


def data_url_blob(url: str, modality: str, extra: dict[str, Any]) -> BlobPart | None:
    """Return the part for media inside a data URL; None for any other address."""
    if not url.startswith("data:"):
        return None
    head, comma, content = url.partition(",")
    mime_type, base64, parameters = head[5:].partition(";base64")
    # Anything but data:TYPE;base64,… could not be put together again from its pieces.
    if not (comma and base64 and mime_type) or parameters:
        return None
    return BlobPart(content=content, modality=modality, mime_type=mime_type, extra=extra)


def read_audio(item: dict[str, Any], where: str) -> AnyPart:
    """Return the part for an item of type input_audio."""
    audio = object_field(item, "input_audio", where)
    content = text_field(audio, "data", f"{where}.input_audio")
    mime_type = _MIME_TYPES.get(text_field(audio, "format", f"{where}.input_audio"))
    if mime_type is None:
        return GenericPart(value=item)
    extra = rest_of_nested(item, "input_audio", ("data", "format"))
    return BlobPart(content=content, modality="audio", mime_type=mime_type, extra=extra)


def write_audio(part: BlobPart) -> dict[str, Any]:
    """Return the item for sound; a note where the APIs don't take its type."""
    if part.mime_type not in _AUDIO_FORMATS:
        return text_item(media_note(part))
    return nested_item("input_audio", {"data": part.content, "format": _AUDIO_FORMATS[part.mime_type]}, part.extra)


def data_url(part: BlobPart) -> str:
    """Return the data URL that holds the bytes of a part."""
    return f"data:{part.mime_type};base64,{part.content}"


def nested_item(kind: str, value: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """Return an item whose named fields are nested under its type."""
    return {"type": kind, **extra, kind: {**nested(extra, kind), **value}}
