"""The artifact store as a worker uses it.

A real SQLite file, tenants apart, expiry by the worker's clock, and notes for errors.
"""

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.conversations import Published
from support.tool_thread import POLICY, THREAD, lines, rules

from tailrace.agents.artifacts.names import PARTS_TYPE, TEXT_TYPE, content_id
from tailrace.agents.distill.fleet_cache import SharedDistillation, SharedFound, SharedWanted, encode_shared
from tailrace.agents.engine.claim_check import READ_BYTES_MAX
from tailrace.agents.engine.lookups import Contents, Needs
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.engine.rehydration import BroughtBack, WantedArtifact
from tailrace.schemas.errors import ArtifactMissing
from tailrace.schemas.policy.tools import Rehydrate
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.context import EntryKind
from tailrace.schemas.records.event import Claim, Sensitivity
from tailrace.schemas.records.kafka_records import InputRecord, Stored
from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.artifacts.shelf import ArtifactShelf, EmptyShelf
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.settings.settings import ArtifactSettings
from tailrace.streams.worker.commit import Batch, Committer, Fetched
from tailrace.streams.worker.memory import MemoryLog
from tailrace.streams.worker.recovery import Rebuilding

OURS, THEIRS = SecurityContext(tenant="ours"), SecurityContext(tenant="theirs")


@dataclass
class Place:
    """A store in a folder, a shelf before it, and the clock of both."""

    path: Path
    store: SqliteArtifacts
    shelf: ArtifactShelf
    now_ms: int = 1_000


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    path = tmp_path / "artifacts.db"
    keyring = make_keyring(ArtifactSettings.model_validate({"keys": None}))
    store = SqliteArtifacts(path, keyring=keyring, now_ms=lambda: made.now_ms)
    made = Place(path, store, ArtifactShelf(store, POLICY, now_ms=lambda: made.now_ms))
    await store.open()
    yield made
    await store.close()


def stored(text: str | bytes, *, tenant: str = "ours", ttl_seconds: int | None = None, **fields: Any) -> Stored:
    content = text.encode() if isinstance(text, str) else text
    name = fields.pop("id", content_id(TEXT_TYPE, content))
    given = {"media_type": TEXT_TYPE, "created_at_ms": 5, **fields}
    return Stored(tenant=tenant, ttl_seconds=ttl_seconds, artifact=NewArtifact(id=name, content=content, **given))


async def bring(place: Place, artifact_id: str, *, tenant: str = "ours", named: bool = True) -> BroughtBack | None:
    found = await place.shelf.contents(Needs(tenant, wanted=(WantedArtifact(artifact_id, named=named),)))
    return found.brought_back[0] if found.brought_back else None


async def claim(place: Place, artifact_id: str, *, tenant: str = "ours") -> Any:
    found = await place.shelf.contents(Needs(tenant, Claim(artifact_id=artifact_id, size_bytes=1)))
    return found.claimed


async def test_what_is_kept_is_there_byte_for_byte_for_its_tenant_alone(place: Place) -> None:
    one, other = stored("ours\r\n\x00"), stored("theirs", tenant="theirs")
    await place.shelf.keep([one, other])

    assert await place.store.retrieve(OURS, one.artifact.id) == b"ours\r\n\x00"
    assert await place.store.retrieve(THEIRS, other.artifact.id) == b"theirs"
    with pytest.raises(ArtifactMissing):
        await place.store.retrieve(THEIRS, one.artifact.id)


async def test_keeping_again_after_a_crash_changes_nothing(place: Place) -> None:
    one = stored("said twice")
    await place.shelf.keep([one])
    before = await place.store.metadata(OURS, one.artifact.id)
    await place.shelf.keep([one, one])

    assert await place.store.metadata(OURS, one.artifact.id) == before


async def test_an_artifact_expires_by_the_workers_clock(place: Place) -> None:
    one, other = stored("short", ttl_seconds=60, created_at_ms=9_999_999), stored("for ever")
    await place.shelf.keep([one, other])

    assert (await place.store.metadata(OURS, one.artifact.id)).expires_at_ms == 61_000
    assert (await place.store.metadata(OURS, other.artifact.id)).expires_at_ms is None
    place.now_ms = 61_000
    found = await bring(place, one.artifact.id)
    assert found is not None
    assert (found.text, "is not there any more" in found.reason) == (None, True)


async def test_a_time_before_1970_does_not_stop_the_worker_for_ever(place: Place) -> None:
    await place.shelf.keep([one := stored("old", created_at_ms=-1)])

    assert (await place.store.metadata(OURS, one.artifact.id)).created_at_ms == 0


