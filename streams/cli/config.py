"""`tailrace config`: the settings in force."""

import json
from collections.abc import Callable, Iterator

import typer

from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.schemas.errors import ConfigError
from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.cli.errors import EXIT_CONFIG
from tailrace.streams.cli.fitted_table import Column, print_table
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.kafka.security import connection_options
from tailrace.streams.settings.origins import all_settings, nested
from tailrace.streams.settings.settings import (
    CONFIG_FILE,
    CONFIG_VARIABLE,
    Settings,
    config_file,
    examine_settings,
    load_settings,
)

app = typer.Typer(
    no_args_is_help=True,
    help=f"""
    Show and check the settings.

    They are read from {CONFIG_FILE} in the current folder, or from the file that {CONFIG_VARIABLE} names, and from
    TAILRACE_* variables, which win. Sections are joined with two underscores.

    `partitions` under `[topics]` is `TAILRACE_TOPICS__PARTITIONS`.
    """,
)


@app.command()
def show(*, as_json: Json = False) -> None:
    """Show every setting, its value and where it comes from. Passwords are not shown.

    The JSON has `file`, `settings` (nested as in the file) and `origins` (by dotted key).
    """
    settings = all_settings(load_settings())
    if as_json:
        file = config_file()
        origins = {setting.key: setting.origin for setting in settings}
        print_json({"file": str(file) if file else None, "settings": nested(settings), "origins": origins})
        return
    file = config_file()
    if file is not None:
        typer.echo(f"file  {printable(str(file))}\n")
    columns = Column("setting", wraps=False), Column("from"), Column("value")
    rows = [
        (key, file.name if file and setting.origin == str(file) else setting.origin, value)
        for setting in settings
        for key, value in _lines(setting.key, setting.value)
    ]
    print_table(columns, rows)


@app.command()
def check(*, as_json: Json = False) -> None:
    """Tell whether the settings can be used: print ok, or everything that is wrong, with exit code 2.

    What is wrong in a file is named with its line. Also reads the certificates and the keys of artifacts, and loads the
    strategies that the policy names. Whether the broker accepts the certificates is a question for `tailrace doctor`.
    """
    settings, problems = examine_settings()
    if settings is not None:
        problems = list(_deeper_problems(settings))
    file = config_file()
    if as_json:
        shown = {"ok": not problems, "file": str(file) if file else None}
        print_json(shown | {"problems": [_as_json(problem) for problem in problems]} if problems else shown)
    else:
        for problem in problems:
            typer.echo(f"error: {printable(str(problem))}", err=True)
        if not problems:
            named = f"{file}, TAILRACE_*" if file else "TAILRACE_*"
            typer.echo(f"ok: {named} variables and defaults")
    if problems:
        raise typer.Exit(EXIT_CONFIG)


def _deeper_problems(settings: Settings) -> Iterator[ConfigError]:
    """What is wrong with things that the settings only name."""
    checks: tuple[Callable[[], object], ...] = (
        lambda: connection_options(settings),
        lambda: make_keyring(settings.artifacts),
        lambda: _load_strategies(settings),
    )
    for check_one in checks:
        try:
            check_one()
        except ConfigError as error:
            yield error


def _load_strategies(settings: Settings) -> None:
    if named_strategies(settings.compaction_policy):
        from tailrace.streams.strategies.custom_strategies import strategies_for  # noqa: PLC0415  few have any

        strategies_for(settings.compaction_policy, timeout_seconds=settings.strategies.timeout_seconds)


def _as_json(problem: ConfigError) -> dict[str, str]:
    return {"key": problem.key, "value": repr(problem.value), "allowed": problem.allowed, "text": str(problem)}


def _lines(key: str, value: object) -> Iterator[tuple[str, str]]:
    """A line for the value; for tables in a list one each, under its place."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, dict) for item in value):
        for place, item in enumerate(value):
            yield f"{key}[{place}]", _text(item)
    else:
        yield key, _text(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
