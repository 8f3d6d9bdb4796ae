"""How long the gateway waits for Kafka and the workers: its full time, or hardly any after they did not answer."""

import time
from typing import Final

#: What is waited where nobody answered a moment ago: enough for a worker that is back.
_SHORT_MS: Final = 50
#: After so long the full time is tried again.
_RETRY_SECONDS: Final = 15.0


class Patience:
    """Remembers for a while that nobody answered, so that not every request pays for it."""

    def __init__(self, full_ms: int) -> None:
        """Begin with full patience."""
        self._full_ms = full_ms
        self._short_until = 0.0

    @property
    def wait_ms(self) -> int:
        """How long to wait now."""
        return min(_SHORT_MS, self._full_ms) if time.monotonic() < self._short_until else self._full_ms

    def learn(self, *, answered: bool) -> None:
        """Take into account whether there was an answer in time."""
        self._short_until = 0.0 if answered else time.monotonic() + _RETRY_SECONDS
