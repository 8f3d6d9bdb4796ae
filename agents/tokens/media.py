"""Tokens of images, sound, film and documents: estimates, because only the provider knows.

Base64 is never counted as text: no model reads it so. Where a size in pixels is known, images follow the published
tile formula; everything else goes by its bytes, at the densest rate that a large provider documents.
"""

import math
from collections.abc import Mapping
from typing import Any

from tailrace.schemas.records.media import Media, media_of_part
from tailrace.schemas.records.parts import BlobPart, FilePart, UriPart

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
    return media_tokens(media_of_part(part))


def media_tokens(media: Media) -> int:
    """Return the tokens of media, by pixels or bytes as far as they are known."""
    if media.modality == "image":
        return _image_tokens(media.extra or {})
    if not media.payload:
        return UNSEEN_TOKENS
    content_bytes = len(media.payload) * 3 // 4
    return math.ceil(content_bytes / BYTES_PER_TOKEN.get(media.modality, BYTES_PER_TOKEN["document"]))


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
