"""What becomes of damaged, forged and over-full artifact files: a clear error, and nothing half written."""

import base64
import hashlib
import os
import resource
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import zstandard

from tailrace.schemas.errors import ArtifactCorrupt, ArtifactMissing, ArtifactStoreFull, Fatal
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.streams.artifacts.chunks import CHUNK_BYTES, ChunkPlace, Sealer
from tailrace.streams.artifacts.keyring import Keyring, make_keyring
from tailrace.streams.artifacts.object_artifacts import ObjectArtifacts
from tailrace.streams.artifacts.object_files import connect
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.artifacts.store import Resealed, rotate
from tailrace.streams.settings.settings import ArtifactSettings

OURS = SecurityContext(tenant="ours")
KEYRING = make_keyring(ArtifactSettings.model_validate({"keys": "k1:" + base64.b64encode(b"k" * 32).decode()}))
CONTENT = b"".join(b"line %d of the output\n" % number for number in range(100_000))


def new(artifact_id: str, content: bytes = CONTENT) -> NewArtifact:
    return NewArtifact(id=artifact_id, media_type="text/plain", content=content, created_at_ms=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "artifacts.db"


@pytest.fixture(params=["plain", "encrypted"])
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[SqliteArtifacts]:
    keyring = KEYRING if request.param == "encrypted" else Keyring()
    opened = SqliteArtifacts(path, keyring=keyring, now_ms=lambda: 0)
    await opened.open()
    yield opened
    await opened.close()


def change(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        (
            "UPDATE artifact_chunks SET content = substr(content, 1, 500) || x'00' || substr(content, 502) WHERE "
            "number = 1"
        ),
        "UPDATE artifact_chunks SET content = substr(content, 1, length(content) - 1) WHERE number = 1",
        "UPDATE artifact_chunks SET content = content || x'00' WHERE number = 1",
        "UPDATE artifact_chunks SET content = x'' WHERE number = 1",
        "UPDATE artifact_chunks SET content = 'text' WHERE number = 1",
        "UPDATE artifact_chunks SET content = zeroblob(50000000) WHERE number = 1",
        "DELETE FROM artifact_chunks WHERE number = 1",
        "UPDATE artifact_chunks SET number = 9 - number",
        "UPDATE artifacts SET size_bytes = size_bytes - 1",
        "UPDATE artifacts SET size_bytes = 9000000000000000000",
        "UPDATE artifacts SET sensitivity = 'cosmic'",
    ],
)
async def test_damage_is_told_with_the_artifact_and_the_file(store: SqliteArtifacts, path: Path, damage: str) -> None:
    await store.store(OURS, [new("a1"), new("a2", b"untouched")])
    assert await store.retrieve(OURS, "a1") == CONTENT
    change(path, f"{damage} {'AND' if 'WHERE' in damage else 'WHERE'} 1 = 1")
    with pytest.raises(ArtifactCorrupt, match=r"'a1'.*artifacts\.db is damaged.*store it again"):
        await store.retrieve(OURS, "a1", first_byte=CHUNK_BYTES + 1)


async def test_content_of_another_hash_is_damage(store: SqliteArtifacts, path: Path) -> None:
    await store.store(OURS, [new("a1")])
    change(path, "UPDATE artifacts SET sha256 = ?", "0" * 64)
    with pytest.raises(ArtifactCorrupt, match="sha256"):
        await store.retrieve(OURS, "a1")


async def test_a_damaged_artifact_can_be_deleted_and_stored_again(store: SqliteArtifacts, path: Path) -> None:
    await store.store(OURS, [new("a1")])
    change(path, "UPDATE artifact_chunks SET content = x'00'")

    assert await store.delete(OURS, "a1")
    await store.store(OURS, [new("a1")])

    assert await store.retrieve(OURS, "a1") == CONTENT


async def test_encrypted_chunks_can_t_be_swapped_between_places_artifacts_or_tenants(path: Path) -> None:
    store = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await store.open()
    half = os.urandom(CHUNK_BYTES)
    await store.store(OURS, [new("a1", half + half), new("a2", half + half)])
    await store.store(SecurityContext(tenant="theirs"), [new("a1", half + half)])
    connection = sqlite3.connect(path)
    chunks = connection.execute("SELECT artifact, number, content FROM artifact_chunks").fetchall()
    connection.close()
    # The same bytes, encrypted six times: no two are alike, and none opens in the place of another.
    assert len({content for _, _, content in chunks}) == 6
    for artifact, number, content in chunks[1:]:
        change(
            path, "UPDATE artifact_chunks SET content = ? WHERE artifact = ? AND number = ?", content, *chunks[0][:2]
        )
        with pytest.raises(ArtifactCorrupt, match="chunk 0"):
            await store.retrieve(OURS, "a1", bytes_max=5)
        assert (artifact, number) != chunks[0][:2]
    await store.close()


