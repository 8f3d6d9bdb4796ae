"""Shows a download: a bar on a terminal, a line now and then where the output is a file or a CI log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from tailrace.streams.local_kafka.kafka_cache import DownloadProgress

_LINES: Final = 5
_MB: Final = 1_000_000


@contextmanager
def download_shown(title: str, console: Console) -> Iterator[Callable[[DownloadProgress], None]]:
    """Yield the function to call with every progress; nothing is shown before its first call."""
    if not console.is_terminal:
        yield _Lines(title, console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(title, total=None, visible=False)
        yield lambda progress: bar.update(task, completed=progress.bytes_done, total=progress.bytes_total, visible=True)


class _Lines:
    """Prints a line whenever another part of the whole is done."""

    def __init__(self, title: str, console: Console) -> None:
        self._title = title
        self._console = console
        self._shown = -1

    def __call__(self, progress: DownloadProgress) -> None:
        part = _LINES * progress.bytes_done // max(1, progress.bytes_total)
        if part > self._shown:
            self._shown = part
            done, total = progress.bytes_done / _MB, progress.bytes_total / _MB
            self._console.out(f"{self._title}: {done:.0f} of {total:.0f} MB", highlight=False)
