"""One process at a time, across processes: a lock that ends with the process that holds it.

Used where two commands may meet on the same folder: filling the cache of jars, starting and stopping the local broker,
making the projection again.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tailrace.schemas.errors import Unavailable
from tailrace.streams.files.private import opener

_POLL_SECONDS: Final = 0.1


@contextmanager
def exclusive(
    path: Path,
    *,
    seconds_max: float,
    on_wait: Callable[[], None] | None = None,
    refusal: Unavailable | None = None,
) -> Iterator[None]:
    """Hold the lock on this file, which is made if missing; call on_wait once if another process has it.

    Raises Unavailable when the lock isn't free within seconds_max: `refusal`, where there is more to say than that.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file stays: removing it would let two processes lock two different files of the same name.
    with open(path, "a", opener=opener) as file:
        _acquire(file.fileno(), seconds_max=seconds_max, on_wait=on_wait, refusal=refusal or _taken(path, seconds_max))
        yield


def shared(path: Path, *, seconds_max: float) -> IO[str]:
    """Hold a shared lock on this file until what is returned is closed or the process ends.

    Nobody has it alone meanwhile. Raises Unavailable when somebody does for longer than seconds_max.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = open(path, "a", opener=opener)  # noqa: SIM115  the caller closes it
    try:
        _acquire(file.fileno(), seconds_max=seconds_max, refusal=_taken(path, seconds_max), kind=fcntl.LOCK_SH)
    except BaseException:
        file.close()
        raise
    return file


def _taken(path: Path, seconds_max: float) -> Unavailable:
    return Unavailable(
        f"Another process has held {path} for more than {seconds_max:.0f} s. Wait for it, or end it, and try again"
    )


def _acquire(
    descriptor: int,
    *,
    seconds_max: float,
    refusal: Unavailable,
    on_wait: Callable[[], None] | None = None,
    kind: int = fcntl.LOCK_EX,
) -> None:
    deadline = time.monotonic() + seconds_max
    waits = False
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise refusal from None
        else:
            return
        if on_wait is not None and not waits:
            on_wait()
            waits = True
        time.sleep(_POLL_SECONDS)
