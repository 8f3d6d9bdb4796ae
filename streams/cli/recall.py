"""`tailrace recall`: passages of everything that was said, whether a context still holds it or not."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated

import sqlite_utils
import typer

from tailrace.schemas.errors import Unavailable
from tailrace.schemas.event import DEFAULT_TENANT
from tailrace.schemas.recall import RecallHit
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.cli.tables import one_line, screen
from tailrace.streams.recall import tables
from tailrace.streams.recall.index import RecallIndex
from tailrace.streams.settings import load_settings


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A name, or what the passages are about.")],
    *,
    thread: Annotated[str | None, typer.Option("--thread", "-t", help="Only in this thread.")] = None,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose conversations.")] = DEFAULT_TENANT,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many passages to show.")] = 5,
    as_json: Json = False,
) -> None:
    """Find passages in all that was said, the best first, also in what has left the contexts.

    Reads what the workers of this machine have written down; needs no broker.

    For example:

        tailrace recall parse_config.py --thread t1
        tailrace recall 'which port did we choose for the proxy, and why?'
        tailrace recall 'error 1045' --json | jq -r '.hits[].snippet'
    """
    if not query.strip():
        raise typer.BadParameter("say what to look for: a name, or a question in plain words")
    hits = _search(load_settings().data_dir.expanduser() / "projection.db", query, tenant, thread, limit)
    if as_json:
        print_json({"hits": hits})
    elif hits:
        _show(hits)
    else:
        typer.echo("Nothing fits. Try fewer words, or a name as it was written.")


def _search(path: Path, query: str, tenant: str, thread: str | None, limit: int) -> list[RecallHit]:
    if not path.is_file():
        raise Unavailable(f"there is no projection at {path} yet: a worker writes it. Start one: tailrace worker")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            database = sqlite_utils.Database(connection)
            if not tables.are_there(database):
                raise Unavailable(f"{path} holds no recall index yet: a worker of this version makes it when it starts")
            return RecallIndex(database).search(query, tenant=tenant, thread=thread, limit=limit)
    except sqlite3.Error as error:
        raise Unavailable(f"{path} could not be read: {error}") from error


def _show(hits: list[RecallHit]) -> None:
    console = screen()
    for place, hit in enumerate(hits, start=1):
        said_by = " ".join(word for word in (hit.role, hit.tool) if word) or hit.kind
        console.print(
            f"{place}  ",
            one_line(hit.thread),
            f"  turn {hit.turn}  ",
            one_line(said_by),
            "  ",
            one_line(hit.id),
            f"  from character {hit.first_char:,}  score {hit.score:.1f}",
            sep="",
            style="bold",
            soft_wrap=True,
        )
        lines = printable(hit.snippet).strip("\n").split("\n")
        typer.echo("\n".join(f"   {line}" for line in lines))
        typer.echo()
