"""Binary and encoded data: what it is and how long, never its bytes."""

import base64
import binascii
import re
from typing import Final

from tailrace.agents.distill.selection import Sketch

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (WebP, WAV or AVI)"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive (or an Office document, or a JAR)"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"\x7fELF", "an ELF program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"ID3", "MP3 audio"),
    (b"OggS", "Ogg audio"),
)
_ENCODED: Final = re.compile(r"(?:data:([\w/+.-]{1,80});base64,)?([A-Za-z0-9+/=_\-\s]+)")
_HEAD_CHARS: Final = 400
#: Words that can be read inside of binary data: names of its parts, versions, messages.
_READABLE: Final = re.compile(r"[A-Za-z][\w ./:-]{5,60}")
_READABLE_MAX: Final = 20


def sketch_binary(text: str) -> Sketch:
    """Return what the data is, its size, and a few words that can be read in it."""
    encoded = _ENCODED.match(text[:_HEAD_CHARS])
    if encoded is not None and " " not in encoded[2][:60]:
        bytes_ = (len(text) - text.count("\n")) * 3 // 4
        what = encoded[1] or _what(_decoded(encoded[2]))
        return Sketch([], head=f"Base64 data: {what}, about {bytes_:,} bytes. Not shown.")
    words = dict.fromkeys(_READABLE.findall(text[: 100 * _HEAD_CHARS]))
    what = _what(text[:16].encode("latin-1", "replace"))
    return Sketch(list(words)[:_READABLE_MAX], head=f"Binary data: {what}, {len(text):,} characters. Words in it:")


def _decoded(text: str) -> bytes:
    body = "".join(text.split())
    try:
        return base64.b64decode(body[: len(body) // 4 * 4], altchars=b"-_" if "-" in body or "_" in body else None)
    except (binascii.Error, ValueError):
        return b""


def _what(data: bytes) -> str:
    return next((what for magic, what in _MAGIC if data.startswith(magic)), "of no known type")
