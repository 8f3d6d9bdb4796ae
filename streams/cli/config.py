"""`tailrace config`: the settings in force."""

import json

import typer

from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.cli.output import Json, print_json, print_table
from tailrace.streams.custom_strategies import strategies_for
from tailrace.streams.kafka import connection_options
from tailrace.streams.setting_origins import all_settings, nested
from tailrace.streams.settings import CONFIG_FILE, CONFIG_VARIABLE, config_file, load_settings

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
    print_table(
        ("setting", "value", "from"),
        [(setting.key, _text(setting.value), setting.origin) for setting in settings],
    )


@app.command()
def check(*, as_json: Json = False) -> None:
    """Tell whether the settings can be used: print ok, or what is wrong, with exit code 2.

    Also reads the certificates and the keys of artifacts, and loads the strategies that the policy names. Whether the broker accepts
    the certificates is a question for `tailrace doctor`.
    """
    settings = load_settings()
    connection_options(settings)
    make_keyring(settings.artifacts)
    strategies_for(settings.compaction_policy, timeout_seconds=settings.strategies.timeout_seconds)
    file = config_file()
    if as_json:
        print_json({"ok": True, "file": str(file) if file else None})
    else:
        typer.echo(
            f"ok: {file}, TAILRACE_* variables and defaults" if file else "ok: TAILRACE_* variables and defaults"
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
