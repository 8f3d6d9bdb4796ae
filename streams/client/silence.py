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


#: Then it is the broker that is silent, and not the workers.
BROKER_SILENT: Final = frozenset({FallbackReason.UNDELIVERED, FallbackReason.UNREACHABLE})


class FeedPlace(NamedTuple):
    """How far a partition of the contexts topic is read; both None where it is not known."""

    partition: int | None = None
    position: int | None = None


class _Remembered(NamedTuple):
    """Where a partition ended when nobody answered, why, and until when that is believed."""

    place: FeedPlace
    reason: FallbackReason
    until_seconds: float


@dataclass(slots=True)
class Silence:
    """The partitions on which nobody answered."""

    _until: dict[int | None, _Remembered] = field(default_factory=dict)

    def wait_ms(
        self,
        place: FeedPlace,
        usual_ms: int,
        *,
        now_seconds: float,
        reasons: frozenset[FallbackReason] = _SILENT,
    ) -> int:
        """Return how long to wait: the usual time, unless nobody answered lately and nothing has been written since.

        `reasons` are those that matter to whoever waits.
        """
        silent = self._until.get(place.partition)
        if silent is None or silent.place != place or silent.until_seconds <= now_seconds:
            return usual_ms
        return min(usual_ms, _SHORT_WAIT_MS) if silent.reason in reasons else usual_ms

    def note(self, place: FeedPlace, reason: FallbackReason, *, now_seconds: float) -> None:
        """Remember that a context had to be cut after its whole time."""
        if reason in _SILENT:
            self._until[place.partition] = _Remembered(place, reason, now_seconds + _REMEMBERED_SECONDS)

    def end(self, place: FeedPlace) -> None:
        """Forget it: somebody answered."""
        self._until.pop(place.partition, None)
