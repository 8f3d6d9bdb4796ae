"""Passages of artifacts, for as long as the artifact store has what they are of.

What was too large for a record is in the store alone, and passages of it are in the index. An index must not outlive
what it was made of: what has expired is not shown any more, what was deleted is removed.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlite_utils

from tailrace.schemas.errors import ArtifactCorrupt, ArtifactForbidden, ArtifactMissing, Unavailable
from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.recall import RecallHit, RecallKind
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.recall import tables
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.recall.reader import RecallReader

#: Passages of one artifact that is gone may be the best of all: so many times more are looked at where one was among
#: them.
_MORE: Final = 8
#: How long removing waits for a worker's transaction.
_BUSY_SECONDS: Final = 30


async def search_kept(
    reader: RecallReader,
    query: str,
    *,
    context: SecurityContext,
    thread: str | None,
    limit: int,
    opened: Callable[[], Awaitable[ArtifactStore | None]],
) -> list[RecallHit]:
    """Return the passages that fit the query best, the best first, and none of an artifact that is gone.

    `opened` is asked for the store only where a passage of an artifact was found; None where there is no store.
    """
    hits: list[RecallHit] = []
    for at_most in (limit, _MORE * limit):
        hits = await asyncio.to_thread(
            reader.search, query, tenant=context.tenant, thread=thread, clearance=context.clearance, limit=at_most
        )
        gone = await _gone(hits, context, opened)
        if not gone:
            break
        hits = [hit for hit in hits if hit.kind is not RecallKind.ARTIFACT or hit.id not in gone]
    return hits[:limit]


async def _gone(
    hits: Sequence[RecallHit], context: SecurityContext, opened: Callable[[], Awaitable[ArtifactStore | None]]
) -> set[str]:
    gone = {hit.id for hit in hits if hit.kind is RecallKind.ARTIFACT}
    store = await opened() if gone else None
    if store is None:
        return gone
    for artifact_id in sorted(gone):
        if await _is_there(store, context, artifact_id):
            gone.remove(artifact_id)
    return gone


async def _is_there(store: ArtifactStore, context: SecurityContext, artifact_id: str) -> bool:
    try:
        await store.metadata(context, artifact_id)
    except ArtifactForbidden:
        return True  # the passage has a sensitivity of its own: its secrets are masked
    except (ArtifactMissing, ArtifactCorrupt):
        return False
    return True


def forget_artifact(path: Path, tenant: str, artifact_id: str) -> None:
    """Remove the passages of an artifact from the projection, if there is one.

    Raises Unavailable where that can't be done.
    """
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
            database = sqlite_utils.Database(connection)
            if not tables.are_there(database):
                return
            connection.execute("BEGIN IMMEDIATE")
            RecallIndex(database).remove_artifact(tenant, artifact_id)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise Unavailable(f"passages of artifact {artifact_id!r} are still in {path}: {error}") from error