async def test_nothing_readable_is_in_the_file_where_a_key_is_set_not_even_after_rotation(path: Path) -> None:
    secret = b"".join(hashlib.sha256(b"%d" % number).hexdigest().encode() for number in range(50))
    plain = SqliteArtifacts(path, keyring=Keyring(), now_ms=lambda: 0)
    await plain.open()
    await plain.store(OURS, [new("a1", os.urandom(5_000) + secret)])
    await plain.close()
    encrypted = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await encrypted.open()
    chunk = _first_chunk(path)
    piece = chunk[1_000:1_040]
    assert piece in path.read_bytes()

    assert await encrypted.reseal() == Resealed(1)
    await encrypted.close()

    assert piece not in path.read_bytes()


def _plain_frame(content: bytes) -> bytes:
    return Sealer(Keyring(), where="").seal(ChunkPlace("ours", "a1", 1), content)


@pytest.mark.parametrize("first_byte", [0, 5, CHUNK_BYTES + 7])
async def test_a_chunk_that_lost_its_key_is_not_believed_in_any_part(path: Path, first_byte: int) -> None:
    store = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await store.open()
    await store.store(OURS, [new("a1")])
    for number in range(len(CONTENT) // CHUNK_BYTES + 1):
        piece = CONTENT[number * CHUNK_BYTES : (number + 1) * CHUNK_BYTES].replace(b"line", b"lies")
        change(path, "UPDATE artifact_chunks SET content = ? WHERE number = ?", _plain_frame(piece), number)
    change(path, "UPDATE artifacts SET key_id = NULL")

    with pytest.raises(ArtifactCorrupt, match="sha256"):
        await store.retrieve(OURS, "a1", first_byte=first_byte, bytes_max=20)

    assert [one.name for one in (await rotate(store)).unread] == ["ours/a1"]
    with pytest.raises(ArtifactCorrupt, match="sha256"):
        await store.retrieve(OURS, "a1")
    await store.close()


async def test_parts_of_what_was_stored_before_there_was_a_key_are_read_until_a_chunk_changes(path: Path) -> None:
    plain = SqliteArtifacts(path, keyring=Keyring(), now_ms=lambda: 0)
    await plain.open()
    await plain.store(OURS, [new("a1")])
    await plain.close()
    store = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await store.open()

    for first_byte in (0, CHUNK_BYTES + 7, len(CONTENT) - 3):
        read = await store.retrieve(OURS, "a1", first_byte=first_byte, bytes_max=20)
        assert read == CONTENT[first_byte : first_byte + 20]

    forged = CONTENT[CHUNK_BYTES : 2 * CHUNK_BYTES].replace(b"line", b"lies")
    change(path, "UPDATE artifact_chunks SET content = ? WHERE number = 1", _plain_frame(forged))
    with pytest.raises(ArtifactCorrupt, match="sha256"):
        await store.retrieve(OURS, "a1", first_byte=CHUNK_BYTES + 7, bytes_max=20)
    await store.close()


def _first_chunk(path: Path) -> bytes:
    connection = sqlite3.connect(path)
    (content,) = connection.execute("SELECT content FROM artifact_chunks").fetchone()
    connection.close()
    assert isinstance(content, bytes)
    return content


# Compression bombs


def artifact(size_bytes: int) -> Artifact:
    return Artifact(
        version=1,
        id="bomb",
        tenant="ours",
        media_type="text/plain",
        size_bytes=size_bytes,
        sha256="0" * 64,
        sensitivity=OURS.clearance,
        created_at_ms=0,
    )


def claiming_less(size_bytes: int) -> bytes:
    """A frame of 64 MiB whose header says that it holds `size_bytes`."""
    frame = bytearray(zstandard.ZstdCompressor(level=3, write_content_size=True).compress(bytes(64 * 1024 * 1024)))
    honest = (64 * 1024 * 1024).to_bytes(4, "little")
    place = frame.index(honest)
    frame[place : place + 4] = size_bytes.to_bytes(4, "little")
    return bytes(frame)


@pytest.mark.parametrize(
    "bomb",
    [
        zstandard.ZstdCompressor(level=3).compress(bytes(256 * 1024 * 1024)),
        zstandard.ZstdCompressor(level=3, write_content_size=False).compress(bytes(64 * 1024 * 1024)),
        claiming_less(100_000),
        zstandard.ZstdCompressor().compress(bytes(100_000))
        + zstandard.ZstdCompressor().compress(bytes(64 * 1024 * 1024)),
        b"",
        b"no frame at all",
    ],
    ids=["claims more", "claims nothing", "yields more than it claims", "a second frame", "empty", "no frame"],
)
def test_a_bomb_is_refused_without_room_for_it_being_made(bomb: bytes) -> None:
    sealer = Sealer(Keyring(), where="somewhere")
    tracemalloc.start()
    try:
        with pytest.raises(ArtifactCorrupt, match=r"'bomb' in somewhere.*chunk 0"):
            sealer.open(artifact(100_000), 0, bomb)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 4 * CHUNK_BYTES


# Damaged and full files


async def test_a_file_that_is_no_database_is_refused_at_opening(path: Path) -> None:
    path.write_bytes(b"this is no database, but it is long enough to look at " * 100)
    with pytest.raises(Fatal, match=r"artifacts\.db is damaged or no SQLite file.*Move it away"):
        await SqliteArtifacts(path, keyring=Keyring(), now_ms=lambda: 0).open()
    assert path.read_bytes().startswith(b"this is no database")


async def test_pages_that_were_overwritten_are_told_at_use(path: Path) -> None:
    store = SqliteArtifacts(path, keyring=Keyring(), now_ms=lambda: 0)
    await store.open()
    await store.store(OURS, [new(f"a{number}", os.urandom(30_000)) for number in range(20)])
    await store.close()
    size_bytes = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(12 * 4096)
        file.write(b"\xa5" * (size_bytes - 12 * 4096))
    again = SqliteArtifacts(path, keyring=Keyring(), now_ms=lambda: 0)
    await again.open()
    seen = 0
    for number in range(20):
        try:
            await again.retrieve(OURS, f"a{number}")
        except ArtifactCorrupt as error:
            assert f"'a{number}'" in str(error)  # noqa: PT017  some are whole, and which ones is SQLite's affair
            seen += 1
    assert seen >= 15
    await again.close()


async def test_a_full_file_stops_the_batch_and_leaves_nothing_of_it(store: SqliteArtifacts, path: Path) -> None:
    await store.store(OURS, [new("a1", os.urandom(50_000))])
    pages = await store.file.run(lambda: store.file.rows("PRAGMA page_count").fetchone()[0])
    await store.file.run(lambda: store.file.rows(f"PRAGMA max_page_count = {pages + 20}"))

    with pytest.raises(ArtifactStoreFull, match=r"artifacts\.db has no room.*nothing of this batch") as full:
        await store.store(OURS, [new("a2", b"small"), new("a3", os.urandom(500_000))])

    assert isinstance(full.value, Fatal)
    for name in ("a2", "a3"):
        with pytest.raises(ArtifactMissing):
            await store.metadata(OURS, name)
    await store.file.run(lambda: store.file.rows("PRAGMA max_page_count = 1000000"))
    await store.store(OURS, [new("a2", b"small")])
    assert (await store.retrieve(OURS, "a2"), len(await store.retrieve(OURS, "a1"))) == (b"small", 50_000)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
async def test_a_full_disk_under_the_temporary_file_stops_the_batch(
    store: SqliteArtifacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115  closed by the store
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda **_: full)
    # More than a batch keeps in memory, however well it is compressed.
    with pytest.raises(ArtifactStoreFull, match="No space left"):
        await store.store(OURS, [new("a1", os.urandom(10 * CHUNK_BYTES))])
    monkeypatch.undo()
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a1")


async def test_a_limit_on_files_is_a_full_disk_to_the_batch(store: SqliteArtifacts) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * CHUNK_BYTES, hard))
    try:
        with pytest.raises(ArtifactStoreFull, match="File too large"):
            await store.store(OURS, [new("a1", os.urandom(10 * CHUNK_BYTES))])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a1")


