"""`tailrace recall`: passages of everything that was said, whether a context still holds it or not."""

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from tailrace.schemas.records.artifact import SecurityContext
from tailrace.schemas.records.event import DEFAULT_TENANT, Sensitivity
from tailrace.schemas.records.recall import RecallHit
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.cli.screen import screen
from tailrace.streams.settings.settings import Settings, load_settings

if TYPE_CHECKING:
    from tailrace.streams.artifacts.store import ArtifactStore


def recall(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A name, or what the passages are about.")],
    *,
    thread: Annotated[str | None, typer.Option("--thread", "-t", help="Only in this thread.")] = None,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose conversations.")] = DEFAULT_TENANT,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many passages to show.")] = 5,
    as_json: Json = False,
) -> None:
    """Find passages in all that was said, the best first, also in what has left the contexts.

    Reads what `tailrace worker --role index` has written down on this machine; needs no broker.

    For example:

        tailrace recall parse_config.py --thread t1
        tailrace recall 'which port did we choose for the proxy, and why?'
        tailrace recall 'error 1045' --json | jq -r '.hits[].snippet'
    """
    if not query.strip():
        raise typer.BadParameter("say what to look for: a name, or a question in plain words")
    hits, lag_records = run(_search(load_settings(), query, tenant, thread, limit))
    if as_json:
        print_json({"hits": hits, "lag_records": lag_records})
        return
    if hits:
        _show(hits)
    else:
        typer.echo("Nothing fits. Try fewer words, or a name as it was written.")
    if lag_records:
        typer.echo(f"The {lag_records:,} newest records can't be found yet: `tailrace worker --role index` is behind.")


async def _search(
    settings: Settings, query: str, tenant: str, thread: str | None, limit: int
) -> tuple[list[RecallHit], int]:
    # Its help does without SQLite and what ranks passages.
    from tailrace.streams.artifacts.reader import open_existing  # noqa: PLC0415
    from tailrace.streams.recall.artifact_passages import search_kept  # noqa: PLC0415
    from tailrace.streams.recall.reader import RecallReader  # noqa: PLC0415
    from tailrace.streams.recall.tables import RECALL_FILE  # noqa: PLC0415

    async with AsyncExitStack() as until_done:

        async def opened() -> "ArtifactStore | None":
            store = await open_existing(settings)
            if store is not None:
                until_done.push_async_callback(store.close)
            return store

        reader = RecallReader(settings.data_dir / RECALL_FILE)
        caller = SecurityContext(tenant=tenant, clearance=Sensitivity.INTERNAL, actor="command line")
        hits = await search_kept(reader, query, context=caller, thread=thread, limit=limit, opened=opened)
        return hits, await asyncio.to_thread(reader.lag_records)


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
