"""`tailrace artifacts`: looking at artifacts and looking after them, with errors in one line."""

import asyncio
import base64
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from typer.testing import CliRunner

from tailrace.agents.artifacts.names import TEXT_TYPE
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.recall import RecallDocument, RecallKind
from tailrace.streams.artifacts.open_store import SQLITE_FILE, open_store
from tailrace.streams.cli import app
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import load_settings

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))
LOG = b"".join(b"gate %d is %b\n" % (number, b"open" if number % 10 == 0 else b"shut") for number in range(1, 101))


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> Path:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder))
    return bare_folder


def keep(name: str, content: bytes = LOG, *, tenant: str = "default", **fields: Any) -> None:
    new = NewArtifact(id=name, media_type=TEXT_TYPE, content=content, created_at_ms=1_700_000_000_000, **fields)

    async def store() -> None:
        opened = await open_store(load_settings())
        await opened.store(SecurityContext(tenant=tenant), [new])
        await opened.close()

    asyncio.run(store())


def run(*words: str, answer: str | None = None, env: dict[str, str] | None = None) -> Any:
    return CliRunner().invoke(app, ["artifacts", *words], input=answer, env=env)


def test_what_is_deleted_is_not_found_any_more_either(folder: Path) -> None:
    keep("a1")
    keep("a2")
    path = folder / RECALL_FILE
    connection = sqlite3.connect(path)
    usual: dict[str, Any] = {"tenant": "default", "kind": RecallKind.ARTIFACT}
    documents = [
        RecallDocument(thread="t1", id="a1", text="sluicegate nine", **usual),
        RecallDocument(thread="t2", id="a1", text="sluicegate nine", **usual),
        RecallDocument(thread="t1", id="a2", text="sluicegate ten", **usual),
    ]
    RecallIndex(sqlite_utils.Database(connection)).add(documents)
    connection.commit()
    connection.close()

    def found() -> list[str]:
        shown = CliRunner().invoke(app, ["recall", "sluicegate", "--json"]).output
        return sorted(hit["id"] for hit in json.loads(shown)["hits"])

    assert found() == ["a1", "a2"]
    assert run("delete", "a1", "--yes").exit_code == 0
    assert found() == ["a2"]
    assert b"nine" not in path.read_bytes()


def test_an_artifact_is_shown_with_the_numbers_of_its_lines() -> None:
    keep("a1")
    assert run("show", "a1").output.startswith("[lines 1-100 of 100]\n1: gate 1 is shut\n")
    assert (
        run("show", "a1", "--range", "-2").output
        == "[lines 99-100 of 100]\n99: gate 99 is shut\n100: gate 100 is open\n"
    )
    assert "20> gate 20 is open" in run("show", "a1", "--query", "OPEN").output


def test_all_of_it_is_printed_byte_for_byte() -> None:
    content = b"\x1b[31mred\r\n" + b"x" * 3_000_000 + b"\xff"
    keep("a1", content)
    assert run("show", "a1", "--full").stdout_bytes == content
    assert "\x1b" not in run("show", "a1").output


@pytest.mark.parametrize("words", [["--full", "--query", "x"], ["--full", "--range", "1-2"], ["--range", "9-1"]])
def test_options_that_make_no_sense_are_refused(words: list[str]) -> None:
    keep("a1")
    result = run("show", "a1", *words)
    assert (result.exit_code, result.stdout) == (2, "")


def test_what_is_known_of_an_artifact_is_shown_without_its_content() -> None:
    keep("a1", thread="t1", tool="read_log", sensitivity=Sensitivity.CONFIDENTIAL)
    shown = run("meta", "a1").output
    for wanted in ("default", f"{len(LOG):,} bytes", "confidential", "2023-11-14 22:13:20Z", "never", "t1", "read_log"):
        assert wanted in shown
    assert "gate" not in shown
    known = json.loads(run("meta", "a1", "--json").output)
    assert (known["id"], known["size_bytes"], known["sensitivity"]) == ("a1", len(LOG), "confidential")


