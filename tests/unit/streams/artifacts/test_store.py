"""What every artifact store promises, on SQLite, on plain files and on a server that speaks S3.

With a key and without.
"""

import asyncio
import base64
import hashlib
import itertools
import os
import random
import tracemalloc
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from moto.server import ThreadedMotoServer

from tailrace.agents.distill.fleet_cache import SHARED_TYPE, SharedDistillation, SharedWanted, encode_shared
from tailrace.agents.engine.lookups import Needs
from tailrace.schemas.errors import (
    ArtifactConflict,
    ArtifactForbidden,
    ArtifactLocked,
    ArtifactMissing,
    ArtifactRefused,
    ConfigError,
    Unavailable,
)
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.schemas.records.event import Sensitivity
from tailrace.schemas.records.kafka_records import Stored
from tailrace.streams.artifacts.chunks import CHUNK_BYTES
from tailrace.streams.artifacts.keyring import Keyring, make_keyring
from tailrace.streams.artifacts.object_artifacts import ObjectArtifacts
from tailrace.streams.artifacts.object_files import connect
from tailrace.streams.artifacts.open_store import SQLITE_FILE, open_store
from tailrace.streams.artifacts.shelf import ArtifactShelf
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.artifacts.store import ArtifactStore, Resealed, rotate
from tailrace.streams.settings.secret import SecretText
from tailrace.streams.settings.settings import ArtifactSettings, Settings

KEYS = {name: base64.b64encode(hashlib.sha256(name.encode()).digest()).decode() for name in ("old", "new")}
OURS = SecurityContext(tenant="ours")
THEIRS = SecurityContext(tenant="theirs")


def keyring(*names: str, key_id: str | None = None) -> Keyring:
    text = " ".join(f"{name}:{KEYS[name]}" for name in names)
    return make_keyring(ArtifactSettings(keys=SecretText(text) if text else None, key_id=key_id))


@dataclass
class Place:
    """Where a store keeps its things; opened as often as a test likes, with a clock that the test sets."""

    kind: str
    folder: Path
    url: str
    options: dict[str, str]
    now_ms: int = 1_000_000
    opened: list[ArtifactStore] = field(default_factory=list)

    async def open(self, keys: Keyring) -> ArtifactStore:
        store: ArtifactStore
        if self.kind == "sqlite":
            store = SqliteArtifacts(self.folder / "artifacts.db", keyring=keys, now_ms=lambda: self.now_ms)
            await store.open()
        else:
            store = ObjectArtifacts(connect(self.url, self.options), keyring=keys, now_ms=lambda: self.now_ms)
        self.opened.append(store)
        return store


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(params=["sqlite", "files", "s3"])
async def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Place]:
    made = Place(request.param, tmp_path, (tmp_path / "objects").as_uri(), {})
    if request.param == "s3":
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        endpoint = request.getfixturevalue("s3")
        bucket = f"b{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:16]}"
        urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{bucket}", method="PUT")).close()  # noqa: S310  on loopback
        made.url = f"s3://{bucket}/some/prefix"
        made.options = {"endpoint": endpoint, "region": "us-east-1", "allow_http": "true"}
    yield made
    for store in made.opened:
        await store.close()


@pytest.fixture(params=["plain", "encrypted"])
async def store(request: pytest.FixtureRequest, place: Place) -> ArtifactStore:
    return await place.open(keyring(*(["new"] if request.param == "encrypted" else [])))


def new(content: Any = b"what the tool said", artifact_id: str | None = None, **more: Any) -> NewArtifact:
    name = artifact_id or hashlib.sha256(content).hexdigest()[:16]
    return NewArtifact(**{"id": name, "media_type": "text/plain", "content": content, "created_at_ms": 7, **more})


def text(size_bytes: int, seed: int = 1) -> bytes:
    """Compressible, and different everywhere."""
    numbers = random.Random(seed)
    lines = bytearray()
    while len(lines) < size_bytes:
        lines += f"line {len(lines)} of {seed}: status {numbers.randrange(600)} after {numbers.random()} s\n".encode()
    return bytes(lines[:size_bytes])


