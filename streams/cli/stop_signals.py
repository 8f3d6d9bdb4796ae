"""One end for a command that has to stop what it started: the first signal begins it, and no later one breaks it off.

`make` and `timeout` send a signal to a whole group of processes and to its first, so it comes twice within a moment.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopSignals:
    """What Ctrl-C, SIGTERM and a terminal that goes away do, until the process ends."""

    def __init__(self) -> None:
        """Begin: until `run` is called, the first signal raises KeyboardInterrupt."""
        self._asked = False
        self._on_first: Callable[[], None] = _interrupt
        for number in _SIGNALS:
            signal.signal(number, self._received)

    def ignore(self) -> None:
        """Let no signal break off what follows."""
        self._asked = True

    async def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work until it is done or a signal comes.

        It is then cancelled, and signals are ignored from there on.
        """
        loop, asked = asyncio.get_running_loop(), asyncio.Event()

        def ask() -> None:
            loop.call_soon_threadsafe(asked.set)

        self._on_first = ask
        tasks = [asyncio.create_task(work), asyncio.create_task(asked.wait())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        self.ignore()
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        if not tasks[0].cancelled():
            tasks[0].result()

    def _received(self, _number: int, _frame: object) -> None:
        first, self._asked = not self._asked, True
        if first:
            self._on_first()


def _interrupt() -> None:
    raise KeyboardInterrupt
