"""Artifacts: what is known of them, and who may see them."""

import msgspec
import pytest

from tailrace.schemas.records.artifact import Artifact, SecurityContext, later, stricter
from tailrace.schemas.records.event import Sensitivity


def artifact(*, expires_at_ms: int | None = None) -> Artifact:
    return Artifact(
        version=1,
        id="a1",
        tenant="t",
        media_type="text/plain",
        size_bytes=3,
        sha256="00",
        sensitivity=Sensitivity.INTERNAL,
        created_at_ms=5,
        expires_at_ms=expires_at_ms,
    )


def test_what_is_known_travels_as_json_without_what_is_not_set() -> None:
    written = msgspec.json.encode(artifact())

    assert msgspec.json.decode(written, type=Artifact) == artifact()
    assert "expires_at_ms" not in msgspec.json.decode(written)
    assert msgspec.json.decode(written)["version"] == 1


def test_another_version_is_not_read() -> None:
    written = msgspec.json.encode(artifact()).replace(b'"version":1', b'"version":2')

    with pytest.raises(msgspec.ValidationError, match="version"):
        msgspec.json.decode(written, type=Artifact)


def test_an_artifact_has_expired_from_its_last_moment_on() -> None:
    assert not artifact(expires_at_ms=10).expired(9)
    assert artifact(expires_at_ms=10).expired(10)
    assert not artifact().expired(2**62)


@pytest.mark.parametrize(
    ("clearance", "seen"),
    [
        (Sensitivity.PUBLIC, ["public"]),
        (Sensitivity.CONFIDENTIAL, ["public", "internal", "confidential"]),
        (Sensitivity.RESTRICTED, ["public", "internal", "confidential", "restricted"]),
    ],
)
def test_a_caller_sees_up_to_its_clearance(clearance: Sensitivity, seen: list[str]) -> None:
    context = SecurityContext(tenant="t", clearance=clearance)

    assert [str(one) for one in Sensitivity if context.may_see(one)] == seen


def test_the_stricter_and_the_later_win() -> None:
    assert stricter(Sensitivity.CONFIDENTIAL, Sensitivity.PUBLIC) is Sensitivity.CONFIDENTIAL
    assert stricter(Sensitivity.PUBLIC, Sensitivity.RESTRICTED) is Sensitivity.RESTRICTED
    assert (later(3, 5), later(None, 5), later(3, None)) == (5, None, None)
