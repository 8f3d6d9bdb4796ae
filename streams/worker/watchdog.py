"""The watchdog: notices that a worker has stopped moving although there is work, whatever the cause.

Faust and aiokafka know several ways to fall silent while the process stays up (faust#175, faust#596, aiokafka#703).
Restarting is safe, so the cure is the same for all of them.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class Watchdog:
    """Compares the lag with the last commit. Times are seconds of one monotonic clock."""

    limit_seconds: float
    _behind_since: float | None = None

    def stalled_seconds(self, *, lag_records: int, committed_at: float, now: float) -> float:
        """Seconds for which there has been work and no commit; 0 while there is no work."""
        if lag_records <= 0:
            self._behind_since = None
            return 0.0
        if self._behind_since is None:
            self._behind_since = now
        return max(0.0, now - max(self._behind_since, committed_at))

    def barks(self, stalled_seconds: float) -> bool:
        """Tell whether that is too long."""
        return stalled_seconds > self.limit_seconds
