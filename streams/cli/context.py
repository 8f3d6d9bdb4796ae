"""`tailrace context`: one thread's context, to look at or to send."""

from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.live import Live
from rich.text import Text

from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.providers.formats import write_context
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.context import Entry
from tailrace.schemas.records.message import Format
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.cli.request_output import sendable, warn_of_refusal
from tailrace.streams.cli.screen import screen
from tailrace.streams.cli.tables import context_view
from tailrace.streams.client.context import context_of
from tailrace.streams.client.contexts_reader import ContextsReader, contexts_reader
from tailrace.streams.client.worker_backlog import wait_for_workers
from tailrace.streams.settings.settings import Settings, load_settings

#: Lines of a watched context beside its messages.
_OTHER_LINES: Final = 7


def context(
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="Id of the thread.")],
    *,
    message_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="Print the messages as JSON in this format, ready to send to a model: a list, or an object "
            "where the system "
            "prompt stands beside it (Anthropic, Gemini).",
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Show every change until Ctrl-C.")] = False,
    wait_ms: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How long workers may take for what is published already; by default client.context_wait_ms. "
            "After that the context is shown as it is, with a note.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the context of a thread: what a model would be sent, how full its window is, what it cost so far.

    Everything that was published before is in it, as far as workers are there to take it in. The JSON has the whole
    context: messages in the format tailrace/1, with the tokens of each. With --watch and JSON, each change is one line.
    With --format, a context that is above its limit, or that the provider would refuse, is not printed, and the exit
    code is 1; with --watch it is, with a warning.

    For example:

        tailrace context t1
        tailrace context t1 --watch
        tailrace context t1 --format openai.chat > messages.json
    """
    settings = load_settings()
    if watch:
        with suppress(KeyboardInterrupt):
            run(_watch(settings, thread, message_format, as_json=as_json))
        return
    allowed_ms = settings.client.context_wait_ms if wait_ms is None else wait_ms
    view = run(read_view(settings, thread, allowed_ms))
    if message_format is not None:
        # A program hands it on: it gets a request that can be sent, or none.
        request = context_of(thread, view, settings.compaction_policy).request(message_format)
        print_json(sendable(request, message_format))
    elif as_json:
        print_json(_value(settings, thread, view, message_format))
    else:
        screen().print(context_view(thread, view))


async def read_view(settings: Settings, thread: str, wait_ms: int) -> ThreadView:
    """Return the thread as it is once workers have taken in what is published, or after `wait_ms`, with a note.

    Raises Unavailable where there is no such thread, or no broker.
    """
    behind = await wait_for_workers(settings, wait_ms)
    async with contexts_reader(settings, thread) as reader:
        reader.check_readable(thread)
        view = reader.views().get(thread)
    waiting = f"no worker has taken in the last {behind} of what was published: is `tailrace worker` running?"
    if view is None:
        hint = waiting if behind else "`tailrace threads` lists those there are"
        raise Unavailable(f"there is no context of thread {thread}; {hint}")
    if behind:
        typer.echo(f"note: {waiting}", err=True)
    return view


async def _watch(settings: Settings, thread: str, message_format: Format | None, *, as_json: bool) -> None:
    async with contexts_reader(settings, thread) as reader:
        if as_json or message_format is not None:
            await _print_changes(reader, settings, thread, message_format)
        else:
            await _draw_changes(reader, thread)


async def _print_changes(
    reader: ContextsReader, settings: Settings, thread: str, message_format: Format | None
) -> None:
    changed = True
    while True:
        reader.check_readable(thread)
        view = reader.views().get(thread)
        if changed and view is not None:
            print_json(_value(settings, thread, view, message_format))
        changed = await reader.read_on()


async def _draw_changes(reader: ContextsReader, thread: str) -> None:
    console = screen()
    with Live(console=console, auto_refresh=False) as live:
        changed = True
        while True:
            reader.check_readable(thread)
            view = reader.views().get(thread)
            if changed:
                waiting = Text.assemble("waiting for thread ", one_line(thread))
                rows_max = max(1, console.height - _OTHER_LINES) if console.is_terminal else None
                live.update(context_view(thread, view, rows_max) if view is not None else waiting, refresh=True)
            changed = await reader.read_on()


def _value(settings: Settings, thread: str, view: ThreadView, message_format: Format | None) -> Any:
    if message_format is not None:
        request = request_of(view.messages(), message_format)
        warn_of_refusal(request, message_format)
        return sendable(request, message_format)
    fields = msgspec.structs.asdict(context_of(thread, view, settings.compaction_policy))
    for name in ("source", "format", "injection_reserve_tokens"):
        del fields[name]
    messages = write_context(fields.pop("messages"), Format.TAILRACE)
    pairs = zip(view.live(), messages, strict=True)
    return {**fields, "messages": [{**_facts(entry), "message": message} for entry, message in pairs]}


def _facts(entry: Entry) -> dict[str, Any]:
    return {"id": entry.id, "tokens": entry.tokens, "kind": entry.kind, "pinned": entry.pinned}
