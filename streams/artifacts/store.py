"""What every artifact store does, whatever it keeps its bytes in.

Whoever asks gives a `SecurityContext`. What belongs to another tenant, has expired or was never stored gives the very
same answer, so that nobody learns from it what others keep.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext


@dataclass(frozen=True, slots=True)
class Unread:
    """An artifact that could not be encrypted anew, because it can't be read."""

    #: Of tenant and artifact, as the store has them.
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resealed:
    """How many artifacts were encrypted anew, and which could not be."""

    artifacts: int = 0
    unread: tuple[Unread, ...] = ()


class ArtifactStore(Protocol):
    """Keeps contents whole, and brings them back as a whole or in parts."""

    async def store(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        """Keep all of them, or none.

        The same id with the same content again changes nothing but its limits: the later expiry and the higher
        sensitivity win. Raises ArtifactConflict for the same id with other content, ArtifactRefused for what can't be
        named, and ArtifactStoreFull where there is no room.
        """
        ...

    async def metadata(self, context: SecurityContext, artifact_id: str) -> Artifact:
        """What is known of an artifact. Raises ArtifactMissing or ArtifactForbidden."""
        ...

    async def retrieve(
        self, context: SecurityContext, artifact_id: str, *, first_byte: int = 0, bytes_max: int | None = None
    ) -> bytes:
        """The content from `first_byte` on, at most `bytes_max` of it; behind its end there is nothing.

        Only the chunks that hold the range are read. Raises ArtifactMissing, ArtifactForbidden, ArtifactCorrupt, or
        ArtifactLocked where the key is not at hand.
        """
        ...

    async def delete(self, context: SecurityContext, artifact_id: str) -> bool:
        """Remove an artifact, and tell whether it was there. Raises ArtifactForbidden above the caller's clearance."""
        ...

    async def collect(self, now_ms: int, *, limit: int = 1000) -> int:
        """Remove what has expired, of all tenants, at most `limit` at once. Returns how many went."""
        ...

    async def reseal(self, *, limit: int = 100, but: Collection[str] = ()) -> Resealed:
        """Encrypt what was written with another key than the present one again, at most `limit` at once, but not these.

        One that can't be read stays as it is, and is named.
        """
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of files and connections."""
        ...


async def rotate(store: ArtifactStore) -> Resealed:
    """Encrypt everything with the present key that is not yet, in small transactions, whatever can't be read among it.

    It may be stopped at any time and run again; older keys are needed until it has returned once without naming any.
    """
    changed = 0
    unread: dict[str, Unread] = {}
    while True:
        batch = await store.reseal(but=unread)
        changed += batch.artifacts
        unread |= {artifact.name: artifact for artifact in batch.unread}
        if not batch.artifacts and not batch.unread:
            return Resealed(changed, tuple(unread.values()))
