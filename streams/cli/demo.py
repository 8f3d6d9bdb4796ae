"""`tailrace demo`: everything at once, to look at."""

import asyncio
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from tailrace.agents.partition import PartitionView
from tailrace.streams import kafka, local_broker, topic_admin
from tailrace.streams.cli.download import download_shown
from tailrace.streams.cli.tables import ThreadRow, thread_row, threads_table
from tailrace.streams.demo import DemoWorker, follow_contexts, replay, running_worker, stopped_in_the_end
from tailrace.streams.kafka_jars import KAFKA_VERSION
from tailrace.streams.sample_conversations import load_samples
from tailrace.streams.settings import Settings, load_settings

#: Threads that fit on a screen.
_ROWS_MAX = 16
#: How long the last contexts may take after the last message was published.
_SETTLE_SECONDS = 30.0


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
    with ExitStack() as stack:
        servers = _broker(settings, console, stack)
        settings = load_settings(broker=servers)
        asyncio.run(topic_admin.apply(settings))
        worker = stack.enter_context(running_worker(settings, servers))
        console.print(f"worker  pid {worker.process.pid}, log {worker.log_file}")
        with suppress(KeyboardInterrupt):
            asyncio.run(_show(settings, worker, console, stay=stay))
        # A second Ctrl-C must not break off what stops the rest.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        console.print("\nstopping…")
    console.print("stopped; what was published stays in the broker")


def _broker(settings: Settings, console: Console, stack: ExitStack) -> str:
    if settings.broker is not None:
        console.print(f"broker  {settings.broker}")
        return settings.broker
    broker = kafka.local_broker_of(settings)
    was_running = local_broker.status(broker).running
    with download_shown(f"Downloading Kafka {KAFKA_VERSION}", console) as on_download:
        status = local_broker.start(broker, on_notice=console.print, on_download=on_download)
    stack.enter_context(stopped_in_the_end(None if was_running else broker))
    console.print(f"broker  Kafka {KAFKA_VERSION} at {status.bootstrap_servers}, data {status.data_dir}")
    return str(status.bootstrap_servers)


async def _show(settings: Settings, worker: DemoWorker, console: Console, *, stay: bool) -> None:
    """Replay and show until Ctrl-C, or with `stay` off until every context is there."""
    partitions = (await topic_admin.describe(settings))[settings.topic("contexts")].partitions
    publishing: asyncio.Task[int] | None = None
    published_at: float | None = None
    rows: list[ThreadRow] = []
    with Live(console=console, refresh_per_second=8, transient=False) as live:
        async for views in follow_contexts(settings, partitions):
            worker.check()
            rows = _rows(views)
            if publishing is None:
                publishing = asyncio.create_task(_replay(settings, rows))
            live.update(threads_table(rows[:_ROWS_MAX]))
            if publishing.done() and published_at is None:
                published = publishing.result()
                published_at = time.monotonic()
                live.console.print(f"{published} messages of {len(load_samples())} sample conversations published")
                if stay:
                    live.console.print(_what_next(worker, rows))
            if not stay and published_at is not None and _settled(rows, published_at):
                return


def _settled(rows: Sequence[ThreadRow], published_at: float) -> bool:
    wanted = {sample.thread: len(sample.messages) for sample in load_samples()}
    said = {row.thread: row.messages for row in rows}
    complete = all(any(said.get(name, 0) >= count for name in said if name.startswith(thread)) for thread, count in wanted.items())
    return complete or time.monotonic() - published_at > _SETTLE_SECONDS


async def _replay(settings: Settings, known: Sequence[ThreadRow]) -> int:
    samples = load_samples()
    run = 1 + max((int(row.thread.rpartition("#")[2]) for row in known if "#" in row.thread), default=0)
    return await replay(settings, samples, f"#{run}")


def _rows(views: Sequence[PartitionView]) -> list[ThreadRow]:
    """Threads with the newest demo first, then by how much was said."""
    rows = [
        thread_row(thread, view) for partition in views for thread, view in partition.threads.items() if view.head
    ]
    return sorted(rows, key=lambda row: (row.thread.rpartition("#")[2].zfill(6), row.tokens_said), reverse=True)


def _what_next(worker: DemoWorker, rows: Sequence[ThreadRow]) -> str:
    thread = rows[0].thread if rows else "t1"
    return f"""
[bold]What to type next[/bold], in another terminal:
  .venv/bin/tailrace context '{thread}'                        the context, ready to send
  .venv/bin/tailrace context '{thread}' --format openai.chat   as JSON for the API
  echo '{{"role":"user","content":"hi"}}' | .venv/bin/tailrace publish --thread hello
  .venv/bin/tailrace threads --watch
  curl {worker.address}/metrics

Ctrl-C stops the worker{" and the broker" if worker.settings.broker else ""}; everything published stays.
"""
