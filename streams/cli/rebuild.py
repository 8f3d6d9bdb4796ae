"""`tailrace rebuild`: the projection again, from the topics."""

import msgspec
import typer

from tailrace.streams.cli.output import Json, print_json, run
from tailrace.streams.rebuild import rebuild as rebuild_projection
from tailrace.streams.settings import load_settings


def rebuild(*, as_json: Json = False) -> None:
    """Make the projection again from the topics: compactions, distillations, dead letters, model calls, and the index for recall.

    Stop the workers that use this data folder first: while they run, it is refused. The old file stays until the new one is whole.

    For example:

        tailrace rebuild
        datasette ~/.local/share/tailrace/projection.db
    """
    done = run(rebuild_projection(load_settings()))
    if as_json:
        print_json(msgspec.to_builtins(done, enc_hook=str))
        return
    typer.echo(
        f"{done.path}: {done.messages} messages, {done.compactions} compactions, {done.distillations} distillations, "
        f"{done.dead_letters} dead letters, {done.model_calls} model calls"
    )
