"""When a request is sent again: what gets no answer, and what the server says it can't answer at the moment.

Whoever sends waits, which differs between sync and async; how long, and when to give up, is told here.
"""

from typing import Final

import httpx2

from tailrace.schemas.errors import Unavailable

#: Pauses between tries; the server may ask for longer ones.
_PAUSES_SECONDS: Final = (0.2, 1.0, 3.0)
#: Before a stream that the server has ended is asked for again.
STREAM_PAUSE_SECONDS: Final = 1.0
#: The server can't answer at the moment.
_AGAIN: Final = frozenset({429, 502, 503})


class Tries:
    """The tries of one request. Every request may be repeated: messages have ids."""

    def __init__(self, url: str) -> None:
        """Take the address, which the last error names."""
        self._url = url
        self.begin_again()

    def begin_again(self) -> None:
        """Forget what went wrong so far: something was answered."""
        self._pauses = iter(_PAUSES_SECONDS)

    def pause_after(self, response: httpx2.Response) -> float | None:
        """Return the seconds before the next try; None where this is the answer."""
        if response.status_code not in _AGAIN:
            return None
        usual_seconds = next(self._pauses, None)
        asked = response.headers.get("Retry-After", "")
        return max(usual_seconds, float(asked)) if usual_seconds is not None and asked.isdecimal() else usual_seconds

    def pause_after_error(self, error: httpx2.TransportError) -> float:
        """Return the seconds before the next try. Raises Unavailable after the last one."""
        usual_seconds = next(self._pauses, None)
        if usual_seconds is None:
            what = f"{error or type(error).__name__}"
            raise Unavailable(f"no Tailrace API answers at {self._url} ({what}). Start one: tailrace api") from error
        return usual_seconds
