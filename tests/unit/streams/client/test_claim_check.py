"""What is too large for a record is put into the artifact store under the same rules as what a worker puts there."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.fresh_secrets import SECRETS

from tailrace.agents.engine.lookups import Needs
from tailrace.agents.engine.rehydration import WantedArtifact
from tailrace.agents.messages.wording import pointer_text
from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.artifact import Artifact, SecurityContext
from tailrace.schemas.records.event import Claim, Sensitivity
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)
from tailrace.streams.artifacts.open_store import open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.client.claim_check import ClaimCheck
from tailrace.streams.settings.settings import Settings, load_settings

POLICY = {
    "artifact_ttl_seconds": 600,
    "tools": {"poll_*": {"ttl_seconds": 60}},
}
TEXT = "level 17\n" * 1_000


@pytest.fixture(autouse=True)
def folder(bare_folder: Path) -> Path:
    return bare_folder


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
        shelf = ArtifactShelf(store, settings.compaction_policy)
        claimed = (await shelf.contents(Needs("default", claim))).claimed
        wanted = (
            await shelf.contents(Needs("default", wanted=(WantedArtifact(claim.artifact_id, named=True),)))
        ).brought_back
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


async def stored_parts(settings: Settings, artifact_id: str) -> tuple[AnyPart, ...]:
    store = await open_store(settings)
    try:
        content = await store.retrieve(SecurityContext(tenant="default"), artifact_id)
    finally:
        await store.close()
    parts: tuple[AnyPart, ...] = msgspec.json.decode(content, type=tuple[AnyPart, ...])
    return parts


async def checked(settings: Settings, message: dict[str, Any], **options: Any) -> tuple[Message, Claim]:
    check = ClaimCheck(settings)
    try:
        return await check.put_away("t1", message, options)  # type: ignore[arg-type]
    finally:
        await check.close()


def calling(*arguments: str) -> dict[str, Any]:
    calls = [
        {"id": f"c{place}", "type": "function", "function": {"name": "write_file", "arguments": one}}
        for place, one in enumerate(arguments)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


async def test_a_call_is_put_away_whole_and_stays_a_call_with_short_arguments(folder: Path) -> None:
    arguments = json.dumps({"path": "survey.txt", "mode": 7, "content": TEXT * 200})
    settings = load_settings(data_dir=folder)
    rest, claim = await checked(settings, calling(arguments))

    (part,) = rest.parts
    assert isinstance(part, ToolCallPart)
    shown = json.loads(part.arguments)
    assert (shown["path"], shown["mode"], shown["artifact"]) == ("survey.txt", 7, claim.artifact_id)
    assert shown["content"].startswith("level 17\nlevel 17")
    assert shown["content"].endswith(f"[{len(TEXT) * 200} characters in all]")
    assert not claim.media
    (kept,) = await stored_parts(settings, claim.artifact_id)
    assert kept == ToolCallPart(id="c0", name="write_file", arguments=arguments)


@pytest.mark.parametrize(
    "arguments",
    [json.dumps({f"key {number}": number for number in range(50_000)}), "no json " * 50_000, '"a text"' + " " * 90_000],
    ids=["many", "no JSON", "no object"],
)
async def test_arguments_of_any_form_become_short_ones(folder: Path, arguments: str) -> None:
    rest, claim = await checked(load_settings(data_dir=folder), calling(arguments))

    (part,) = rest.parts
    assert isinstance(part, ToolCallPart)
    assert len(part.arguments) < 500
    assert json.loads(part.arguments)["artifact"] == claim.artifact_id


async def test_a_secret_in_arguments_is_not_cut_in_half(folder: Path) -> None:
    """It begins within what is shown, and ends behind it."""
    key = SECRETS["token"]
    arguments = json.dumps({"content": f"{'x ' * 75}{key} {TEXT * 200}"})
    settings = load_settings(data_dir=folder)
    rest, claim = await checked(settings, calling(arguments))

    assert key[:12].encode() not in msgspec.json.encode(rest)
    store = await open_store(settings)
    try:
        known = await store.metadata(SecurityContext(tenant="default"), claim.artifact_id)
    finally:
        await store.close()
    assert known.sensitivity is Sensitivity.RESTRICTED


def pictures(*contents: str, text: str = "What is this?") -> dict[str, Any]:
    images = [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{one}"}} for one in contents]
    return {"role": "user", "content": [{"type": "text", "text": text}, *images]}


async def test_an_image_is_put_away_and_a_reference_stands_in_its_place(folder: Path) -> None:
    pixels = "iVBORw0KGgo" * 200_000
    settings = load_settings(data_dir=folder)
    rest, claim = await checked(settings, pictures(pixels))

    assert (claim.part, claim.media) == (1, True)
    assert rest.parts == (
        TextPart(content="What is this?"),
        TextPart(content=pointer_text(claim.artifact_id, 1_105, "[image image/png: not shown]")),
    )
    (kept,) = await stored_parts(settings, claim.artifact_id)
    assert isinstance(kept, BlobPart)
    assert (kept.content, kept.mime_type) == (pixels, "image/png")


async def test_of_several_images_as_many_go_as_must(folder: Path) -> None:
    images = [f"{stem}VBORw0KGgo" * 20_000 for stem in "abc"]
    settings = load_settings(data_dir=folder, ingest={"value_bytes_max": 400_000})
    rest, claim = await checked(settings, pictures(*images))

    assert [type(part) for part in rest.parts] == [TextPart, TextPart, TextPart, BlobPart]
    assert len(msgspec.json.encode(rest)) < 400_000
    names = re.findall(r"\[Externalized Content - artifact:([0-9a-f]{16})\]", str(rest.parts))
    assert names[0] == claim.artifact_id
    kept = [part for name in names for part in await stored_parts(settings, name)]
    assert [part.content for part in kept if isinstance(part, BlobPart)] == images[:2]


async def test_beside_a_larger_image_the_claim_is_to_the_text(folder: Path) -> None:
    """Of a text a worker shows more than a pointer."""
    settings = load_settings(data_dir=folder, ingest={"value_bytes_max": 100_000})
    rest, claim = await checked(settings, pictures("iVBORw0KGgo" * 90_000, text=TEXT * 50))

    assert (claim.part, claim.media) == (0, False)
    assert isinstance(rest.parts[1], TextPart)
    assert rest.parts[1].content.startswith("[Externalized Content - artifact:")


async def test_where_nothing_can_be_put_away_it_is_said(folder: Path) -> None:
    thought = Message(role="assistant", parts=(ReasoningPart(content=TEXT * 500),))
    check = ClaimCheck(load_settings(data_dir=folder))

    with pytest.raises(Invalid, match="no text, tool result, call or media"):
        await check.put_away("t1", thought, {})
