"""What is too large for a record is put into the artifact store under the same rules as what a worker puts there."""

import os
from pathlib import Path
from typing import Any

import pytest

from tailrace.schemas.artifact import Artifact, SecurityContext
from tailrace.schemas.event import Sensitivity
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.client.claim_check import ClaimCheck
from tailrace.streams.settings import load_settings

POLICY = {
    "artifact_ttl_seconds": 600,
    "tools": {"poll_*": {"ttl_seconds": 60}},
}
TEXT = "level 17\n" * 1_000


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for variable in [name for name in os.environ if name.startswith("TAILRACE_")]:
        monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def put_away(
    folder: Path, message: dict[str, Any], *, policy: dict[str, Any] = POLICY, **options: Any
) -> Artifact:
    settings = load_settings(data_dir=folder, policy=policy)
    check = ClaimCheck(settings)
    _, claim = await check.put_away("t1", message, options)  # type: ignore[arg-type]
    await check.close()
    store = await open_store(settings)
    try:
        return await store.metadata(SecurityContext(tenant="default"), claim.artifact_id)
    finally:
        await store.close()


def result(*ids: str) -> dict[str, Any]:
    blocks = [
        {"type": "tool_result", "tool_use_id": one, "content": TEXT * (place + 1)} for place, one in enumerate(ids)
    ]
    return {"role": "user", "content": blocks}


def ttl_seconds(artifact: Artifact) -> int | None:
    return None if artifact.expires_at_ms is None else (artifact.expires_at_ms - artifact.created_at_ms) // 1000


@pytest.mark.parametrize(
    ("message", "tools", "expected"),
    [
        ({"role": "user", "content": TEXT}, None, 600),
        (result("a"), None, 600),
        (result("a"), [{"name": "poll_gauge"}], 60),
        (result("a"), [{"name": "read_gauge"}], 600),
        (result("a", "b"), [{"name": "read_gauge"}, {"name": "poll_gauge"}], 60),
        (result("a", "b"), [{"call_id": "a", "name": "poll_gauge"}], 600),
    ],
)
async def test_it_expires_as_the_policy_says(
    folder: Path, message: dict[str, Any], tools: list[dict[str, str]] | None, expected: int
) -> None:
    assert ttl_seconds(await put_away(folder, message, tools=tools)) == expected


async def test_without_a_limit_it_stays(folder: Path) -> None:
    assert ttl_seconds(await put_away(folder, result("a"), policy={})) is None


async def test_with_a_secret_it_is_restricted(folder: Path) -> None:
    secret = {"role": "user", "content": f"{TEXT}\npassword=hunter2secret\n"}
    assert (await put_away(folder, secret)).sensitivity is Sensitivity.RESTRICTED