async def test_what_is_stored_comes_back_with_all_that_is_known_of_it(store: ArtifactStore) -> None:
    content = b"\xff\x00 no text at all \xc3\x28"
    given = new(content, "a1", thread="t1", message_id="m1", tool="grep", sensitivity=Sensitivity.CONFIDENTIAL)

    await store.store(OURS, [given])

    assert await store.retrieve(OURS, "a1") == content
    known = await store.metadata(OURS, "a1")
    assert (known.id, known.tenant, known.media_type, known.size_bytes) == ("a1", "ours", "text/plain", len(content))
    assert known.sha256 == hashlib.sha256(content).hexdigest()
    assert (known.thread, known.message_id, known.tool) == ("t1", "m1", "grep")
    assert (known.sensitivity, known.created_at_ms, known.expires_at_ms) == (Sensitivity.CONFIDENTIAL, 7, None)


@pytest.mark.parametrize("size_bytes", [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 17])
async def test_any_range_is_what_slicing_gives(store: ArtifactStore, size_bytes: int) -> None:
    content = text(size_bytes)
    await store.store(OURS, [new(content, "a1")])

    assert await store.retrieve(OURS, "a1") == content
    edges = sorted(
        {0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 5, max(0, size_bytes - 1), size_bytes, size_bytes + 9}
    )
    for first in edges:
        for length in (None, 0, 1, 10, CHUNK_BYTES, size_bytes):
            expected = content[first:] if length is None else content[first : first + length]
            assert await store.retrieve(OURS, "a1", first_byte=first, bytes_max=length) == expected


async def test_a_negative_range_is_refused(store: ArtifactStore) -> None:
    await store.store(OURS, [new(artifact_id="a1")])
    with pytest.raises(ValueError, match="negative"):
        await store.retrieve(OURS, "a1", first_byte=-1)


async def test_chunks_of_any_size_are_the_same_content(store: ArtifactStore) -> None:
    content = text(3 * CHUNK_BYTES + 5)
    cuts = [0, 1, 1, 7, 2 * CHUNK_BYTES + 300, len(content)]
    pieces = (content[first:last] for first, last in itertools.pairwise(cuts))

    await store.store(OURS, [new(pieces, "a1")])
    await store.store(OURS, [new(content, "a1")])

    assert await store.retrieve(OURS, "a1") == content


async def test_storing_again_keeps_the_later_expiry_and_the_higher_sensitivity(
    store: ArtifactStore, place: Place
) -> None:
    low, high = Sensitivity.PUBLIC, Sensitivity.RESTRICTED
    later_ms = place.now_ms + 500
    await store.store(OURS, [new(artifact_id="a1", sensitivity=high, expires_at_ms=later_ms, thread="first")])
    await store.store(OURS, [new(artifact_id="a1", sensitivity=low, expires_at_ms=later_ms - 100, thread="second")])

    known = await store.metadata(OURS, "a1")
    assert (known.sensitivity, known.expires_at_ms, known.thread) == (high, later_ms, "first")

    await store.store(OURS, [new(artifact_id="a1", sensitivity=low)])
    assert (await store.metadata(OURS, "a1")).expires_at_ms is None


async def test_an_id_with_other_content_is_refused_and_nothing_of_the_batch_is_stored(store: ArtifactStore) -> None:
    await store.store(OURS, [new(b"one", "a1")])

    with pytest.raises(ArtifactConflict, match=r"'a1'.*nothing was overwritten"):
        await store.store(OURS, [new(b"fine", "a2"), new(b"other", "a1"), new(b"fine too", "a3")])

    assert await store.retrieve(OURS, "a1") == b"one"
    for name in ("a2", "a3"):
        with pytest.raises(ArtifactMissing):
            await store.metadata(OURS, name)


