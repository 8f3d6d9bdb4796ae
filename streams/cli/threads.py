"""`tailrace threads`: all threads that have a context."""

from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.cli.screen import screen
from tailrace.streams.cli.tables import ThreadRow, newest_first, thread_row, threads_table
from tailrace.streams.client.contexts_reader import ContextsReader, contexts_reader
from tailrace.streams.settings.settings import Settings, load_settings


def threads(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many to show.")] = 50,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Show every change until Ctrl-C.")] = False,
    as_json: Json = False,
) -> None:
    """List the threads, those first in which something was said last: what was said, and how full the context is.

    With --watch and --json, each change is one line.

    For example:

        tailrace threads
        tailrace threads --watch
        tailrace threads --json --limit 100000 | jq '[.threads[].tokens_said] | add'
    """
    settings = load_settings()
    if watch:
        with suppress(KeyboardInterrupt):
            run(_watch(settings, limit, as_json=as_json))
        return
    rows = run(_read(settings))
    if as_json:
        _print(rows, limit)
    elif rows:
        screen().print(_table(rows, limit))
    else:
        typer.echo("There are no threads yet. Publish one: tailrace publish --thread t1 --text hi")


async def _read(settings: Settings) -> list[ThreadRow]:
    async with contexts_reader(settings) as reader:
        return _rows(reader, settings)


async def _watch(settings: Settings, limit: int, *, as_json: bool) -> None:
    async with contexts_reader(settings) as reader:
        if as_json:
            _print(_rows(reader, settings), limit)
            while True:
                if await reader.read_on():
                    _print(_rows(reader, settings), limit)
        with Live(console=screen(), auto_refresh=False) as live:
            live.update(_table(_rows(reader, settings), limit), refresh=True)
            while True:
                if await reader.read_on():
                    live.update(_table(_rows(reader, settings), limit), refresh=True)


def _rows(reader: ContextsReader, settings: Settings) -> list[ThreadRow]:
    policy = settings.compaction_policy
    return list(newest_first(thread_row(thread, view, policy) for thread, view in reader.views().items()))


def _print(rows: list[ThreadRow], limit: int) -> None:
    print_json({"threads": rows[:limit], "total": len(rows)})


def _table(rows: list[ThreadRow], limit: int) -> Group:
    hidden = len(rows) - limit
    note = Text(f"\n{hidden:,} more: tailrace threads --limit {len(rows)}" if hidden > 0 else "", style="dim")
    return Group(threads_table(rows[:limit]), note) if hidden > 0 else Group(threads_table(rows))
