"""Answers that come packed though nobody asked for it: read beside the bytes, which go on as they came."""

import zlib
from typing import Final, Protocol

from tailrace.schemas.errors import Invalid, TooLarge

#: More than any answer holds.
UNPACKED_BYTES_MAX: Final = 256 * 1024 * 1024
#: Window sizes by which zlib tells apart what it unpacks.
_WINDOW_BITS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 15}


class Unpacker(Protocol):
    """Makes of the bytes of an answer those that it says."""

    def feed(self, piece: bytes) -> bytes:
        """Return what is readable with this piece. Raises a PoisonEvent for what is not packed that way."""


class _Plain:
    def feed(self, piece: bytes) -> bytes:
        return piece


class _Zlib:
    def __init__(self, window_bits: int) -> None:
        self._stream = zlib.decompressobj(window_bits)
        self._unpacked_bytes = 0

    def feed(self, piece: bytes) -> bytes:
        try:
            unpacked = self._stream.decompress(piece, UNPACKED_BYTES_MAX - self._unpacked_bytes + 1)
        except zlib.error as error:
            raise Invalid(f"the answer is not packed as its content-encoding says ({error})") from error
        self._unpacked_bytes += len(unpacked)
        if self._unpacked_bytes > UNPACKED_BYTES_MAX:
            raise TooLarge(f"the answer has more than {UNPACKED_BYTES_MAX} bytes")
        return unpacked


class _Unknown:
    def __init__(self, coding: str) -> None:
        self._coding = coding

    def feed(self, piece: bytes) -> bytes:
        del piece
        raise Invalid(f"the answer has a content-encoding that can't be read ({self._coding})")


def unpacker(content_encoding: str) -> Unpacker:
    """What reads an answer with this header, which is empty where there is none."""
    coding = content_encoding.strip().lower()
    if coding in {"", "identity"}:
        return _Plain()
    return _Zlib(_WINDOW_BITS[coding]) if coding in _WINDOW_BITS else _Unknown(coding)
