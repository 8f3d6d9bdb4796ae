"""`tailrace artifacts`: what left the contexts, for the people who look after it."""

import codecs
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec
import typer

from tailrace.schemas.errors import ArtifactMissing, ConfigError, Invalid, Unavailable
from tailrace.schemas.providers.tools import ReadArtifact, parse_span
from tailrace.schemas.records.artifact import Artifact, SecurityContext
from tailrace.schemas.records.event import DEFAULT_TENANT
from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.artifacts.open_store import SQLITE_FILE
from tailrace.streams.artifacts.reader import content_pieces, open_existing, read_artifact
from tailrace.streams.artifacts.store import ArtifactStore, Resealed, rotate
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import Json, print_json, printable
from tailrace.streams.recall.artifact_passages import forget_artifact
from tailrace.streams.recall.tables import RECALL_FILE
from tailrace.streams.settings.settings import Settings, load_settings

#: Of one page; what is left out is said with the range that shows it.
_PAGE_CHARS_MAX: Final = 20_000

app = typer.Typer(
    no_args_is_help=True,
    help="""
    Look at the artifacts: what left the contexts, kept whole.

    Wherever a context names an artifact by its id, its content is here: in the data folder of this machine's workers,
    or where artifacts.url says. What has expired is missing at once; `collect` frees its room.
    """,
)

ArtifactId = Annotated[str, typer.Argument(metavar="ID", help="Id of the artifact, as contexts and records name it.")]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose artifact it is.")]


@app.command()
def show(
    artifact_id: ArtifactId,
    *,
    span: Annotated[
        str | None,
        typer.Option("--range", metavar="LINES", help="Lines to show: 200-260, 200- or -50 for the last ones."),
    ] = None,
    query: Annotated[str | None, typer.Option(help="Show the lines with these words, and those around them.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print all of it as it is stored, without line numbers.")
    ] = False,
    tenant: Tenant = DEFAULT_TENANT,
) -> None:
    """Show the lines of an artifact with their numbers, as a model reads them.

    As many are shown as make a page.

    For example:

        tailrace artifacts show 6f1c2a90b3d4e5f7 --range 200-260
        tailrace artifacts show 6f1c2a90b3d4e5f7 --query 'error 1045'
        tailrace artifacts show 6f1c2a90b3d4e5f7 --full > build.log
    """
    if full and (span is not None or query is not None):
        raise typer.BadParameter("--full prints everything: leave --range and --query out")
    try:
        wanted = None if span is None else parse_span(span)
    except Invalid as error:
        raise typer.BadParameter(str(error), param_hint="--range") from None
    call = ReadArtifact(id=artifact_id, span=wanted, query=" ".join((query or "").split()) or None)
    run(_print_all(artifact_id, tenant) if full else _print_page(call, tenant))


@app.command()
def meta(artifact_id: ArtifactId, *, tenant: Tenant = DEFAULT_TENANT, as_json: Json = False) -> None:
    """Show what is known of an artifact: size, hash, origin, sensitivity, expiry, key.

    Its content is not read.

    For example:

        tailrace artifacts meta 6f1c2a90b3d4e5f7 --json | jq .size_bytes
    """
    artifact = run(_metadata(artifact_id, tenant))
    if as_json:
        print_json(msgspec.to_builtins(artifact))
        return
    for name, text in _facts(artifact).items():
        typer.echo(f"{name:<13}{printable(text)}")


@app.command()
def delete(
    artifact_id: ArtifactId,
    *,
    tenant: Tenant = DEFAULT_TENANT,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
) -> None:
    """Remove an artifact for good. Contexts that name it stay as they are; reading it gives a sentence that it is gone.

    The message that it came with stays in the log, and in recall; of what was too large for a record, recall forgets
    all.

    For example:

        tailrace artifacts delete 6f1c2a90b3d4e5f7 --yes
    """
    artifact = run(_metadata(artifact_id, tenant))
    if not yes:
        origin = f" of thread {printable(artifact.thread)}" if artifact.thread else ""
        typer.confirm(f"Delete {artifact.size_bytes:,} bytes{origin} for good?", abort=True)
    run(_delete(artifact_id, tenant))
    typer.echo(f"Artifact {printable(artifact_id)} is deleted.")


