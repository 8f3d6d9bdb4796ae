"""Media inside a provider's JSON: where it is, what it is, and which text holds its bytes.

Whoever counts tokens, shortens results or writes a message for another provider asks here, so that bytes which are
counted as media never go out as text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tailrace.schemas.records.parts import BlobPart, FilePart, Json, UriPart

#: Content blocks that are media: the key that holds it, and what it is.
_BLOCKS = {
    "image": ("source", "image"),
    "image_url": ("image_url", "image"),
    "image_file": ("image_file", "image"),
    "input_image": ("image_url", "image"),
    "computer_screenshot": ("image_url", "image"),
    "input_audio": ("input_audio", "audio"),
    "document": ("source", "document"),
    "file": ("file", "document"),
}
#: Anthropic's documents may hold text or further blocks in the place of a file.
_READABLE_SOURCES = ("text", "content")
#: What a model thought, as its provider alone can read it: the field that holds it, by the type of its block.
_ENCRYPTED_FIELDS = {"redacted_thinking": "data", "reasoning.encrypted": "data", "thinking": "signature"}
#: What something is can be told by its type alone where that is one of these.
_FAMILIES = frozenset({"image", "audio", "video", "document", "text"})
_MIME_KEYS = ("media_type", "mime_type", "mimeType")
#: No provider's prefix of a data: URL comes near this.
_DATA_URL_HEAD_CHARS = 256


@dataclass(frozen=True, slots=True)
class Media:
    """Media found in a provider's JSON. `payload` is the text that must not be counted.

    Empty if the media is elsewhere.
    """

    modality: str
    payload: str = ""
    extra: Mapping[str, Any] | None = None
    mime_type: str | None = None


def media_of_part(part: BlobPart | FilePart | UriPart) -> Media:
    """Return what a part that is media holds."""
    mime_type, payload = part.mime_type, part.content if isinstance(part, BlobPart) else ""
    if isinstance(part, UriPart) and part.uri.startswith("data:") and (url := _split_data_url(part.uri)):
        mime_type, payload = url
    return Media(_modality(mime_type, part.modality), payload, part.extra, mime_type)


def find_media(value: Json) -> Iterator[Media]:
    """Yield the media inside a provider's JSON value, however deep."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            media = media_of(item)
            if media is not None:
                yield media
            else:
                stack.extend(child for child in item.values() if isinstance(child, dict | list))


def media_of(holder: dict[str, Any]) -> Media | None:
    """Return the media that a JSON object is or has in one of its own fields.

    None where there is none, or only deeper.
    """
    return block_media(holder) or _first_inline(holder, "document")


def block_media(block: dict[str, Any]) -> Media | None:
    """Return the media that a provider's content block is; None for any other object."""
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in _BLOCKS:
        return None
    key, modality = _BLOCKS[kind]
    source = block.get(key)
    if isinstance(source, str):
        source = {"url": source}
    if not isinstance(source, dict) or source.get("type") in _READABLE_SOURCES:
        return None
    return _first_inline(source, modality) or Media(modality, extra=source)


def _first_inline(holder: dict[str, Any], modality: str) -> Media | None:
    return next((media for _, media in inline_media(holder, modality)), None)


def inline_media(holder: dict[str, Any], modality: str = "document") -> Iterator[tuple[str, Media]]:
    """Yield the fields of a JSON object that are media as text, each with its key.

    `modality` is what they are if nothing says.
    """
    for key, text in holder.items():
        if not isinstance(text, str):
            continue
        if text.startswith("data:") and (url := _split_data_url(text)):
            yield key, Media(_modality(url[0], modality), url[1], holder, url[0])
        elif key == "encrypted_content" or key == _ENCRYPTED_FIELDS.get(str(holder.get("type"))):
            yield key, Media("encrypted", text)
        elif key == "data" and holder.get("type") not in _READABLE_SOURCES and (mime_type := _mime_type(holder)):
            yield key, Media(_modality(mime_type, modality), text, holder, mime_type)


def _mime_type(holder: dict[str, Any]) -> str | None:
    for key in _MIME_KEYS:
        if isinstance(holder.get(key), str):
            return str(holder[key])
    # OpenAI names the container of sound only.
    return f"audio/{holder['format']}" if isinstance(holder.get("format"), str) else None


def _split_data_url(url: str) -> tuple[str, str] | None:
    head, base64, _ = url[:_DATA_URL_HEAD_CHARS].partition(";base64,")
    return (head.removeprefix("data:"), url[len(head) + len(base64) :]) if base64 else None


def _modality(mime_type: str | None, modality: str) -> str:
    family = (mime_type or "").partition("/")[0].lower()
    return family if family in _FAMILIES else modality
