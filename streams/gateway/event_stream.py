"""Server-sent events, read while their bytes pass through."""

from typing import Any, Final

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent

#: An event of more bytes is no event of a provider.
_EVENT_BYTES_MAX: Final = 64 * 1024 * 1024


_decode = decoder()


class EventReader:
    """Splits bytes into events, wherever the pieces were cut."""

    def __init__(self) -> None:
        """Begin at the beginning of a stream."""
        self._rest = b""

    def feed(self, piece: bytes) -> list[tuple[str, Any]]:
        """Name and data of each event that is whole with this piece; data that is no JSON is text."""
        self._rest += piece.replace(b"\r\n", b"\n")
        *blocks, self._rest = self._rest.split(b"\n\n")
        if len(self._rest) > _EVENT_BYTES_MAX:
            self._rest = b""
        return [event for block in blocks if (event := _event(block)) is not None]


def _event(block: bytes) -> tuple[str, Any] | None:
    name, data = "", []
    for line in block.decode(errors="replace").split("\n"):
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
