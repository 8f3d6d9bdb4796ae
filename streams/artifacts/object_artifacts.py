"""Artifacts as objects, for workers on many machines: S3, GCS, Azure or plain files.

    artifacts/<tenant>/<id>/artifact.json      what is known; an artifact is there once this is
    artifacts/<tenant>/<id>/<key>.<hash>       its chunks, one behind the other
    expiries/<day>/<ms>/<tenant>/<id>          empty; says when to look

Objects know no transactions. A batch is checked as a whole, then chunks are written, then what is known of them; what
fails takes back what it wrote. After a crash in between, some of a batch may be there: storing it again completes it.
"""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import ArtifactCorrupt, ArtifactLocked, ArtifactMissing, PoisonEvent, Unavailable
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext
from tailrace.streams.artifacts.access import can_be_name, merged, range_within, visible
from tailrace.streams.artifacts.batch import Sealed, sealed_batch, spooled
from tailrace.streams.artifacts.chunks import STORED_CHUNK_BYTES_MAX, ChunkPlace, Sealer, chunk_count, chunk_numbers
from tailrace.streams.artifacts.keyring import Keyring
from tailrace.streams.artifacts.object_files import PART_BYTES, ObjectFiles, StoredObject
from tailrace.streams.artifacts.proof import Proof
from tailrace.streams.artifacts.store import Resealed, Unread

_ARTIFACTS: Final = "artifacts"
_EXPIRIES: Final = "expiries"
_METADATA: Final = "artifact.json"
_DAY_MS: Final = 86_400_000
#: Requests at once; more would only wait at the other side.
_REQUESTS_MAX: Final = 16
#: Others that change the same artifact in the same moment: each try fails only if one of them succeeded.
_TRIES_MAX: Final = 10
#: File systems allow 255 bytes.
_NAME_CHARACTERS_MAX: Final = 200

_Value = TypeVar("_Value")


class _Stored(Struct, frozen=True, kw_only=True):
    """What `artifact.json` holds."""

    artifact: Artifact
    #: Name of the object with the chunks, beside this one.
    content: str
    #: Of each chunk as it is stored.
    lengths_bytes: tuple[int, ...]


_decode_stored = decoder(_Stored)


