"""The rules that every artifact store keeps: who sees what, what may be stored, and what storing again changes."""

from typing import Final

import msgspec

from tailrace.schemas.errors import ArtifactConflict, ArtifactForbidden, ArtifactMissing, ArtifactRefused
from tailrace.schemas.records.artifact import Artifact, NewArtifact, SecurityContext, later, stricter

#: Room for any hash or uuid, and a bound on keys of tables and objects.
NAME_BYTES_MAX: Final = 1_024
#: What SQLite holds in a column.
_INTEGER_MAX: Final = 2**63 - 1


def visible(context: SecurityContext, artifact_id: str, artifact: Artifact | None, now_ms: int) -> Artifact:
    """The artifact that was found, if the caller may see it. Raises ArtifactMissing or ArtifactForbidden."""
    if artifact is None or artifact.tenant != context.tenant or artifact.expired(now_ms):
        raise ArtifactMissing(artifact_id)
    if not context.may_see(artifact.sensitivity):
        raise ArtifactForbidden(artifact_id, sensitivity=artifact.sensitivity, clearance=context.clearance)
    return artifact


def merged(stored: Artifact, again: Artifact) -> Artifact:
    """What is stored, with the limits of what came again. Raises ArtifactConflict where the content differs."""
    if stored.sha256 != again.sha256:
        raise ArtifactConflict(stored.id, stored_sha256=stored.sha256, given_sha256=again.sha256)
    return msgspec.structs.replace(
        stored,
        sensitivity=stricter(stored.sensitivity, again.sensitivity),
        expires_at_ms=later(stored.expires_at_ms, again.expires_at_ms),
    )


def can_be_name(text: str) -> bool:
    """Tell whether something can be kept under this name: not empty, not too long, and UTF-8."""
    try:
        return 0 < len(text.encode()) <= NAME_BYTES_MAX
    except UnicodeEncodeError:
        return False


def refuse_unusable(context: SecurityContext, new: NewArtifact) -> None:
    """Raise ArtifactRefused for a name, a text or a time that can't be written down."""
    for what, name in (("tenant", context.tenant), ("id", new.id)):
        if not can_be_name(name):
            raise ArtifactRefused(
                f"An artifact's {what} must have 1 to {NAME_BYTES_MAX} bytes of UTF-8, got {name[:40]!r}. "
                f"Nothing was stored"
            )
    for field in ("media_type", "thread", "message_id", "tool"):
        text: str = getattr(new, field)
        if text.encode(errors="replace").decode() != text:
            raise ArtifactRefused(f"{field} of artifact {new.id!r} is no UTF-8: {text[:40]!r}. Nothing was stored")
    for field in ("created_at_ms", "expires_at_ms"):
        time_ms: int | None = getattr(new, field)
        if time_ms is not None and not 0 <= time_ms <= _INTEGER_MAX:
            raise ArtifactRefused(
                f"{field} of artifact {new.id!r} must lie between 0 and {_INTEGER_MAX}, got {time_ms}. Nothing "
                f"was stored"
            )


def range_within(size_bytes: int, first_byte: int, bytes_max: int | None) -> range:
    """The bytes that are asked for and there. Raises ValueError for negative numbers."""
    if first_byte < 0 or (bytes_max is not None and bytes_max < 0):
        raise ValueError(f"first_byte and bytes_max must not be negative, got {first_byte} and {bytes_max}")
    first = min(first_byte, size_bytes)
    return range(first, size_bytes if bytes_max is None else min(size_bytes, first + bytes_max))
