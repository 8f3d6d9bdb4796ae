"""`tailrace rebuild`: the projection again, from the topics."""

from typing import Annotated

import msgspec
import typer

from tailrace.streams.cli.output import Json, print_json, run
from tailrace.streams.rebuild import rebuild as rebuild_projection
from tailrace.streams.restore_artifacts import Restored
from tailrace.streams.settings import load_settings

Artifacts = Annotated[
    bool,
    typer.Option("--artifacts", help="Also put back artifacts that the store lacks, as far as the log holds them."),
]


def rebuild(*, artifacts: Artifacts = False, as_json: Json = False) -> None:
    """Make the projection again from the topics: compactions, distillations, dead letters, model calls, and the index for recall.

    Stop the workers that use this data folder first: while they run, it is refused. The old file stays until the new one is whole.

    With --artifacts, every content that a distillation or a compaction names is put back into the artifact store where it is missing:
    under the same id, with the same bytes, for as long as the policy says, counted from when it was kept. What was deleted by hand comes
    back too. What came as a claim was only in the store.

    For example:

        tailrace rebuild
        tailrace rebuild --artifacts
        datasette ~/.local/share/tailrace/projection.db
    """
    done = run(rebuild_projection(load_settings(), artifacts=artifacts))
    if as_json:
        print_json(msgspec.to_builtins(done, enc_hook=str))
        return
    typer.echo(
        f"{done.path}: {done.messages} messages, {done.compactions} compactions, {done.distillations} distillations, "
        f"{done.dead_letters} dead letters, {done.model_calls} model calls"
        + (f"; {done.skipped} records that can't be read were skipped" if done.skipped else "")
    )
    if done.artifacts is not None:
        typer.echo(_told(done.artifacts))


def _told(artifacts: Restored) -> str:
    told = f"artifacts: {artifacts.put_back} put back, {artifacts.there} there already, {artifacts.expired} expired"
    if artifacts.claims_lost:
        told += (
            f"; {artifacts.claims_lost} came as claims and were only in the store: they are lost unless it is restored"
        )
    if artifacts.lost:
        told += f"; {artifacts.lost} are not in the log: it no longer holds them, or they stood for other messages"
    return told