@app.command()
def collect(*, as_json: Json = False) -> None:
    """Remove what has expired, of all tenants.

    It may be stopped at any time and run again.

    For example, once a day:

        tailrace artifacts collect
    """
    removed = run(_collect())
    if as_json:
        print_json({"removed": removed})
    else:
        typer.echo(f"{_artifacts(removed)} removed.")


@app.command(name="rotate")
def rotate_keys(*, as_json: Json = False) -> None:
    """Encrypt everything with the present key that is not yet, of all tenants. It may be stopped and run again.

    Add the new key to artifacts.keys, name it in artifacts.key_id and restart all workers before; take the old key away
    after it has run through once. What can't be read stays as it is and is named, and the exit code is 1: keep the old
    key until that is restored or deleted.

    For example:

        TAILRACE_ARTIFACTS__KEY_ID=2026b tailrace artifacts rotate
    """
    settings = load_settings()
    if make_keyring(settings.artifacts).key_id is None:
        raise ConfigError("artifacts.keys", None, "a key to encrypt with: `id:base64` of 32 bytes")
    rotated = run(_rotate(settings))
    if as_json:
        print_json(
            {"encrypted": rotated.artifacts, "unread": {artifact.name: artifact.reason for artifact in rotated.unread}}
        )
    else:
        typer.echo(f"{_artifacts(rotated.artifacts)} encrypted with the present key.")
        for artifact in rotated.unread:
            typer.echo(f"{printable(artifact.name)} stays as it is: {printable(artifact.reason)}", err=True)
    if rotated.unread:
        raise typer.Exit(1)


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[ArtifactStore]:
    store = await open_existing(settings)
    if store is None:
        where = settings.data_dir / SQLITE_FILE
        raise Unavailable(f"there are no artifacts at {where} yet: a worker writes them. Start one: tailrace worker")
    try:
        yield store
    finally:
        await store.close()


async def _print_page(call: ReadArtifact, tenant: str) -> None:
    async with _store(load_settings()) as store:
        typer.echo(printable(await read_artifact(store, _operator(tenant), call, chars_max=_PAGE_CHARS_MAX)))


async def _print_all(artifact_id: str, tenant: str) -> None:
    caller = _operator(tenant)
    output = typer.get_binary_stream("stdout")
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
    async with _store(load_settings()) as store:
        artifact = await store.metadata(caller, artifact_id)
        async for piece in content_pieces(store, caller, artifact):
            # A file gets what is stored, byte for byte; a terminal nothing that could move its cursor.
            output.write(printable(decode(piece)).encode() if sys.stdout.isatty() else piece)
    output.flush()


async def _metadata(artifact_id: str, tenant: str) -> Artifact:
    async with _store(load_settings()) as store:
        return await store.metadata(_operator(tenant), artifact_id)


async def _delete(artifact_id: str, tenant: str) -> None:
    settings = load_settings()
    async with _store(settings) as store:
        if not await store.delete(_operator(tenant), artifact_id):
            raise ArtifactMissing(artifact_id)  # gone since it was looked at
    forget_artifact(settings.data_dir / RECALL_FILE, tenant, artifact_id)


async def _collect() -> int:
    removed = 0
    async with _store(load_settings()) as store:
        while batch := await store.collect(time.time_ns() // 1_000_000):
            removed += batch
    return removed


async def _rotate(settings: Settings) -> Resealed:
    async with _store(settings) as store:
        return await rotate(store)


def _operator(tenant: str) -> SecurityContext:
    """Whoever has the files and the keys may see everything of the tenant."""
    return SecurityContext(tenant=tenant, actor="command line")


def _facts(artifact: Artifact) -> dict[str, str]:
    facts: dict[str, Any] = {
        "id": artifact.id,
        "tenant": artifact.tenant,
        "media type": artifact.media_type,
        "size": f"{artifact.size_bytes:,} bytes",
        "sha256": artifact.sha256,
        "sensitivity": artifact.sensitivity,
        "created": _when(artifact.created_at_ms),
        "expires": "never" if artifact.expires_at_ms is None else _when(artifact.expires_at_ms),
        "thread": artifact.thread,
        "message": artifact.message_id,
        "tool": artifact.tool,
        "key": artifact.key_id or "none: not encrypted",
    }
    return {name: str(value) for name, value in facts.items() if value}


def _when(time_ms: int) -> str:
    try:
        return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return f"{time_ms} ms"


def _artifacts(count: int) -> str:
    return "1 artifact" if count == 1 else f"{count:,} artifacts"
