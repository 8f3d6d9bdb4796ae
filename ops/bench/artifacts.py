"""What it costs to keep artifacts compressed, encrypted and findable, beside plain SQLite inserts of the same bytes.

Both write the same contents in the same batches, each batch one transaction, to a fresh file of their own with the same
journal and the same care for a power cut, until the file is closed and its log is in it: what is only put off counts as
well. The plain side inserts id and bytes into one table, as SQLite makes one by itself, and does nothing else. Both run
in turns, by the clock, because waiting for the disk is part of it; the best of the rounds counts.

The texts are made here: logs, code and JSON from a seed, all different, which compress about as tool outputs do. Bytes
that can't be compressed at all are measured as well.
"""

import base64
import hashlib
import json
import random
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.schemas.records.artifact import NewArtifact, SecurityContext
from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.artifacts.sqlite_artifacts import SqliteArtifacts
from tailrace.streams.settings.settings import ArtifactSettings

NAME = "artifacts"
ARTIFACTS = 1_000
SIZE_BYTES = 10_000
#: As a worker with a backlog would write them.
BATCH = 100
ROUNDS = 7
_CONTEXT = SecurityContext(tenant="bench")
#: The usual words of logs and code.
_WORDS = [
    "request",
    "worker",
    "retry",
    "commit",
    "offset",
    "partition",
    "timeout",
    "connection",
    "refused",
    "handler",
    "queue",
    "index",
    "buffer",
    "stream",
    "warning",
    "error",
    "info",
    "debug",
    "build",
    "test",
    "passed",
    "failed",
    "module",
    "function",
    "return",
    "value",
    "object",
    "session",
    "token",
    "cache",
]


async def run(stand: Stand) -> Result:
    """Measure both, with text and with bytes that can't be compressed."""
    rounds = stand.scaled(ROUNDS, least=3)
    rows = []
    for kind, contents, aim in (
        ("text", [_text(number) for number in range(ARTIFACTS)], at_most(2)),
        ("incompressible", [random.Random(number).randbytes(SIZE_BYTES) for number in range(ARTIFACTS)], None),
    ):
        named = [(hashlib.blake2b(content, digest_size=8).hexdigest(), content) for content in contents]
        batches = [named[first : first + BATCH] for first in range(0, ARTIFACTS, BATCH)]
        ours, plain, sizes = [], [], (0, 0)
        for number in range(rounds):
            folder = stand.folder / f"artifacts-{kind}-{number}"
            folder.mkdir()
            plain.append(_plain(folder / "plain.db", batches))
            ours.append(await _ours(folder / "artifacts.db", batches))
            sizes = (folder / "artifacts.db").stat().st_size, (folder / "plain.db").stat().st_size
        rows += [
            Row(
                what=f"encrypted artifacts / plain inserts, {kind}",
                value=min(ours) / min(plain),
                unit="ratio",
                target=aim,
            ),
            Row(
                what="  median of the rounds",
                value=sorted(ours)[rounds // 2] / sorted(plain)[rounds // 2],
                unit="ratio",
            ),
            Row(what="  size of the file / plain", value=sizes[0] / sizes[1], unit="ratio"),
            Row(what="  ours", value=min(ours) * 1e3, unit="ms"),
            Row(what="  plain inserts", value=min(plain) * 1e3, unit="ms"),
        ]
    return Result(
        name=NAME,
        rows=tuple(rows),
        parameters=f"{ARTIFACTS:,} artifacts of {SIZE_BYTES:,} bytes of our own making in transactions of {BATCH}, "
        f"AES-256-GCM, WAL, synchronous = FULL on both sides, best of {rounds} rounds.",
        does_not_show="other stores than SQLite, and several workers that write at the same time.",
    )


async def _ours(path: Path, batches: Sequence[Sequence[tuple[str, bytes]]]) -> float:
    key = base64.b64encode(random.Random(1).randbytes(32)).decode()
    keyring = make_keyring(ArtifactSettings.model_validate({"keys": f"bench:{key}"}))
    store = SqliteArtifacts(path, keyring=keyring, now_ms=lambda: 0)
    await store.open()
    begin = time.perf_counter()
    for batch in batches:
        new = [
            NewArtifact(id=name, media_type="text/plain", content=content, created_at_ms=0, thread="t", tool="bench")
            for name, content in batch
        ]
        await store.store(_CONTEXT, new)
    await store.close()
    seconds = time.perf_counter() - begin
    again = SqliteArtifacts(path, keyring=keyring, now_ms=lambda: 0)
    await again.open()
    name, content = batches[-1][-1]
    assert await again.retrieve(_CONTEXT, name) == content
    await again.close()
    return seconds


def _plain(path: Path, batches: Sequence[Sequence[tuple[str, bytes]]]) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE plain (id TEXT PRIMARY KEY, content BLOB)")
    begin = time.perf_counter()
    for batch in batches:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO plain VALUES (?, ?)", batch)
        connection.execute("COMMIT")
    connection.close()
    return time.perf_counter() - begin


def _text(seed: int) -> bytes:
    """What a tool might have said: lines of a log, of code or of JSON."""
    chance = random.Random(seed)
    lines = bytearray()
    while len(lines) < SIZE_BYTES:
        words = " ".join(chance.choices(_WORDS, k=chance.randrange(3, 12)))
        number = chance.randrange(10**6)
        lines += {
            0: f"2026-03-{chance.randrange(1, 29):02d}T08:{chance.randrange(60):02d}:11 {words} id={number}\n",
            1: f"    def {words.replace(' ', '_')[:40]}(self, value_{number}):\n        return {number}\n",
            2: json.dumps({"id": number, "message": words, "ok": number % 2 == 0}) + "\n",
        }[seed % 3].encode()
    return bytes(lines[:SIZE_BYTES])
