"""Recorded conversations as JSON lines, and their size as scorers count it: a token is four characters."""

import gzip
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
import zstandard

from tailrace.agents.shorten import text_of
from tailrace.schemas.message import Message
from tailrace.schemas.parts import ToolCallPart

CHARS_PER_TOKEN = 4
#: Long conversations compress with a window above the library's default.
_ZSTD_WINDOW_BYTES_MAX = 1 << 31

_decode_json = msgspec.json.Decoder(dict[str, Any]).decode


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines; .gz and .zst are unpacked."""
    with path.open("rb") as file:
        unpack = _UNPACK.get(path.suffix)
        for line in unpack(file) if unpack else file:
            if line.strip():
                yield _decode_json(line)


def _unpack_zstd(file: IO[bytes]) -> Iterable[bytes]:
    unpacked: Any = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES_MAX).stream_reader(file)
    return io.BufferedReader(unpacked)


_UNPACK: dict[str, Callable[[IO[bytes]], Iterable[bytes]]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".zst": _unpack_zstd,
}


def count_chars(message: Message) -> int:
    """Characters of a message: its texts, and names and arguments of its calls."""
    names = sum(len(part.name) for part in message.parts if isinstance(part, ToolCallPart))
    return names + sum(len(text_of(part)) for part in message.parts)


def count_tokens(message: Message, _model: str | None = None) -> int:
    """Tokens of a message, rounded up: what is added up for a context then never falls short."""
    return -(-count_chars(message) // CHARS_PER_TOKEN)
