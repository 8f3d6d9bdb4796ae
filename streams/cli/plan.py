"""`tailrace plan`: what a compaction would do, without doing it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from tailrace.agents.plan.plan import Plan
from tailrace.streams.cli.conversation_input import read_source
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.cli.plan_compare import comparison, comparison_notes
from tailrace.streams.cli.plan_diff import print_diff
from tailrace.streams.cli.plan_table import header_lines, notes, plan_lines, total_lines
from tailrace.streams.cli.screen import screen
from tailrace.streams.library.plan_report import Planned, PlanTitle, plan_report
from tailrace.streams.library.plans import Limits, engine_of
from tailrace.streams.library.worker_policy import policy_for
from tailrace.streams.settings.settings import Settings, load_settings

Budget = Annotated[
    int | None,
    typer.Option("--budget", min=1, metavar="TOKENS", help="Limit in tokens, whatever the model and the reserves."),
]
Window = Annotated[
    int | None,
    typer.Option("--window", min=1, metavar="TOKENS", help="Window to plan for, instead of the model's own."),
]
Model = Annotated[str | None, typer.Option(help="Model to plan for: its window, and its way to count tokens.")]

_DEFAULT: Final = (None,)


def plan(  # noqa: PLR0913  one parameter for each option
    source: Annotated[
        str, typer.Argument(metavar="FILE|THREAD", help="A file with messages (- is standard input), or a thread's id.")
    ],
    *,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Policy to plan with; several are compared. By default that of the settings, or of the "
            "thread's worker.",
        ),
    ] = None,
    budget: Budget = None,
    window: Window = None,
    model: Model = None,
    force: Annotated[
        bool, typer.Option("--force", help="Plan below the upper mark too, and where the policy asks for approval.")
    ] = False,
    diff: Annotated[
        bool | None,
        typer.Option(
            "--diff/--no-diff", help="Show the context before and after; by default unless policies are compared."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a compaction would do, and change nothing.

    What goes, by which step and why, and what stands there instead.

    A file is read without a broker: OpenAI chat or responses, Anthropic, Gemini, or a transcript of Claude Code or
    Codex, as JSON or JSON lines, also packed with zstd or gzip. A path that exists is a file; everything else is a
    thread.

    A thread is planned for by the policy of its worker. Where that is another than yours and not at hand, its limit is
    used, and a note says so.

    The exit code is 0 also where a plan is not enough: what is left is then above the limit, and a reason is given.

    The JSON has one plan for each policy, with what Agent Framework annotates about every message, by the message's id.

    For example:

        tailrace plan conversation.jsonl --budget 8000
        tailrace plan t1 --no-diff
        tailrace plan t1 --policy default --policy codex
    """
    if diff and len(set(policy or ())) > 1:
        raise typer.BadParameter("--diff: it shows one policy; name one, or leave it out to compare them")
    settings = load_settings()
    limits = limits_given(budget, window, model, forced=force)
    plans = _plans(source, policy or _DEFAULT, settings, limits, forced=force)
    if as_json:
        print_json({"plans": [planned.as_json() for planned in plans]})
    elif len(plans) > 1:
        _compare(plans)
    else:
        _show(plans[0], forced=force, diff=diff is not False)


def limits_given(budget: int | None, window: int | None, model: str | None, *, forced: bool) -> Limits:
    """Return the limits that the options give; those that exclude each other are named as they are typed.

    A budget is filled, unless a compaction below the upper mark is wanted.
    """
    if budget is not None and window is not None:
        raise typer.BadParameter("--window: leave it out beside --budget, which is a limit by itself")
    return Limits(budget_tokens=budget, window_tokens=window, model=model, fills=not forced)


def _plans(
    source: str, policies: Sequence[str | None], settings: Settings, limits: Limits, *, forced: bool
) -> list[Planned]:
    every = {name: engine_of(settings, name) for name in policies}
    conversation = read_source(source, every[policies[0]], settings, limits.model)
    chosen = {
        name: policy_for(
            settings, conversation.talk, engine, limits, named=name is not None or not conversation.is_thread
        )
        for name, engine in every.items()
    }
    return [
        plan_report(
            conversation.talk,
            by,
            PlanTitle(conversation.title, name),
            forced=forced,
            tool_tokens=conversation.tool_tokens,
        )
        for name, by in chosen.items()
    ]


def _show(planned: Planned, *, forced: bool, diff: bool) -> None:
    console = screen()
    _print_texts(header_lines(planned), console)
    console.print()
    if not planned.plan.changes:
        _print_texts([*_nothing_to_do(planned.plan, forced=forced), *notes(planned)], console)
        return
    _print_texts(plan_lines(planned), console)
    console.print()
    _print_texts([*total_lines(planned), *notes(planned)], console)
    if diff:
        console.print()
        print_diff(planned, console)


def _compare(plans: Sequence[Planned]) -> None:
    console = screen()
    model = plans[0].model or "model unknown"
    console.print(Text.assemble((one_line(plans[0].title).plain, "bold"), "  ", one_line(model)))
    console.print()
    console.print(comparison(plans))
    notes = list(comparison_notes(plans))
    if notes:
        console.print()
        _print_texts(notes, console)
    if any(planned.plan.changes for planned in plans):
        console.print()
        console.print(Text("one --policy alone shows what it changes, and how", style="dim"))


def _nothing_to_do(plan: Plan, *, forced: bool) -> Iterator[Text]:
    yield Text.assemble(("nothing to do: ", "bold"), one_line(plan.reason or "no step has anything to take away"))
    hints = [f"--budget {max(1, plan.before_tokens // 2)} plans for half of what is there"]
    if not forced:
        hints.insert(0, "--force plans all the same")
    yield Text("; ".join(hints), style="dim")


def _print_texts(texts: Iterable[Text], console: Console) -> None:
    for text in texts:
        # Of what it prints a console keeps the styles alone.
        console.print(text, no_wrap=text.no_wrap, overflow=text.overflow)
