"""`tailrace compact`: a conversation out of a file, ready to send, or a thread, by its worker."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer

from tailrace.agents.engine.offline import bring_down
from tailrace.schemas.providers.check import check_fits, check_sendable
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.strategy_name import StrategyName
from tailrace.streams.cli.compact_thread import compact_thread
from tailrace.streams.cli.conversation_input import STDIN, read_file
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json
from tailrace.streams.cli.plan import Budget, Model, Window, limits_given
from tailrace.streams.cli.request_output import sendable
from tailrace.streams.files.private import FILE_MODE
from tailrace.streams.library.plans import Limits, budget_in, engine_of
from tailrace.streams.settings.settings import Settings, load_settings

#: What is called so is meant as a file, whether it is there or not.
_FILE_SUFFIXES: Final = tuple(f"{form}{packing}" for form in (".json", ".jsonl") for packing in ("", ".zst", ".gz"))

_Force = Annotated[
    bool,
    typer.Option("--force", help="File: compact below the upper mark too, and where the policy asks for approval."),
]


def compact(  # noqa: PLR0913  one parameter for each option
    source: Annotated[
        str, typer.Argument(metavar="FILE|THREAD", help="A file with messages (- is standard input), or a thread's id.")
    ],
    *,
    thread: Annotated[bool, typer.Option("--thread", help="It is a thread, whatever files there are.")] = False,
    target_tokens: Annotated[int | None, typer.Option(min=1, help="Thread: where to come down to.")] = None,
    target_fraction: Annotated[
        float | None, typer.Option(min=0, max=1, help="Thread: the same, as a part of the limit.")
    ] = None,
    strategy: Annotated[StrategyName | None, typer.Option(help="Thread: strategy for this time.")] = None,
    reason: Annotated[str | None, typer.Option(help="Thread: why; it stands in the audit trail.")] = None,
    tenant: Annotated[str | None, typer.Option(help="Thread: whose it is.")] = None,
    as_json: Json = False,
    policy: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="File: policy to compact by; by default the one in force."),
    ] = None,
    budget: Budget = None,
    window: Window = None,
    model: Model = None,
    force: _Force = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="File: where to write, if not standard output."),
    ] = None,
    message_format: Annotated[
        Format | None, typer.Option("--format", help="File: format to write; by default the one that was read.")
    ] = None,
) -> None:
    """Compact a conversation in a file and write it as JSON, ready to send to a model; or compact a thread.

    A file is read as `tailrace plan` reads it, without a broker, and stays as it is. A thread is compacted by its
    worker, between two model calls, whatever the marks say; what became of it is printed. A path that exists is a file,
    and so is what ends in .json or .jsonl, with .zst or .gz behind it or not; everything else is a thread.

    Where what has to stay of a file is above the limit, or the provider would refuse what is left, nothing is written,
    and the exit code is 1.

    For example:

        tailrace compact conversation.jsonl --model gpt-4o -o messages.json
        tailrace compact - --budget 8000 --format anthropic.messages < conversation.json
        tailrace compact t1 --target-fraction 0.3 --reason "before the long task"
    """
    settings = load_settings()
    of_thread = {"target_tokens": target_tokens, "target_fraction": target_fraction, "strategy": strategy}
    overrides = {name: value for name, value in {**of_thread, "reason": reason}.items() if value is not None}
    of_file = {
        "policy": policy,
        "budget": budget,
        "window": window,
        "model": model,
        "force": force or None,
        "output": output,
    }
    if thread or not _is_file(source):
        _refuse({**of_file, "format": message_format}, f"{_no_file(source, thread=thread)}, and this is for files")
        compact_thread(settings, source, overrides, tenant=tenant or DEFAULT_TENANT, as_json=as_json)
        return
    _refuse({**overrides, "tenant": tenant, "json": as_json or None}, f"{source} is a file, and this is for threads")
    _compact_file(
        settings,
        source,
        policy,
        limits=limits_given(budget, window, model, forced=force),
        forced=force,
        output=output,
        message_format=message_format,
    )


def _is_file(source: str) -> bool:
    return source == STDIN or source.endswith(_FILE_SUFFIXES) or Path(source).is_file()


def _no_file(source: str, *, thread: bool) -> str:
    if thread:
        return f"{source} is a thread"
    return f"{source} is a folder" if Path(source).is_dir() else f"there is no file {source}"


def _refuse(options: dict[str, object], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise typer.BadParameter(f"--{name.replace('_', '-')}: {why}")


def _compact_file(  # noqa: PLR0913  one for each option
    settings: Settings,
    source: str,
    policy: str | None,
    *,
    limits: Limits,
    forced: bool,
    output: Path | None,
    message_format: Format | None,
) -> None:
    engine = engine_of(settings, policy)
    conversation = read_file(source, engine, limits.model)
    budget = budget_in(conversation.talk, engine, limits, tool_tokens=conversation.tool_tokens)
    before_tokens, limit_tokens = conversation.talk.view.request_tokens, budget.limit_tokens
    done = bring_down(conversation.talk, engine, budget, forced=forced)
    check_fits(conversation.title, tokens=done.tokens, limit_tokens=limit_tokens)
    chosen = message_format or conversation.format
    request = request_of(done.messages, chosen)
    check_sendable(request, chosen)
    written = msgspec.json.encode(sendable(request, chosen)).decode()
    if output is None:
        typer.echo(written)
    else:
        _write(output, written)
    for step in done.plan.skipped:
        typer.echo(f"skipped: {one_line(f'{step.strategy}: {step.reason}').plain}", err=True)
    what = f"{before_tokens:,} → {done.tokens:,} tokens of {limit_tokens:,}"
    count = f"{len(conversation.talk.view.entries):,} → {len(done.messages):,} messages"
    why = f"; {done.plan.reason}" if done.plan.reason else ""
    typer.echo(f"{conversation.title}: {what}, {count}, policy {engine.policy.name}{why}", err=True)


def _write(output: Path, text: str) -> None:
    try:
        # The file may be somebody's already, with the permissions that they gave it.
        with open(output, "w", encoding="utf-8", opener=partial(os.open, mode=FILE_MODE)) as file:
            file.write(text + "\n")
    except OSError as error:
        raise typer.BadParameter(f"{output}: {error.strerror}") from None
