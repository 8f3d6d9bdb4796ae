"""Chunks: how content is cut, compressed, encrypted, and brought back with nothing believed that is read.

Content is cut into pieces of one mebibyte, so that a range is read without the rest. Each is a zstandard frame that
carries its size. Without a key the frame has a checksum; with one it is encrypted with AES-256-GCM under a nonce of its
own, whose tag says more than a checksum. Tenant, id and number are its associated data: a chunk that was moved to
another place doesn't open.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import zstandard
from cryptography.exceptions import InvalidTag

from tailrace.schemas.errors import ArtifactCorrupt, ArtifactLocked, ArtifactRefused
from tailrace.schemas.records.artifact import Artifact
from tailrace.streams.artifacts.keyring import Keyring
from tailrace.streams.artifacts.proof import Proof

#: Of content. Part of the form that is stored: another number would make stored chunks unreadable.
CHUNK_BYTES: Final = 1024 * 1024
_NONCE_BYTES: Final = 12
#: Room for content that can't be compressed, for the nonce and for the tag; what is longer was not made here.
STORED_CHUNK_BYTES_MAX: Final = CHUNK_BYTES + CHUNK_BYTES // 128
#: Text becomes a third. Higher levels take longer than writing what they save; everything is written, and little of it
#: is read.
_LEVEL: Final = -1


def chunks_of(content: bytes | Iterable[bytes]) -> Iterator[bytes | memoryview]:
    """Cut content into chunks, holding no more than one and what is given at once."""
    if isinstance(content, bytes | bytearray | memoryview):
        view = memoryview(content).cast("B")
        for first in range(0, len(view), CHUNK_BYTES):
            yield view[first : first + CHUNK_BYTES]
        return
    buffer = bytearray()
    for piece in content:
        if not isinstance(piece, bytes | bytearray | memoryview):
            raise ArtifactRefused(f"content must come as bytes, got {type(piece).__name__}. Nothing was stored")
        view = memoryview(piece).cast("B")
        for first in range(0, len(view), CHUNK_BYTES):
            buffer += view[first : first + CHUNK_BYTES]
            if len(buffer) >= CHUNK_BYTES:
                yield bytes(buffer[:CHUNK_BYTES])
                del buffer[:CHUNK_BYTES]
    if buffer:
        yield bytes(buffer)


def chunk_count(size_bytes: int) -> int:
    """How many chunks content of this size has."""
    return -(-size_bytes // CHUNK_BYTES)


def chunk_numbers(span: range) -> range:
    """The chunks that hold these bytes."""
    return range(span.start // CHUNK_BYTES, chunk_count(span.stop)) if span else range(0)


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk belongs; bound into its encryption."""

    tenant: str
    artifact_id: str
    number: int

    @property
    def associated_data(self) -> bytes:
        # Lengths first, so that no two places are written alike.
        tenant, artifact_id = self.tenant.encode(), self.artifact_id.encode()
        return b"%d:%b%d:%b%d" % (len(tenant), tenant, len(artifact_id), artifact_id, self.number)


class Sealer:
    """Makes chunks and opens them. Its contexts are used again for each chunk, so it belongs to one thread."""

    def __init__(self, keyring: Keyring, *, where: str) -> None:
        """Take the keys, and the name of the store for errors."""
        self.key_id = keyring.key_id
        self._keys = keyring.keys
        self._where = where
        self._compress = zstandard.ZstdCompressor(
            level=_LEVEL, write_checksum=self.key_id is None, write_content_size=True
        ).compress
        #: Of the artifact that a part was read of last.
        self._proof: Proof | None = None
        self._decompress = zstandard.ZstdDecompressor(max_window_size=2 * CHUNK_BYTES).decompress

    def seal(self, place: ChunkPlace, content: bytes | memoryview) -> bytes:
        """The chunk as it is stored, written with the present key."""
        frame = self._compress(content)
        if self.key_id is None:
            return frame
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._keys[self.key_id].encrypt(nonce, frame, place.associated_data)

    def open(self, artifact: Artifact, number: int, stored: bytes | None) -> bytes:
        """The content of a chunk. Raises ArtifactCorrupt or ArtifactLocked; never makes more than one chunk's size."""
        if stored is None or len(stored) > STORED_CHUNK_BYTES_MAX:
            raise self.corrupt(artifact, f"chunk {number} is missing or too long")
        frame = self._decrypted(artifact, number, stored)
        size_bytes = min(CHUNK_BYTES, artifact.size_bytes - number * CHUNK_BYTES)
        try:
            # Looked at before anything is unpacked: room is made for as much as the frame says that it holds.
            claimed_bytes = zstandard.frame_content_size(frame)
            if claimed_bytes != size_bytes:
                raise self.corrupt(artifact, f"chunk {number} claims {claimed_bytes} bytes instead of {size_bytes}")
            return self._decompress(frame, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise self.corrupt(artifact, f"chunk {number} can't be unpacked ({error})") from error

    def believes(self, artifact: Artifact, span: range, stored: Sequence[bytes | None]) -> bool:
        """Tell whether these chunks of a part need no proof, or have it; else all chunks must be looked at first."""
        if not self._keys or artifact.key_id is not None or len(span) in {0, artifact.size_bytes}:
            return True
        proof = self._proof
        return proof is not None and proof.artifact == artifact and proof.holds(chunk_numbers(span), stored)

    def prove(self, proof: Proof, span: range, stored: Sequence[bytes | None]) -> None:
        """Believe what a proof has seen from now on.

        Raises ArtifactCorrupt where the whole, or one of these chunks, is another.
        """
        proof.end()
        if not proof.holds(chunk_numbers(span), stored):
            raise self.corrupt(proof.artifact, "it changed while it was read")
        self._proof = proof

    def assemble(self, artifact: Artifact, span: range, stored: Iterable[bytes | None]) -> bytes:
        """These bytes of an artifact, from the chunks that hold them; the whole is held to its hash as well."""
        parts = []
        for number, chunk in zip(chunk_numbers(span), stored, strict=True):
            begin = number * CHUNK_BYTES
            content = self.open(artifact, number, chunk)
            # Copied only where a part is asked for.
            inside = span.start <= begin and begin + len(content) <= span.stop
            parts.append(content if inside else content[max(0, span.start - begin) : span.stop - begin])
        whole = b"".join(parts)
        if len(whole) == artifact.size_bytes and hashlib.sha256(whole).hexdigest() != artifact.sha256:
            raise self.corrupt(artifact, "its content has another sha256")
        return whole

    def _decrypted(self, artifact: Artifact, number: int, stored: bytes) -> bytes:
        if artifact.key_id is None:
            return stored
        key = self._keys.get(artifact.key_id)
        if key is None:
            raise ArtifactLocked(artifact.id, artifact.key_id)
        place = ChunkPlace(artifact.tenant, artifact.id, number)
        try:
            return key.decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], place.associated_data)
        except (InvalidTag, ValueError) as error:
            reason = f"chunk {number} was changed, or is of another place or key {artifact.key_id!r}"
            raise self.corrupt(artifact, reason) from error

    def corrupt(self, artifact: Artifact, reason: str) -> ArtifactCorrupt:
        """The error that names the artifact and this store."""
        return ArtifactCorrupt(artifact.id, where=self._where, reason=reason)
