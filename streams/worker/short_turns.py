"""Work on a file that others use at the same moment: many short transactions, and a pause after each that is longer."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

#: One transaction begins nothing new after this long. The largest message alone takes some 50 ms.
_TRANSACTION_SECONDS: Final = 0.01
#: So many times as long as a transaction took is waited after it.
_PAUSE_FACTOR: Final = 2


class ShortTurns:
    """Transactions on one connection, for at most so long altogether."""

    def __init__(self, connection: sqlite3.Connection, *, seconds_max: float, pause: Callable[[float], None]) -> None:
        """Begin to count the time; `pause` is what waits."""
        self.connection = connection
        self._pause = pause
        self._ends_at = time.monotonic() + seconds_max

    @property
    def left(self) -> bool:
        """Whether there is time for another."""
        return time.monotonic() < self._ends_at

    @contextmanager
    def turn(self) -> Iterator[float]:
        """One transaction, with the time by which it should begin nothing more."""
        with self.paused_after():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield time.monotonic() + _TRANSACTION_SECONDS
                self.connection.execute("COMMIT")
            except BaseException:
                # SQLite has already gone back where it ran out of room.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def paused_after(self) -> Iterator[None]:
        """What is a transaction by itself."""
        began_at = time.monotonic()
        yield
        self._pause((time.monotonic() - began_at) * _PAUSE_FACTOR)
