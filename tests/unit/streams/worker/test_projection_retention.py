"""What leaves the projection by age and by size, that the file shrinks by it, and that nobody waits long for it."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.reader import RecallReader
from tailrace.streams.settings.projection import ProjectionSettings
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection
from tailrace.streams.worker.projection_retention import Removed, Retention, bytes_used

DAY_MS = 86_400_000
BYTES_MAX = 4_000_000


def said(number: int, text: str = "") -> RecallDocument:
    words = text or " ".join(f"w{number * 31 % 997}x{place}" for place in range(400))
    return RecallDocument(
        tenant="t",
        thread=f"thread-{number % 7}",
        id=f"m{number}",
        kind=RecallKind.MESSAGE,
        text=words,
        role="user",
        tool="",
        turn=1,
        offset=number,
        created_at_ms=number,
        sensitivity=Sensitivity.INTERNAL,
    )


def letter(offset: int) -> DeadLetter:
    return DeadLetter(
        key=b"k",
        value=b"v",
        headers=(),
        topic="conversations",
        partition=0,
        offset=offset,
        code="undecodable",
        error="Undecodable",
        message="no JSON",
    )


class Clock:
    """The time, as the test sets it."""

    def __init__(self) -> None:
        self.ms = 1_000 * DAY_MS

    def __call__(self) -> int:
        return self.ms


class Both(SqliteProjection):
    """Small tables and an index in one file: retention goes by what it finds there."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._index = RecallIndex(self._database)

    def put(self, letters: Sequence[DeadLetter], documents: Sequence[RecallDocument]) -> None:
        self.write(letters)
        self._database.execute("BEGIN IMMEDIATE")
        self._index.add(documents)
        self._database.execute("COMMIT")


@pytest.fixture
def projection(tmp_path: Path) -> Iterator[Both]:
    opened = Both(tmp_path / PROJECTION_FILE)
    yield opened
    opened.close()


def retention(projection: Both, clock: Clock, *, keep_days: int = 90) -> Retention:
    limits = ProjectionSettings(keep_days=keep_days, bytes_max=BYTES_MAX)
    return Retention(projection.path, limits, now_ms=clock, pause=lambda _seconds: None)


def column(projection: Both, query: str) -> list[object]:
    with closing(sqlite3.connect(projection.path)) as connection:
        return [value for (value,) in connection.execute(query)]


def ids(projection: Both) -> list[object]:
    return column(projection, "SELECT id FROM recall_documents ORDER BY number")


def test_rows_leave_once_they_were_written_too_long_ago(projection: Both) -> None:
    clock = Clock()
    rounds = retention(projection, clock, keep_days=10)
    projection.put([letter(1), letter(2)], [said(1), said(2)])
    rounds.prune()
    clock.ms += 9 * DAY_MS
    projection.put([letter(3)], [said(3)])

    assert rounds.prune().age == 0
    clock.ms += 2 * DAY_MS
    assert rounds.prune().age == 4

    assert ids(projection) == ["m3"]
    assert column(projection, "SELECT offset FROM dead_letters") == [3]
    clock.ms += 1_000 * DAY_MS
    assert rounds.prune().age == 0, "the last row stays, so that no number is given twice"


def test_what_left_is_found_no_more_and_what_stays_is(projection: Both) -> None:
    clock = Clock()
    rounds = retention(projection, clock, keep_days=1)
    projection.put((), [said(1, "the heron stood in the reeds")])
    rounds.prune()
    clock.ms += 2 * DAY_MS
    projection.put((), [said(2, "the heron flew away")])
    rounds.prune()

    hits = RecallReader(projection.path).search(
        "heron", tenant="t", thread=None, clearance=Sensitivity.INTERNAL, limit=5
    )

    assert [hit.id for hit in hits] == ["m2"]


def test_a_file_that_is_too_large_shrinks_by_what_was_said_longest_ago(projection: Both) -> None:
    for begin in range(0, 1_200, 200):
        projection.put((), [said(number) for number in range(begin, begin + 200)])
    projection.put((), [said(5_000), said(-1)])  # written last, said first
    rounds = retention(projection, Clock())
    removed = Removed(unfinished=True)
    by_size = 0
    while removed.unfinished:
        removed = rounds.prune()
        by_size += removed.size

    left = ids(projection)
    assert by_size == 1_202 - len(left)
    assert len(left) > 200, "no more left than had to"
    assert left == [f"m{number}" for number in range(1_201 - len(left), 1_200)] + ["m5000"]
    assert projection.path.stat().st_size == removed.file_bytes < BYTES_MAX
    assert rounds.prune().size == 0
    with closing(sqlite3.connect(projection.path)) as connection:
        assert bytes_used(connection) > BYTES_MAX / 3
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("INSERT INTO recall_index (recall_index, rank) VALUES ('integrity-check', 1)")


def test_a_worker_writes_while_another_round_is_under_way(projection: Both) -> None:
    for begin in range(0, 1_000, 200):
        projection.put((), [said(number) for number in range(begin, begin + 200)])
    rounds = Retention(projection.path, ProjectionSettings(bytes_max=BYTES_MAX), now_ms=Clock())
    pruning = threading.Thread(target=rounds.prune)
    pruning.start()
    written = 0
    # More than these would be more than the file may hold, and would leave themselves.
    while pruning.is_alive() and written < 100:
        projection.put((), [said(10_000 + written)])
        written += 1
    pruning.join()

    assert written > 3, "a batch waits for one transaction of a round, not for the round"
    assert len(ids(projection)) < 1_000 + written
    assert {f"m{10_000 + number}" for number in range(written)} <= set(ids(projection))


def test_two_workers_may_prune_at_once(projection: Both) -> None:
    for begin in range(0, 1_000, 200):
        projection.put((), [said(number) for number in range(begin, begin + 200)])
    removed: list[Removed] = []
    both = [threading.Thread(target=lambda: removed.append(retention(projection, Clock()).prune())) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()

    assert sum(one.size for one in removed) == 1_000 - len(ids(projection))
    with closing(sqlite3.connect(projection.path)) as connection:
        assert bytes_used(connection) > BYTES_MAX / 3


def test_no_file_is_no_error(tmp_path: Path) -> None:
    assert Retention(tmp_path / "none.db", ProjectionSettings(), now_ms=Clock()).prune() == Removed()
