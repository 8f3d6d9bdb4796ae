"""Server-sent events, read while their bytes pass through."""

import re
from typing import Any, Final

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent, TooLarge

#: An event of more bytes is no event of a provider.
_EVENT_BYTES_MAX: Final = 64 * 1024 * 1024
#: An empty line ends an event; lines may end in three ways, and a line's end of two bytes is one.
_END: Final = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
#: The longest end, of which all but the last byte may have come already.
_END_BYTES_MAX: Final = 4

_decode = decoder()


class EventReader:
    """Splits bytes into events, wherever the pieces were cut."""

    def __init__(self) -> None:
        """Begin at the beginning of a stream."""
        self._rest = bytearray()

    def feed(self, piece: bytes) -> list[tuple[str, Any]]:
        """Name and data of each event that is whole with this piece; data that is no JSON is text.

        Raises TooLarge for an event without an end.
        """
        looked = max(0, len(self._rest) - _END_BYTES_MAX + 1)
        self._rest += piece
        blocks, begin = [], 0
        for end in _END.finditer(self._rest, looked):
            blocks.append(bytes(self._rest[begin : end.start()]))
            begin = end.end()
        del self._rest[:begin]
        if len(self._rest) > _EVENT_BYTES_MAX:
            raise TooLarge(f"an event of more than {_EVENT_BYTES_MAX} bytes")
        return [event for block in blocks if (event := _event(block)) is not None]


def _event(block: bytes) -> tuple[str, Any] | None:
    name, data = "", []
    for line in block.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
    if not data:
        return None
    text = "\n".join(data)
    try:
        return name, _decode(text)
    except PoisonEvent:
        return name, text
