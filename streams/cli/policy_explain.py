"""`tailrace policy explain`: every trigger of a policy in words, and how it stands for one thread."""

import time
from typing import Annotated

import msgspec
import typer

from tailrace.agents.engine.offline import Conversation
from tailrace.agents.engine.partition import Rules
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.structural import event_of
from tailrace.agents.view.thread_view import ThreadView
from tailrace.streams.cli.context import read_view
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json, printable, run
from tailrace.streams.cli.plan import Model, Window
from tailrace.streams.installation.rules import make_rules
from tailrace.streams.library.plans import Limits, budget_in, planned_window, policy_of, window_of
from tailrace.streams.library.worker_policy import WorkerPolicy, worker_policy
from tailrace.streams.policy.trigger_prose import TriggerLine, trigger_lines
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
    view = ThreadView() if thread is None else run(read_view(settings, thread, settings.client.context_wait_ms))
    talk = Conversation(view, model=model or view.model)
    asked = Limits(window_tokens=window, model=model)
    own = name_or_file is None
    by = worker_policy(settings, talk, asked_rules, asked) if own else WorkerPolicy(asked_rules, asked)
    rules, limits = by.rules, by.limits
    window_tokens = planned_window(talk, rules, limits)
    budget = budget_in(talk, rules, limits)
    facts = None if thread is None else _facts(view, rules, limits)
    lines = trigger_lines(rules.policy.triggers, budget, facts)
    policy = rules.policy
    if as_json:
        print_json(
            {
                "name": policy.name,
                "hash": policy.hash,
                "window_tokens": window_tokens,
                "thread": thread,
                "note": by.note,
                "triggers": [msgspec.to_builtins(line) for line in lines],
            }
        )
        return
    about = f", thread {thread}" if thread is not None else ""
    limit = f"{budget.limit_tokens:,} usable"
    if limits.budget_tokens is None:
        limit += f" of a window of {window_tokens:,} tokens"
    typer.echo(printable(f"{policy.name} {policy.hash}: {limit}{about}\n"))
    if by.note is not None:
        typer.echo(printable(f"note: {by.note}\n"))
    _print(lines, with_values=thread is not None)


def _facts(view: ThreadView, rules: Rules, limits: Limits) -> ThreadFacts:
    """The thread at this moment, as if what was said last had just come."""
    talk = Conversation(view, model=limits.model or view.model)
    messages = view.messages()
    return ThreadFacts(
        view,
        happened=event_of(messages[-1]) if messages else "message",
        at_ms=time.time_ns() // 1_000_000,
        total_tokens=view.request_tokens,
        budget=budget_in(talk, rules, limits),
        window_tokens=window_of(talk, rules, limits),
        standing=view.standing,
        policy=rules.policy,
        model=limits.model or view.model,
        agent=view.agent,
    )


def _print(lines: list[TriggerLine], *, with_values: bool) -> None:
    if not with_values:
        print_table(("trigger", "fires when"), [(line.trigger, line.when) for line in lines])
        return
    marks = {True: "yes", False: "no", None: ""}
    rows = [(line.trigger, marks[line.holds], line.now or "", line.when) for line in lines]
    print_table(("trigger", "holds", "now", "fires when"), rows)
