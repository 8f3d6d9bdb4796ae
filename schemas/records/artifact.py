"""What is kept whole outside of a context: what is known of it, and who may see it.

An artifact's id is a hash of its content, made by whoever stores it: the same content is stored once for a tenant, and
an id never means something else later.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from tailrace.schemas.records.event import Sensitivity

_SENSITIVITIES = tuple(Sensitivity)


class Artifact(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of an artifact without reading its content."""

    version: Literal[1]
    id: str
    tenant: str
    media_type: str
    #: Of the content as it was given, before compression.
    size_bytes: int
    #: Of the same, in hexadecimal digits.
    sha256: str
    sensitivity: Sensitivity
    created_at_ms: int
    #: From then on it is as missing; None keeps it until it is deleted.
    expires_at_ms: int | None = None
    #: Where it came from: empty where that is not known.
    thread: str = ""
    message_id: str = ""
    tool: str = ""
    #: The key that it is encrypted with; None where it is not.
    key_id: str | None = None

    def expired(self, now_ms: int) -> bool:
        """Tell whether its time is over."""
        return self.expires_at_ms is not None and self.expires_at_ms <= now_ms


class SecurityContext(Struct, frozen=True, kw_only=True):
    """On whose behalf the store is asked."""

    tenant: str
    #: The highest sensitivity that the caller may see.
    clearance: Sensitivity = Sensitivity.RESTRICTED
    #: Who asks, for errors and logs.
    actor: str = ""

    def may_see(self, sensitivity: Sensitivity) -> bool:
        """Tell whether content of this sensitivity may be shown to the caller."""
        return _SENSITIVITIES.index(sensitivity) <= _SENSITIVITIES.index(self.clearance)


class NewArtifact(Struct, frozen=True, kw_only=True):
    """Something to keep."""

    #: A hash of the content.
    id: str
    media_type: str
    #: Chunks of any size where the whole must not be in memory at once. They are taken once, in another thread.
    content: bytes | Iterable[bytes]
    created_at_ms: int
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    expires_at_ms: int | None = None
    thread: str = ""
    message_id: str = ""
    tool: str = ""


def stricter(first: Sensitivity, other: Sensitivity) -> Sensitivity:
    """The higher of two sensitivities."""
    return max(first, other, key=_SENSITIVITIES.index)


def strictest(sensitivities: Iterable[Sensitivity]) -> Sensitivity:
    """The highest of several sensitivities; the lowest there is for none."""
    return max(sensitivities, key=_SENSITIVITIES.index, default=_SENSITIVITIES[0])


def later(one_ms: int | None, other_ms: int | None) -> int | None:
    """The later of two expiries; None never comes."""
    return None if one_ms is None or other_ms is None else max(one_ms, other_ms)
