"""What leaves the recall index: by age, and where the file is too large, what was said longest ago.

SQLite's index only notes what is gone, and takes it out when its segments are merged. So the size of the file says
nothing until that is done. Here a part of the messages is chosen that is large enough, they are removed, the whole
index is merged, and only then the size is looked at again. The three states stand in the file: several processes take
turns, and any of them may end.
"""
# ruff: noqa: S608  all names in these statements are of ours; values are always bound

import time
from collections.abc import Callable
from typing import Final

import sqlite_utils

from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import DOCUMENTS
from tailrace.streams.worker.short_turns import ShortTurns

#: So many documents, or pages of the index, are one transaction's at most.
_DOCUMENTS_MAX: Final = 50
_MERGED_PAGES: Final = 64
#: Where the file is too large it comes down to this part of what is allowed: merging costs the same for one message as
#: for all.
_LOW_FRACTION: Final = 0.8
#: Where so large a part of the messages has left by age, the index is merged.
_GONE_FRACTION: Final = 0.2

_STATE: Final = "recall_retention"
_CREATE: Final = f"CREATE TABLE IF NOT EXISTS {_STATE} (to_remove INTEGER, gone INTEGER, merging INTEGER)"
_COUNT: Final = f"SELECT count(*) FROM {DOCUMENTS}"


class RecallRetention:
    """One round over the index."""

    def __init__(self, turns: ShortTurns) -> None:
        """Make what remembers the state, where it is missing."""
        self._turns = turns
        self._connection = turns.connection
        self._index = RecallIndex(sqlite_utils.Database(self._connection))
        self._connection.execute(_CREATE)
        with turns.turn():
            self._connection.execute(f"INSERT INTO {_STATE} SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM {_STATE})")

    def remove_outdated(self, last_row: int) -> int:
        """Remove documents up to this one, the first first. Returns how many."""
        return self._remove(lambda: self._index.remove_oldest_written(last_row))

    def shrink(self, used_bytes: int, bytes_max: int) -> int:
        """Bring a file of this size down. Returns how many documents left."""
        to_remove, _, merging = self._state()
        if used_bytes > bytes_max and not to_remove and not merging:
            self._choose(1 - bytes_max * _LOW_FRACTION / used_bytes)
        removed = self._remove(self._remove_chosen)
        self._merge()
        return removed

    def _state(self) -> tuple[int, int, int]:
        to_remove, gone, merging = self._connection.execute(f"SELECT * FROM {_STATE}").fetchone()
        return to_remove, gone, merging

    def _choose(self, fraction: float) -> None:
        (count,) = self._connection.execute(_COUNT).fetchone()
        with self._turns.turn():
            # The last one stays, so that no number is given twice.
            self._connection.execute(f"UPDATE {_STATE} SET to_remove = ?", (min(int(count * fraction) + 1, count - 1),))

    def _remove_chosen(self) -> bool:
        if not self._state()[0] or not self._index.remove_oldest_said():
            return False
        self._connection.execute(f"UPDATE {_STATE} SET to_remove = to_remove - 1")
        return True

    def _remove(self, remove: Callable[[], bool]) -> int:
        removed = 0
        while self._turns.left:
            some = 0
            with self._turns.turn() as ends_at:
                while some < _DOCUMENTS_MAX and time.monotonic() < ends_at and remove():
                    some += 1
                self._connection.execute(f"UPDATE {_STATE} SET gone = gone + ?", (some,))
            removed += some
            if not some:
                break
        return removed

    def _merge(self) -> None:
        """Merge the index, where enough is gone and nothing is left to be removed."""
        to_remove, gone, merging = self._state()
        (count,) = self._connection.execute(_COUNT).fetchone()
        if to_remove or (not merging and gone <= _GONE_FRACTION * count):
            return
        if not merging:
            with self._turns.turn():
                self._connection.execute(f"UPDATE {_STATE} SET merging = 1, gone = 0")
                self._index.begin_merge(_MERGED_PAGES)
        while self._turns.left:
            with self._turns.turn():
                if not self._index.merge(_MERGED_PAGES):
                    self._connection.execute(f"UPDATE {_STATE} SET merging = 0")
                    return
