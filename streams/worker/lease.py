"""The lease: proof that this worker still owns its partitions.

A worker that was frozen past its session timeout wakes up with records ready to send for partitions that belong to
someone else by now. Kafka fences such a producer only inside transactions. So every produce request first looks at
the lease, which each successful heartbeat renews and which runs out no later than the broker's own session timer.
The remaining gap is the few instructions between that look and the write to the socket; `ce_term` covers it.
"""

import time
from collections.abc import Callable


def _seconds_since_boot() -> float:
    """Seconds of a clock that goes on while the process is frozen and while the machine is suspended."""
    # Linux's CLOCK_MONOTONIC stands still in a suspended machine; other systems have only that, and theirs doesn't.
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


class Lease:
    """Time until which the broker can't have given our partitions away."""

    def __init__(self, ttl_seconds: float, clock: Callable[[], float] = _seconds_since_boot) -> None:
        """Begin without a lease. `clock` must go on while the process is frozen."""
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._renewed_at_seconds = float("-inf")

    def now(self) -> float:
        """Read the lease's own clock, in seconds."""
        return self._clock()

    def renew(self, sent_at_seconds: float) -> None:
        """Extend the lease: the broker has answered a heartbeat that was sent then."""
        self._renewed_at_seconds = max(self._renewed_at_seconds, sent_at_seconds)

    def renewed_since(self, moment_seconds: float) -> bool:
        """Tell whether a heartbeat that was sent after that moment has been answered."""
        return self._renewed_at_seconds > moment_seconds

    @property
    def valid(self) -> bool:
        """Whether the broker must still count us in."""
        return self._clock() - self._renewed_at_seconds < self._ttl_seconds
