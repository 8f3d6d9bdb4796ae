"""Between the commit protocol and the artifact store: what agents want kept is stored, what they need is looked up."""

import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import structlog

from tailrace.agents.artifacts.names import PARTS_TYPE, readable
from tailrace.agents.distill.fleet_cache import SHARED_BYTES_MAX, SharedFound, SharedWanted, decode_shared
from tailrace.agents.engine.claim_check import READ_BYTES_MAX, ClaimedText
from tailrace.agents.engine.lookups import Contents, Needs
from tailrace.agents.engine.rehydration import BroughtBack, WantedArtifact
from tailrace.schemas.errors import (
    ArtifactConflict,
    ArtifactError,
    ArtifactForbidden,
    ArtifactMissing,
    PoisonEvent,
    Unavailable,
)
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Claim, Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.streams.artifacts.store import ArtifactStore

log = structlog.get_logger("tailrace.artifacts")

#: Read of an artifact that is brought back: more than its tokens can be.
_BYTES_PER_TOKEN_MAX = 16
#: Half of a JSON can't be read as the parts of a message. It may hold a screen full of pixels beside the text that is
#: wanted.
_PARTS_BYTES_MAX = 16 * 1024 * 1024
#: One answer for what never was, what is over, and what is somebody else's.
_NOT_HERE = "is not there any more: it expired, was erased, or belongs to somebody else."
_UNREADABLE = "can't be read; its store has to be looked at."


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class ArtifactShelf:
    """The artifact store as a worker uses it."""

    def __init__(self, store: ArtifactStore, policy: Policy, *, now_ms: Callable[[], int] = _now_ms) -> None:
        """`now_ms` is the clock by which artifacts expire."""
        self._store = store
        self._policy = policy
        self._now_ms = now_ms

    async def keep(self, stored: Sequence[Stored]) -> None:
        """Store everything; when it returns, all of it is safe. Whatever it raises must end the process."""
        by_tenant: dict[str, list[Stored]] = {}
        for item in stored:
            by_tenant.setdefault(item.tenant, []).append(item)
        now_ms = self._now_ms()
        for tenant, items in by_tenant.items():
            await self._keep(SecurityContext(tenant=tenant, actor="worker"), [_timed(item, now_ms) for item in items])

    async def _keep(self, context: SecurityContext, new: Sequence[NewArtifact]) -> None:
        try:
            await self._store.store(context, new)
        except ArtifactConflict as error:
            if len(new) > 1:
                for artifact in new:
                    await self._keep(context, [artifact])
                return
            # Somebody of the same tenant has put other content under this name. A replay would meet it again; the log
            # has ours.
            log.warning("artifact.conflict", tenant=context.tenant, artifact=new[0].id, error=str(error))

    async def contents(self, needs: Needs) -> Contents:
        """What there is of what a record needs.

        What can't be had is said in its place: it is no error of the record.
        """
        claimed = await self._claimed(needs.tenant, needs.claim) if needs.claim else None
        brought = [await self._bring(needs.tenant, wish) for wish in needs.wanted]
        shared = [await self._shared(needs.tenant, wish) for wish in needs.shared]
        return Contents(claimed, tuple(artifact for artifact in brought if artifact is not None), tuple(shared))

    async def _shared(self, tenant: str, wish: SharedWanted) -> SharedFound:
        """What others have distilled. What can't be read is as good as missing: it is only made again."""
        try:
            content = await self._store.retrieve(
                SecurityContext(tenant=tenant, actor="worker"), wish.id, bytes_max=SHARED_BYTES_MAX
            )
            return SharedFound(wish.of, wish.id, decode_shared(content))
        except ArtifactMissing:
            pass
        except (ArtifactError, Unavailable, PoisonEvent) as error:
            log.warning("shared_distillation.unreadable", tenant=tenant, artifact=wish.id, error=type(error).__name__)
        return SharedFound(wish.of, wish.id)

    async def _claimed(self, tenant: str, claim: Claim) -> ClaimedText:
        context = SecurityContext(tenant=tenant, actor="worker")
        half = READ_BYTES_MAX // 2
        try:
            metadata = await self._store.metadata(context, claim.artifact_id)
            claimed = partial(ClaimedText, claim, size_bytes=metadata.size_bytes, sensitivity=metadata.sensitivity)
            if claim.media:
                return claimed()
            if metadata.size_bytes <= (_PARTS_BYTES_MAX if metadata.media_type == PARTS_TYPE else READ_BYTES_MAX):
                text = readable(metadata.media_type, await self._store.retrieve(context, claim.artifact_id))
                return claimed(text) if len(text) <= READ_BYTES_MAX else claimed(text[:half], text[-half:])
            head = await self._store.retrieve(context, claim.artifact_id, bytes_max=half)
            tail = await self._store.retrieve(context, claim.artifact_id, first_byte=metadata.size_bytes - half)
        except ArtifactError as error:
            log.warning("claim.refused", tenant=tenant, artifact=claim.artifact_id, error=type(error).__name__)
            return ClaimedText(claim, missing=_NOT_HERE if isinstance(error, ArtifactMissing) else _UNREADABLE)
        return claimed(head.decode(errors="replace"), tail.decode(errors="replace"))

    async def _bring(self, tenant: str, wish: WantedArtifact) -> BroughtBack | None:
        rules = self._policy.rehydrate
        clearance = Sensitivity(rules.sensitivity_max)
        context = SecurityContext(tenant=tenant, clearance=clearance, actor="rehydration")
        try:
            metadata = await self._store.metadata(context, wish.artifact_id)
            shown_bytes_max = rules.artifact_tokens_max * _BYTES_PER_TOKEN_MAX
            bytes_max = _PARTS_BYTES_MAX if metadata.media_type == PARTS_TYPE else shown_bytes_max
            content = await self._store.retrieve(context, wish.artifact_id, bytes_max=bytes_max)
        except ArtifactMissing:
            return BroughtBack(wish.artifact_id, None, _NOT_HERE) if wish.named else None
        except ArtifactForbidden:
            return BroughtBack(wish.artifact_id, None, f"is kept back: it is above {clearance}.")
        except ArtifactError as error:
            log.warning("artifact.unreadable", tenant=tenant, artifact=wish.artifact_id, error=str(error))
            return BroughtBack(wish.artifact_id, None, _UNREADABLE)
        text = readable(metadata.media_type, content)
        return BroughtBack(
            wish.artifact_id, text, sensitivity=metadata.sensitivity, cut=len(content) < metadata.size_bytes
        )


def _timed(stored: Stored, now_ms: int) -> NewArtifact:
    """What is to be stored, with its expiry. A time before 1970 is nobody's, and no reason to stop for ever."""
    expires_at_ms = now_ms + stored.ttl_seconds * 1000 if stored.ttl_seconds else None
    created_at_ms = max(0, stored.artifact.created_at_ms)
    return msgspec.structs.replace(stored.artifact, created_at_ms=created_at_ms, expires_at_ms=expires_at_ms)


class EmptyShelf:
    """A shelf that keeps nothing: for simulations, in which contents don't matter, and for replays."""

    async def keep(self, stored: Sequence[Stored]) -> None:
        """Forget it."""

    async def contents(self, needs: Needs) -> Contents:
        """Nothing is there."""
        claimed = ClaimedText(needs.claim, missing=_NOT_HERE) if needs.claim else None
        missing = [BroughtBack(wish.artifact_id, None, _NOT_HERE) for wish in needs.wanted if wish.named]
        return Contents(claimed, tuple(missing))
