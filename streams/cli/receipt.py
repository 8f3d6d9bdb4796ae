"""`tailrace receipt`: what one compaction kept, what can be had again and where, and what is lost."""

from typing import Annotated, Final

import typer
from rich.text import Text

from tailrace.schemas.errors import ConfigError, Unavailable
from tailrace.schemas.records.compaction import CompactionRecord
from tailrace.streams.cli.audit_lines import cause, change_bar, change_text, moment
from tailrace.streams.cli.event_loop import run
from tailrace.streams.cli.one_line import one_line
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.cli.receipt_lines import counts_table, listed_table
from tailrace.streams.cli.screen import screen
from tailrace.streams.observability.audit_trail import find_compactions
from tailrace.streams.settings.settings import Settings, load_settings

#: A shorter beginning of an id would find anything.
_ID_CHARACTERS_MIN: Final = 4
_CHOICES_MAX: Final = 5


def receipt(
    compaction_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="Id of the compaction, or how it begins, as `watch` and `history` show it."),
    ],
    *,
    as_json: Json = False,
) -> None:
    """Show the receipt of one compaction: what the context still says, what can be had again and where, what is lost.

    Retained is what it still says word for word: directives, obligations and decisions, what else people said, and
    identifiers that people and the agent used. What is recoverable is in an artifact (`tailrace artifacts show`) or in
    a message of the conversations topic (`tailrace recall` finds it). The JSON is the whole compaction record.

    For example:

        tailrace receipt 3f9c2a1b
        tailrace receipt 3f9c2a1b --json | jq '.receipt.classes.directives.listed'
    """
    record = run(_find(load_settings(), compaction_id))
    if as_json:
        print_json(record)
        return
    console = screen()
    console.print(Text.assemble(("compaction ", ""), (record.id, "bold"), " of thread ", one_line(record.thread)))
    console.print(Text("  ").join([Text(moment(record.at_ms)), cause(record)]))
    numbers = record.before_tokens, record.after_tokens, record.limit_tokens
    console.print(Text("  ").join([change_bar(*numbers), change_text(*numbers)]))
    console.print()
    console.print(counts_table(record))
    listed = listed_table(record)
    if listed is not None:
        console.print()
        console.print(listed)
    console.print(Text(f"\nWhat is recoverable is in {record.receipt.recover_from}.", style="dim"))


async def _find(settings: Settings, beginning: str) -> CompactionRecord:
    """The one compaction whose id begins like this.

    Raises ConfigError or Unavailable, with what to do, where there is not one.
    """
    if len(beginning) < _ID_CHARACTERS_MIN:
        raise ConfigError("ID", beginning, f"at least {_ID_CHARACTERS_MIN} characters of a compaction's id")
    records = await find_compactions(settings, beginning)
    exact = [record for record in records if record.id == beginning]
    if len(exact or records) == 1:
        return (exact or records)[0]
    if not records:
        raise Unavailable(
            f"there is no compaction {beginning}; `tailrace history THREAD` shows those of a thread, with their ids"
        )
    choices = ", ".join(f"{record.id} (thread {record.thread})" for record in records[:_CHOICES_MAX])
    raise Unavailable(f"{len(records)} compactions begin with {beginning}: {choices}; give more of the id")
