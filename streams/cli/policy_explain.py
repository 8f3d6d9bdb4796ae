"""`tailrace policy explain`: every trigger of a policy in words, and how it stands for one thread."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from tailrace.streams.cli.context import read_view
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.cli.plan import Model, Window
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.library.plans import Limits, policy_of
from tailrace.streams.library.worker_policy import policy_for
from tailrace.streams.policy.trigger_prose import TriggerLine
from tailrace.streams.policy.trigger_report import explained_conversation, trigger_report
from tailrace.streams.settings.settings import load_settings


def explain(
    name_or_file: Annotated[
        str | None,
        typer.Argument(metavar="[NAME|FILE]", help="A ready-made policy, or a file. Without it: the policy in force."),
    ] = None,
    *,
    thread: Annotated[
        str | None, typer.Option("--thread", "-t", help="Show how everything stands for this thread now.")
    ] = None,
    window: Window = None,
    model: Model = None,
    as_json: Json = False,
) -> None:
    """Say when a policy compacts: its marks in tokens, its rules, timers, and what holds them back.

    With --thread, each with the values of now, and whether it holds, by the policy of the thread's worker as far as it
    is at hand; a note says where it is not. A name is that of a ready-made policy; what has a slash or ends in .toml or
    .json is a file.

    For example:

        tailrace policy explain
        tailrace policy explain mine.toml --model gpt-4o
        tailrace policy explain --thread t1
    """
    settings = load_settings()
    asked_rules = make_rules(settings, policy_of(settings, name_or_file))
    view = None if thread is None else run(read_view(settings, thread, settings.client.context_wait_ms))
    asked = Limits(window_tokens=window, model=model)
    talk = explained_conversation(view, asked)
    by = policy_for(settings, talk, asked_rules, asked, named=name_or_file is not None)
    report = trigger_report(by, view)
    policy = by.rules.policy
    if as_json:
        print_json(
            {
                "name": policy.name,
                "hash": policy.hash,
                "window_tokens": report.window_tokens,
                "thread": thread,
                "note": by.note,
                "triggers": [msgspec.to_builtins(line) for line in report.lines],
            }
        )
        return
    about = f", thread {thread}" if thread is not None else ""
    limit = f"{report.budget.limit_tokens:,} usable"
    if by.limits.budget_tokens is None:
        limit += f" of a window of {report.window_tokens:,} tokens"
    typer.echo(printable(f"{policy.name} {policy.hash}: {limit}{about}\n"))
    if by.note is not None:
        typer.echo(printable(f"note: {by.note}\n"))
    _print(report.lines, with_values=thread is not None)


def _print(lines: Sequence[TriggerLine], *, with_values: bool) -> None:
    if not with_values:
        print_table(("trigger", "fires when"), [(line.trigger, line.when) for line in lines])
        return
    marks = {True: "yes", False: "no", None: ""}
    rows = [(line.trigger, marks[line.holds], line.now or "", line.when) for line in lines]
    print_table(("trigger", "holds", "now", "fires when"), rows)
