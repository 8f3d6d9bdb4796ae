"""The book of speed: what is written down, and what is said to have got worse."""

from pathlib import Path

import msgspec
import pytest

from ops.bench.book import Entry, Measured, append, begin, entry_of, read, worse
from ops.bench.report import Failure, Result, Row, at_least, at_most


def entry(value: float, *, more_is_better: bool | None = True, machine: str = "one", commit: str = "abc") -> Entry:
    ratio = Measured(benchmark="throughput", what="worker / Faust", value=value, more_is_better=more_is_better)
    return Entry(commit=commit, machine=machine, corpus="samples", events=8_000, load=0.1, ratios=(ratio,))


def test_ratios_of_a_run_are_written_down_and_read_again(tmp_path: Path) -> None:
    rows = (
        Row(what="worker / Faust", value=0.61234, unit="ratio", target=at_least(0.6)),
        Row(what="p99 / echo", value=1.5, unit="ratio", target=at_most(2)),
        Row(what="worker / raw", value=0.2, unit="ratio"),
        Row(what="worker", value=3_000, unit="events/s"),
    )
    result = Result(name="throughput", rows=rows, parameters="", does_not_show="")
    made = entry_of([result, Failure(name="texts", error="no")], begin(), corpus="samples", events=8_000)
    path = tmp_path / "book.jsonl"
    assert read(path) == []
    append(path, made)
    append(path, entry(1))

    assert read(path) == [made, entry(1)]
    assert [(ratio.what, ratio.value, ratio.more_is_better) for ratio in made.ratios] == [
        ("worker / Faust", 0.6123, True),
        ("p99 / echo", 1.5, False),
        ("worker / raw", 0.2, None),
    ]
    assert made.commit
    assert "cores" in made.machine


@pytest.mark.parametrize(
    ("before", "now", "more_is_better", "lines_told"),
    [
        (1.0, 0.92, True, 0),
        (1.0, 0.9, True, 1),
        (1.0, 1.5, True, 0),
        (1.0, 1.09, False, 0),
        (1.0, 1.2, False, 1),
        (1.0, 0.2, None, 0),
        (0.0, 1.0, False, 0),
    ],
)
def test_what_got_worse_by_more_than_a_tenth_is_told(
    before: float,
    now: float,
    *,
    more_is_better: bool | None,
    lines_told: int,
) -> None:
    lines = list(worse(entry(now, more_is_better=more_is_better), [entry(before, more_is_better=more_is_better)]))

    assert len(lines) == lines_told


def test_it_is_held_against_the_newest_run_of_the_same_machine_that_has_measured_it() -> None:
    other = msgspec.structs.replace(entry(9, commit="other"), corpus="others")
    without = msgspec.structs.replace(entry(9, commit="without"), ratios=())
    before = [entry(9, commit="old"), entry(1, commit="newest"), entry(9, machine="two"), other, without]

    (line,) = worse(entry(0.5), before)
    assert line == "worse: throughput, worker / Faust: 0.50, 1.00 at newest"
    assert list(worse(entry(0.95), before)) == []
