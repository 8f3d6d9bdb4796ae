"""`tailrace cost`: what models have cost, the agents' own calls beside those that make contexts smaller."""

import time
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from tailrace.schemas.records.spend import Purpose
from tailrace.streams.cli.fitted_table import print_table
from tailrace.streams.cli.output import Json, print_json
from tailrace.streams.observability.spend_report import GroupedBy, SpendFilter, SpendRow, spend_rows
from tailrace.streams.settings.settings import load_settings

#: What four places show as more than nothing.
_LEAST_USD: Final = 0.000_05


def cost(
    *,
    by: Annotated[GroupedBy, typer.Option("--by", help="What to put calls together by.")] = GroupedBy.TENANT,
    tenant: Annotated[str | None, typer.Option("--tenant", help="Only of this tenant.")] = None,
    thread: Annotated[str | None, typer.Option("--thread", "-t", help="Only of this thread.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Only of the last so much time: 90s, 10m, 24h, 7d.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show tokens and price of every model call.

    Primary calls are the agent's own, reported with messages as `usage`; compactor calls are those for summaries.

    Prices are those of the installed catalogue (genai-prices); a model that it doesn't know costs 0. Reads what the
    workers of this machine have written down; needs no broker.

    For example:

        tailrace cost
        tailrace cost --by thread --tenant acme --since 24h
        tailrace cost --by model --json | jq '.rows[] | [.name, .compactor.cost_usd]'
    """
    # Its help does without Kafka and SQLite.
    from tailrace.streams.cli.watch import span_ms  # noqa: PLC0415
    from tailrace.streams.worker.projection import PROJECTION_FILE  # noqa: PLC0415

    since_ms = None if since is None else int(time.time() * 1000) - span_ms(since)
    path = load_settings().data_dir / PROJECTION_FILE
    rows = spend_rows(path, by, SpendFilter(tenant=tenant, thread=thread, since_ms=since_ms))
    if as_json:
        print_json({"by": str(by), "rows": rows})
    elif rows:
        columns = str(by), "purpose", "calls", "input", "cached", "output", "USD", "share"
        print_table(columns, [cells for row in rows for cells in _cells(row)])
    else:
        typer.echo("No call of a model is known. Report usage with what you publish: see docs/summaries.md, Cost.")


def _cells(row: SpendRow) -> Iterator[list[str]]:
    """A line for each purpose that there are calls for, with its share of what both have cost."""
    for purpose, total in ((Purpose.PRIMARY, row.primary), (Purpose.COMPACTOR, row.compactor)):
        if total.calls:
            tokens = total.calls, total.input_tokens, total.cache_read_tokens, total.output_tokens
            share = total.cost_usd / row.cost_usd if row.cost_usd else 0.0
            numbers = [f"{number:,}" for number in tokens]
            yield [row.name or "-", str(purpose), *numbers, _usd(total.cost_usd), f"{share:.1%}"]


def _usd(cost_usd: float) -> str:
    """A price in four places; what is less than that is not nothing."""
    return "<0.0001" if 0 < cost_usd < _LEAST_USD else f"{cost_usd:,.4f}"
