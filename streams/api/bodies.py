"""Answers that were written before, for as long as the thread stands as it did: what is read often is written once."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

BYTES_MAX: Final = 64 * 1024 * 1024


class Bodies:
    """Bodies of responses by what they are of, up to a number of bytes.

    Those go first that were not asked for the longest.
    """

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        """Hold nothing yet."""
        self._bytes_max = bytes_max
        self._bytes = 0
        self._bodies: OrderedDict[Hashable, tuple[str, bytes]] = OrderedDict()

    def get(self, key: Hashable, etag: str) -> bytes | None:
        """Return the body if it is the one of this state."""
        kept = self._bodies.get(key)
        if kept is None or kept[0] != etag:
            return None
        self._bodies.move_to_end(key)
        return kept[1]

    def put(self, key: Hashable, etag: str, body: bytes) -> None:
        """Keep a body in the place of an earlier one."""
        former = self._bodies.pop(key, None)
        self._bytes += len(body) - (len(former[1]) if former else 0)
        self._bodies[key] = etag, body
        while self._bytes > self._bytes_max:
            _, (_, gone) = self._bodies.popitem(last=False)
            self._bytes -= len(gone)
