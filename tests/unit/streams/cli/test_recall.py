"""`tailrace recall`: ranked passages for people and programs, and clear words where there is nothing to search."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from typer.testing import CliRunner

from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.cli import app
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> Path:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder))
    return bare_folder / RECALL_FILE


@pytest.fixture
def filled(path: Path) -> Path:
    connection = sqlite3.connect(path)
    database = sqlite_utils.Database(connection)
    database.enable_wal()
    usual = {"kind": RecallKind.MESSAGE, "role": "tool", "tool": "read_log", "turn": 3}
    documents = [
        RecallDocument(tenant="default", thread="t1", id="m1", text="pump_7 failed\n\x1b[31mred", **usual),  # type: ignore[arg-type]
        RecallDocument(tenant="default", thread="t2", id="m2", text="[bold]pump_7[/bold] runs", **usual),  # type: ignore[arg-type]
        RecallDocument(tenant="zeta", thread="t1", id="m3", text="pump_7 of zeta", **usual),  # type: ignore[arg-type]
    ]
    RecallIndex(database).add(documents)
    connection.commit()
    connection.close()
    return path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["recall", *words])


@pytest.mark.usefixtures("filled")
def test_passages_are_shown_with_their_ids_threads_and_turns() -> None:
    result = run("pump_7")
    assert result.exit_code == 0, result.output
    for wanted in ("t1", "m1", "m2", "turn 3", "tool read_log", "   pump_7 failed", "[bold]pump_7[/bold] runs"):
        assert wanted in result.output
    assert "zeta" not in result.output
    assert "\x1b" not in result.output


@pytest.mark.usefixtures("filled")
def test_the_json_has_the_whole_hits() -> None:
    hits = json.loads(run("pump_7", "--thread", "t2", "--json").output)["hits"]
    assert [(hit["id"], hit["thread"], hit["kind"], hit["first_char"]) for hit in hits] == [("m2", "t2", "message", 0)]
    assert hits[0]["snippet"] == "[bold]pump_7[/bold] runs"
    assert len(json.loads(run("pump_7", "--limit", "1", "--json").output)["hits"]) == 1
    assert [hit["id"] for hit in json.loads(run("pump_7", "--tenant", "zeta", "--json").output)["hits"]] == ["m3"]


def test_the_file_is_only_read(filled: Path) -> None:
    before = filled.read_bytes()
    assert run("pump_7").exit_code == 0
    assert filled.read_bytes() == before


@pytest.mark.usefixtures("filled")
def test_where_nothing_fits_it_says_so() -> None:
    result = run("zeppelin")
    assert (result.exit_code, result.output.strip()) == (
        0,
        "Nothing fits. Try fewer words, or a name as it was written.",
    )


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_is_refused(query: str) -> None:
    result = run(query)
    assert result.exit_code == 2
    assert "say what to look for" in result.output


def test_without_a_projection_it_says_who_makes_one(path: Path) -> None:
    result = run("pump")
    assert result.exit_code == 1
    assert "there is no index" in result.output
    assert not path.exists()


def test_a_projection_without_an_index_is_not_changed(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("create table compactions (id text)")
    connection.close()
    result = run("pump")
    assert result.exit_code == 1
    assert "no recall index" in result.output


def test_a_file_that_is_no_database_gets_an_error_in_one_line(path: Path) -> None:
    path.write_text("this is no database, whatever its name says" * 50)
    result = run("pump")
    assert result.exit_code == 1
    assert result.output.startswith("error: ")
    assert "could not be read" in result.output
