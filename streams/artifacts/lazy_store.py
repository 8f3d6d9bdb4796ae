"""The artifact store of a process that only reads.

It is opened when it is first asked for, and later where no worker has made it yet.
"""

import asyncio
from types import TracebackType
from typing import Self

from tailrace.streams.artifacts.reader import open_existing
from tailrace.streams.artifacts.store import ArtifactStore
from tailrace.streams.settings.settings import Settings


class LazyStore:
    """The store, if there is one. Use it with `async with`."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; nothing is opened yet."""
        self._settings = settings
        self._store: ArtifactStore | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Begin."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the store."""
        if self._store is not None:
            await self._store.close()
            self._store = None

    async def store(self) -> ArtifactStore | None:
        """Return the store; None where there is none yet."""
        async with self._opening:
            if self._store is None:
                self._store = await open_existing(self._settings)
            return self._store
