"""`tailrace dlq`: the records that could not be processed."""

from contextlib import aclosing
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from tailrace.streams.cli.byte_text import as_json_value, as_text
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.dead_letters.letters import Letter, OpenLetter, newest_letters, open_letter
from tailrace.streams.dead_letters.replay import Replay, replay_letters
from tailrace.streams.settings.settings import Settings, load_settings

_SHOWN_CHARACTERS: Final = 2_000

app = typer.Typer(
    no_args_is_help=True,
    help="""
    Look at the dead letters: records that could not be processed, with the reason.

    A worker puts a record here, its bytes untouched, when it can never be processed: no JSON, a wrong type, too large,
    a tool result without its call. Everything else in the partition goes on. The topic keeps them for ever.
    """,
)

LetterId = Annotated[
    str, typer.Argument(metavar="ID", help="Partition and offset of the letter, as `list` shows it: 3-17.")
]


@app.command("list")
def list_letters(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many to show.")] = 20,
    as_json: Json = False,
) -> None:
    """Show the newest dead letters, newest first.

    One line each: where it came from, when, and why it could not be taken in.

    For example:

        tailrace dlq list
        tailrace dlq list --json --limit 1000 | jq -r '.letters[] | select(.code == "invalid") | .id'
    """
    letters = run(newest_letters(load_settings(), limit=limit))
    if as_json:
        print_json({"letters": [_summary(letter) for letter in letters]})
        return
    if not letters:
        typer.echo("There are no dead letters.")
        return
    print_table(
        ("id", "when", "thread", "from", "bytes", "code", "reason"),
        [
            (
                letter.id,
                _when(letter),
                as_text(letter.key, 40),
                _source(letter),
                str(letter.value_bytes),
                letter.code,
                letter.message,
            )
            for letter in letters
        ],
    )
    typer.echo("\nOne of them whole: tailrace dlq show ID. Once the cause is gone: tailrace dlq replay ID")


@app.command()
def show(
    letter_id: LetterId,
    *,
    full: Annotated[
        bool, typer.Option("--full", help=f"Show more than {_SHOWN_CHARACTERS} characters of the value.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show one dead letter: why, where it came from, its headers and its value.

    The value is shown as text if it is UTF-8, control characters escaped, else as hexadecimal. The JSON has the whole
    value, as `text` or as `base64`.

    For example:

        tailrace dlq show 3-17 --full
    """
    opened = run(open_letter(load_settings(), letter_id))
    if as_json:
        print_json({**_summary(opened.letter), **_contents(opened)})
        return
    letter = opened.letter
    fields = {
        "id": letter.id,
        "when": _when(letter),
        "from": _source(letter),
        "thread": as_text(letter.key, None),
        "code": letter.code,
        "error": letter.error,
        "reason": letter.message,
        "refused in": letter.stacktrace,
        "headers": "\n".join(f"{name}: {as_text(value, None)}" for name, value in letter.headers),
        "value": f"{letter.value_bytes} bytes" if opened.value is not None else "null",
    }
    for name, text in fields.items():
        if text:
            typer.echo(f"{name:<11}" + printable(text).replace("\n", "\n" + " " * 11))
    if opened.value:
        typer.echo("\n" + as_text(opened.value, None if full else _SHOWN_CHARACTERS))


@app.command()
def replay(
    letter_ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Letters, as `list` shows them.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="All letters that are there now.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be sent; send nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Send the original records back to the topic they came from, once the cause is gone.

    Key, value and headers are sent as they were, so the record goes to its thread again, behind what has been said
    since. An original with several letters is sent once. The letters stay: what is replayed a second time is sent a
    second time, and only messages with an id of their own are then recognised.

    For example:

        tailrace dlq replay 3-17 3-18
        tailrace dlq replay --all --dry-run
    """
    if bool(letter_ids) == every:
        raise typer.BadParameter("name one or more IDs, or --all")
    run(_replay(load_settings(), None if every else letter_ids, dry_run=dry_run, as_json=as_json))


async def _replay(settings: Settings, ids: list[str] | None, *, dry_run: bool, as_json: bool) -> None:
    """Print each replay as it happens: what was sent stays known if a later one fails."""
    count = 0
    async with aclosing(replay_letters(settings, ids, dry_run=dry_run)) as replays:
        async for done in replays:
            count += 1
            if as_json:
                print_json(_replay_summary(done))
            else:
                typer.echo(printable(f"{done.letter.id}: {_outcome(done, dry_run=dry_run)}"))
    if not count and not as_json:
        typer.echo("There are no dead letters.")


def _outcome(done: Replay, *, dry_run: bool) -> str:
    if done.skipped is not None:
        return f"not sent: {done.skipped}"
    if dry_run:
        return f"would be sent to {done.topic}, thread {as_text(done.letter.key, 80)}"
    return f"sent to {done.topic}, partition {done.partition}, offset {done.offset}"


def _replay_summary(done: Replay) -> dict[str, Any]:
    return {
        "id": done.letter.id,
        "topic": done.topic,
        "partition": done.partition,
        "offset": done.offset,
        "skipped": done.skipped,
    }


def _summary(letter: Letter) -> dict[str, Any]:
    return {
        "id": letter.id,
        "timestamp_ms": letter.timestamp_ms,
        "key": as_json_value(letter.key),
        "code": letter.code,
        "error": letter.error,
        "message": letter.message,
        "source": letter.source,
        "value_bytes": letter.value_bytes,
    }


def _contents(opened: OpenLetter) -> dict[str, Any]:
    return {
        "stacktrace": opened.letter.stacktrace,
        "headers": [{"name": name, "value": as_json_value(value)} for name, value in opened.letter.headers],
        "value": as_json_value(opened.value),
    }


def _when(letter: Letter) -> str:
    try:
        return datetime.fromtimestamp(letter.timestamp_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"{letter.timestamp_ms} ms"


def _source(letter: Letter) -> str:
    source = letter.source
    return f"{source.topic}/{source.partition}@{source.offset}" if source else "unknown"
