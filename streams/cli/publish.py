"""`tailrace publish`: messages from a file, a pipe or the command line into threads."""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, cast

import typer
from msgspec import Struct

from tailrace.schemas.errors import Invalid, PoisonEvent, Unavailable
from tailrace.schemas.records.message import Format
from tailrace.streams.cli.errors import EXIT_ERROR
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.message_input import read_input
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.client.client import Client
from tailrace.streams.client.message_envelope import BadInput, InputMessage
from tailrace.streams.client.publication import Published, PublishOptions
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics import topic_admin

#: Messages that may be on their way at once.
_IN_FLIGHT_MAX: Final = 1_000


class _Defaults(Struct, frozen=True, kw_only=True):
    """What holds for messages that don't say it themselves."""

    thread: str | None
    options: PublishOptions


def publish(  # noqa: PLR0913  one parameter for each option
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File with messages; - or none: standard input.")
    ] = None,
    *,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="Thread of messages that don't name one.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="Publish this text as one message instead of a file.")] = None,
    role: Annotated[str, typer.Option(help="With --text: who says it.")] = "user",
    model: Annotated[str | None, typer.Option(help="Model that will read the context: its window counts.")] = None,
    tenant: Annotated[str | None, typer.Option(help="Whose thread it is; `default` if nobody says.")] = None,
    message_format: Annotated[
        Format | None, typer.Option("--format", help="Format of the messages; by default it is recognised.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Publish messages to a thread.

    Takes JSON lines, published as they arrive, one JSON message, or a JSON array of messages. A message is a bare one
    of OpenAI chat or Anthropic messages, or an envelope: `native` (with `format`) or `message` (tailrace/1), and beside
    it what else is known: thread, id, tenant, model, agent, parent_thread, turn, group, source, usage, sensitivity,
    pinned.

    A message that can't be read is reported and left out; the others are published, and the exit code is 1.

    For example:

        tailrace publish --thread t1 --text "What is a tailrace?"
        echo '{"role":"user","content":"hi"}' | tailrace publish --thread t1 --model gpt-4o
        tailrace publish conversation.jsonl --thread t2 --json
    """
    settings = load_settings()
    options = {"model": model, "tenant": tenant, "format": message_format}
    defaults = _Defaults(thread=thread, options=cast("PublishOptions", options))
    if text is not None and file is not None:
        raise typer.BadParameter("use either --text or a file")
    if text is not None:
        items: Iterator[InputMessage | BadInput] = iter(
            [InputMessage(where="--text", thread=None, message={"role": role, "content": text}, options={})]
        )
    else:
        items = read_input(_stream(file))
    run(topic_admin.check_conversations(settings))
    report = _Report(as_json=as_json)
    run(_publish(Client(settings, reads=False), items, defaults, report))
    report.end()
    if report.failed:
        raise typer.Exit(EXIT_ERROR)


def _stream(file: Path | None) -> BinaryIO:
    if file is not None and str(file) != "-":
        try:
            return file.open("rb")
        except OSError as error:
            raise typer.BadParameter(f"{file}: {error.strerror}") from None
    if sys.stdin is None or sys.stdin.isatty():
        raise typer.BadParameter("nothing to read: name a file, pipe messages in, or use --text")
    return sys.stdin.buffer


@dataclass(slots=True)
class _Report:
    """Prints what became of each message."""

    as_json: bool
    published: list[Published] = field(default_factory=list)
    count: int = 0
    failed: int = 0
    threads: set[str] = field(default_factory=set)

    def done(self, where: str, published: Published) -> None:
        self.count += 1
        self.threads.add(published.thread)
        self.published = [published]
        if self.as_json:
            print_json({"where": where, **_fields(published)})

    def fail(self, where: str, reason: str) -> None:
        self.failed += 1
        if self.as_json:
            print_json({"where": where, "error": reason})
        typer.echo(f"error: {where}: {printable(reason)}", err=True)

    def end(self) -> None:
        if self.as_json:
            return
        if self.count == 1:
            (published,) = self.published
            place = f"partition {published.partition}, offset {published.offset}"
            typer.echo(f"published {published.event_id} to thread {printable(published.thread)} ({place})")
        elif self.count:
            threads = "1 thread" if len(self.threads) == 1 else f"{len(self.threads):,} threads"
            typer.echo(f"published {self.count:,} messages to {threads}")
        elif not self.failed:
            typer.echo("there was nothing to publish")
        if self.failed:
            typer.echo(f"{self.failed:,} left out, see above", err=True)


async def _publish(
    client: Client, items: Iterator[InputMessage | BadInput], defaults: _Defaults, report: _Report
) -> None:
    """Publish all and report in the order of the input. A broker that is away ends it: what follows would fail too."""
    on_their_way: deque[tuple[str, asyncio.Task[Published]]] = deque()
    async with client:
        try:
            async for item in _in_background(items):
                on_their_way.append((item.where, asyncio.create_task(_send(client, item, defaults))))
                # Tasks start in the order in which they were made: messages keep their order.
                await asyncio.sleep(0)
                while on_their_way and (on_their_way[0][1].done() or len(on_their_way) >= _IN_FLIGHT_MAX):
                    await _finish(*on_their_way.popleft(), report)
            while on_their_way:
                await _finish(*on_their_way.popleft(), report)
        finally:
            for _, task in on_their_way:
                task.cancel()
            await asyncio.gather(*(task for _, task in on_their_way), return_exceptions=True)


async def _send(client: Client, item: InputMessage | BadInput, defaults: _Defaults) -> Published:
    if isinstance(item, BadInput):
        raise Invalid(item.reason)
    thread = item.thread or defaults.thread
    if thread is None:
        raise Invalid('no thread: use --thread, or an envelope with "thread"')
    own_options = {name: value for name, value in item.options.items() if value is not None}
    options = cast("PublishOptions", {**defaults.options, **own_options})
    return await client.publish(thread, item.message, **options)


async def _finish(where: str, task: "asyncio.Task[Published]", report: _Report) -> None:
    try:
        report.done(where, await task)
    except PoisonEvent as error:
        report.fail(where, str(error))
    except Unavailable as error:
        reason = "the broker did not acknowledge it in time. It and what follows may be missing: publish them again"
        raise Unavailable(f"{where}: {reason}") from error


async def _in_background(items: Iterator[InputMessage | BadInput]) -> AsyncIterator[InputMessage | BadInput]:
    """Yield items while reading in a thread: a slow pipe must not keep what was read from being sent."""
    end = object()
    while (item := await asyncio.to_thread(next, items, end)) is not end:
        yield cast("InputMessage | BadInput", item)


def _fields(published: Published) -> dict[str, Any]:
    return {
        "id": published.event_id,
        "thread": published.thread,
        "partition": published.partition,
        "offset": published.offset,
    }
