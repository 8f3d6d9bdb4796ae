"""`tailrace topics`: what the topics should be, and making them so."""

from typing import Annotated

import typer

from tailrace.streams.cli.errors import EXIT_ERROR
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.rebuild.loss_acceptance import accept_loss as give_up
from tailrace.streams.settings.settings import load_settings
from tailrace.streams.topics import topic_admin
from tailrace.streams.topics.strimzi import strimzi_yaml
from tailrace.streams.topics.topic_plan import ChangeKind, TopicPlanChange
from tailrace.streams.topics.topics import topic_specs

app = typer.Typer(
    no_args_is_help=True,
    help="""
    Create the topics, and keep their settings right.

    All topics have the same number of partitions (topics.partitions, 8 by default). It is the upper bound for the
    number of workers, and hard to change later: threads are spread over it.

    On a cluster whose topics belong to Strimzi:

        tailrace topics plan --strimzi | kubectl apply -f -
    """,
)


@app.command()
def plan(
    *,
    as_json: Json = False,
    strimzi: Annotated[
        bool, typer.Option("--strimzi", help="Print KafkaTopic resources for the Strimzi operator; asks no broker.")
    ] = False,
    cluster: Annotated[
        str, typer.Option(help="With --strimzi: the name of the Kafka resource that the topics belong to.")
    ] = "kafka",
) -> None:
    """Show what `apply` would change; change nothing.

    With `--strimzi` it prints what should be there instead, and asks no broker.

    For example:

        tailrace topics plan
        TAILRACE_TOPICS__PARTITIONS=16 TAILRACE_TOPICS__REPLICATION=3 tailrace topics plan --strimzi --cluster my-kafka
    """
    settings = load_settings()
    specs = topic_specs(settings)
    if strimzi:
        typer.echo(strimzi_yaml(specs, cluster=cluster), nl=False)
        return
    changes = run(topic_admin.changes(settings))
    if as_json:
        print_json({"topics": specs, "changes": changes})
        return
    print_table(
        ("topic", "partitions", "replicas", "cleanup", "change"),
        [
            (spec.name, str(spec.partitions), str(spec.replication), spec.cleanup, _words(changes, spec.name))
            for spec in specs
        ],
    )
    typer.echo(_what_next(changes))


@app.command()
def apply(
    *,
    as_json: Json = False,
    add_partitions: Annotated[
        bool,
        typer.Option(
            "--add-partitions",
            help="Allow more partitions for topics that exist. Threads move to other partitions and start anew there.",
        ),
    ] = False,
) -> None:
    """Create what is missing and correct what differs.

    Safe to repeat. Settings of the topics that are not ours to decide are left as they are. Nothing is ever deleted.

    For example:

        tailrace topics apply
        TAILRACE_BROKER=kafka.example:9092 TAILRACE_TOPICS__REPLICATION=3 tailrace topics apply
    """
    done = run(topic_admin.apply(load_settings(), add_partitions=add_partitions))
    if as_json:
        print_json({"done": done})
        return
    for change in done:
        typer.echo(f"{change.topic}: {change.what}")
    if not done:
        typer.echo("Nothing to do: all topics are as they should be.")


@app.command()
def check(*, as_json: Json = False) -> None:
    """Tell whether workers can run on the topics; the exit code is 1 if not.

    A worker makes the same check when it starts: topics that are missing, partition counts that differ, a wrong cleanup
    policy, a retention that would delete what has to stay, a size limit that is too small, messages that were deleted
    before they were read, contexts that were lost.
    """
    settings = load_settings()
    problems = run(topic_admin.check(settings))
    if as_json:
        print_json({"ok": not problems, "problems": problems})
    elif problems:
        for problem in problems:
            typer.echo(str(problem))
    else:
        typer.echo(f"ok: all {len(topic_specs(settings))} topics can be worked with.")
    if problems:
        raise typer.Exit(EXIT_ERROR)


@app.command("accept-loss")
def accept_loss(*, as_json: Json = False) -> None:
    """Go on behind messages that were deleted before they were read.

    Workers refuse to start where that has happened, for example by a retention that somebody set on the topic
    `conversations`. Restore that topic if you can. This command gives up what is gone: it moves the group to where the
    log begins now, in every partition with such a gap. It is noted in `lifecycle` and shown as the metric
    tailrace_input_lost_records. Stop all workers first.

    For example:

        tailrace topics check
        tailrace topics accept-loss
    """
    losses = run(give_up(load_settings()))
    if as_json:
        print_json({"lost": losses})
        return
    for loss in losses:
        typer.echo(str(loss))
    if not losses:
        typer.echo("Nothing was lost: every partition still holds what is to be read.")


def _words(changes: list[TopicPlanChange], topic: str) -> str:
    of_topic = [change for change in changes if change.topic == topic]
    return (
        "; ".join(f"{change.what} ({change.warning})" if change.warning else change.what for change in of_topic)
        or "none"
    )


def _what_next(changes: list[TopicPlanChange]) -> str:
    kinds = {change.kind for change in changes}
    if ChangeKind.REFUSED in kinds:
        return "\nThis can't be done: see the column `change`."
    if ChangeKind.ADD_PARTITIONS in kinds:
        return "\nTo do this: tailrace topics apply --add-partitions"
    if kinds - {ChangeKind.BY_HAND}:
        return "\nTo do this: tailrace topics apply"
    return "\nNothing to do for `tailrace topics apply`."