async def test_other_content_under_the_same_name_is_left_out_and_stops_nobody(place: Place) -> None:
    await place.shelf.keep([stored("one", id="a1")])
    await place.shelf.keep([stored("two", id="a1"), stored("three", id="a2")])

    assert [(await bring(place, name)) for name in ("a1", "a2")] == [
        BroughtBack("a1", "one"),
        BroughtBack("a2", "three"),
    ]


async def test_what_is_named_comes_back_with_its_sensitivity(place: Place) -> None:
    await place.shelf.keep([one := stored("gate 9", sensitivity=Sensitivity.PUBLIC)])

    assert await bring(place, one.artifact.id) == BroughtBack(one.artifact.id, "gate 9", sensitivity=Sensitivity.PUBLIC)


async def test_what_is_missing_is_said_only_where_it_was_named(place: Place) -> None:
    await place.shelf.keep([theirs := stored("theirs", tenant="theirs")])

    gone = await bring(place, "f" * 16)
    foreign = await bring(place, theirs.artifact.id)

    assert gone is not None
    assert foreign is not None
    assert (gone.text, foreign.text) == (None, None)
    assert gone.reason == foreign.reason
    assert await bring(place, "f" * 16, named=False) is None
    assert await bring(place, theirs.artifact.id, named=False) is None


@pytest.mark.parametrize("sensitivity", [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED])
async def test_what_is_too_sensitive_is_not_read(place: Place, sensitivity: Sensitivity) -> None:
    await place.shelf.keep([one := stored("plans", sensitivity=sensitivity)])

    found = await bring(place, one.artifact.id, named=False)

    assert found is not None
    assert (found.text, found.reason) == (None, "is kept back: it is above internal.")


async def test_only_the_public_where_the_policy_says_so(place: Place) -> None:
    policy = msgspec.structs.replace(POLICY, rehydrate=Rehydrate(sensitivity_max="public"))
    await place.shelf.keep([one := stored("inside")])
    place.shelf = ArtifactShelf(place.store, policy)

    found = await bring(place, one.artifact.id)

    assert found is not None
    assert found.text is None


async def test_of_a_long_text_no_more_is_read_than_could_be_shown(place: Place) -> None:
    text = lines(20_000)
    await place.shelf.keep([one := stored(text)])

    found = await bring(place, one.artifact.id)

    assert found is not None
    assert found.text is not None
    assert found.cut
    assert 4_000 * 8 <= len(found.text) < len(text) / 8
    assert text.startswith(found.text)


async def test_parts_of_a_message_are_read_as_text(place: Place) -> None:
    parts = [{"type": "tool_call_response", "id": "a", "response": f"{lines(4_000)}\nlast"}]
    await place.shelf.keep([one := stored(json.dumps(parts), media_type=PARTS_TYPE, id="a1")])

    found = await bring(place, one.artifact.id)

    assert found is not None
    assert (found.cut, found.text) == (False, f"{lines(4_000)}\nlast")


async def test_broken_bytes_are_replaced_and_no_error(place: Place) -> None:
    await place.shelf.keep([one := stored(b"level \xff\xfe 17")])

    found = await bring(place, one.artifact.id)

    assert found is not None
    assert found.text == "level \ufffd\ufffd 17"
    assert (await claim(place, one.artifact.id)).text == "level \ufffd\ufffd 17"


async def test_a_damaged_distillation_of_others_is_as_good_as_missing(place: Place) -> None:
    kept = SharedDistillation(
        version=1, distiller_version=3, content_hash="h", chars_max=9, method="log", text=lines(50)
    )
    await place.shelf.keep([stored(encode_shared(kept), id="distilled-1")])
    wanted = Needs("ours", shared=(SharedWanted("c", "distilled-1"),))
    before = await place.shelf.contents(wanted)
    with sqlite3.connect(place.path) as database:
        database.execute("UPDATE artifact_chunks SET content = x'00112233'")
    database.close()

    assert before.shared == (SharedFound("c", "distilled-1", kept),)
    assert (await place.shelf.contents(wanted)).shared == (SharedFound("c", "distilled-1"),)
    # It is made again, and kept where it can be.
    await place.shelf.keep([stored(encode_shared(kept), id="distilled-1")])


async def test_a_damaged_artifact_is_a_note_and_the_worker_stays_up(place: Place) -> None:
    await place.shelf.keep([one := stored(lines(50))])
    with sqlite3.connect(place.path) as database:
        database.execute("UPDATE artifact_chunks SET content = x'00112233'")
    database.close()

    found = await bring(place, one.artifact.id)

    assert found is not None
    assert (found.text, found.reason) == (None, "can't be read; its store has to be looked at.")
    assert (await claim(place, one.artifact.id)).missing == "can't be read; its store has to be looked at."


