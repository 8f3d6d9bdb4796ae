"""`tailrace demo`: everything at once, to look at."""

import asyncio
import signal
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Annotated, NoReturn

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from tailrace.agents.view import ThreadView
from tailrace.streams import kafka
from tailrace.streams.cli.download import download_shown
from tailrace.streams.cli.tables import newest_first, thread_row, threads_table
from tailrace.streams.client.contexts_reader import ContextsReader, contexts_reader
from tailrace.streams.demo import DemoWorker, replay, running_worker, stopped_in_the_end
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION
from tailrace.streams.sample_conversations import load_samples
from tailrace.streams.settings import Settings, load_settings
from tailrace.streams.topics import topic_admin

#: Threads that fit on a screen.
_ROWS_MAX = 16
_POLL_MS = 200
#: What ends the demo, at any moment of it.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def demo(
    *,
    stay: Annotated[
        bool, typer.Option(help="Stay up after the samples are replayed, until Ctrl-C; --no-stay ends instead.")
    ] = True,
) -> None:
    """Start a broker and a worker, replay sample conversations, and show every context live.

    Needs nothing but this package. With TAILRACE_BROKER=host:port it uses that broker and downloads no Kafka. What was
    published stays: a second demo shows it again, beside new threads.
    """
    kafka.silence_client_logs()
    settings = load_settings()
    console = Console(highlight=False)
    for number in _ENDING:
        signal.signal(number, _interrupt_once)
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        servers = _broker(settings, console, stack)
        settings = load_settings(broker=servers)
        asyncio.run(topic_admin.apply(settings))
        worker = stack.enter_context(running_worker(settings, servers))
        console.print(f"worker  pid {worker.process.pid}, log {worker.log_file}")
        console.print(f"window  {worker.window_tokens} tokens for every model here, so that the samples fill it")
        with suppress(KeyboardInterrupt):
            asyncio.run(_show(settings, worker, console, stay=stay))
        console.print("\nstopping…")
    console.print("stopped; what was published stays in the broker")


def _interrupt_once(*_: object) -> NoReturn:
    """Begin to stop. A second Ctrl-C, or a terminal that is gone, must not break off what stops the rest."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _broker(settings: Settings, console: Console, stack: ExitStack) -> str:
    if settings.broker is not None:
        console.print(f"broker  {settings.broker}")
        return settings.broker
    broker = kafka.local_broker_of(settings)
    was_running = local_broker.status(broker).running
    stack.enter_context(stopped_in_the_end(None if was_running else broker))
    with download_shown(f"Downloading Kafka {KAFKA_VERSION}", console) as on_download:
        status = local_broker.start(broker, on_notice=console.print, on_download=on_download)
    console.print(f"broker  Kafka {KAFKA_VERSION} at {status.bootstrap_servers}, data {status.data_dir}")
    return str(status.bootstrap_servers)


async def _show(settings: Settings, worker: DemoWorker, console: Console, *, stay: bool) -> None:
    """Replay and show until Ctrl-C, or with `stay` off until every context is there."""
    samples = load_samples()
    async with contexts_reader(settings) as reader:
        suffix = _new_suffix(reader.views())
        wanted = {f"{sample.thread}{suffix}": len(sample.messages) for sample in samples}
        publishing = asyncio.create_task(replay(settings, samples, suffix))
        with Live(console=console, refresh_per_second=8) as live:
            while not _complete(reader.views(), wanted):
                worker.check()
                await _update(reader, live)
                if publishing.done():
                    publishing.result()  # raises what went wrong
            live.console.print(
                f"{sum(wanted.values())} messages of {len(samples)} conversations, all in their contexts:\n"
            )
        if not stay:
            return
        console.print(_what_next(worker, next(iter(wanted))))
        with Live(console=console, refresh_per_second=8) as live:
            while True:
                worker.check()
                await _update(reader, live)


async def _update(reader: ContextsReader, live: Live) -> None:
    await reader.read_on(timeout_ms=_POLL_MS)
    rows = newest_first([thread_row(thread, view) for thread, view in reader.views().items()])
    hidden = len(rows) - _ROWS_MAX
    more = Text(f"{hidden} more: tailrace threads" if hidden > 0 else "", style="dim")
    live.update(Group(threads_table(rows[:_ROWS_MAX], width=live.console.width), more))


def _new_suffix(known: Mapping[str, ThreadView]) -> str:
    """Suffix for the threads of this demo, after those of earlier ones."""
    numbers = [thread.rpartition("#")[2] for thread in known if "#" in thread]
    return f"#{1 + max((int(number) for number in numbers if number.isdecimal()), default=0)}"


def _complete(known: Mapping[str, ThreadView], wanted: Mapping[str, int]) -> bool:
    return all(thread in known and known[thread].totals.messages >= count for thread, count in wanted.items())


def _what_next(worker: DemoWorker, thread: str) -> str:
    return f"""
[bold]What to type next[/bold], in another terminal:
  .venv/bin/tailrace context '{thread}'                        the context, ready to send
  .venv/bin/tailrace context '{thread}' --format openai.chat   as JSON for the API
  echo '{{"role":"user","content":"hi"}}' | .venv/bin/tailrace publish --thread hello
  .venv/bin/tailrace threads --watch
  .venv/bin/tailrace watch --since 1h                             every compaction: what fired, what was done
  .venv/bin/tailrace history '{thread}'                        what happened to one thread, and why
  curl {worker.address}/metrics

Ctrl-C stops what this command has started; everything published stays.
"""
