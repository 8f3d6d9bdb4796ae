"""One thread as a client follows it: its view once that is known, and a signal whenever something changed."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from aiokafka.structs import ConsumerRecord

from tailrace.agents.view.thread_view import ThreadView

_VERSIONS: Final = itertools.count(1)


class WakeUp:
    """Wakes all who wait, each time."""

    def __init__(self) -> None:
        """Begin with nobody waiting."""
        self._event = asyncio.Event()

    def send(self) -> None:
        """Wake everyone who waits now."""
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self) -> None:
        """Wait for the next time."""
        await self._event.wait()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds; it is looked at whenever the signal is sent."""
        while not condition():
            await self.wait()


@dataclass(slots=True, eq=False)
class ThreadWatch:
    """A thread that somebody has asked for."""

    thread: str
    #: None until the number of partitions is known.
    partition: int | None = None
    #: None until the past is read.
    view: ThreadView | None = None
    #: Grows with every change of the view; two views never have the same.
    version: int = 0
    #: Records that came while the past is being read; None where it is not.
    behind: list[ConsumerRecord] | None = None
    #: A record that this release can't read makes the whole view worthless.
    unreadable: bool = False
    #: Epoch of the last context that was given to the application, where a worker made it.
    given_epoch: int | None = None
    users: int = 0
    changed: WakeUp = field(default_factory=WakeUp)

    @property
    def state(self) -> tuple[int, int] | None:
        """What tells two contexts of the thread apart; None where there is none."""
        view = self.view
        if view is None or view.head is None or view.covers is None:
            return None
        return view.epoch, view.covers.offset

    def covers(self, offset: int) -> bool:
        """Tell whether the context takes into account what stands at this place."""
        view = self.view
        return view is not None and view.covers is not None and view.covers.offset >= offset

    def note_change(self) -> None:
        """Wake everyone who waits for the thread."""
        self.version = next(_VERSIONS)
        self.changed.send()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the thread from being forgotten."""
        self.users += 1
        try:
            yield
        finally:
            self.users -= 1