async def test_an_id_that_comes_twice_in_a_batch_must_be_the_same(store: ArtifactStore) -> None:
    await store.store(OURS, [new(b"one", "a1"), new(b"one", "a1", sensitivity=Sensitivity.RESTRICTED)])
    assert (await store.metadata(OURS, "a1")).sensitivity is Sensitivity.RESTRICTED

    with pytest.raises(ArtifactConflict):
        await store.store(OURS, [new(b"one", "a2"), new(b"other", "a2")])
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a2")


async def test_a_batch_of_new_known_and_expired_ids_leaves_each_as_it_would_be_alone(
    store: ArtifactStore, place: Place
) -> None:
    await store.store(
        OURS, [new(b"known", "a1"), new(b"over", "a2", expires_at_ms=place.now_ms + 5), new(b"other", "a3")]
    )
    place.now_ms += 10

    await store.store(
        OURS,
        [
            new(b"fresh", "a4"),
            new(b"known", "a1", sensitivity=Sensitivity.RESTRICTED),
            new(b"over and new", "a2"),
            new(text(2 * CHUNK_BYTES), "a5"),
        ],
    )

    contents = {"a1": b"known", "a2": b"over and new", "a3": b"other", "a4": b"fresh", "a5": text(2 * CHUNK_BYTES)}
    assert {name: await store.retrieve(OURS, name) for name in contents} == contents
    assert (await store.metadata(OURS, "a1")).sensitivity is Sensitivity.RESTRICTED
    assert (await store.metadata(OURS, "a4")).sensitivity is Sensitivity.INTERNAL


async def test_a_distillation_that_others_made_is_found_by_its_tenant_until_it_expires(
    store: ArtifactStore, place: Place
) -> None:
    kept = SharedDistillation(
        version=1, distiller_version=3, content_hash="h", chars_max=9, method="log", text="gate 9"
    )
    made = new(encode_shared(kept), "distilled-1", media_type=SHARED_TYPE, sensitivity=Sensitivity.RESTRICTED)
    unreadable = new(b"no distillation", "distilled-2", media_type=SHARED_TYPE)
    shelf = ArtifactShelf(store, Policy(), now_ms=lambda: place.now_ms)
    await shelf.keep([Stored(tenant="ours", ttl_seconds=60, artifact=one) for one in (made, unreadable)])
    wanted = tuple(SharedWanted("c", f"distilled-{number}") for number in (1, 2, 3))

    async def found(tenant: str) -> list[SharedDistillation | None]:
        contents = await shelf.contents(Needs(tenant, shared=wanted))
        return [one.kept for one in contents.shared]

    assert await found("ours") == [kept, None, None]
    assert await found("theirs") == [None, None, None]
    place.now_ms += 60_000
    assert await found("ours") == [None, None, None]
    assert await store.collect(place.now_ms) == 2


async def test_a_source_that_breaks_leaves_nothing_behind(store: ArtifactStore) -> None:
    def breaking() -> Iterator[bytes]:
        yield text(2 * CHUNK_BYTES)
        raise ConnectionResetError("the source is gone")

    with pytest.raises(ConnectionResetError):
        await store.store(OURS, [new(b"fine", "a1"), new(breaking(), "a2")])
    for name in ("a1", "a2"):
        with pytest.raises(ArtifactMissing):
            await store.metadata(OURS, name)


async def test_another_tenant_gets_the_answer_of_an_id_that_never_was(store: ArtifactStore) -> None:
    await store.store(OURS, [new(artifact_id="a1")])

    for ask in (store.metadata, store.retrieve):
        with pytest.raises(ArtifactMissing) as foreign:
            await ask(THEIRS, "a1")
        with pytest.raises(ArtifactMissing) as never:
            await ask(OURS, "a9")
        assert str(foreign.value).replace("a1", "a9") == str(never.value)
        assert "ours" not in str(foreign.value)
    assert not await store.delete(THEIRS, "a1")
    assert await store.retrieve(OURS, "a1") == b"what the tool said"


