"""The recall index: finds by name and by meaning, keeps tenants apart, forgets for good, takes any text as a query."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlite_utils
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallHit, RecallKind
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.vectors import VectorIndex


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite_utils.Database]:
    connection = sqlite3.connect(tmp_path / "projection.db", isolation_level=None)
    yield sqlite_utils.Database(connection)
    connection.close()


@pytest.fixture
def index(database: sqlite_utils.Database) -> RecallIndex:
    return RecallIndex(database)


def document(text: str, name: str = "m1", **fields: object) -> RecallDocument:
    usual = {"tenant": "acme", "thread": "t1", "id": name, "kind": RecallKind.MESSAGE, "text": text}
    return RecallDocument(**{**usual, **fields})  # type: ignore[arg-type]


def found(index: RecallIndex, query: str, tenant: str = "acme", **options: object) -> list[str]:
    return [hit.id for hit in index.search(query, tenant=tenant, **options)]  # type: ignore[arg-type]


def everything(database: sqlite_utils.Database) -> list[list[tuple[object, ...]]]:
    tables = ("recall_documents", "recall_passages", "recall_index_docsize")
    return [database.execute(f"select * from {table} order by 1").fetchall() for table in tables]  # noqa: S608  names of ours


def is_sound(database: sqlite_utils.Database) -> bool:
    """Tell whether the index says what the passages say; SQLite raises where it does not."""
    database.execute("INSERT INTO recall_index (recall_index, rank) VALUES ('integrity-check', 1)")
    return True


TEXTS = {
    "path": "I changed streams/net/retry_policy.rs so that it waits",
    "camel": "the method openValveSlowly() of PumpController is the culprit",
    "number": "the invoice was 1,204.50 EUR, paid on 2031-04-05",
    "address": "see https://example.org/wiki/Pump?id=77 for the drawing",
    "japanese": "東京都の天気は晴れです",
    "accents": "Zoë a réservé le café",
    "plain": "we talked about the weather and the harvest",
}


@pytest.fixture
def filled(index: RecallIndex) -> RecallIndex:
    index.add([document(text, name) for name, text in TEXTS.items()])
    return index


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("streams/net/retry_policy.rs", "path"),
        ("retry_policy.rs", "path"),
        ("retry policy", "path"),
        ("openValveSlowly", "camel"),
        ("which valve opens slowly", "camel"),
        ("pump controller", "camel"),
        ("1,204.50", "number"),
        ("2031-04-05", "number"),
        ("https://example.org/wiki/Pump?id=77", "address"),
        ("天気", "japanese"),
        ("cafe reserve", "accents"),
        ("what did we say about the harvest?", "plain"),
    ],
)
def test_a_passage_is_found_by_name_by_parts_of_names_and_by_words(
    filled: RecallIndex, query: str, wanted: str
) -> None:
    assert found(filled, query)[0] == wanted


def test_a_hit_says_where_its_passage_stands(index: RecallIndex) -> None:
    text = "".join(f"line {number} of the log says nothing new\n" for number in range(200)) + "and then pump_7 failed\n"
    sent = document(text, "m9", kind=RecallKind.ARTIFACT, role="tool", tool="read_log", turn=4)
    index.add([sent])
    (first, *_) = index.search("pump_7", tenant="acme")
    assert isinstance(first, RecallHit)
    assert (first.id, first.kind, first.thread, first.turn) == ("m9", RecallKind.ARTIFACT, "t1", 4)
    assert (first.role, first.tool, first.sensitivity) == ("tool", "read_log", Sensitivity.INTERNAL)
    assert "pump_7" in first.snippet
    assert len(first.snippet) <= 1_000
    assert text.startswith(first.snippet, first.first_char)
    assert first.score > 0


def test_hits_are_as_many_as_asked_for_and_the_best_comes_first(index: RecallIndex) -> None:
    index.add([document(f"the pump {number} made noise {number}", f"m{number}") for number in range(30)])
    hits = index.search("pump noise", tenant="acme", limit=7)
    assert len(hits) == 7
    assert hits[0].score == max(hit.score for hit in hits)


def test_every_process_finds_the_same_in_the_same_order(database: sqlite_utils.Database, index: RecallIndex) -> None:
    words = ("pump_a", "valveB2", "gear.c", "seal-4", "rotor_e", "bladeF")
    texts = [" ".join(words[(number * step) % 6] for step in range(1, 5)) + f" note {number}" for number in range(40)]
    index.add([document(text, f"m{number}") for number, text in enumerate(texts)])
    (path,) = [row[2] for row in database.execute("PRAGMA database_list").fetchall()]
    program = (
        "import sqlite3, sys, sqlite_utils\n"
        "from tailrace.streams.recall.index import RecallIndex\n"
        "index = RecallIndex(sqlite_utils.Database(sqlite3.connect(sys.argv[1])))\n"
        "print(index.search('which rotor_e and valve were near the seal', tenant='acme', limit=20))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1
    assert printed.pop().count("RecallHit(") == 20


# Replays and changes


def test_what_is_added_again_changes_nothing(database: sqlite_utils.Database, filled: RecallIndex) -> None:
    before = everything(database)
    filled.add([document(text, name) for name, text in TEXTS.items()])
    filled.add([document(TEXTS["path"], "path")] * 3)
    assert everything(database) == before
    assert is_sound(database)


def test_what_changed_replaces_what_was_there(database: sqlite_utils.Database, filled: RecallIndex) -> None:
    filled.add([document("now it is about sailing", "plain")])
    assert found(filled, "harvest") == []
    assert found(filled, "sailing") == ["plain"]
    assert is_sound(database)


def test_of_two_in_one_batch_the_later_counts(filled: RecallIndex) -> None:
    filled.add([document("first sailing", "new"), document("second rowing", "new")])
    assert found(filled, "sailing") == []
    assert found(filled, "rowing") == ["new"]


def test_a_batch_that_is_rolled_back_leaves_nothing(database: sqlite_utils.Database, filled: RecallIndex) -> None:
    before = everything(database)
    database.execute("BEGIN IMMEDIATE")
    filled.add([document("sailing", "new"), document("changed", "plain")])
    database.execute("ROLLBACK")
    assert everything(database) == before
    assert found(filled, "sailing") == []
    assert is_sound(database)


def test_the_same_id_may_be_a_message_and_a_span(index: RecallIndex) -> None:
    index.add([document("sailing once", "x"), document("sailing twice", "x", kind=RecallKind.SPAN)])
    assert {hit.kind for hit in index.search("sailing", tenant="acme")} == {RecallKind.MESSAGE, RecallKind.SPAN}


# Removal


def test_what_is_removed_is_gone_and_the_rest_stays(database: sqlite_utils.Database, filled: RecallIndex) -> None:
    filled.remove("acme", "t1", ["path", "never there"])
    assert found(filled, "retry_policy.rs") == []
    assert found(filled, "openValveSlowly") == ["camel"]
    assert is_sound(database)
    filled.remove("other", "t1", ["camel"])
    filled.remove("acme", "t2", ["camel"])
    assert found(filled, "openValveSlowly") == ["camel"]


def test_no_byte_of_what_is_removed_is_left_in_the_file(database: sqlite_utils.Database, index: RecallIndex) -> None:
    told = "quxwobblezz"
    before = database.execute("PRAGMA secure_delete").fetchone()
    for number in range(20):
        index.add([document(f"something about {number}", f"m{number}")])
    index.add([document(f"the word is {told}", "told")])
    (path,) = [row[2] for row in database.execute("PRAGMA database_list").fetchall()]
    assert told.encode() in Path(path).read_bytes()
    database.execute("BEGIN IMMEDIATE")
    index.remove("acme", "t1", ["told"])
    database.execute("COMMIT")
    assert told[1:].encode() not in Path(path).read_bytes()
    assert database.execute("PRAGMA secure_delete").fetchone() == before


# Who may see what


def test_no_tenant_sees_anything_of_another(index: RecallIndex) -> None:
    index.add([document("the pump of acme", "a"), document("the pump of zeta", "z", tenant="zeta")])
    assert found(index, "pump") == ["a"]
    assert found(index, "pump", tenant="zeta") == ["z"]
    assert found(index, "pump", tenant="") == found(index, "pump", tenant="acm") == []


def test_what_others_say_does_not_even_change_a_score(index: RecallIndex) -> None:
    index.add([document(f"pump number {number}", f"m{number}") for number in range(5)])
    before = index.search("pump 3", tenant="acme")
    index.add([document(f"pump 3 {number}", f"z{number}", tenant="zeta") for number in range(50)])
    index.add([document("pump 3", "secret", sensitivity=Sensitivity.RESTRICTED)])
    assert index.search("pump 3", tenant="acme") == before


def test_a_search_may_be_confined_to_a_thread(index: RecallIndex) -> None:
    index.add([document("the pump", "a"), document("the pump too", "b", thread="t2")])
    assert found(index, "pump", thread="t2") == ["b"]
    assert set(found(index, "pump")) == {"a", "b"}
    assert found(index, "pump", thread="t3") == []


@pytest.mark.parametrize("clearance", list(Sensitivity))
def test_a_search_shows_nothing_above_the_clearance(index: RecallIndex, clearance: Sensitivity) -> None:
    levels = list(Sensitivity)
    index.add([document(f"the pump, {level}", level, sensitivity=level) for level in levels])
    shown = set(found(index, "pump", clearance=clearance))
    assert shown == {str(level) for level in levels[: levels.index(clearance) + 1]}


HOSTILE = [
    "", " ", '"', '""', "'", "*", "pump*", "NOT pump", "pump AND", "OR", "NEAR(pump noise, 2)",
    "(", ")", "{text} : pump", "scope : x", 'scope:"x" OR pump', "^pump", "-pump", "+", "pump\0noise", "\0", "?!…—",
    "\ud800", "pump \udfff",
    "'; DROP TABLE recall_passages; --", "\\", "\n\n", "🙂", "a" * 100_000, "pump " * 20_000,
    "\u202e\u200b", "_" * 1_000,
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_is_a_query_and_nothing_in_it_is_an_operator(index: RecallIndex, query: str) -> None:
    index.add([document("the pump of zeta and not", "z", tenant="zeta"), document("a pump", "a")])
    assert set(found(index, query)) <= {"a"}
    assert found(index, query, tenant="nobody") == []
    assert found(index, "pump", tenant=query or "x", thread=query) == []


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200), query=st.text(max_size=200))
def test_any_text_can_be_added_found_and_removed(database: sqlite_utils.Database, text: str, query: str) -> None:
    index = RecallIndex(database)
    index.add([document(text, "any"), document("theirs " + query, "z", tenant="zeta")])
    assert set(found(index, query)) <= {"any"}
    assert is_sound(database)
    index.remove("acme", "t1", ["any"])
    assert found(index, query) == []
    assert is_sound(database)


def test_half_of_a_surrogate_pair_keeps_nothing_from_being_stored(index: RecallIndex) -> None:
    index.add([document("before \ud83d the pump", "m")])
    (hit,) = index.search("pump", tenant="acme")
    assert hit.snippet == "before ? the pump"


# Vectors


can_load_extensions = pytest.mark.skipif(
    not hasattr(sqlite3.Connection, "enable_load_extension"), reason="this Python was built without loadable extensions"
)


@can_load_extensions
def test_with_vectors_a_part_of_a_word_is_enough(database: sqlite_utils.Database) -> None:
    pytest.importorskip("sqlite_vec")
    index = RecallIndex(database, vectors=True)
    index.add([document("compaction of long conversations", "a"), document("a sunny morning at sea", "b")])
    index.add([document("compacting is what others do", "z", tenant="zeta")])
    index.add([document("compacting in secret", "s", sensitivity=Sensitivity.RESTRICTED)])
    assert found(index, "compactions conversational", limit=1) == ["a"]
    assert "z" not in found(index, "compacting")
    assert "s" not in found(index, "compacting")
    index.add([document("a sunny morning at sea", "a")])
    index.remove("acme", "t1", ["b"])
    assert found(index, "compactions") == found(index, "mornings") == ["a"]


@can_load_extensions
def test_what_was_removed_while_vectors_were_off_is_not_found_by_them(database: sqlite_utils.Database) -> None:
    pytest.importorskip("sqlite_vec")
    RecallIndex(database, vectors=True).add([document("compaction of conversations", "a")])
    RecallIndex(database).remove("acme", "t1", ["a"])
    index = RecallIndex(database, vectors=True)
    assert found(index, "compactions conversational") == []
    index.add([document("a sunny morning at sea", "b")])
    assert found(index, "mornings sun") == ["b"]


def test_vectors_are_refused_where_python_can_not_load_extensions() -> None:
    pytest.importorskip("sqlite_vec")

    class Bare:
        """A connection as a Python without loadable extensions has it."""

    with pytest.raises(ConfigError, match="built without loadable extensions"):
        VectorIndex(Bare())  # type: ignore[arg-type]


def test_vectors_without_their_extension_are_refused_with_a_reason(
    database: sqlite_utils.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    with pytest.raises(ConfigError, match=r"tailrace\[vectors\]"):
        RecallIndex(database, vectors=True)
