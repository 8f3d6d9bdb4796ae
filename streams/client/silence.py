"""Remembers for a while that no worker answers, so that only the first context of an agent's turn waits in vain."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tailrace.streams.client.fallback import FallbackReason

#: Then one context waits its whole time again: a worker may be there that has had nothing to write.
_REMEMBERED_SECONDS: Final = 10.0
#: A worker that is back answers within milliseconds.
_SHORT_WAIT_MS: Final = 100
#: Loading takes its time and ends by itself; what is unreadable is told at once.
_SILENT: Final = frozenset({FallbackReason.BEHIND, FallbackReason.UNDELIVERED, FallbackReason.UNREACHABLE})


class FeedPlace(NamedTuple):
    """How far a partition of the contexts topic is read; both None where it is not known."""

    partition: int | None = None
    position: int | None = None


@dataclass(slots=True)
class Silence:
    """The partitions on which nobody answered, where they ended then, and until when that is believed."""

    _until: dict[int | None, tuple[FeedPlace, float]] = field(default_factory=dict)

    def wait_ms(self, place: FeedPlace, usual_ms: int, *, now_seconds: float) -> int:
        """Return how long to wait: the usual time, unless nobody answered lately and nothing has been written since."""
        silent = self._until.get(place.partition)
        if silent is None or silent[0] != place or silent[1] <= now_seconds:
            return usual_ms
        return min(usual_ms, _SHORT_WAIT_MS)

    def note(self, place: FeedPlace, reason: FallbackReason, *, now_seconds: float) -> None:
        """Remember that a context had to be cut after its whole time."""
        if reason in _SILENT:
            self._until[place.partition] = (place, now_seconds + _REMEMBERED_SECONDS)

    def end(self, place: FeedPlace) -> None:
        """Forget it: somebody answered."""
        self._until.pop(place.partition, None)