class ObjectArtifacts:
    """An `ArtifactStore` over objects."""

    def __init__(self, objects: ObjectFiles, *, keyring: Keyring, now_ms: Callable[[], int]) -> None:
        """Use these objects. Nothing is sent yet."""
        self._objects = objects
        self._now_ms = now_ms
        self._sealer = Sealer(keyring, where=objects.url)
        # Compression and encryption of large contents take their time, and the sealer belongs to one thread.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="artifacts")
        self._requests = asyncio.Semaphore(_REQUESTS_MAX)

    async def store(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        """Keep all of them, or none."""
        if not new:
            return
        with ExitStack() as until_written:
            sealing = sealed_batch(context, new, self._sealer, where=self._objects.url)
            batch = await self._in_thread(lambda: until_written.enter_context(sealing))
            now_ms = self._now_ms()
            stored = await self._all([self._load(_folder(written.artifact)) for written in batch])
            for written, (earlier, _) in zip(batch, stored, strict=True):
                if earlier is not None and not earlier.artifact.expired(now_ms):
                    merged(earlier.artifact, written.artifact)
            created: list[_Stored] = []
            try:
                await self._all([self._put(written, now_ms, created) for written in batch])
            except BaseException:
                await asyncio.gather(*(self._remove(written) for written in created), return_exceptions=True)
                raise

    async def _put(self, sealed: Sealed, now_ms: int, created: list[_Stored]) -> None:
        artifact = sealed.artifact
        folder = _folder(artifact)
        fresh = _stored(sealed)
        uploaded = False
        for _ in range(_TRIES_MAX):
            earlier, metadata = await self._load(folder)
            if earlier is not None and not earlier.artifact.expired(now_ms):
                changed = msgspec.structs.replace(earlier, artifact=merged(earlier.artifact, artifact))
                done = changed == earlier or await self._save(changed, metadata)
            else:
                if not uploaded:
                    await self._upload(folder, fresh, sealed)
                    uploaded = True
                changed = fresh
                done = await self._save(fresh, metadata)
                if done:
                    created.append(fresh)
            if done:
                if uploaded and changed.content != fresh.content:
                    await self._objects.delete(f"{folder}/{fresh.content}")
                if changed is fresh and earlier is not None and earlier.content != fresh.content:
                    await self._objects.delete(f"{folder}/{earlier.content}")
                return
        raise self._contended(artifact)

    async def _upload(self, folder: str, stored: _Stored, sealed: Sealed) -> None:
        whole = sealed.stored_bytes <= PART_BYTES
        await self._objects.put(f"{folder}/{stored.content}", b"".join(sealed.chunks()) if whole else sealed.chunks())

    async def _save(self, stored: _Stored, metadata: StoredObject | None) -> bool:
        """Write what is known, unless another one did since it was found."""
        expires_at_ms = stored.artifact.expires_at_ms
        if expires_at_ms is not None:
            # First, so that nothing is there that collecting would never see.
            await self._objects.put(_expiry(stored.artifact, expires_at_ms), b"")
        path = f"{_folder(stored.artifact)}/{_METADATA}"
        written = msgspec.json.encode(stored)
        if metadata is None:
            return await self._objects.create(path, written)
        return await self._objects.replace(path, written, metadata)

    async def metadata(self, context: SecurityContext, artifact_id: str) -> Artifact:
        """What is known of an artifact."""
        return (await self._visible(context, artifact_id)).artifact

    async def retrieve(
        self, context: SecurityContext, artifact_id: str, *, first_byte: int = 0, bytes_max: int | None = None
    ) -> bytes:
        """The content, or a part of it."""
        for _ in range(_TRIES_MAX):
            stored = await self._visible(context, artifact_id)
            span = range_within(stored.artifact.size_bytes, first_byte, bytes_max)
            numbers = chunk_numbers(span)
            chunks = await self._chunks(stored, numbers)
            if chunks or not numbers:
                if not self._sealer.believes(stored.artifact, span, chunks):
                    self._sealer.prove(await self._proof(stored), span, chunks)
                return await self._in_thread(lambda: self._sealer.assemble(stored.artifact, span, chunks))  # noqa: B023  awaited here
            # Encrypted anew in the meantime, perhaps: then the chunks have another name now.
            if await self._visible(context, artifact_id) == stored:
                raise self._sealer.corrupt(stored.artifact, f"{stored.content} is missing")
        raise self._contended(stored.artifact)

    async def _proof(self, stored: _Stored) -> Proof:
        proof = Proof(self._sealer, stored.artifact)
        for number in range(len(stored.lengths_bytes)):
            chunks = await self._chunks(stored, range(number, number + 1))
            await self._in_thread(partial(proof.take, *(chunks or [None])))
        return proof

    async def _chunks(self, stored: _Stored, numbers: range) -> list[bytes | None]:
        """The chunks as they are stored, in one request; none where their object is missing."""
        lengths = stored.lengths_bytes
        if len(lengths) != chunk_count(stored.artifact.size_bytes) or any(
            not 0 < length <= STORED_CHUNK_BYTES_MAX for length in lengths
        ):
            raise self._sealer.corrupt(stored.artifact, "its chunks are not those of its size")
        wanted = lengths[numbers.start : numbers.stop]
        if not wanted:
            return []
        path = f"{_folder(stored.artifact)}/{stored.content}"
        piece = await self._objects.get_piece(path, sum(lengths[: numbers.start]), sum(wanted))
        if piece is None:
            return []
        ends = [sum(wanted[: place + 1]) for place in range(len(wanted))]
        return [piece[end - length : end] for end, length in zip(ends, wanted, strict=True)]

    async def delete(self, context: SecurityContext, artifact_id: str) -> bool:
        """Remove an artifact, and tell whether it was there."""
        try:
            stored = await self._visible(context, artifact_id)
        except ArtifactMissing:
            return False
        await self._remove(stored)
        return True

    async def _remove(self, stored: _Stored) -> None:
        folder = _folder(stored.artifact)
        # First what is known: without it there is no artifact, whatever else is left by a crash.
        await self._objects.delete(f"{folder}/{_METADATA}")
        await self._objects.delete(f"{folder}/{stored.content}")
        if stored.artifact.expires_at_ms is not None:
            await self._objects.delete(_expiry(stored.artifact, stored.artifact.expires_at_ms))

    async def collect(self, now_ms: int, *, limit: int = 1000) -> int:
        """Remove what has expired. Only days that have come are looked at."""
        removed = 0
        for day in sorted(await self._objects.folders(_EXPIRIES)):
            if int(day) > now_ms // _DAY_MS:
                break
            async for path in self._objects.below(f"{_EXPIRIES}/{day}"):
                if removed == limit:
                    return removed
                _, _, expires_at_ms, tenant, artifact_id = path.split("/")
                if int(expires_at_ms) > now_ms:
                    continue
                stored, _ = await self._load(f"{_ARTIFACTS}/{tenant}/{artifact_id}")
                if stored is not None and stored.artifact.expired(now_ms):
                    await self._remove(stored)
                    removed += 1
                # One whose expiry was put off has a later one of these.
                await self._objects.delete(path)
        return removed

    async def reseal(self, *, limit: int = 100, but: Collection[str] = ()) -> Resealed:
        """Encrypt what was written with another key, or none, with the present one."""
        resealed = 0
        unread: list[Unread] = []
        if self._sealer.key_id is None:
            return Resealed()
        async for path in self._objects.below(_ARTIFACTS):
            folder, _, content = path.rpartition("/")
            name = folder.removeprefix(f"{_ARTIFACTS}/")
            if content == _METADATA or content.rpartition(".")[0] == _key_name(self._sealer.key_id) or name in but:
                continue
            if resealed + len(unread) == limit:
                break
            try:
                stored, metadata = await self._load(folder)
                if stored is not None and stored.content == content and await self._reseal(folder, stored, metadata):
                    resealed += 1
            except (ArtifactCorrupt, ArtifactLocked) as error:
                unread.append(Unread(name, str(error)))
        return Resealed(resealed, tuple(unread))

    async def _reseal(self, folder: str, stored: _Stored, metadata: StoredObject | None) -> bool:
        artifact = msgspec.structs.replace(stored.artifact, key_id=self._sealer.key_id)
        kept = []
        # What is encrypted is believed from then on, so it is held to its hash before.
        proof = Proof(self._sealer, stored.artifact)
        with spooled() as spool:
            for number in range(len(stored.lengths_bytes)):
                chunks = await self._chunks(stored, range(number, number + 1))
                chunk = await self._in_thread(partial(self._seal_again, proof, number, *chunks))
                kept.append(spool.keep(chunk))
            proof.end()
            sealed = Sealed(artifact, spool, tuple(kept))
            fresh = _stored(sealed)
            await self._upload(folder, fresh, sealed)
        if not await self._save(fresh, metadata):
            return False
        await self._objects.delete(f"{folder}/{stored.content}")
        return True

    def _seal_again(self, proof: Proof, number: int, chunk: bytes | None = None) -> bytes:
        content = proof.take(chunk)
        return self._sealer.seal(ChunkPlace(proof.artifact.tenant, proof.artifact.id, number), content)

    async def close(self) -> None:
        """Let go of the thread; connections close themselves."""
        self._thread.shutdown()

    async def _visible(self, context: SecurityContext, artifact_id: str) -> _Stored:
        if not can_be_name(context.tenant) or not can_be_name(artifact_id):
            raise ArtifactMissing(artifact_id)  # nothing is stored under such names
        stored, _ = await self._load(f"{_ARTIFACTS}/{_name(context.tenant)}/{_name(artifact_id)}")
        if stored is None or stored.artifact.id != artifact_id:
            raise ArtifactMissing(artifact_id)
        visible(context, artifact_id, stored.artifact, self._now_ms())
        return stored

    async def _load(self, folder: str) -> tuple[_Stored | None, StoredObject | None]:
        metadata = await self._objects.get(f"{folder}/{_METADATA}")
        if metadata is None:
            return None, None
        try:
            return _decode_stored(metadata.content), metadata
        except PoisonEvent as error:
            where = f"{self._objects.url}, {folder}/{_METADATA}"
            raise ArtifactCorrupt(folder.rpartition("/")[2], where=where, reason=str(error)) from error

    def _contended(self, artifact: Artifact) -> Unavailable:
        return Unavailable(
            f"artifact {artifact.id!r} in {self._objects.url} is being changed by others all the time; try again"
        )

    async def _all(self, requests: Sequence[Coroutine[Any, Any, _Value]]) -> list[_Value]:
        """Await all of them, a few at once. When one fails the others still end, so that what they wrote is known."""

        async def limited(request: Coroutine[Any, Any, _Value]) -> _Value:
            async with self._requests:
                return await request

        results = await asyncio.gather(*(limited(request) for request in requests), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return [result for result in results if not isinstance(result, BaseException)]

    async def _in_thread(self, work: Callable[[], _Value]) -> _Value:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _folder(artifact: Artifact) -> str:
    return f"{_ARTIFACTS}/{_name(artifact.tenant)}/{_name(artifact.id)}"


def _expiry(artifact: Artifact, expires_at_ms: int) -> str:
    day = f"{expires_at_ms // _DAY_MS:012d}"
    return f"{_EXPIRIES}/{day}/{expires_at_ms}/{_name(artifact.tenant)}/{_name(artifact.id)}"


def _name(text: str) -> str:
    """One step of a path, for any text: no two texts share one, and none leads elsewhere."""
    quoted = quote(text, safe="").replace(".", "%2E")
    # An equals sign is always quoted, so a name that begins with one is a hash.
    return quoted if len(quoted) <= _NAME_CHARACTERS_MAX else f"={hashlib.sha256(text.encode()).hexdigest()}"


def _key_name(key_id: str | None) -> str:
    return f"key-{key_id}" if key_id is not None else "plain"


def _stored(sealed: Sealed) -> _Stored:
    """What is known of what is about to be written.

    The name of the content is the same for the same content, key and lengths: written again after a crash, it takes the
    same place.
    """
    artifact, lengths = sealed.artifact, sealed.lengths_bytes
    digest = hashlib.sha256(f"{artifact.sha256} {lengths}".encode()).hexdigest()[:32]
    return _Stored(artifact=artifact, content=f"{_key_name(artifact.key_id)}.{digest}", lengths_bytes=lengths)