async def test_tenants_may_use_the_same_id_for_different_contents(store: ArtifactStore) -> None:
    await store.store(OURS, [new(b"ours", "a1")])
    await store.store(THEIRS, [new(b"theirs", "a1")])

    assert await store.retrieve(OURS, "a1") == b"ours"
    assert await store.delete(THEIRS, "a1")
    assert await store.retrieve(OURS, "a1") == b"ours"


async def test_above_the_clearance_nothing_is_shown_or_removed(store: ArtifactStore) -> None:
    await store.store(OURS, [new(artifact_id="a1", sensitivity=Sensitivity.CONFIDENTIAL)])
    low = SecurityContext(tenant="ours", clearance=Sensitivity.INTERNAL)

    for ask in (store.metadata, store.retrieve, store.delete):
        with pytest.raises(ArtifactForbidden, match="confidential"):
            await ask(low, "a1")
    assert await store.retrieve(SecurityContext(tenant="ours", clearance=Sensitivity.CONFIDENTIAL), "a1")


async def test_what_is_deleted_is_gone(store: ArtifactStore) -> None:
    await store.store(OURS, [new(artifact_id="a1")])

    assert await store.delete(OURS, "a1")
    assert not await store.delete(OURS, "a1")
    with pytest.raises(ArtifactMissing):
        await store.retrieve(OURS, "a1")


async def test_what_has_expired_is_missing_before_it_is_collected_and_gone_after(
    store: ArtifactStore, place: Place
) -> None:
    end_ms = place.now_ms + 10
    await store.store(OURS, [new(b"short", "a1", expires_at_ms=end_ms), new(b"long", "a2")])
    assert await store.retrieve(OURS, "a1") == b"short"

    place.now_ms = end_ms
    with pytest.raises(ArtifactMissing):
        await store.retrieve(OURS, "a1")
    assert not await store.delete(OURS, "a1")

    assert await store.collect(end_ms - 1) == 0
    assert await store.collect(end_ms) == 1
    assert await store.collect(end_ms) == 0
    place.now_ms = end_ms - 5
    with pytest.raises(ArtifactMissing):
        await store.retrieve(OURS, "a1")
    assert await store.retrieve(OURS, "a2") == b"long"


async def test_an_expired_id_may_be_stored_anew_even_with_other_content(store: ArtifactStore, place: Place) -> None:
    await store.store(OURS, [new(b"before", "a1", expires_at_ms=place.now_ms + 1)])
    place.now_ms += 1
    await store.store(OURS, [new(b"after", "a1", expires_at_ms=place.now_ms + 1_000)])

    assert await store.collect(place.now_ms) == 0
    assert await store.retrieve(OURS, "a1") == b"after"


async def test_an_expiry_that_was_put_off_is_not_collected_early(store: ArtifactStore, place: Place) -> None:
    first_ms, second_ms = place.now_ms + 10, place.now_ms + 200_000_000
    await store.store(OURS, [new(artifact_id="a1", expires_at_ms=first_ms)])
    await store.store(OURS, [new(artifact_id="a1", expires_at_ms=second_ms)])

    assert await store.collect(first_ms) == 0
    assert (await store.metadata(OURS, "a1")).expires_at_ms == second_ms
    assert await store.collect(second_ms) == 1


async def test_collecting_stops_at_its_limit_and_goes_on_later(store: ArtifactStore, place: Place) -> None:
    await store.store(OURS, [new(b"%d" % n, f"a{n}", expires_at_ms=place.now_ms + n) for n in range(5)])
    at_ms = place.now_ms + 100

    assert [await store.collect(at_ms, limit=2) for _ in range(4)] == [2, 2, 1, 0]


NAMES = [
    "a/b",
    "..",
    ".",
    "a b",
    "ü%2F",
    "x" * 500,
    "con",
    "-",
    "a\\b",
    "%",
    "=",
    "日本",
    "a'; DROP TABLE artifacts; --",
    "\x00",
]


