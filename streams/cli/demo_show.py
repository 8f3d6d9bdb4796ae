"""The demo from the first message on: conversations play, then their contexts stay on the screen."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.live import Live

from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.cli.demo_hints import hints
from tailrace.streams.cli.demo_screen import DemoScreen, summary
from tailrace.streams.client.contexts_reader import ContextsReader, contexts_reader
from tailrace.streams.demo.place import DEMO_WINDOW_TOKENS, DemoPlace
from tailrace.streams.demo.play import play
from tailrace.streams.demo.process import DemoProcesses
from tailrace.streams.demo.sample_conversations import Sample, load_samples
from tailrace.streams.observability.audit_trail import follow
from tailrace.streams.settings.settings import Settings

_POLL_MS: Final = 200
_FRAMES_PER_SECOND: Final = 5


@dataclass(frozen=True, slots=True)
class DemoShow:
    """A demo whose processes are ready."""

    settings: Settings
    place: DemoPlace
    processes: DemoProcesses
    console: Console

    async def run(self, *, seconds: float, stay: bool) -> None:
        """Play the samples within so many seconds, then show the contexts: once, or until this is cancelled."""
        samples = load_samples()
        screen = DemoScreen(self.console, samples, self.settings.compaction_policy.window_tokens or DEMO_WINDOW_TOKENS)
        async with contexts_reader(self.settings) as reader:
            await self._play(reader, screen, samples, seconds)
            rows = screen.rows(reader.views())
            if not stay:
                self.console.print(screen.contexts(reader.views()))
            self.console.print(f"\n{summary(rows)}")
            if stay:
                self.console.print(hints(self.place, self.processes), markup=False, soft_wrap=True)
                await self._stay(reader, screen)

    async def _play(
        self, reader: ContextsReader, screen: DemoScreen, samples: Sequence[Sample], seconds: float
    ) -> None:
        wanted = {sample.thread: len(sample.messages) for sample in samples}
        publishing = play(self.settings, samples, seconds=seconds, on_message=screen.show_message)
        with Live(console=self.console, refresh_per_second=_FRAMES_PER_SECOND, transient=True) as live:
            async with _beside(publishing, self._listen(screen)) as tasks:
                while not _complete(reader.views(), wanted):
                    self.processes.check()
                    for task in tasks:
                        if task.done():
                            task.result()  # raises what went wrong
                    await reader.read_on(timeout_ms=_POLL_MS)
                    if self.console.is_terminal:
                        live.update(screen.playing(reader.views()))

    async def _listen(self, screen: DemoScreen) -> None:
        async with aclosing(follow(self.settings, since_ms=0)) as batches:
            async for events in batches:
                for event in events:
                    screen.happened(event)

    async def _stay(self, reader: ContextsReader, screen: DemoScreen) -> None:
        """Draw only what has changed: a terminal that is drawn anew forgets what somebody has marked in it."""
        with Live(console=self.console, auto_refresh=False) as live:
            live.update(screen.contexts(reader.views()), refresh=True)
            while True:
                self.processes.check()
                if await reader.read_on(timeout_ms=_POLL_MS):
                    live.update(screen.contexts(reader.views()), refresh=True)


@asynccontextmanager
async def _beside(*works: Any) -> AsyncIterator[list["asyncio.Task[None]"]]:
    """Do these things beside the block, and end them with it."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _complete(views: Mapping[str, ThreadView], wanted: Mapping[str, int]) -> bool:
    return all(thread in views and views[thread].totals.messages >= count for thread, count in wanted.items())
