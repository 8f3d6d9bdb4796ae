"""`tailrace watch`: what triggers and compactions do, as it happens."""

import asyncio
import re
import sys
import time
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, Final

import typer
from rich.text import Text

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.records.lifecycle import LifecycleEvent
from tailrace.streams.cli.audit_lines import LifecycleLines
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.cli.screen import screen
from tailrace.streams.client.contexts_reader import contexts_reader
from tailrace.streams.observability.audit_trail import follow
from tailrace.streams.settings.settings import Settings, load_settings

_UNIT_MS: Final = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN: Final = re.compile(rf"([0-9]{{1,9}})([{''.join(_UNIT_MS)}])")


def watch(
    thread: Annotated[str | None, typer.Argument(metavar="[THREAD]", help="Only this thread.")] = None,
    *,
    tenant: Annotated[str | None, typer.Option(help="Only threads of this tenant.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Show first what happened in this time: 90s, 10m, 2h, 1d.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Follow what happens to threads until Ctrl-C: what fired, what was proposed and done, what was refused, and why.

    The lines of one check stand together: ○ what fired, with its values, ◇ what the steps of the policy proposed, what
    was done, ● what the context costs now. In the bar, █ is what is in the context, ▒ what was freed. Times are UTC.
    With --json, each event is one line, as in the lifecycle topic.

    For example:

        tailrace watch
        tailrace watch t1 --since 1h
        tailrace watch --json | jq 'select(.kind == "failed")'
    """
    since_ms = None if since is None else max(0, int(time.time() * 1000) - span_ms(since))
    with suppress(KeyboardInterrupt):
        run(_watch(load_settings(), _Wanted(thread, tenant), since_ms, as_json=as_json))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which events are shown; None stands for all."""

    thread: str | None
    tenant: str | None

    def __contains__(self, event: LifecycleEvent) -> bool:
        return self.thread in (None, event.thread) and self.tenant in (None, event.tenant)


async def _watch(settings: Settings, wanted: _Wanted, since_ms: int | None, *, as_json: bool) -> None:
    console = screen()
    lines = LifecycleLines(console, thread=wanted.thread)
    if console.is_terminal and not as_json:
        whose = one_line(wanted.thread).plain if wanted.thread else "all threads"
        console.print(Text(f"watching {whose}; Ctrl-C ends", style="dim"))
    # Beside it, since reading contexts takes longer the more there are.
    looking = asyncio.create_task(_tell_if_unknown(settings, wanted.thread))
    try:
        async with aclosing(follow(settings, since_ms=since_ms)) as batches:
            async for events in batches:
                for event in events:
                    if event in wanted:
                        print_json(event) if as_json else lines.print(event)
                sys.stdout.flush()
    finally:
        looking.cancel()


async def _tell_if_unknown(settings: Settings, thread: str | None) -> None:
    if thread is None:
        return
    async with contexts_reader(settings, thread) as reader:
        if thread not in reader.views():
            hint = "`tailrace threads` lists those there are"
            typer.echo(f"note: there is no thread {printable(thread)} yet; waiting for it. {hint}", err=True)


def span_ms(text: str) -> int:
    """Milliseconds of a time such as 10m. Raises ConfigError for what is none."""
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise ConfigError("since", text, "a number and s, m, h or d, for example 10m")
    return int(match[1]) * _UNIT_MS[match[2]]