async def test_any_name_that_is_text_is_kept_apart_from_any_other(store: ArtifactStore) -> None:
    for name in NAMES:
        context = SecurityContext(tenant=name)
        await store.store(context, [new(f"{name} {other}".encode(), other) for other in NAMES])
    for name in NAMES:
        for other in NAMES:
            assert await store.retrieve(SecurityContext(tenant=name), other) == f"{name} {other}".encode()


@pytest.mark.parametrize("name", ["", "x" * 1_025, "\ud800"])
async def test_a_name_that_can_t_be_written_is_refused_and_is_missing(store: ArtifactStore, name: str) -> None:
    for context, one in ((OURS, new(artifact_id=name or "a1")), (SecurityContext(tenant=name), new(artifact_id="a1"))):
        if name or context.tenant == "":
            with pytest.raises(ArtifactRefused, match="UTF-8"):
                await store.store(context, [new(b"fine", "a2"), one])
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, name)
    with pytest.raises(ArtifactMissing):
        await store.retrieve(SecurityContext(tenant=name), "a1")
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a2")


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"content": "text"}, "bytes"),
        ({"content": [b"a", 5]}, "int"),
        ({"thread": "\udfff"}, "thread"),
        ({"expires_at_ms": 2**63}, "expires_at_ms"),
        ({"created_at_ms": -1}, "created_at_ms"),
    ],
)
async def test_what_can_t_be_kept_is_refused_with_the_reason(
    store: ArtifactStore, more: dict[str, Any], word: str
) -> None:
    with pytest.raises(ArtifactRefused, match=word):
        await store.store(OURS, [new(b"fine", "a2"), new(artifact_id="a1", **{"content": b"x", **more})])
    with pytest.raises(ArtifactMissing):
        await store.metadata(OURS, "a2")


async def test_callers_at_the_same_time_don_t_get_into_each_other_s_way(store: ArtifactStore, place: Place) -> None:
    contents = {f"a{n}": text(20_000, seed=n) for n in range(12)}
    other = await place.open(keyring())
    batches = [[new(content, name) for name, content in contents.items()] for _ in range(3)]

    await asyncio.gather(*(one.store(OURS, batch) for batch in batches for one in (store, other)))

    found = await asyncio.gather(*(store.retrieve(OURS, name) for name in contents))
    assert found == list(contents.values())


