"""One process at a time, across processes: a lock that ends with the process that holds it.

Used where two commands may meet on the same folder: filling the cache of jars, starting and stopping the local broker.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tailrace.schemas.errors import Unavailable

_POLL_SECONDS: Final = 0.1


@contextmanager
def exclusive(path: Path, *, seconds_max: float, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock on this file, which is made if missing; call on_wait once if another process has it.

    Raises Unavailable when the lock isn't free within seconds_max.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file stays: removing it would let two processes lock two different files of the same name.
    with path.open("a") as file:
        _acquire(file.fileno(), path, seconds_max=seconds_max, on_wait=on_wait)
        yield


def _acquire(descriptor: int, path: Path, *, seconds_max: float, on_wait: Callable[[], None] | None) -> None:
    deadline = time.monotonic() + seconds_max
    told = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"Another process has held {path} for more than {seconds_max:.0f} s. "
                    "Wait for it, or end it, and try again"
                ) from None
        else:
            return
        if on_wait is not None and not told:
            on_wait()
            told = True
        time.sleep(_POLL_SECONDS)
