"""What a provider says, read beside the bytes that pass on: those are the caller's, whatever can be made of them."""

from collections.abc import Callable
from typing import Protocol

from tailrace.schemas.decoder import decoder
from tailrace.streams.gateway.dialect import Answer, Dialect
from tailrace.streams.gateway.event_stream import EventReader
from tailrace.streams.gateway.unpacker import unpacker

_decode = decoder()


class AnswerReader(Protocol):
    """Takes the bytes of an answer. Both may raise anything where an answer is none."""

    def feed(self, piece: bytes) -> bool:
        """Take a piece into account. Returns whether the answer is whole with it."""

    def answer(self) -> Answer | None:
        """What was said; None where it is not whole, or holds nothing that can be continued."""


class StreamReader:
    """An answer in server-sent events."""

    def __init__(self, dialect: Dialect, content_encoding: str) -> None:
        """Begin at the beginning."""
        self._unpacker = unpacker(content_encoding)
        self._events = EventReader()
        self._stream = dialect.stream()

    def feed(self, piece: bytes) -> bool:
        """Take a piece into account."""
        is_whole = False
        for name, data in self._events.feed(self._unpacker.feed(piece)):
            is_whole = self._stream.take(name, data) or is_whole
        return is_whole

    def answer(self) -> Answer | None:
        """What was said."""
        return self._stream.answer()


class WholeReader:
    """An answer in one piece."""

    def __init__(self, dialect: Dialect, content_encoding: str) -> None:
        """Begin at the beginning."""
        self._unpacker = unpacker(content_encoding)
        self._answer: Callable[[dict[str, object]], Answer | None] = dialect.answer
        self._content = bytearray()

    def feed(self, piece: bytes) -> bool:
        """Take a piece into account; only its end shows whether it is whole."""
        self._content += self._unpacker.feed(piece)
        return False

    def answer(self) -> Answer | None:
        """What was said."""
        body = _decode(bytes(self._content))
        return self._answer(body) if isinstance(body, dict) else None
