"""`tailrace policy`: look at policies, check those that people write, and compare them."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tailrace.agents.plan.policy_warnings import PolicyWarning, policy_warnings
from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.cli.errors import EXIT_ERROR
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.cli.policy_explain import explain
from tailrace.streams.policy.files import examine, find_layer, open_policy, ready_made, ready_made_names
from tailrace.streams.policy.text import differences, policy_toml
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.strategies.custom_strategies import load_strategies, missing_strategies

#: What an error names where a policy comes from the command line.
_KEY: Final = "policy"

app = typer.Typer(
    no_args_is_help=True,
    help="""
    Look at policies, check them and compare them.

    A policy says when a context is compacted, how far and by which steps. Some are ready-made; `[policy]` in the
    settings builds on one of them, or on a file:

        [policy]
        base = "codex"
        upper_fraction = 0.8
    """,
)

NameOrFile = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A ready-made policy, or a TOML or JSON file.")]


@app.command("list")
def list_policies(*, as_json: Json = False) -> None:
    """Show the policies that come with Tailrace: their names, hashes and what they do.

    Any of them can be used as it is, or be the base of one of yours.

    For example:

        tailrace policy list
        TAILRACE_POLICY__BASE=gemini-cli tailrace worker
    """
    rows = [(open_policy(name, Path()), ready_made(name).about) for name in ready_made_names()]
    if as_json:
        print_json({"policies": [{"name": policy.name, "hash": policy.hash, "about": about} for policy, about in rows]})
        return
    print_table(("name", "hash", "about"), [(policy.name, policy.hash, about.split("\n")[0]) for policy, about in rows])


@app.command()
def show(
    name_or_file: Annotated[
        str | None,
        typer.Argument(metavar="[NAME|FILE]", help="A ready-made policy, or a file. Without it: the policy in force."),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Show a whole policy with all its defaults, as TOML. The first line has its name and its hash.

    The hash is the one that is in every compaction record. What is printed can be used as a file of your own.

    For example:

        tailrace policy show
        tailrace policy show codex > mine.toml
    """
    policy = load_settings().compaction_policy if name_or_file is None else open_policy(name_or_file, Path(), _KEY)
    if as_json:
        print_json({"name": policy.name, "hash": policy.hash, "policy": policy})
    else:
        typer.echo(printable(policy_toml(policy)), nl=False)


app.command()(explain)


@app.command()
def check(files: Annotated[list[str], typer.Argument(metavar="FILE...")], *, as_json: Json = False) -> None:
    """Tell whether policies can be used: everything that is wrong, with what is allowed.

    The exit code is 1 if anything is.

    A file is a policy, or settings with one in `[policy]`. Also warns of what is allowed and has no effect: steps that
    are never taken, or that can never change anything.

    For example:

        tailrace policy check mine.toml
        tailrace policy check tailrace.toml
    """
    reports = [_report(file) for file in files]
    if as_json:
        print_json({"ok": not any(report["problems"] for report in reports), "files": reports})
    else:
        for line in (line for report in reports for line in _lines(report)):
            typer.echo(printable(line))
    if any(report["problems"] for report in reports):
        raise typer.Exit(EXIT_ERROR)


def _report(file: str) -> dict[str, Any]:
    try:
        layer = find_layer(file, Path(), _KEY)
        policy, problems = examine(layer, Path(layer.origin).parent)
    except ConfigError as error:
        policy, problems = None, [error]
    if policy is not None:
        names = set(named_strategies(policy).values())
        problems = missing_strategies(policy, load_strategies(names, timeout_seconds=1))
    return {
        "file": file,
        "name": policy.name if policy else None,
        "hash": policy.hash if policy else None,
        "problems": [
            {"key": error.key, "value": repr(error.value), "allowed": error.allowed, "text": str(error)}
            for error in problems
        ],
        "warnings": [*policy_warnings(policy), *_name_is_taken(policy)] if policy else [],
    }


def _name_is_taken(policy: Policy) -> list[PolicyWarning]:
    """Warn of a policy that would be taken for another one."""
    if policy.name not in ready_made_names() or open_policy(policy.name, Path()) == policy:
        return []
    what = f'"{policy.name}" is the name of a ready-made policy that says something else: give this one its own'
    return [PolicyWarning("policy.name", what)]


def _lines(report: dict[str, Any]) -> list[str]:
    lines = [f"{report['file']}: {problem['text']}" for problem in report["problems"]]
    lines += [f"{report['file']}: warning: {warning.key}: {warning.what}" for warning in report["warnings"]]
    if not report["problems"]:
        lines.append(f"{report['file']}: ok, {report['name']} {report['hash']}")
    return lines


@app.command()
def diff(first: NameOrFile, second: NameOrFile, *, as_json: Json = False) -> None:
    """Show in which keys two policies differ.

    The exit code is 0 if they are equal, 1 if not.

    For example:

        tailrace policy diff default codex
        tailrace policy diff kaged mine.toml
    """
    policies = [open_policy(name, Path(), _KEY) for name in (first, second)]
    changes = differences(*policies)
    if as_json:
        changed = [{"key": key, "a": ours, "b": theirs} for key, ours, theirs in changes]
        print_json({"equal": not changes, "changes": changed})
    elif changes:
        for sign, name, policy in zip(("---", "+++"), (first, second), policies, strict=True):
            typer.echo(printable(f"{sign} {name} ({policy.hash})"))
        for key, *values in changes:
            for sign, value in zip("-+", values, strict=True):
                if value is not None:
                    typer.echo(printable(f"{sign}{key} = {value}"))
    else:
        # Beside the output, which is empty as that of other programs of this name.
        typer.echo(printable(f"{first} and {second} say the same ({policies[0].hash})"), err=True)
    if changes:
        raise typer.Exit(EXIT_ERROR)
