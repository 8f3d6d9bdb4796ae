"""Test runs: the summary, the failures with their messages, and counts of what passed."""

import re
from typing import Final

from tailrace.agents.distill.selection import Sketch
from tailrace.agents.distill.terminal_text import Reading
from tailrace.agents.distill.trouble import exit_rows, trouble_rows

#: Two expressions, because one that may begin anywhere or at the beginning is tried in full at every letter. What is
#: counted is looked for behind spaces, which the engine finds faster than digits.
_COUNTED: Final = re.compile(
    r" (?<=\d )(?:passed|failed|pass|fail|passing|failing|skipped|errors?|tests?|examples|assertions|expect\(\) "
    r"calls)\b"
)
_SUMMARY: Final = re.compile(
    r"\s*+(?:Tests|Test Files|Test Suites|Suites|Ran|Duration|Time|Snapshots|FAILED|OK|PASS|FAIL|ok|test "
    r"result)\b[:\s].*\d"
)
_SUMMARY_CHARS: Final = 200
#: How the rows of a failure begin.
_FAILURE: Final = (
    *(
        "--- FAIL",
        "FAIL",
        "✗",
        "✘",
        "\u00d7",
        "●",
        "(fail)",
        "E  ",
        "not ok",
        "Expected",
        "Received",
        "expected",
        "actual",
        "got",
    ),
    *("want", "assert", "AssertionError", "Error", "thread '", "panicked", "● "),
)
_FAILURE_ENDS: Final = ("FAILED", "FAIL", "ERROR")
_FAILURE_LETTERS: Final = frozenset(mark[0] for mark in _FAILURE)
_HEAD_ROWS: Final = 5
_TAIL_ROWS: Final = 20


def sketch_test_run(reading: Reading) -> Sketch:
    """Return a test run whose summary and failures come first."""
    text = reading.text
    rows = text.split("\n")
    tail = range(max(0, len(rows) - _TAIL_ROWS), len(rows))
    summary = [place for place in (*tail, *range(min(_HEAD_ROWS, len(rows)))) if _sums_up(rows[place][:_SUMMARY_CHARS])]
    failures = [
        place
        for place, row in enumerate(rows)
        if row.endswith(_FAILURE_ENDS) or ((bare := row.lstrip())[:1] in _FAILURE_LETTERS and bare.startswith(_FAILURE))
    ]
    return Sketch(rows, text=text, first=[*exit_rows(rows), *summary, *failures, *trouble_rows(text, rows)])


def _sums_up(row: str) -> bool:
    return _COUNTED.search(row) is not None or _SUMMARY.match(row) is not None
