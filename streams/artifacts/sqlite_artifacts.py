"""Artifacts in a SQLite file, for one machine: what a worker uses unless it is told where else.

`artifacts` says what there is, in columns that people can read in datasette; `artifact_chunks` holds the bytes. Both
change in the same transaction.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlite_utils

from tailrace.schemas.errors import ArtifactCorrupt, ArtifactLocked, ArtifactMissing
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.streams.artifacts.access import can_be_name, merged, range_within, visible
from tailrace.streams.artifacts.batch import Sealed, sealed_batch
from tailrace.streams.artifacts.chunks import STORED_CHUNK_BYTES_MAX, ChunkPlace, Sealer, chunk_count, chunk_numbers
from tailrace.streams.artifacts.keyring import Keyring
from tailrace.streams.artifacts.proof import Proof
from tailrace.streams.artifacts.sqlite_file import SqliteFile
from tailrace.streams.artifacts.store import Resealed, Unread

_COLUMNS: Final[dict[str, Any]] = {
    "id": str,
    "tenant": str,
    "media_type": str,
    "size_bytes": int,
    "sha256": str,
    "sensitivity": str,
    "created_at_ms": int,
    "expires_at_ms": int,
    "thread": str,
    "message_id": str,
    "tool": str,
    "key_id": str,
}
_NAMES: Final = ", ".join(_COLUMNS)
# An enum is bound much slower than the text that it stands for.
_values: Final = attrgetter(*("sensitivity.value" if name == "sensitivity" else name for name in _COLUMNS))
_INSERT: Final = f"INSERT INTO artifacts (row, stored_bytes, {_NAMES}) VALUES ({', '.join('?' * (len(_COLUMNS) + 2))})"  # noqa: S608  names of ours
_INSERT_CHUNK: Final = "INSERT INTO artifact_chunks VALUES (?, ?, ?)"
_TAKEN: Final = "SELECT id FROM artifacts WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))"
_LAST_ROW: Final = "SELECT coalesce(max(row), 0) FROM artifacts"
_FIND: Final = f"SELECT row, {_NAMES} FROM artifacts WHERE tenant = ? AND id = ?"  # noqa: S608  names of ours
_OTHER_KEY: Final = "SELECT tenant, id FROM artifacts WHERE key_id IS NOT ? ORDER BY row LIMIT ?"


def _create_tables(database: sqlite_utils.Database) -> None:
    artifacts, chunks = database.table("artifacts"), database.table("artifact_chunks")
    artifacts.create({"row": int, **_COLUMNS, "stored_bytes": int}, pk="row", if_not_exists=True)
    artifacts.create_index(["tenant", "id"], unique=True, if_not_exists=True)
    # What people look for: everything of a thread.
    artifacts.create_index(["thread"], if_not_exists=True)
    # What collecting looks for; most never expire.
    database.execute(
        "CREATE INDEX IF NOT EXISTS idx_artifacts_expires_at_ms ON artifacts (expires_at_ms) WHERE expires_at_ms "
        "IS NOT NULL"
    )
    chunks.create(
        {"artifact": int, "number": int, "content": bytes},
        pk=("artifact", "number"),
        foreign_keys=[("artifact", "artifacts", "row")],
        if_not_exists=True,
    )


class SqliteArtifacts:
    """An `ArtifactStore` in one file."""

    def __init__(self, path: Path, *, keyring: Keyring, now_ms: Callable[[], int]) -> None:
        """Name the file; `open` opens it."""
        self.file = SqliteFile(path)
        self._sealer = Sealer(keyring, where=str(path))
        self._now_ms = now_ms

    async def open(self) -> None:
        """Open the file, or make it. Raises Fatal where it can't be used."""
        await self.file.open(_create_tables)

    async def store(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        """Keep all of them, or none, in one transaction."""
        if new:
            await self.file.run(lambda: self._store(context, new))

    def _store(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        where = str(self.file.path)
        with (
            sealed_batch(context, new, self._sealer, where=where, folder=str(self.file.path.parent)) as batch,
            self.file.transaction(),
        ):
            now_ms = self._now_ms()
            ids = msgspec.json.encode([sealed.artifact.id for sealed in batch]).decode()
            taken = {artifact_id for (artifact_id,) in self.file.rows(_TAKEN, context.tenant, ids)}
            self._insert([item for item in batch if item.artifact.id not in taken or not self._merge(item, now_ms)])

    def _merge(self, sealed: Sealed, now_ms: int) -> bool:
        """Let what is stored under this id take over the limits of what came again; False where its time is over."""
        row, stored = self._find(sealed.artifact.tenant, sealed.artifact.id)
        if stored is None or stored.expired(now_ms):
            self._remove(row)
            return False
        changed = merged(stored, sealed.artifact)
        if changed != stored:
            update = "UPDATE artifacts SET sensitivity = ?, expires_at_ms = ? WHERE row = ?"
            self.file.rows(update, changed.sensitivity.value, changed.expires_at_ms, row)
        return True

    def _insert(self, batch: Sequence[Sealed]) -> None:
        """Write artifacts whose ids are not taken.

        A statement for each table, because one for each row takes longer.
        """
        (last_row,) = self.file.rows(_LAST_ROW).fetchone()
        numbered = list(enumerate(batch, last_row + 1))
        rows = ((row, sealed.stored_bytes, *_values(sealed.artifact)) for row, sealed in numbered)
        self.file.connection.executemany(_INSERT, rows)
        chunks = ((row, number, chunk) for row, sealed in numbered for number, chunk in enumerate(sealed.chunks()))
        self.file.connection.executemany(_INSERT_CHUNK, chunks)

    async def metadata(self, context: SecurityContext, artifact_id: str) -> Artifact:
        """What is known of an artifact."""
        return await self.file.run(lambda: self._visible(context, artifact_id)[1], artifact_id=artifact_id)

    async def retrieve(
        self, context: SecurityContext, artifact_id: str, *, first_byte: int = 0, bytes_max: int | None = None
    ) -> bytes:
        """The content, or a part of it."""
        return await self.file.run(
            lambda: self._retrieve(context, artifact_id, first_byte, bytes_max), artifact_id=artifact_id
        )

    def _retrieve(self, context: SecurityContext, artifact_id: str, first_byte: int, bytes_max: int | None) -> bytes:
        # One look at the file for all: another worker may be encrypting it anew.
        with self.file.transaction("DEFERRED"):
            row, artifact = self._visible(context, artifact_id)
            span = range_within(artifact.size_bytes, first_byte, bytes_max)
            chunks: list[bytes | None] = []
            for number in chunk_numbers(span):
                chunks.append(self._chunk(row, number))
                if chunks[-1] is None:
                    # As many as a size claims that was made up would never end.
                    raise self._sealer.corrupt(artifact, f"chunk {number} is missing or too long")
            if not self._sealer.believes(artifact, span, chunks):
                proof = Proof(self._sealer, artifact)
                for number in range(chunk_count(artifact.size_bytes)):
                    proof.take(self._chunk(row, number))
                self._sealer.prove(proof, span, chunks)
            return self._sealer.assemble(artifact, span, chunks)

    async def delete(self, context: SecurityContext, artifact_id: str) -> bool:
        """Remove an artifact, and tell whether it was there."""
        return await self.file.run(lambda: self._delete(context, artifact_id))

    def _delete(self, context: SecurityContext, artifact_id: str) -> bool:
        with self.file.transaction():
            try:
                row, _ = self._visible(context, artifact_id)
            except ArtifactMissing:
                return False
            self._remove(row)
        return True

    async def collect(self, now_ms: int, *, limit: int = 1000) -> int:
        """Remove what has expired."""
        return await self.file.run(lambda: self._collect(now_ms, limit))

    def _collect(self, now_ms: int, limit: int) -> int:
        with self.file.transaction():
            expired = "SELECT row FROM artifacts WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?"
            rows = [row for (row,) in self.file.rows(expired, now_ms, limit)]
            for row in rows:
                self._remove(row)
        return len(rows)

    async def reseal(self, *, limit: int = 100, but: Collection[str] = ()) -> Resealed:
        """Encrypt what was written with another key, or none, with the present one.

        Each artifact in its own transaction.
        """
        if self._sealer.key_id is None:
            return Resealed()
        query = partial(self.file.rows, _OTHER_KEY, self._sealer.key_id, limit + len(but))
        rows = await self.file.run(lambda: query().fetchall())
        some = [(tenant, artifact_id) for tenant, artifact_id in rows if f"{tenant}/{artifact_id}" not in but][:limit]
        unread: list[Unread] = []
        for tenant, artifact_id in some:
            try:
                await self.file.run(partial(self._reseal, tenant, artifact_id), artifact_id=artifact_id)
            except (ArtifactCorrupt, ArtifactLocked) as error:
                unread.append(Unread(f"{tenant}/{artifact_id}", str(error)))
        return Resealed(len(some) - len(unread), tuple(unread))

    def _reseal(self, tenant: str, artifact_id: str) -> None:
        with self.file.transaction():
            row, artifact = self._find(tenant, artifact_id)
            if artifact is None or artifact.key_id == self._sealer.key_id:
                return  # another worker was faster
            stored_bytes = 0
            # What is encrypted is believed from then on, so it is held to its hash before.
            proof = Proof(self._sealer, artifact)
            for number in range(chunk_count(artifact.size_bytes)):
                content = proof.take(self._chunk(row, number))
                chunk = self._sealer.seal(ChunkPlace(tenant, artifact_id, number), content)
                self.file.rows(
                    "UPDATE artifact_chunks SET content = ? WHERE artifact = ? AND number = ?", chunk, row, number
                )
                stored_bytes += len(chunk)
            proof.end()
            update = "UPDATE artifacts SET key_id = ?, stored_bytes = ? WHERE row = ?"
            self.file.rows(update, self._sealer.key_id, stored_bytes, row)

    async def close(self) -> None:
        """Close the file."""
        await self.file.close()

    def _visible(self, context: SecurityContext, artifact_id: str) -> tuple[int, Artifact]:
        row, artifact = self._find(context.tenant, artifact_id)
        return row, visible(context, artifact_id, artifact, self._now_ms())

    def _find(self, tenant: str, artifact_id: str) -> tuple[int, Artifact | None]:
        if not can_be_name(tenant) or not can_be_name(artifact_id):
            return 0, None  # nothing is stored under such names, and SQLite would refuse some of them
        columns = self.file.rows(_FIND, tenant, artifact_id).fetchone()
        return (0, None) if columns is None else (columns[0], self._artifact(artifact_id, columns[1:]))

    def _artifact(self, artifact_id: str, values: Sequence[Any]) -> Artifact:
        fields = {name: value for name, value in zip(_COLUMNS, values, strict=True) if value is not None}
        try:
            return msgspec.convert({"version": 1, **fields}, Artifact)
        except msgspec.ValidationError as error:
            raise ArtifactCorrupt(artifact_id, where=str(self.file.path), reason=str(error)) from error

    def _chunk(self, row: int, number: int) -> bytes | None:
        # One that is too long is not even read.
        chunk = (
            "SELECT CASE WHEN typeof(content) = 'blob' AND length(content) <= ? THEN content END "
            "FROM artifact_chunks WHERE artifact = ? AND number = ?"
        )
        columns: tuple[bytes | None] | None = self.file.rows(chunk, STORED_CHUNK_BYTES_MAX, row, number).fetchone()
        return None if columns is None else columns[0]

    def _remove(self, row: int) -> None:
        self.file.rows("DELETE FROM artifact_chunks WHERE artifact = ?", row)
        self.file.rows("DELETE FROM artifacts WHERE row = ?", row)
