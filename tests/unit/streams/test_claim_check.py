"""What is too large for a record is put into the artifact store under the same rules as what a worker puts there."""

import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tailrace.agents.partition import Needs
from tailrace.agents.rehydration import Wanted
from tailrace.schemas.artifact import Artifact, SecurityContext
from tailrace.schemas.event import Sensitivity
from tailrace.schemas.parts import AnyPart, TextPart, ToolCallResponsePart
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import Shelf
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


async def test_a_result_of_blocks_is_kept_with_all_of_them(folder: Path) -> None:
    """A screenshot is larger than all that is said about it."""
    pixels = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 50_000}
    blocks = [{"type": "text", "text": "the weir at noon"}, {"type": "image", "source": pixels}]
    message = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": blocks}]}
    settings = load_settings(data_dir=folder)
    check = ClaimCheck(settings)
    rest, claim = await check.put_away("t1", message, {})
    await check.close()
    assert len(msgspec.json.encode(rest)) < 1_000
    store = await open_store(settings)
    try:
        content = await store.retrieve(SecurityContext(tenant="default"), claim.artifact_id)
        shelf = Shelf(store, settings.compaction_policy)
        claimed = (await shelf.contents(Needs("default", claim))).claimed
        wanted = (await shelf.contents(Needs("default", wanted=(Wanted(claim.artifact_id, named=True),)))).brought_back
    finally:
        await store.close()

    (part,) = msgspec.json.decode(content, type=tuple[AnyPart, ...])
    assert isinstance(part, ToolCallResponsePart)
    assert part.response == blocks
    assert claimed is not None
    # What a worker shows of it is its text.
    assert (claimed.text, wanted[0].text) == ("the weir at noon\n[image: not shown]",) * 2


async def test_of_several_large_results_all_are_kept_and_the_message_fits(folder: Path) -> None:
    texts = {one: f"{one} {number}\n" * 60_000 for number, one in enumerate("abc")}
    results = [{"type": "tool_result", "tool_use_id": one, "content": text} for one, text in texts.items()]
    message = {"role": "user", "content": [*results, {"type": "text", "text": "and now?"}]}
    settings = load_settings(data_dir=folder, ingest={"value_bytes_max": 400_000})
    check = ClaimCheck(settings)
    rest, claim = await check.put_away("t1", message, {})
    await check.close()

    assert len(msgspec.json.encode(rest)) < 400_000
    assert rest.parts[-1] == TextPart(content="and now?")
    shown = {part.id: str(part.response) for part in rest.parts if isinstance(part, ToolCallResponsePart)}
    names = {one: re.findall(r"artifact:([0-9a-f]{16})", text) for one, text in shown.items()}
    assert shown["c"] == texts["c"]
    assert names["a"] == [claim.artifact_id]
    assert f'read_artifact("{names["b"][0]}") returns all of it' in shown["b"]
    store = await open_store(settings)
    try:
        for one in "ab":
            assert await store.retrieve(SecurityContext(tenant="default"), names[one][0]) == texts[one].encode()
    finally:
        await store.close()


async def test_with_a_secret_it_is_restricted(folder: Path) -> None:
    secret = {"role": "user", "content": f"{TEXT}\npassword=hunter2secret\n"}
    assert (await put_away(folder, secret)).sensitivity is Sensitivity.RESTRICTED
    blocks = [{"type": "text", "text": TEXT}, {"type": "json", "value": {"password": "hunter2secret"}}]
    nested = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": blocks}]}
    assert (await put_away(folder, nested)).sensitivity is Sensitivity.RESTRICTED
