"""Tables that can be read wherever they are printed: on a narrow terminal, on a wide one, in a pipe.

Nothing is ever cut. On a terminal, texts are wrapped as far as that stays readable; where the columns still don't fit,
each row becomes a block of its own, a line for each column. In a pipe every row is one line, and no cell is padded to
the width of another that is far wider.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from tailrace.streams.cli.output import printable
from tailrace.streams.cli.screen import screen

_GAP: Final = "  "
#: A text may be wrapped down to this width; what is narrower stays as it is.
_WRAPPED_CHARACTERS_MIN: Final = 24
#: In a pipe, wider cells don't push those behind them to the right in other rows.
_PADDED_CHARACTERS_MAX: Final = 48


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, to which side its cells are put, and what becomes of it where there is not enough room."""

    name: str
    justify: Literal["left", "right"] = "left"
    #: It is at least so wide.
    width_min: int = 0
    #: A text may be wrapped.
    wraps: bool = True
    #: A text is only to show how something begins: it is cut instead.
    cut: bool = False
    #: The columns with the highest number are left out first; those with 0 never.
    dispensable: int = 0


@dataclass(frozen=True, slots=True)
class FittedTable:
    """A table that is laid out for the console it is printed to."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, as it fits."""
        if not console.is_terminal:
            yield from self._lines()
            return
        yield self.layout(options.max_width)

    def layout(self, width: int) -> RenderableType:
        """Return the table for a terminal of this width."""
        widths = self._fitting_widths(width)
        least = max(self.columns, key=lambda column: column.dispensable)
        if widths is not None:
            return self._table(widths)
        return self._without(least).layout(width) if least.dispensable else self._blocks()

    def _without(self, column: Column) -> "FittedTable":
        places = [place for place, other in enumerate(self.columns) if other is not column]
        rows = [[row[place] for place in places] for row in self.rows]
        return FittedTable([self.columns[place] for place in places], rows)

    def _natural_widths(self) -> list[int]:
        names = [max(cell_len(column.name), column.width_min) for column in self.columns]
        cells = [names, *([cell.cell_len for cell in row] for row in self.rows)]
        return [max(widths) for widths in zip(*cells, strict=True)]

    def _fitting_widths(self, width: int) -> list[int] | None:
        """Widths of the columns, the last wrapped first. None where they don't fit."""
        widths = self._natural_widths()
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
        for place, column in reversed(list(enumerate(self.columns))):
            room = widths[place] - _WRAPPED_CHARACTERS_MIN if column.wraps else 0
            less = max(0, min(excess, room))
            widths[place] -= less
            excess -= less
        return widths if excess <= 0 else None

    def _table(self, widths: Sequence[int]) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, len(_GAP), 0, 0))
        for column, width in zip(self.columns, widths, strict=True):
            overflow: Literal["ellipsis", "fold"] = "ellipsis" if column.cut else "fold"
            table.add_column(column.name, justify=column.justify, width=width, overflow=overflow, no_wrap=column.cut)
        for row in self.rows:
            table.add_row(*row)
        return table

    def _blocks(self) -> RenderableType:
        names = max(cell_len(column.name) for column in self.columns)
        blocks: list[RenderableType] = []
        for number, row in enumerate(self.rows):
            block = Table.grid(padding=(0, len(_GAP), 0, 0))
            block.add_column(width=names, style="bold")
            block.add_column(overflow="fold")
            for column, cell in zip(self.columns, row, strict=True):
                if cell.plain:
                    block.add_row(column.name, cell)
            blocks += [Text(), block] if number else [block]
        return Group(*blocks)

    def _lines(self) -> Iterable[Text]:
        widths = [min(width, _PADDED_CHARACTERS_MAX) for width in self._natural_widths()]
        header = [Text(column.name, style="bold") for column in self.columns]
        for row in (header, *self.rows):
            padded = [
                _padded(cell, width, column.justify)
                for cell, width, column in zip(row, widths, self.columns, strict=True)
            ]
            line = Text(_GAP).join(padded)
            line.rstrip()
            line.no_wrap, line.overflow = True, "ignore"
            yield line


def table_of(columns: Sequence[str | Column], rows: Iterable[Sequence[str]]) -> FittedTable:
    """Return a table of plain texts. Numbers are put to the right."""
    listed = [[_shown(cell) for cell in row] for row in rows]
    numeric = [bool(listed) and all(_is_number(row[place].plain) for row in listed) for place in range(len(columns))]
    chosen = [
        column if isinstance(column, Column) else Column(column, "right" if right else "left")
        for column, right in zip(columns, numeric, strict=True)
    ]
    return FittedTable(chosen, listed)


def print_table(columns: Sequence[str | Column], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of texts under their column names."""
    screen().print(table_of(columns, rows))


def _shown(cell: str) -> Text:
    # As Text: what was published must not be read as markup.
    return Text(printable(cell).replace("\n", "\\n").replace("\t", "\\t"))


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).removesuffix("%").isdecimal()


def _padded(cell: Text, width: int, justify: str) -> Text:
    space = Text(" " * max(0, width - cell.cell_len))
    return space + cell if justify == "right" else cell + space
