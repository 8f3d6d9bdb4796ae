"""What goes on in a step that takes seconds, with its time; where the output is no terminal, a line for each thing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def spinner(console: Console, what: str) -> Iterator[Callable[[str], None]]:
    """Show what goes on until the end of the block. Yields a function that says it in other words."""
    if not console.is_terminal:
        console.print(f"{what}…")
        yield lambda _: None
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda words: bar.update(task, description=words)
