"""Wakes those who wait for threads, whatever brought the change."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

KEEP_ALIVE_SECONDS: Final = 15.0


class Watcher:
    """Somebody who waits for threads, or for any.

    What changes while nobody looks is remembered, once for each thread.
    """

    def __init__(self) -> None:
        """Nothing has changed yet."""
        self._changed: dict[str, None] = {}
        self._woken = asyncio.Event()

    def note(self, thread: str) -> None:
        """A thread has changed."""
        self._changed[thread] = None
        self._woken.set()

    def end(self) -> None:
        """Wake whoever waits: nothing more will come."""
        self._woken.set()

    async def wait(self) -> tuple[str, ...]:
        """Return the threads that have changed since the last call, once there are some; none at the end."""
        await self._woken.wait()
        self._woken.clear()
        changed = tuple(self._changed)
        self._changed.clear()
        return changed


async def next_changes(watcher: Watcher) -> tuple[str, ...]:
    """Wait for changes, but not for ever: who streams has to say every now and then that it is still there."""
    try:
        async with asyncio.timeout(KEEP_ALIVE_SECONDS):
            return await watcher.wait()
    except TimeoutError:
        return ()


class Changes:
    """Who waits for which threads."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._by_thread: dict[str, set[Watcher]] = {}
        self._of_all: set[Watcher] = set()
        self.ended = False

    @contextmanager
    def watch(self, threads: Iterable[str] = ()) -> Iterator[Watcher]:
        """Yield somebody who is told of these threads; of all where none is named."""
        names = frozenset(threads)
        watcher = Watcher()
        if self.ended:
            watcher.end()
        groups = [self._by_thread.setdefault(name, set()) for name in names] or [self._of_all]
        for group in groups:
            group.add(watcher)
        try:
            yield watcher
        finally:
            for group in groups:
                group.discard(watcher)
            for name in names:
                if not self._by_thread.get(name, True):
                    del self._by_thread[name]

    def tell(self, threads: Iterable[str]) -> None:
        """Say that threads have changed."""
        for thread in threads:
            for watcher in (*self._by_thread.get(thread, ()), *self._of_all):
                watcher.note(thread)

    def end(self) -> None:
        """Wake everyone for the last time: the process stops."""
        self.ended = True
        for watcher in {watcher for group in (*self._by_thread.values(), self._of_all) for watcher in group}:
            watcher.end()
