"""A batch on its way into a store: sealed before the store is touched, so that its transaction is short.

What is sealed waits in memory up to a limit and in a temporary file beyond it, so that a batch of any size needs little
memory. With a key set, that file too holds nothing that could be read.
"""

import errno
import hashlib
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Final

from tailrace.schemas.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.schemas.errors import ArtifactStoreFull
from tailrace.streams.artifacts.access import merged, refuse_unusable
from tailrace.streams.artifacts.chunks import Place, Sealer, chunks_of

#: Of sealed chunks in memory, for one batch.
_MEMORY_BYTES_MAX: Final = 8 * 1024 * 1024


@dataclass(slots=True)
class Spool:
    """Sealed chunks, one behind the other; read from any thread."""

    file: IO[bytes]
    end: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def append(self, chunk: bytes) -> None:
        """Add a chunk."""
        self.file.write(chunk)
        self.end += len(chunk)

    def read(self, first: int, length: int) -> bytes:
        """A piece of what was added."""
        with self._lock:
            self.file.seek(first)
            return self.file.read(length)


@dataclass(frozen=True, slots=True)
class Sealed:
    """One artifact, ready to be written."""

    artifact: Artifact
    spool: Spool
    first: int
    #: Of each chunk as it is stored.
    lengths_bytes: tuple[int, ...]

    @property
    def stored_bytes(self) -> int:
        return sum(self.lengths_bytes)

    def chunks(self) -> Iterator[bytes]:
        """Its chunks as they are stored."""
        first = self.first
        for length in self.lengths_bytes:
            yield self.spool.read(first, length)
            first += length

    def with_limits_of(self, again: "Sealed") -> "Sealed":
        """The same, after it came twice in one batch. Raises ArtifactConflict where the content differs."""
        return Sealed(merged(self.artifact, again.artifact), self.spool, self.first, self.lengths_bytes)


@contextmanager
def spooled(folder: str | None = None) -> Iterator[Spool]:
    """Yield an empty spool; its file goes with it."""
    with tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES_MAX, dir=folder) as file:
        yield Spool(file)


@contextmanager
def sealed_batch(
    context: SecurityContext, new: Sequence[NewArtifact], sealer: Sealer, *, where: str, folder: str | None = None
) -> Iterator[list[Sealed]]:
    """Yield each id once, sealed. Raises ArtifactRefused, ArtifactConflict or ArtifactStoreFull before anything is stored."""
    for one in new:
        refuse_unusable(context, one)
    with spooled(folder) as spool:
        batch: dict[str, Sealed] = {}
        for one in new:
            try:
                sealed = _seal(context, one, sealer, spool)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise ArtifactStoreFull(where, str(error)) from error
                raise
            known = batch.get(one.id)
            batch[one.id] = sealed if known is None else known.with_limits_of(sealed)
        yield list(batch.values())


def _seal(context: SecurityContext, new: NewArtifact, sealer: Sealer, spool: Spool) -> Sealed:
    digest = hashlib.sha256()
    size_bytes = 0
    first = spool.end
    lengths = []
    for number, chunk in enumerate(chunks_of(new.content)):
        digest.update(chunk)
        size_bytes += len(chunk)
        stored = sealer.seal(Place(context.tenant, new.id, number), chunk)
        spool.append(stored)
        lengths.append(len(stored))
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
    return Sealed(artifact, spool, first, tuple(lengths))
