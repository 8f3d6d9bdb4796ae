"""`tailrace signal`: tells a thread something that is not said in it, for runtimes without our client."""

from typing import Annotated, Any, Final

import msgspec
import typer

from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.signal import SIGNAL_KINDS, AnySignal, signal_of
from tailrace.streams.cli.context import read_view
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.client.client import Client
from tailrace.streams.client.publication import Published
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.topics.topic_admin import check_conversations

#: Ticks are the worker's own: it knows when which is due.
_KINDS: Final = tuple(kind for kind in SIGNAL_KINDS if kind != "tick")


def signal(  # noqa: PLR0913  one parameter for each option
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="Id of the thread.")],
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(_KINDS)}.")],
    *,
    call: Annotated[str | None, typer.Option(help="call_started, call_ended: id of the call.")] = None,
    timeout_ms: Annotated[int | None, typer.Option(help="call_started: how long it may take.")] = None,
    tokens: Annotated[int | None, typer.Option(help="announce: what is about to be added.")] = None,
    model: Annotated[str | None, typer.Option(help="switch_model, overflow: the model.")] = None,
    window_tokens: Annotated[int | None, typer.Option(help="overflow: what the provider says it can take.")] = None,
    sent_tokens: Annotated[int | None, typer.Option(help="overflow: what the provider has counted.")] = None,
    child: Annotated[str | None, typer.Option(help="subagent_finished: thread or name of the subagent.")] = None,
    reason: Annotated[str | None, typer.Option(help="compact: why.")] = None,
    signal_id: Annotated[str | None, typer.Option("--id", help="Names the signal: the same twice is one.")] = None,
    tenant: Annotated[str, typer.Option(help="Whose thread it is.")] = DEFAULT_TENANT,
    as_json: Json = False,
) -> None:
    """Tell a thread what a runtime does.

    A model call begins or ends, so much will be added, a provider refused a request.

    Returns once the broker has it; where there is no such thread, nothing is sent and the exit code is 1. Whether it
    counts is for the thread to say: `tailrace history THREAD` shows what was refused. `tailrace compact THREAD` waits
    for what becomes of a compaction.

    For example:

        tailrace signal t1 call_started --call c1 --timeout-ms 60000
        tailrace signal t1 call_ended --call c1
        tailrace signal t1 announce --tokens 12000
        tailrace signal t1 overflow --window-tokens 128000
        tailrace signal t1 switch_model --model gpt-4o-mini
    """
    if kind not in _KINDS:
        raise typer.BadParameter(f"{kind} is no kind of signal; there are {', '.join(_KINDS)}")
    fields = {
        "call": call,
        "timeout_ms": timeout_ms,
        "tokens": tokens,
        "model": model,
        "window_tokens": window_tokens,
        "sent_tokens": sent_tokens,
        "child": child,
        "reason": reason,
    }
    data: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    what = signal_of({"kind": kind, **data}, signal_id="new", thread=thread, logged_at_ms=0).what
    published = run(_send(load_settings(), thread, what, tenant, signal_id))
    if as_json:
        print_json(msgspec.structs.asdict(published))
    else:
        typer.echo(
            printable(f"{thread}: {kind} is on the log, partition {published.partition}, offset {published.offset}")
        )


async def _send(settings: Settings, thread: str, what: AnySignal, tenant: str, signal_id: str | None) -> Published:
    await check_conversations(settings)
    await read_view(settings, thread, settings.client.context_wait_ms)
    async with Client(settings, reads=False) as client:
        return await client.signal(thread, what, tenant=tenant, id=signal_id)
