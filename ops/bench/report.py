"""What a benchmark hands back, and the one table that all of it is printed in.

Numbers are ratios wherever something can be compared in the same run: the machine cancels out. A missed target is a
result like any other; only a benchmark that could not be run is a failure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

#: How a value is shown, by its unit.
_SHOWN = {
    "ratio": "{:.2f} x",
    "of": "{:.0f}",
    "events/s": "{:,.0f} events/s",
    "records/s": "{:,.0f} records/s",
    "us": "{:.1f} us",
    "ms": "{:.1f} ms",
    "s": "{:.2f} s",
    "bytes": "{:,.0f} bytes",
}
_CONSOLE_COLUMNS_MIN = 100


@dataclass(frozen=True, slots=True)
class Target:
    """A limit that a value has to keep."""

    limit: float
    at_least: bool

    def met_by(self, value: float) -> bool:
        """Tell whether the value keeps the limit."""
        return value >= self.limit if self.at_least else value <= self.limit


def at_least(limit: float) -> Target:
    """Target for a value that should be large."""
    return Target(limit, at_least=True)


def at_most(limit: float) -> Target:
    """Target for a value that should be small."""
    return Target(limit, at_least=False)


class Row(Struct, frozen=True, kw_only=True):
    """One number. Without a target it is only reported."""

    what: str
    value: float
    unit: str
    target: Target | None = None

    @property
    def verdict(self) -> str:
        """`met`, `missed`, or nothing where there is no target."""
        if self.target is None:
            return ""
        return "met" if self.target.met_by(self.value) else "missed"


class Result(Struct, frozen=True, kw_only=True):
    """The numbers of one benchmark, the parameters they hold for, and the sentence on what they do not show."""

    name: str
    rows: tuple[Row, ...]
    parameters: str
    does_not_show: str


class Failure(Struct, frozen=True, kw_only=True):
    """A benchmark that could not be run."""

    name: str
    error: str


def show(results: Sequence[Result | Failure], parameters: str) -> None:
    """Print the table, and below it what the numbers depend on."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, _CONSOLE_COLUMNS_MIN))
    table = Table(title="Tailrace, measured", title_justify="left", pad_edge=False)
    table.add_column("number")
    table.add_column("measured", justify="right", no_wrap=True)
    table.add_column("target", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for result in results:
        for cells in _cells(result):
            table.add_row(*cells)
        table.add_section()
    console.print(table)
    console.print(f"All: {parameters}", markup=False, highlight=False)
    for result in results:
        if isinstance(result, Result):
            note = f"{result.name}: {result.parameters} Does not show: {result.does_not_show}"
            console.print(note, markup=False, highlight=False)


def save(results: Sequence[Result | Failure], parameters: str, path: Path) -> None:
    """Write the same as JSON."""
    document = {
        "parameters": parameters,
        "results": [
            {
                **msgspec.to_builtins(result),
                "rows": [{**msgspec.to_builtins(row), "verdict": row.verdict} for row in result.rows],
            }
            for result in results
            if isinstance(result, Result)
        ],
        "failures": [msgspec.to_builtins(result) for result in results if isinstance(result, Failure)],
    }
    path.write_bytes(msgspec.json.format(msgspec.json.encode(document)) + b"\n")


def _cells(result: Result | Failure) -> list[tuple[str, str, str, str]]:
    if isinstance(result, Failure):
        return [(f"[bold]{result.name}[/bold]", "", "", "[red]broke[/red]")]
    return [(f"[bold]{result.name}[/bold]", "", "", ""), *(_row_cells(row) for row in result.rows)]


def _row_cells(row: Row) -> tuple[str, str, str, str]:
    colour = {"met": "green", "missed": "yellow"}.get(row.verdict, "default")
    target = ""
    if row.target is not None:
        target = f"{'>=' if row.target.at_least else '<='} {_SHOWN[row.unit].format(row.target.limit)}"
    measured = _SHOWN[row.unit].format(row.value)
    return f"  {row.what}", measured, target, f"[{colour}]{row.verdict}[/{colour}]"
