"""`tailrace demo`: everything at once, to look at."""

import asyncio
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Annotated, Final

import typer
from rich.console import Console

from tailrace.schemas.errors import Unavailable
from tailrace.streams.cli.demo_hints import short_path
from tailrace.streams.cli.demo_show import DemoShow
from tailrace.streams.cli.spinner import spinner
from tailrace.streams.cli.stop_signals import StopSignals
from tailrace.streams.demo.place import DemoPlace, only_demo, place_of
from tailrace.streams.demo.process import running_processes
from tailrace.streams.kafka import clients
from tailrace.streams.kafka.client_logs import silence_client_logs
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.kafka_cache import DownloadProgress
from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

#: Long enough to follow what happens, short enough to wait for the end.
_PLAY_SECONDS: Final = 35.0
_MB: Final = 1_000_000


def demo(
    *,
    stay: Annotated[
        bool, typer.Option(help="Stay up after the conversations have played, until Ctrl-C; --no-stay ends instead.")
    ] = True,
    seconds: Annotated[
        float, typer.Option(min=0, max=3600, help="How long the conversations play; 0 is as fast as it goes.")
    ] = _PLAY_SECONDS,
    remove: Annotated[
        bool, typer.Option("--remove", help="Only remove the topics that a demo which was killed has left.")
    ] = False,
) -> None:
    """Start a broker, a worker and the API, play recorded conversations, and show every context live.

    Needs nothing but this package. With TAILRACE_BROKER=host:port it uses that broker and downloads no Kafka. Topics,
    consumer group and data folder are the demo's own, whatever is set: no thread of anybody else is read or compacted.
    When it ends, it removes its topics.
    """
    silence_client_logs()
    settings, console = load_settings(), Console(highlight=False)
    place = place_of(settings)
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        # Not before: what a signal raises has to be caught.
        signals = StopSignals()
        stack.enter_context(only_demo(place))
        variables = place.variables(settings, _broker(settings, console, stack))
        # From here on this process, its worker and a shell that reads the file mean the same topics.
        os.environ.update(variables)
        run = _DemoRun(load_settings(), place, console)
        if remove:
            asyncio.run(run.remove_leftovers())
            return
        place.begin(variables)
        stack.callback(place.end)
        asyncio.run(run.run(signals, seconds=seconds, stay=stay))
    console.print("stopped")


def _broker(settings: Settings, console: Console, stack: ExitStack) -> str:
    """Address of the broker: the one that is set, else the local one, which runs for the time of the demo."""
    if settings.broker is not None:
        console.print(f"broker  {settings.broker}")
        return settings.broker
    broker = clients.local_broker_of(settings)
    if not local_broker.status(broker).running:
        # Before it is started: a signal may come while it starts.
        stack.callback(local_broker.stop, broker)
    starting = f"starting Kafka {KAFKA_VERSION}"
    with spinner(console, starting) as say:

        def on_download(progress: DownloadProgress) -> None:
            done, total = progress.bytes_done / _MB, progress.bytes_total / _MB
            say(f"downloading Kafka {KAFKA_VERSION}: {done:.0f} of {total:.0f} MB" if done < total else starting)

        status = local_broker.start(broker, on_notice=console.print, on_download=on_download)
    console.print(f"broker  Kafka {KAFKA_VERSION} at {status.bootstrap_servers}")
    return str(status.bootstrap_servers)


@dataclass(frozen=True, slots=True)
class _DemoRun:
    """A demo on a broker that is there."""

    settings: Settings
    place: DemoPlace
    console: Console

    async def run(self, signals: StopSignals, *, seconds: float, stay: bool) -> None:
        """Show everything until it is over or a signal comes; leave nothing behind on the broker."""
        try:
            await signals.run(self._work(seconds=seconds, stay=stay))
        finally:
            signals.ignore()
            self.console.print("\nstopping…")
            await self._clear()

    async def _clear(self) -> None:
        try:
            await topic_admin.remove(self.settings)
        except Unavailable as error:
            # Why it ends is more important than that something is left.
            self.console.print(
                f"{error}\nTopics {self.place.prefix}* may be left. To remove them: tailrace demo --remove"
            )

    async def _work(self, *, seconds: float, stay: bool) -> None:
        with spinner(self.console, "making topics"):
            await topic_admin.remove(self.settings)  # those of a demo that was killed
            await topic_admin.apply(self.settings)
        self.console.print(f"topics  {self.place.prefix}*, the demo's own; removed when it ends")
        with running_processes(self.settings) as processes:
            for part in (processes.worker, processes.index, processes.door):
                log = short_path(part.log_file)
                line = f"{part.name:<6}  pid {part.process.pid}, log {log}"
                self.console.print(line, markup=False, soft_wrap=True)
            with spinner(self.console, "waiting for them"):
                await processes.until_ready()
            await DemoShow(self.settings, self.place, processes, self.console).run(seconds=seconds, stay=stay)

    async def remove_leftovers(self) -> None:
        """Remove the topics and say so."""
        names = await topic_admin.remove(self.settings)
        what = f"removed: {', '.join(names)}" if names else f"there are no topics {self.place.prefix}* to remove"
        self.console.print(what, soft_wrap=True)
