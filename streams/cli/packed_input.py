"""Input that is compressed: recognised by its first bytes, whatever it is called, and unpacked up to a limit.

Codex packs the files of sessions that are a week old. Few bytes can say very many, so no more is unpacked than the
limit; whoever means a file that large can unpack it before.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Protocol

import zstandard

from tailrace.schemas.errors import Invalid

#: Far more than any session has; reading it takes several times as much memory.
UNPACKED_BYTES_MAX: Final = 512 << 20
#: Unpacked at once. Zstandard makes up to some thirty thousand bytes of one, and the limit is looked at in between.
_PIECE_BYTES: Final = 1 << 10
#: So zlib expects what gzip writes around its data.
_GZIP_BITS: Final = 16 + zlib.MAX_WBITS


class _Frame(Protocol):
    """One packed piece of a file, which may hold several one after another."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


class _Packing(NamedTuple):
    name: str
    magic: bytes
    frame: Callable[[], _Frame]


_PACKINGS: Final = (
    _Packing("zstd", b"\x28\xb5\x2f\xfd", lambda: zstandard.ZstdDecompressor().decompressobj()),
    _Packing("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(_GZIP_BITS)),
)


def unpacked(data: bytes) -> bytes:
    """Return what compressed bytes hold, and others as they are.

    Raises Invalid where they are damaged or hold too much.
    """
    packing = next((packing for packing in _PACKINGS if data.startswith(packing.magic)), None)
    if packing is None:
        return data
    pieces: list[bytes] = []
    size_bytes = 0
    try:
        for piece in _pieces(data, packing):
            size_bytes += len(piece)
            if size_bytes > UNPACKED_BYTES_MAX:
                raise Invalid(
                    f"more than {UNPACKED_BYTES_MAX >> 20:,} MiB are packed in it with {packing.name}: "
                    "unpack it before, if it is meant to be so large"
                )
            pieces.append(piece)
    except (zlib.error, zstandard.ZstdError) as error:
        raise Invalid(f"it is packed with {packing.name} and damaged: {error}") from error
    return b"".join(pieces)


def _pieces(data: bytes, packing: _Packing) -> Iterator[bytes]:
    frame = packing.frame()
    for start in range(0, len(data), _PIECE_BYTES):
        packed = data[start : start + _PIECE_BYTES]
        while packed:
            frame = packing.frame() if frame.eof else frame
            yield frame.decompress(packed)
            packed = frame.unused_data if frame.eof else b""
    if not frame.eof:
        raise Invalid(f"it is packed with {packing.name} and ends in the middle")
