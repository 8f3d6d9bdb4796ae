"""Tokens of images, sound, film and documents: estimates, because only the provider knows.

Base64 is never counted as text: no model reads it so. Where a size in pixels is known, images follow the published
tile formula; everything else goes by its bytes, at the densest rate that a large provider documents.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tailrace.schemas.parts import BlobPart, FilePart, Json, UriPart

#: OpenAI's formula for an image in high detail: fit into a square, shrink the short side, pay for each started tile.
IMAGE_BASE_TOKENS = 85
IMAGE_TILE_TOKENS = 170
IMAGE_SQUARE_PIXELS = 2048
IMAGE_SHORT_SIDE_PIXELS = 768
IMAGE_TILE_PIXELS = 512
#: A side that is longer is no side of an image.
IMAGE_SIDE_PIXELS_MAX = 1_000_000
#: An image of unknown size is taken for a wide screenshot: three by two tiles. Most photographs need less.
IMAGE_UNKNOWN_TOKENS = IMAGE_BASE_TOKENS + 6 * IMAGE_TILE_TOKENS
#: Media that is not here, only named: two dense pages, two minutes of speech, or a quarter of a minute of film.
UNSEEN_TOKENS = 4_000

#: Bytes of content for one token. Sound: 32 tokens a second at 128 kbit/s. Film: 300 a second at 1 Mbit/s.
#: Documents: 3,000 a page at 75 kB. Text: three bytes, as Chinese has them. Encrypted reasoning: prose, four bytes.
BYTES_PER_TOKEN = {"audio": 500, "video": 400, "document": 25, "text": 3, "encrypted": 4}

#: Content blocks that are media: the key that holds it, and what it is.
_BLOCKS = {
    "image": ("source", "image"),
    "image_url": ("image_url", "image"),
    "image_file": ("image_file", "image"),
    "input_image": ("image_url", "image"),
    "input_audio": ("input_audio", "audio"),
    "document": ("source", "document"),
    "file": ("file", "document"),
}
#: Anthropic's documents may hold text or further blocks in the place of a file.
_READABLE_SOURCES = ("text", "content")
_MIME_KEYS = ("media_type", "mime_type", "mimeType")
#: No provider's prefix of a data: URL comes near this.
_DATA_URL_HEAD_CHARS = 256


@dataclass(frozen=True, slots=True)
class Media:
    """Media found in a provider's JSON. `payload` is the text that must not be counted; empty if the media is elsewhere."""

    modality: str
    payload: str = ""
    extra: Mapping[str, Any] | None = None


def image_tokens(width_pixels: float, height_pixels: float) -> int:
    """Return the tokens of an image in high detail, whose size is known."""
    if not (0 < width_pixels <= IMAGE_SIDE_PIXELS_MAX and 0 < height_pixels <= IMAGE_SIDE_PIXELS_MAX):
        return IMAGE_UNKNOWN_TOKENS
    shrink = min(1.0, IMAGE_SQUARE_PIXELS / max(width_pixels, height_pixels))
    shrink *= min(1.0, IMAGE_SHORT_SIDE_PIXELS / (min(width_pixels, height_pixels) * shrink))
    across = math.ceil(width_pixels * shrink / IMAGE_TILE_PIXELS)
    down = math.ceil(height_pixels * shrink / IMAGE_TILE_PIXELS)
    return IMAGE_BASE_TOKENS + IMAGE_TILE_TOKENS * across * down


def part_tokens(part: BlobPart | FilePart | UriPart) -> int:
    """Return the tokens of a part that is media."""
    mime_type, payload = part.mime_type, part.content if isinstance(part, BlobPart) else ""
    if isinstance(part, UriPart) and part.uri.startswith("data:") and (url := _split_data_url(part.uri)):
        mime_type, payload = url
    return media_tokens(Media(_modality(mime_type, part.modality), payload, part.extra))


def media_tokens(media: Media) -> int:
    """Return the tokens of media, by pixels or bytes as far as they are known."""
    if media.modality == "image":
        return _image_tokens(media.extra or {})
    if not media.payload:
        return UNSEEN_TOKENS
    content_bytes = len(media.payload) * 3 // 4
    return math.ceil(content_bytes / BYTES_PER_TOKEN.get(media.modality, BYTES_PER_TOKEN["document"]))


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
    """Return the media that a JSON object is or has in one of its own fields; None where there is none, or only deeper."""
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
    """Yield the fields of a JSON object that are media as text, each with its key. `modality` is what they are if nothing says."""
    for key, text in holder.items():
        if not isinstance(text, str):
            continue
        if text.startswith("data:") and (url := _split_data_url(text)):
            yield key, Media(_modality(url[0], modality), url[1], holder)
        elif key == "encrypted_content" or (key == "data" and holder.get("type") == "redacted_thinking"):
            yield key, Media("encrypted", text)
        elif key == "data" and holder.get("type") not in _READABLE_SOURCES and (mime_type := _mime_type(holder)):
            yield key, Media(_modality(mime_type, modality), text, holder)


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
    return family if family == "image" or family in BYTES_PER_TOKEN else modality


def _image_tokens(extra: Mapping[str, Any]) -> int:
    hints = {**extra}
    for value in extra.values():
        if isinstance(value, dict):
            hints.update(value)
    if hints.get("detail") == "low":
        return IMAGE_BASE_TOKENS
    width, height = hints.get("width"), hints.get("height")
    if isinstance(width, int | float) and isinstance(height, int | float):
        return image_tokens(width, height)
    return IMAGE_UNKNOWN_TOKENS