async def test_the_event_loop_is_never_where_sqlite_works(store: SqliteArtifacts) -> None:
    with pytest.raises(sqlite3.ProgrammingError, match="thread"):
        store.file.rows("SELECT 1")


async def test_people_can_read_the_tables(store: SqliteArtifacts, path: Path) -> None:
    await store.store(OURS, [new("a1"), new("a2", b"small")])
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT tenant, id, size_bytes, stored_bytes FROM artifacts ORDER BY id").fetchall()
    kept = connection.execute("SELECT sum(length(content)) FROM artifact_chunks").fetchone()
    connection.close()
    assert [row[:3] for row in rows] == [("ours", "a1", len(CONTENT)), ("ours", "a2", 5)]
    assert sum(row[3] for row in rows) == kept[0] < len(CONTENT) / 2


async def test_a_file_with_pages_of_another_size_is_used_as_it_is(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA page_size = 4096")
    connection.execute("CREATE TABLE notes (text)")
    connection.close()

    store = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await store.open()
    await store.store(OURS, [new("a1"), new("a2", b"small")])
    await store.close()
    again = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await again.open()

    assert await again.retrieve(OURS, "a1") == CONTENT
    assert await again.file.run(lambda: again.file.rows("PRAGMA page_size").fetchone()) == (4096,)
    await again.close()


async def test_a_chunk_that_was_written_with_a_checksum_under_a_key_is_read(path: Path) -> None:
    """Frames had one before their tag was trusted with it."""
    store = SqliteArtifacts(path, keyring=KEYRING, now_ms=lambda: 0)
    await store.open()
    await store.store(OURS, [new("a1", b"small")])
    frame = zstandard.ZstdCompressor(level=-5, write_checksum=True).compress(b"small")
    nonce = b"n" * 12
    place = ChunkPlace("ours", "a1", 0)
    sealed = nonce + KEYRING.keys["k1"].encrypt(nonce, frame, place.associated_data)
    change(path, "UPDATE artifact_chunks SET content = ?", sealed)

    assert await store.retrieve(OURS, "a1") == b"small"
    await store.close()


def test_workers_that_start_at_the_same_moment_share_a_new_file(path: Path) -> None:
    program = """
import asyncio, sys
from pathlib import Path
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.streams.artifacts.keyring import Keyring
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.artifacts.store import Resealed, rotate

async def main():
    store = SqliteArtifacts(Path(sys.argv[1]), keyring=Keyring(), now_ms=lambda: 0)
    await store.open()
    for number in range(10):
        shared = NewArtifact(id=f"shared{number}", media_type="", content=b"same", created_at_ms=0)
        own = NewArtifact(id=f"{sys.argv[2]}-{number}", media_type="", content=b"own", created_at_ms=0)
        await store.store(SecurityContext(tenant="t"), [shared, own])
    await store.close()

sys.stdin.readline()
asyncio.run(main())
"""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(number)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for number in range(3)
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
    assert [worker.communicate(timeout=120)[1] for worker in workers] == [""] * 3
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM artifacts").fetchone() == (40,)
    connection.close()


# Objects


@pytest.mark.parametrize("damage", ["metadata", "lengths", "chunks", "missing"])
async def test_damaged_objects_are_told(tmp_path: Path, damage: str) -> None:
    store = ObjectArtifacts(connect(tmp_path.as_uri(), {}), keyring=KEYRING, now_ms=lambda: 0)
    await store.store(OURS, [new("a1")])
    folder = tmp_path / "artifacts" / "ours" / "a1"
    metadata = folder / "artifact.json"
    (content,) = [file for file in folder.iterdir() if file != metadata]
    if damage == "metadata":
        metadata.write_bytes(b"\xff{")
    elif damage == "lengths":
        metadata.write_bytes(metadata.read_bytes().replace(b'"lengths_bytes":[', b'"lengths_bytes":[9999999999,'))
    elif damage == "chunks":
        content.write_bytes(content.read_bytes()[:-100])
    else:
        content.unlink()
    with pytest.raises(ArtifactCorrupt, match="'a1'"):
        await store.retrieve(OURS, "a1")
    await store.close()


async def test_nothing_is_left_behind_by_a_batch_of_objects_that_failed(tmp_path: Path) -> None:
    store = ObjectArtifacts(connect(tmp_path.as_uri(), {}), keyring=Keyring(), now_ms=lambda: 0)
    # A file where a folder has to be.
    (tmp_path / "artifacts" / "ours").mkdir(parents=True)
    (tmp_path / "artifacts" / "ours" / "a2").write_bytes(b"in the way")
    with pytest.raises(Exception, match="can't be used"):
        await store.store(OURS, [new("a1", b"fine"), new("a2", b"not possible")])
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a1")
    await store.close()
