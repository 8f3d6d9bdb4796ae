"""The file of recall, as its writer sees it: each message once, and how far the log was read."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.conversations import Move, Published, play, small_engine

from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.errors import Fatal
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import ToolRule
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.recall import RecallHit
from tailrace.streams.indexer.index_file import IndexFile, SaidEvent
from tailrace.streams.recall.reader import RecallReader
from tailrace.streams.recall.tables import RECALL_FILE

POLICY = Policy()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / RECALL_FILE


@pytest.fixture
def file(path: Path) -> Iterator[IndexFile]:
    opened = IndexFile(path)
    yield opened
    opened.close()


def said(offset: int, message: dict[str, Any], **fields: Any) -> SaidEvent:
    value = json.dumps({"id": f"m{offset}", "message": message, **fields}).encode()
    return SaidEvent(decode_event(Published(b"t1", value).at(offset), value_bytes_max=1_000_000), offset)


def text(offset: int, words: str, **fields: Any) -> SaidEvent:
    return said(offset, {"role": "user", "parts": [{"type": "text", "content": words}]}, **fields)


def hits(path: Path, query: str, clearance: Sensitivity = Sensitivity.INTERNAL) -> list[RecallHit]:
    return RecallReader(path).search(query, tenant="default", thread=None, clearance=clearance, limit=10)


def test_what_was_said_is_found_and_the_offset_behind_it_stands_beside_it(file: IndexFile, path: Path) -> None:
    assert file.write_messages(3, 9, [text(7, "the sluice is closed"), text(8, "and then?")], POLICY) == 2

    assert [(hit.id, hit.turn) for hit in hits(path, "sluice")] == [("m7", 1)]
    assert file.positions(Topic.CONVERSATIONS) == {3: 9}
    assert file.positions(Topic.COMPACTIONS) == {}


def test_of_what_came_twice_the_first_counts(file: IndexFile, path: Path) -> None:
    file.write_messages(0, 2, [text(0, "heron", id="a"), text(1, "egret", id="a")], POLICY)
    assert file.write_messages(0, 4, [text(2, "stork", id="a"), text(3, "crane", id="b")], POLICY) == 1

    assert hits(path, "egret") == hits(path, "stork") == []
    assert [(hit.id, hit.turn) for hit in hits(path, "heron crane")] == [("b", 2), ("a", 1)]


def test_turns_and_open_calls_are_known_after_a_restart(file: IndexFile, path: Path) -> None:
    policy = msgspec.structs.replace(POLICY, tools={"vault": ToolRule(sensitivity=Sensitivity.RESTRICTED)})
    call = {"type": "tool_call", "id": "c", "name": "vault", "arguments": {}}
    answer = {"type": "tool_call_response", "id": "c", "response": "the heron opens gate seven"}
    file.write_messages(0, 2, [text(0, "open"), said(1, {"role": "assistant", "parts": [call]})], policy)
    file.close()
    with closing(IndexFile(path)) as again:
        again.write_messages(0, 4, [said(2, {"role": "tool", "parts": [answer]}), text(3, "thanks, heron")], policy)

    assert [(hit.id, hit.turn) for hit in hits(path, "heron")] == [("m3", 2)]
    assert {hit.id for hit in hits(path, "heron", Sensitivity.RESTRICTED)} == {"m2", "m3"}


def test_a_batch_that_fails_leaves_neither_messages_nor_an_offset(file: IndexFile, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "create trigger no before insert on recall_passages begin select raise(abort, 'no room'); end"
        )
        connection.commit()
        with pytest.raises(Fatal, match="no room"):
            file.write_messages(0, 1, [text(0, "heron")], POLICY)
        assert file.positions(Topic.CONVERSATIONS) == {}
        connection.execute("drop trigger no")
        connection.commit()
    assert file.write_messages(0, 1, [text(0, "heron")], POLICY) == 1


def test_what_left_together_is_found_as_a_span(file: IndexFile, path: Path) -> None:
    published, compactions = _compacted()
    for offset, record in enumerate(published):
        event = decode_event(record.at(offset), value_bytes_max=1_000_000)
        file.write_messages(0, offset + 1, [SaidEvent(event, offset)], POLICY)
    file.write_compactions(0, 5, compactions)

    assert file.positions(Topic.COMPACTIONS) == {0: 5}
    with closing(sqlite3.connect(path)) as connection:
        spans = connection.execute("select id from recall_documents where kind = 'span'").fetchall()
    assert {name.rpartition("/")[0] for (name,) in spans} <= {record.id for record in compactions}
    assert spans


def test_the_lag_is_what_can_t_be_found_yet(file: IndexFile, path: Path) -> None:
    reader = RecallReader(path)
    assert reader.lag_records() == 0
    file.note_ends({0: 10, 1: 4})
    assert reader.lag_records() == 14
    file.write_messages(0, 8, [text(7, "heron")], POLICY)
    assert reader.lag_records() == 6
    file.note_ends({0: 3, 1: 4})  # a topic that was made anew
    assert reader.lag_records() == 4


def test_a_file_that_is_damaged_says_what_to_do(file: IndexFile, path: Path) -> None:
    file.close()
    path.write_bytes(b"no database at all" * 1_000)
    with pytest.raises(Fatal, match=f"{path} could not be used: .*--role index"):
        IndexFile(path)


def _compacted() -> tuple[Sequence[Published], list[CompactionRecord]]:
    published = play([Move(kind, 60) for kind in ("user", "assistant") * 12], "thread")
    partition = PartitionView()
    emissions = [
        emission
        for offset, record in enumerate(published)
        for emission in process(partition, record.at(offset), small_engine()).emissions
    ]
    return published, [emission for emission in emissions if isinstance(emission, CompactionRecord)]