async def test_fifty_megabytes_are_stored_and_read_in_pieces_without_ever_being_in_memory(store: ArtifactStore) -> None:
    pieces, piece_bytes = 200, 250_000
    digest = hashlib.sha256()
    compressible = text(piece_bytes // 2)

    def content() -> Iterator[bytes]:
        for _ in range(pieces):
            # Half of it can't be compressed.
            piece = os.urandom(piece_bytes // 2) + compressible
            digest.update(piece)
            yield piece

    tracemalloc.start()
    try:
        await store.store(OURS, [new(content(), "a1")])
        read = hashlib.sha256()
        size_bytes = (await store.metadata(OURS, "a1")).size_bytes
        for first in range(0, size_bytes, CHUNK_BYTES):
            read.update(await store.retrieve(OURS, "a1", first_byte=first, bytes_max=CHUNK_BYTES))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert size_bytes == pieces * piece_bytes
    assert read.hexdigest() == digest.hexdigest() == (await store.metadata(OURS, "a1")).sha256
    if not _is_in_process(store):
        assert peak_bytes < size_bytes / 2


def _is_in_process(store: Any) -> bool:
    """Tell whether the server is a thread of this process: then its memory is counted as well."""
    return isinstance(store, ObjectArtifacts) and store._objects.url.startswith("s3:")


# Keys


async def test_older_keys_still_read_and_rotation_makes_them_unnecessary(place: Place) -> None:
    contents = {"a1": b"in the open", "a2": b"", "a3": text(2 * CHUNK_BYTES + 9), "a4": b"new"}
    for names, key, some in (((), None, ["a1", "a2"]), (("old",), "old", ["a3"]), (("new",), "new", ["a4"])):
        store = await place.open(keyring(*names, key_id=key))
        await store.store(OURS, [new(contents[name], name) for name in some])
    both = await place.open(keyring("old", "new", key_id="new"))
    assert [await both.retrieve(OURS, name) for name in contents] == list(contents.values())

    span = {"first_byte": 3, "bytes_max": 5}
    assert [await both.retrieve(OURS, name, **span) for name in contents] == [
        content[3:8] for content in contents.values()
    ]

    assert await rotate(both) == Resealed(3)
    assert await rotate(both) == Resealed()

    only_new = await place.open(keyring("new"))
    for name, content in contents.items():
        assert await only_new.retrieve(OURS, name) == content
        assert (await only_new.metadata(OURS, name)).key_id == "new"


async def test_rotation_goes_on_past_what_it_can_t_read_and_names_it(place: Place) -> None:
    await (await place.open(keyring("old"))).store(OURS, [new(artifact_id="a1"), new(artifact_id="a2")])
    await (await place.open(keyring())).store(OURS, [new(artifact_id="a3"), new(artifact_id="a4")])
    only_new = await place.open(keyring("new"))

    rotated = await rotate(only_new)

    assert rotated.artifacts == 2
    assert sorted(one.name for one in rotated.unread) == ["ours/a1", "ours/a2"]
    assert all("'old'" in one.reason for one in rotated.unread)
    assert [(await only_new.metadata(OURS, name)).key_id for name in ("a1", "a3", "a4")] == ["old", "new", "new"]


async def test_a_key_that_is_not_at_hand_is_named_and_what_is_known_stays_visible(place: Place) -> None:
    await (await place.open(keyring("old"))).store(OURS, [new(artifact_id="a1")])
    for names in (("new",), ()):
        store = await place.open(keyring(*names))
        assert (await store.metadata(OURS, "a1")).key_id == "old"
        with pytest.raises(ArtifactLocked, match="'old'"):
            await store.retrieve(OURS, "a1")


async def test_without_a_key_rotation_changes_nothing(place: Place) -> None:
    store = await place.open(keyring())
    await store.store(OURS, [new(artifact_id="a1")])
    assert await rotate(store) == Resealed()
    assert (await store.metadata(OURS, "a1")).key_id is None


# Opening


async def test_the_settings_decide_where_artifacts_are_kept(tmp_path: Path) -> None:
    default = await open_store(Settings(data_dir=tmp_path / "data"))
    await default.store(OURS, [new(artifact_id="a1")])
    await default.close()
    assert (tmp_path / "data" / SQLITE_FILE).is_file()

    url = (tmp_path / "elsewhere").as_uri()
    objects = await open_store(Settings(data_dir=tmp_path / "data", artifacts=ArtifactSettings(url=url)))
    with pytest.raises(ArtifactMissing):
        await objects.metadata(OURS, "a1")
    await objects.store(OURS, [new(artifact_id="a1")])
    await objects.close()
    assert list((tmp_path / "elsewhere").rglob("artifact.json"))


def test_an_option_that_obstore_does_not_know_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"artifacts\.url"):
        connect("s3://bucket/prefix", {"nonsense": "x"})


def test_without_obstore_a_url_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "obstore", None)
    with pytest.raises(ConfigError, match=r"tailrace\[objects\]"):
        connect("s3://bucket/prefix", {})


async def test_a_bucket_that_is_not_there_is_said(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    objects = connect("s3://nowhere/prefix", {"endpoint": s3, "region": "us-east-1", "allow_http": "true"})
    store = ObjectArtifacts(objects, keyring=keyring(), now_ms=lambda: 0)
    with pytest.raises(Unavailable, match=r"s3://nowhere/prefix can't be used"):
        await store.store(OURS, [new(artifact_id="a1")])
    await store.close()
