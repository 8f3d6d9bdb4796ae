"""What a worker does beside its batches so that its files don't grow for ever.

Several workers of a machine may do so at once.
"""

import asyncio
import time
from collections.abc import Callable

import structlog

from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.worker.projection_retention import Removed, Retention

log = structlog.get_logger("tailrace.upkeep")

#: How often each of them is done, and how many artifacts are taken out at once.
ROUND_SECONDS = 60.0
COLLECT_ARTIFACTS_MAX = 500


async def collect_artifacts(artifacts: ArtifactStore, on_collected: Callable[[int], None]) -> None:
    """Take what has expired out of the artifact store, a little at a time, for as long as the worker runs."""
    while True:
        await asyncio.sleep(ROUND_SECONDS)
        try:
            gone = await artifacts.collect(time.time_ns() // 1_000_000, limit=COLLECT_ARTIFACTS_MAX)
        except Exception as error:  # noqa: BLE001  an expired artifact is missing already; removing it can wait
            log.warning("artifacts.not_collected", error=repr(error))
            continue
        on_collected(gone)
        if gone:
            log.info("artifacts.collected", artifacts=gone)


async def prune_projection(retention: Retention, on_pruned: Callable[[Removed], None]) -> None:
    """Let what is too old or too much leave the projection, for as long as the worker runs."""
    while True:
        try:
            removed = await asyncio.to_thread(retention.prune)
        except Exception as error:  # noqa: BLE001  it can wait, and who writes there says what is wrong with the file
            log.warning("projection.not_pruned", error=repr(error))
            removed = None
        if removed is not None:
            on_pruned(removed)
            if removed.age or removed.size:
                log.info("projection.pruned", by_age=removed.age, by_size=removed.size, file_bytes=removed.file_bytes)
        await asyncio.sleep(0 if removed is not None and removed.unfinished else ROUND_SECONDS)
