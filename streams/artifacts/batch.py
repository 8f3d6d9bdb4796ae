"""A batch on its way into a store: sealed before the store is touched, so that its transaction is short.

What is sealed waits in memory up to a limit and in a temporary file beyond it, so that a batch of any size needs little
memory. With a key set, that file too holds nothing that could be read.
"""

import errno
import hashlib
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Final

from tailrace.schemas.errors import ArtifactStoreFull
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.streams.artifacts.access import merged, refuse_unusable
from tailrace.streams.artifacts.chunks import ChunkPlace, Sealer, chunks_of

#: Of sealed chunks in memory, for one batch.
_MEMORY_BYTES_MAX: Final = 4 * 1024 * 1024
#: A full disk, a quota, and the largest file that a process may write.
_NO_ROOM: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


@dataclass(slots=True)
class Spool:
    """The sealed chunks of a batch: the first of them as they are, the rest one behind the other in a file."""

    file: IO[bytes]
    room_bytes: int = _MEMORY_BYTES_MAX
    end: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, chunk: bytes) -> bytes | range:
        """Keep a chunk: itself where there is room in memory, else its place in the file."""
        if len(chunk) <= self.room_bytes:
            self.room_bytes -= len(chunk)
            return chunk
        self.file.write(chunk)
        self.end += len(chunk)
        return range(self.end - len(chunk), self.end)

    def read(self, kept: bytes | range) -> bytes:
        """A chunk that was kept; from any thread, once all of them are."""
        if isinstance(kept, bytes):
            return kept
        with self._lock:
            self.file.seek(kept.start)
            return self.file.read(len(kept))


@dataclass(frozen=True, slots=True)
class Sealed:
    """One artifact, ready to be written."""

    artifact: Artifact
    spool: Spool
    kept: tuple[bytes | range, ...]

    @property
    def lengths_bytes(self) -> tuple[int, ...]:
        """Of each chunk as it is stored."""
        return tuple(map(len, self.kept))

    @property
    def stored_bytes(self) -> int:
        return sum(map(len, self.kept))

    def chunks(self) -> Iterator[bytes]:
        """Its chunks as they are stored."""
        return map(self.spool.read, self.kept)

    def with_limits_of(self, again: "Sealed") -> "Sealed":
        """The same, after it came twice in one batch. Raises ArtifactConflict where the content differs."""
        return Sealed(merged(self.artifact, again.artifact), self.spool, self.kept)


@contextmanager
def spooled(folder: str | None = None) -> Iterator[Spool]:
    """Yield an empty spool; its file, which is made with the first chunk that is written there, goes with it."""
    file = tempfile.SpooledTemporaryFile(max_size=1, dir=folder)  # noqa: SIM115  closed below
    try:
        yield Spool(file)
    finally:
        # What a full disk left in its buffer is of no use to anybody; the error that stopped the batch is.
        with suppress(OSError):
            file.close()


@contextmanager
def sealed_batch(
    context: SecurityContext, new: Sequence[NewArtifact], sealer: Sealer, *, where: str, folder: str | None = None
) -> Iterator[list[Sealed]]:
    """Yield each id once, sealed.

    Raises ArtifactRefused, ArtifactConflict or ArtifactStoreFull before anything is stored.
    """
    for artifact in new:
        refuse_unusable(context, artifact)
    with spooled(folder) as spool:
        try:
            all_sealed = [_seal(context, artifact, sealer, spool) for artifact in new]
            # Now, and not when the first chunk is read again in the midst of a transaction.
            spool.file.flush()
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise ArtifactStoreFull(where, str(error)) from error
            raise
        batch: dict[str, Sealed] = {}
        for sealed in all_sealed:
            earlier = batch.get(sealed.artifact.id)
            batch[sealed.artifact.id] = sealed if earlier is None else earlier.with_limits_of(sealed)
        yield list(batch.values())


def _seal(context: SecurityContext, new: NewArtifact, sealer: Sealer, spool: Spool) -> Sealed:
    digest = hashlib.sha256()
    size_bytes = 0
    kept = []
    for number, chunk in enumerate(chunks_of(new.content)):
        digest.update(chunk)
        size_bytes += len(chunk)
        kept.append(spool.keep(sealer.seal(ChunkPlace(context.tenant, new.id, number), chunk)))
    artifact = Artifact(
        version=1,
        id=new.id,
        tenant=context.tenant,
        media_type=new.media_type,
        size_bytes=size_bytes,
        sha256=digest.hexdigest(),
        sensitivity=new.sensitivity,
        created_at_ms=new.created_at_ms,
        expires_at_ms=new.expires_at_ms,
        thread=new.thread,
        message_id=new.message_id,
        tool=new.tool,
        key_id=sealer.key_id,
    )
    return Sealed(artifact, spool, tuple(kept))
