"""The book of speed: what was measured, run by run, in a file of the repository.

A line holds the machine, the commit and the ratios of a run. A run is compared with the newest one before it of the
same machine, the same conversations and as many events: figures of another machine say nothing.
"""

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ops.bench.programs import ROOT
from ops.bench.report import Failure, Result, Row

BOOK: Final = ROOT / "ops" / "bench" / "book.jsonl"
#: What got worse by more than this part is told.
WORSE_FRACTION: Final = 0.1


class Measured(Struct, frozen=True, kw_only=True):
    """One ratio. Only where it is known which way is better can it be said to be worse."""

    benchmark: str
    what: str
    value: float
    more_is_better: bool | None = None


class Entry(Struct, frozen=True, kw_only=True):
    """One run."""

    commit: str
    machine: str
    corpus: str
    events: int
    #: How busy the machine was when the run began, by its cores.
    load: float
    ratios: tuple[Measured, ...]

    def comparable(self, other: "Entry") -> bool:
        """Tell whether the two can be held against each other."""
        return (self.machine, self.corpus, self.events) == (other.machine, other.corpus, other.events)


class Beginning(Struct, frozen=True, kw_only=True):
    """What is known of a run before it begins: files may change while it goes on, and it makes the machine busy."""

    commit: str
    load: float


def begin() -> Beginning:
    """Look at the commit and the machine now."""
    return Beginning(commit=_commit(), load=round(os.getloadavg()[0], 1))


def entry_of(results: Iterable[Result | Failure], beginning: Beginning, *, corpus: str, events: int) -> Entry:
    """The entry of a run that has just ended."""
    ratios = [
        Measured(benchmark=result.name, what=row.what, value=round(row.value, 4), more_is_better=_more_is_better(row))
        for result in results
        if isinstance(result, Result)
        for row in result.rows
        if row.unit == "ratio"
    ]
    return Entry(
        commit=beginning.commit,
        machine=_machine(),
        corpus=corpus,
        events=events,
        load=beginning.load,
        ratios=tuple(ratios),
    )


def read(path: Path) -> list[Entry]:
    """All entries, the oldest first; none where there is no book yet."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=Entry) for line in lines]


def append(path: Path, entry: Entry) -> None:
    """Write an entry behind the others."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(entry) + b"\n")


def worse(entry: Entry, before: Sequence[Entry]) -> Iterator[str]:
    """A line for each ratio that is worse than when it was measured last, by more than a tenth."""
    last: dict[tuple[str, str], tuple[Measured, str]] = {}
    for earlier in before:
        if earlier.comparable(entry):
            last |= {(ratio.benchmark, ratio.what): (ratio, earlier.commit) for ratio in earlier.ratios}
    for ratio in entry.ratios:
        found = last.get((ratio.benchmark, ratio.what))
        if found is None or ratio.more_is_better is None or not found[0].value or not ratio.value:
            continue
        former, commit = found
        lost = former.value / ratio.value if ratio.more_is_better else ratio.value / former.value
        if lost > 1 + WORSE_FRACTION:
            yield f"worse: {ratio.benchmark}, {ratio.what}: {ratio.value:.2f}, {former.value:.2f} at {commit}"


def _more_is_better(row: Row) -> bool | None:
    return None if row.target is None else row.target.at_least


def _commit() -> str:
    """The commit that was measured, with a plus where files differ from it."""
    head = _git("rev-parse", "--short", "HEAD")
    return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _machine() -> str:
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _processor() -> str:
    """What the system calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
