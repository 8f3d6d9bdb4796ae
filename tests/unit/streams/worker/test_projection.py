"""The projection: a real SQLite file that can be written again and again, by several workers."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from support.conversations import Move, Published, play, small_engine
from support.tool_thread import Talk, lines, of_type

from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Fatal
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.dead_letter import DeadLetter
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.kafka_records import Emission
from tailrace.streams.worker.projection import SqliteProjection


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "projection.db"


@pytest.fixture
def projection(path: Path) -> Iterator[SqliteProjection]:
    opened = SqliteProjection(path)
    yield opened
    opened.close()


def emissions(thread: str = "thread") -> list[Emission]:
    """What a conversation with compactions and dead letters causes."""
    kinds = ("user", "assistant", "assistant", "poison", "stray_answer")
    partition = PartitionView()
    return [
        emission
        for offset, published in enumerate(play([Move(kind, 60) for kind in kinds * 4], thread))
        for emission in process(partition, published.at(offset), small_engine()).emissions
    ]


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def counts(path: Path) -> tuple[int, int]:
    tables = ("compactions", "dead_letters")
    return tuple(rows(path, f"select count(*) from {table}")[0][0] for table in tables)  # type: ignore[return-value]  # noqa: S608  names of ours


def wanted(caused: Sequence[Emission]) -> tuple[int, int]:
    return (
        sum(isinstance(one, CompactionRecord) for one in caused),
        sum(isinstance(one, DeadLetter) for one in caused),
    )


@pytest.mark.parametrize("number", [2**62, 2**63, -(2**64), 10**40])
@pytest.mark.parametrize("field", ["input_tokens", "output_tokens", "cache_read_tokens"])
def test_no_number_of_a_producer_is_too_large_to_be_written(
    path: Path, projection: SqliteProjection, field: str, number: int
) -> None:
    usage = {"input_tokens": 1, "output_tokens": 1, field: number}
    value = json.dumps({"native": {"role": "assistant", "content": "hi"}, "model": "gpt-4o", "usage": usage})
    outcome = process(PartitionView(), Published(b"t", value.encode()).at(0), small_engine())

    projection.write(outcome.emissions, outcome.spent)
    assert counts(path) == (0, 1)


def test_compactions_and_dead_letters_are_there_after_the_commit(path: Path, projection: SqliteProjection) -> None:
    caused = emissions()
    assert min(wanted(caused)) > 2
    projection.write(caused)
    assert counts(path) == wanted(caused)
    record = next(one for one in caused if isinstance(one, CompactionRecord))
    (row,) = rows(path, f"select thread, epoch, before_tokens, messages from compactions where id = '{record.id}'")  # noqa: S608  an id of ours
    messages = sum(len(decision.span.ids) for decision in record.decisions)
    assert row == (record.thread, record.epoch, record.before_tokens, messages)


def test_a_batch_that_is_replayed_changes_nothing(path: Path, projection: SqliteProjection) -> None:
    projection.write(emissions())
    before = rows(path, "select * from compactions"), rows(path, "select * from dead_letters")
    projection.write(emissions())
    projection.write(emissions()[3:])
    assert before == (rows(path, "select * from compactions"), rows(path, "select * from dead_letters"))


async def test_a_batch_without_anything_of_interest_does_not_wait_for_other_workers(path: Path) -> None:
    projection = SqliteProjection(path)
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    plain = [one for one in emissions() if not isinstance(one, CompactionRecord | DeadLetter)]
    await projection.commit([RecordOutcome(plain, "duplicate")])
    other.rollback()
    other.close()
    projection.close()


def test_a_batch_is_there_as_a_whole_or_not_at_all(path: Path, projection: SqliteProjection) -> None:
    connection = sqlite3.connect(path)
    connection.execute("create trigger no before insert on dead_letters begin select raise(abort, 'no room'); end")
    connection.commit()
    with pytest.raises(Fatal, match="no room"):
        projection.write(emissions())
    assert counts(path) == (0, 0)
    connection.execute("drop trigger no")
    connection.commit()
    connection.close()
    projection.write(emissions())
    assert counts(path) == wanted(emissions())


def test_two_workers_write_to_one_file(path: Path) -> None:
    one, other = SqliteProjection(path), SqliteProjection(path)
    for turn in range(10):
        one.write(emissions(f"a{turn}"))
        other.write(emissions(f"b{turn}"))
    # Dead letters are of one place in the log, whichever thread they belong to.
    compactions, letters = wanted(emissions())
    assert counts(path) == (20 * compactions, letters)
    one.close()
    other.close()


def test_workers_that_start_at_the_same_moment_share_a_new_file(path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tailrace.streams.worker.projection import SqliteProjection\n"
        "sys.stdin.readline(); SqliteProjection(Path(sys.argv[1])).close()"
    )
    command = [sys.executable, "-c", program, str(path)]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1) for _ in range(4)
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
    assert [worker.communicate(timeout=180)[1] for worker in workers] == [""] * 4
    assert counts(path) == (0, 0)


def test_what_was_written_is_there_after_reopening(path: Path) -> None:
    projection = SqliteProjection(path)
    projection.write(emissions())
    projection.close()
    again = SqliteProjection(path)
    assert counts(path) == wanted(emissions())
    again.close()


def test_a_file_that_can_t_be_written_stops_the_worker(path: Path, projection: SqliteProjection) -> None:
    projection._database.execute("PRAGMA query_only = ON")
    with pytest.raises(Fatal, match="projection"):
        projection.write(emissions())


def test_a_distillation_of_any_size_is_written(path: Path, projection: SqliteProjection) -> None:
    talk = Talk()
    (record,) = of_type(talk.use(lines(1_000)), Distillation)
    projection.write([msgspec.structs.replace(record, before_tokens=2**70)])
    assert rows(path, "select before_tokens from distillations") == [(2**63 - 1,)]


def test_a_full_disk_is_told_as_one(path: Path, projection: SqliteProjection) -> None:
    (letter,) = [one for one in emissions() if isinstance(one, DeadLetter)][:1]
    many = [msgspec.structs.replace(letter, offset=offset) for offset in range(10_000)]
    database = projection._database
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.execute(f"PRAGMA max_page_count = {pages + 20}")
    with pytest.raises(Fatal, match=f"{path}.*disk is full"):
        projection.write(many)
    database.execute("PRAGMA max_page_count = 1000000")
    projection.write(many)
    assert rows(path, "select count(*) from dead_letters") == [(10_000,)]


def test_a_file_that_is_damaged_says_what_to_do(path: Path, projection: SqliteProjection) -> None:
    projection.write(emissions())
    projection.close()
    path.write_bytes(b"no database at all" * 1_000)
    with pytest.raises(Fatal, match=f"{path} could not be used: .*tailrace rebuild"):
        SqliteProjection(path)
    with pytest.raises(Fatal, match="could not be used"):
        SqliteProjection(path / "below a file" / "projection.db")