@pytest.mark.parametrize("words", [["show", "a1"], ["meta", "a1"], ["delete", "a1", "--yes"]], ids=" ".join)
def test_an_artifact_is_its_tenants_only(words: list[str]) -> None:
    keep("a1", tenant="acme")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: There is no artifact 'a1'.")
    assert len(result.stderr.splitlines()) == 1
    assert run(*words, "--tenant", "acme").exit_code == 0


def test_deleting_asks_first() -> None:
    keep("a1", thread="t1")
    kept = run("delete", "a1", answer="n\n")
    assert kept.exit_code == 1
    assert "bytes of thread t1 for good?" in kept.output
    assert run("meta", "a1").exit_code == 0
    deleted = run("delete", "a1", answer="y\n")
    assert deleted.exit_code == 0
    assert "Artifact a1 is deleted." in deleted.output
    assert run("show", "a1").exit_code == 1


def test_what_has_expired_is_collected() -> None:
    for number in range(3):
        keep(f"a{number}", b"%d" % number, tenant=f"tenant{number}", expires_at_ms=1_700_000_000_001)
    keep("kept", expires_at_ms=9_000_000_000_000)
    assert json.loads(run("collect", "--json").output) == {"removed": 3}
    assert run("collect").output == "0 artifacts removed.\n"
    assert run("meta", "kept").exit_code == 0


def test_keys_are_changed() -> None:
    keep("a1")
    both = {"TAILRACE_ARTIFACTS__KEYS": f"old:{OLD} new:{NEW}"}
    first = run("rotate", env={**both, "TAILRACE_ARTIFACTS__KEY_ID": "old"})
    assert first.output == "1 artifact encrypted with the present key.\n"
    second = run("rotate", "--json", env={**both, "TAILRACE_ARTIFACTS__KEY_ID": "new"})
    assert json.loads(second.output) == {"encrypted": 1, "unread": {}}
    only_old = run("show", "a1", env={"TAILRACE_ARTIFACTS__KEYS": f"old:{OLD}"})
    assert only_old.exit_code == 1
    assert "encrypted with key 'new'" in only_old.stderr
    assert "gate 1 is shut" in run("show", "a1", env={"TAILRACE_ARTIFACTS__KEYS": f"new:{NEW}"}).output


def test_what_can_t_be_read_is_named_and_the_others_get_the_new_key(folder: Path) -> None:
    keep("a1", b"gate 1")
    keep("a2", b"gate 2")
    with sqlite3.connect(folder / SQLITE_FILE) as connection:
        connection.execute("UPDATE artifact_chunks SET content = x'00' WHERE artifact = 1")
    connection.close()
    env = {"TAILRACE_ARTIFACTS__KEYS": f"new:{NEW}"}

    rotated = run("rotate", env=env)

    assert rotated.exit_code == 1
    assert rotated.stdout == "1 artifact encrypted with the present key.\n"
    assert "default/a1 stays as it is: Artifact 'a1'" in rotated.stderr
    again = run("rotate", "--json", env=env)
    assert again.exit_code == 1
    assert (json.loads(again.stdout)["encrypted"], list(json.loads(again.stdout)["unread"])) == (0, ["default/a1"])
    assert "gate 2" in run("show", "a2", env=env).output


def test_without_a_key_there_is_nothing_to_rotate_to() -> None:
    result = run("rotate")
    assert result.exit_code == 2
    assert "artifacts.keys" in result.stderr


@pytest.mark.parametrize("words", [["show", "a1"], ["meta", "a1"], ["delete", "a1"], ["collect"]], ids=" ".join)
def test_without_a_store_it_says_who_makes_one_and_makes_none(words: list[str], folder: Path) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "a worker writes them" in result.stderr
    assert not (folder / SQLITE_FILE).exists()
