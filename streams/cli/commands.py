"""All commands of `tailrace`, in their order. Loading them takes a second."""

from typing import Annotated, Any, Final

import typer

from tailrace.schemas.records.message import ANTHROPIC, Format
from tailrace.streams.cli import artifacts, broker, config, dlq, policy, topics
from tailrace.streams.cli.api import api
from tailrace.streams.cli.compact import compact
from tailrace.streams.cli.context import context
from tailrace.streams.cli.cost import cost
from tailrace.streams.cli.demo import demo
from tailrace.streams.cli.doctor import doctor
from tailrace.streams.cli.errors import ErrorsInOneLine
from tailrace.streams.cli.gateway import gateway
from tailrace.streams.cli.history import history
from tailrace.streams.cli.mcp import mcp
from tailrace.streams.cli.plan import plan
from tailrace.streams.cli.publish import publish
from tailrace.streams.cli.rebuild import rebuild
from tailrace.streams.cli.recall import recall
from tailrace.streams.cli.receipt import receipt
from tailrace.streams.cli.signal import signal
from tailrace.streams.cli.threads import threads
from tailrace.streams.cli.tools import tools
from tailrace.streams.cli.version import version
from tailrace.streams.cli.watch import watch
from tailrace.streams.cli.worker import worker
from tailrace.streams.installation.releases import versions

_FIRST_STEPS = """
First steps:

    tailrace broker start   # or: export TAILRACE_BROKER=host:port
    tailrace topics apply   # once for each broker
    tailrace worker         # stays; start as many as you like
    echo '{"role":"user","content":"hi"}' | tailrace publish --thread t1
    tailrace context t1

If something doesn't work: `tailrace doctor`
"""

#: As one needs them; typer would put all groups behind all single commands.
_ORDER: Final = (
    "demo",
    "broker",
    "topics",
    "worker",
    "api",
    "gateway",
    "publish",
    "context",
    "threads",
    "watch",
    "history",
    "receipt",
    "cost",
    "recall",
    "plan",
    "compact",
    "signal",
    "tools",
    "mcp",
    "artifacts",
    "dlq",
    "rebuild",
    "doctor",
    "config",
    "policy",
    "version",
)


class _Commands(ErrorsInOneLine):
    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=_ORDER.index)


def _whole_name(word: str) -> str:
    """Return the name of a format for its short one, where a command has a choice of formats.

    Every other word as it is.
    """
    return Format.ANTHROPIC_MESSAGES if word == ANTHROPIC else word


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    epilog=_FIRST_STEPS,
    rich_markup_mode="markdown",
    # A traceback with the values of all variables would show what people said.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": _whole_name},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tailrace {versions()['tailrace']}")
        raise typer.Exit


@app.callback()
def _tailrace(
    *,
    version_wanted: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Keep every agent conversation inside its model's context window, on Kafka.

    Producers publish messages to a topic; Tailrace keeps for every thread a context that is ready to send and always
    under budget, and never loses anything that was said.
    """
    del version_wanted


_RUN = "Run it"
_USE = "Use it"
_CARE = "Look after it"

app.add_typer(broker.app, name="broker", rich_help_panel=_RUN)
app.add_typer(topics.app, name="topics", rich_help_panel=_RUN)
app.command(rich_help_panel=_RUN)(worker)
app.command(rich_help_panel=_RUN)(api)
app.command(rich_help_panel=_RUN)(gateway)
app.command(rich_help_panel=_RUN)(demo)
app.command(rich_help_panel=_USE)(publish)
app.command(rich_help_panel=_USE)(context)
app.command(rich_help_panel=_USE)(threads)
app.command(rich_help_panel=_USE)(watch)
app.command(rich_help_panel=_USE)(history)
app.command(rich_help_panel=_USE)(receipt)
app.command(rich_help_panel=_USE)(cost)
app.command(rich_help_panel=_USE)(recall)
app.command(rich_help_panel=_USE)(plan)
app.command(rich_help_panel=_USE)(compact)
app.command(rich_help_panel=_USE)(signal)
app.command(rich_help_panel=_USE)(tools)
app.command(rich_help_panel=_USE)(mcp)
app.add_typer(artifacts.app, name="artifacts", rich_help_panel=_CARE)
app.add_typer(dlq.app, name="dlq", rich_help_panel=_CARE)
app.command(rich_help_panel=_CARE)(rebuild)
app.command(rich_help_panel=_CARE)(doctor)
app.add_typer(config.app, name="config", rich_help_panel=_CARE)
app.add_typer(policy.app, name="policy", rich_help_panel=_CARE)
app.command(rich_help_panel=_CARE)(version)
