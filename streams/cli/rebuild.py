"""`tailrace rebuild`: the projection, or the contexts, again from the topics."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from tailrace.schemas.errors import ConfigError
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.settings.settings import Settings, load_settings

if TYPE_CHECKING:
    from tailrace.streams.rebuild.artifact_restoration import Restored


class What(StrEnum):
    """What is made again."""

    PROJECTION = "projection"
    CONTEXTS = "contexts"


Artifacts = Annotated[
    bool,
    typer.Option(
        "--artifacts",
        help="With the projection: also put back artifacts that the store lacks, as far as the log holds them.",
    ),
]
Incomplete = Annotated[
    bool, typer.Option("--incomplete", help="With contexts: take what is left of a log whose beginning is gone.")
]


def rebuild(
    what: Annotated[What, typer.Argument(help="What to make again.")] = What.PROJECTION,
    *,
    artifacts: Artifacts = False,
    incomplete: Incomplete = False,
    as_json: Json = False,
) -> None:
    """Make the projection again from the topics, or the contexts from the log.

    The projection is compactions, distillations, dead letters, model calls, and the index for recall. Stop the workers
    that use this data folder first: while they run, it is refused. The old file stays until the new one is whole.

    The contexts are what workers and clients go by. Where that topic was lost or cut, workers refuse to start and name
    this command. Stop all workers of the group first: while one runs, it is refused. The same log and the same policy
    give the same contexts, byte for byte. Artifacts that have expired since can't be brought back into them.

    With --artifacts, every content that a distillation or a compaction names is put back into the artifact store where
    it is missing: under the same id, with the same bytes, for as long as the policy says, counted from when it was
    kept. What was deleted by hand comes back too. What came as a claim was only in the store.

    For example:

        tailrace rebuild
        tailrace rebuild --artifacts
        tailrace rebuild contexts
        datasette ~/.local/share/tailrace/projection.db
    """
    if artifacts and what is not What.PROJECTION:
        raise ConfigError("--artifacts", str(what), "only with the projection: tailrace rebuild --artifacts")
    if incomplete and what is not What.CONTEXTS:
        raise ConfigError("--incomplete", str(what), "only with contexts: tailrace rebuild contexts --incomplete")
    settings = load_settings()
    if what is What.CONTEXTS:
        _contexts(settings, incomplete=incomplete, as_json=as_json)
    else:
        _projection(settings, artifacts=artifacts, as_json=as_json)


def _contexts(settings: Settings, *, incomplete: bool, as_json: bool) -> None:
    from tailrace.streams.rebuild.contexts import rebuild_contexts  # noqa: PLC0415  its help does without what decides

    done = run(rebuild_contexts(settings, incomplete=incomplete))
    if as_json:
        print_json(done)
        return
    typer.echo(
        f"{done.topic}: {done.threads} threads in {done.partitions} partitions, {done.records} records, made from "
        f"{done.events} events. Start the workers again"
    )


def _projection(settings: Settings, *, artifacts: bool, as_json: bool) -> None:
    from tailrace.streams.rebuild.projection import rebuild as rebuild_projection  # noqa: PLC0415  as above

    done = run(rebuild_projection(settings, artifacts=artifacts))
    if as_json:
        print_json(msgspec.to_builtins(done, enc_hook=str))
        return
    typer.echo(
        f"{done.path}: {done.messages} messages, {done.compactions} compactions, {done.distillations} distillations, "
        f"{done.dead_letters} dead letters, {done.model_calls} model calls"
        + (f"; {done.skipped} records that can't be read were skipped" if done.skipped else "")
    )
    if done.artifacts is not None:
        typer.echo(_artifact_line(done.artifacts))


def _artifact_line(artifacts: "Restored") -> str:
    text = f"artifacts: {artifacts.put_back} put back, {artifacts.there} there already, {artifacts.expired} expired"
    if artifacts.claims_lost:
        text += (
            f"; {artifacts.claims_lost} came as claims and were only in the store: they are lost unless it is restored"
        )
    if artifacts.lost:
        text += f"; {artifacts.lost} are not in the log: it no longer holds them, or they stood for other messages"
    return text