async def test_a_claim_is_read_whole_up_to_its_bound_and_at_both_ends_beyond_it(place: Place) -> None:
    small, large = lines(100), lines(60_000)
    assert len(large) > 2 * READ_BYTES_MAX
    await place.shelf.keep([one := stored(small), other := stored(large)])

    whole, ends = await claim(place, one.artifact.id), await claim(place, other.artifact.id)

    assert (whole.head, whole.tail, whole.missing) == (small, "", None)
    assert (ends.head, ends.tail) == (large[: READ_BYTES_MAX // 2], large[-READ_BYTES_MAX // 2 :])


async def test_a_claim_to_what_is_missing_or_anothers_says_the_same(place: Place) -> None:
    await place.shelf.keep([theirs := stored("theirs", tenant="theirs")])

    gone, foreign = await claim(place, "f" * 16), await claim(place, theirs.artifact.id)

    assert gone.missing == foreign.missing
    assert "is not there any more" in gone.missing
    assert (gone.text, foreign.text) == ("", "")


async def test_a_claim_may_be_restricted_for_the_worker_only_distils_it(place: Place) -> None:
    await place.shelf.keep([one := stored("plans", sensitivity=Sensitivity.RESTRICTED)])

    assert (await claim(place, one.artifact.id)).text == "plans"


async def test_an_empty_shelf_has_nothing_and_says_so() -> None:
    shelf = EmptyShelf()
    await shelf.keep([stored("lost")])
    needs = Needs(
        "ours",
        Claim(artifact_id="a1", size_bytes=1),
        (WantedArtifact("b1", named=True), WantedArtifact("c1", named=False)),
    )

    found = await shelf.contents(needs)

    assert found.claimed is not None
    assert found.claimed.missing
    assert [one.artifact_id for one in found.brought_back] == ["b1"]


class _Nothing:
    """A projection and an observer of nothing."""

    async def commit(self, outcomes: Sequence[RecordOutcome]) -> None:
        """Write nothing."""

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        """Note nothing."""

    def delivered(self, records: Sequence[InputRecord]) -> None:
        """Note nothing."""


class _Ordered(MemoryLog):
    """A log that looks whether an artifact is stored before anything is sent that names it."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.named: set[str] = set()

    async def send(self, records: Sequence[tuple[int, Any]]) -> Awaitable[None]:
        for _, record in records:
            value = json.loads(record.value or b"{}")
            if value.get("artifact_id") and value.get("kind") != EntryKind.REHYDRATED:
                await self.place.store.metadata(SecurityContext(tenant="default"), value["artifact_id"])
                self.named.add(value["artifact_id"])
        return await super().send(records)


@pytest.mark.parametrize("sizes", [(4,), (3, 1), (1, 1, 1, 1)], ids=["one batch", "two", "each"])
async def test_an_artifact_of_the_same_batch_is_there_when_a_later_message_names_it(
    place: Place, sizes: tuple[int, ...]
) -> None:
    text = lines(200)
    name = content_id(TEXT_TYPE, text.encode())
    call = {"type": "tool_call", "id": "a", "name": "look", "arguments": {}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "parts": [{"type": "text", "content": "begin"}]},
        {"role": "assistant", "parts": [call]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "a", "response": text}]},
        {"role": "user", "parts": [{"type": "text", "content": f"show artifact:{name}"}]},
    ]
    log, nothing = _Ordered(place), _Nothing()
    committer = Committer(rules=rules(), log=log, shelf=place.shelf, projection=nothing, observer=nothing)
    committer.partitions = Rebuilding([0]).owned(1)
    committer.progress.assign(1, {0: 0})
    published = [
        Published(THREAD.encode(), json.dumps({"id": f"m{number}", "message": message}).encode())
        for number, message in enumerate(messages)
    ]
    offset = 0
    for size in sizes:
        fetched = [Fetched(published[at].at(at), follows_offset=at) for at in range(offset, offset + size)]
        await committer.run(Batch(1, fetched))
        offset += size

    view = committer.partitions[0].view.threads[THREAD]
    (entry,) = view.rehydrated.values()
    assert text[:100].encode() in bytes(entry.message).replace(b"\\n", b"\n")
    assert log.named == {name}


async def test_nothing_is_asked_for_where_nothing_is_needed(place: Place) -> None:
    assert await place.shelf.contents(Needs("ours")) == Contents()
