"""Who may open the files that are made here, and what says so where it is too many."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tailrace.streams.artifacts.object_files import connect
from tailrace.streams.artifacts.open_store import SQLITE_FILE, open_store
from tailrace.streams.cli.compact import _write
from tailrace.streams.files.private import make_database, make_folder
from tailrace.streams.installation.doctor import State, check_files
from tailrace.streams.local_kafka.file_lock import exclusive
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Whatever is not asked for is open to all."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


async def test_databases_and_all_that_lies_beside_them_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "share" / "tailrace"
    projection = SqliteProjection(folder / PROJECTION_FILE)
    records = RecordsFile(folder / PROJECTION_FILE)
    store = await open_store(load_settings(data_dir=folder))

    assert {f"{PROJECTION_FILE}-wal", f"{SQLITE_FILE}-wal", f"{SQLITE_FILE}-shm"} <= modes(folder).keys()
    assert set(modes(folder).values()) == {0o600}, modes(folder)
    assert [mode(folder), mode(folder.parent)] == [0o700, 0o700]
    await store.close()
    records.close()
    projection.close()


async def test_what_was_made_open_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    for name in (PROJECTION_FILE, SQLITE_FILE):
        (tmp_path / name).touch(0o666)
        (tmp_path / f"{name}-wal").touch(0o664)
    tmp_path.chmod(0o755)

    SqliteProjection(tmp_path / PROJECTION_FILE).close()
    await (await open_store(load_settings(data_dir=tmp_path))).close()

    assert set(modes(tmp_path).values()) == {0o600}, modes(tmp_path)
    assert mode(tmp_path) == 0o700


def test_a_database_that_is_in_use_keeps_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    make_database(path)
    writing = sqlite3.connect(path, isolation_level=None)
    writing.execute("BEGIN EXCLUSIVE")

    make_database(path)

    other = f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('BEGIN IMMEDIATE')"
    assert subprocess.run([sys.executable, "-c", other], check=False, stderr=subprocess.DEVNULL).returncode != 0
    writing.close()


def test_a_folder_that_everybody_may_use_stays_so(tmp_path: Path) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)

    make_folder(shared)

    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


def test_objects_in_plain_files_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "some where"

    connect(folder.as_uri(), {})

    assert mode(folder) == 0o700


def test_locks_and_written_contexts_are_for_their_owner_alone(tmp_path: Path) -> None:
    with exclusive(tmp_path / "lock", seconds_max=0):
        _write(tmp_path / "messages.json", "[]")
    kept = tmp_path / "given.json"
    kept.touch(0o644)
    _write(kept, "[]")

    assert modes(tmp_path) == {"lock": 0o600, "messages.json": 0o600, "given.json": 0o644}


def test_doctor_tells_what_others_may_open_and_how_to_close_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    keys, settings_file = tmp_path / "keys of artifacts", tmp_path / "tailrace.toml"
    keys.touch(0o640)
    settings = load_settings(data_dir=folder, artifacts={"keys_file": keys})
    SqliteProjection(folder / PROJECTION_FILE).close()
    settings_file.touch()

    told = check_files(settings)
    assert told.state is State.WARN
    assert f"{keys} (-rw-r-----)" in told.what
    assert told.fix == f"chmod go= '{keys}'"

    (folder / PROJECTION_FILE).chmod(0o644)
    folder.chmod(0o755)
    subprocess.run(["sh", "-c", check_files(settings).fix or "false"], check=True)
    assert check_files(settings).state is State.OK


def test_doctor_tells_of_a_settings_file_with_a_secret_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tailrace.toml"
    monkeypatch.setenv("TAILRACE_CONFIG", str(file))
    file.write_text(f'data_dir = "{tmp_path / "data"}"\ngroup = "g"\n')
    file.chmod(0o644)
    assert check_files(load_settings()).state is State.OK

    file.write_text(file.read_text() + '[security]\nsasl_password = "hunter2"\n')
    told = check_files(load_settings())

    assert told.state is State.WARN
    assert str(file) in told.what
    assert "hunter2" not in told.what
