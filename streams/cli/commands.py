"""The command `tailrace`. Each of its commands is loaded when it is called.

What some of them need, such as the engine or a Kafka client, takes longer to load than most of the others take to run.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand
from typer.main import get_group

from tailrace.schemas.records.message import ANTHROPIC, Format
from tailrace.streams.cli.command_list import COMMANDS
from tailrace.streams.cli.errors import ErrorsInOneLine

_MARKUP: Final = "markdown"

_FIRST_STEPS = """
First steps:

    tailrace broker start   # or: export TAILRACE_BROKER=host:port
    tailrace topics apply   # once for each broker
    tailrace worker         # stays; start as many as you like
    echo '{"role":"user","content":"hi"}' | tailrace publish --thread t1
    tailrace context t1

If something doesn't work: `tailrace doctor`
"""


class _Commands(Mapping[str, Any]):
    """The commands by name, in their order. One is loaded when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        heading = next((heading for heading, lines in COMMANDS.items() if name in lines), None)
        if heading is None:
            raise KeyError(name)
        return _load(name, heading)

    def __iter__(self) -> Iterator[str]:
        return (name for lines in COMMANDS.values() for name in lines)

    def __len__(self) -> int:
        return sum(len(lines) for lines in COMMANDS.values())


def _load(name: str, heading: str) -> Any:
    """Load a command: the group `app` of its module, or else the function of its name."""
    module = import_module(f"tailrace.streams.cli.{name}")
    group = typer.Typer(rich_markup_mode=_MARKUP)
    if hasattr(module, "app"):
        group.add_typer(module.app, name=name, rich_help_panel=heading)
    else:
        group.command(name, rich_help_panel=heading)(getattr(module, name))
    return get_group(group).commands[name]


class _Tailrace(ErrorsInOneLine):
    """The command with all its commands. To list them, in its help or for a shell, it loads none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = _Commands()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super(_Tailrace, self._listing()).format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        ctx.command = self._listing()
        return super(_Tailrace, ctx.command).shell_complete(ctx, incomplete)

    def _listing(self) -> "_Tailrace":
        """Return a copy whose commands know only what a list of them says."""
        listing = copy(self)
        listing.commands = {
            name: TyperCommand(name, help=line, rich_help_panel=heading)
            for heading, lines in COMMANDS.items()
            for name, line in lines.items()
        }
        return listing


def _whole_name(word: str) -> str:
    """Return the name of a format for its short one, where a command has a choice of formats.

    Every other word as it is.
    """
    return Format.ANTHROPIC_MESSAGES if word == ANTHROPIC else word


app = typer.Typer(
    cls=_Tailrace,
    no_args_is_help=True,
    epilog=_FIRST_STEPS,
    rich_markup_mode=_MARKUP,
    # A traceback with the values of all variables would show what people said.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": _whole_name},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from tailrace.streams.installation.releases import versions  # noqa: PLC0415  for this alone

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
