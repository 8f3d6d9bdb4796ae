"""Tables at three widths: on terminals of 80 and 100 columns, and in a pipe."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text
from support.conversations import Published, rules
from typer.testing import CliRunner

from tailrace.agents.engine.partition import PartitionView, RecordOutcome, process
from tailrace.schemas.records.compaction import ClassReceipt, CompactionRecord, LossReceipt, Recoverable, Trigger
from tailrace.schemas.records.spend import Purpose, Spent
from tailrace.streams.cli import app
from tailrace.streams.cli.fitted_table import Column, FittedTable, table_of
from tailrace.streams.cli.receipt_lines import counts_table, listed_table
from tailrace.streams.cli.tables import ThreadRow, messages_table, threads_table
from tailrace.streams.worker.projection import SqliteProjection

PIPE = None
WIDTHS = pytest.mark.parametrize("width", [80, 100, PIPE])
#: As long as names get in practice.
LONG_THREAD = "support/eu-west-1/customer-4711/2026-11-18/conversation-0001"


def shown(table: FittedTable, width: int | None) -> str:
    console = Console(width=width or 10_000, no_color=True, force_terminal=width is not None, legacy_windows=False)
    with console.capture() as capture:
        console.print(table)
    return re.sub(r"\x1b\[[0-9;]*m", "", capture.get())


def command(width: int | None, *words: str) -> str:
    """What a command prints on a terminal of this width, or into a pipe."""
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": str(width)} if width else {"COLUMNS": "80"}
    result = CliRunner().invoke(app, words, env=terminal)
    assert result.exit_code == 0, result.output
    return re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)


def check_readable(text: str, width: int | None, *cells: str) -> None:
    """Nothing is cut, and nothing is wider than the terminal.

    In a pipe nothing is pushed far away by something wide.
    """
    assert "…" not in text
    together = "".join(text.split())
    assert [cell for cell in cells if "".join(cell.split()) not in together] == []
    if width is not None:
        assert [line for line in text.splitlines() if len(line) > width] == []
    else:
        assert [line for line in text.splitlines() if re.search(r" {60}|\s$", line)] == []


@pytest.fixture
def projection(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SqliteProjection:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return SqliteProjection(tmp_path / "projection.db")


@WIDTHS
def test_settings(width: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tailrace.toml").write_text('group = "mine"\n[policy]\nbase = "codex"\n')
    settings = json.loads(command(width, "config", "show", "--json"))

    text = command(width, "config", "show")

    check_readable(text, width, "tailrace.toml", "mine")
    assert [key for key in settings["origins"] if key != "policy.steps" and key not in text] == []
    assert max(map(len, text.splitlines())) <= 400


@WIDTHS
async def test_costs(width: int | None, projection: SqliteProjection) -> None:
    tokens = {"input_tokens": 1_234_567_890, "output_tokens": 98_765_432, "cache_read_tokens": 1_000_000_000}
    usual: dict[str, Any] = {"thread": LONG_THREAD, "tenant": "acme", "agent": "planner", "model": "m", "at_ms": 1}
    calls = tuple(
        Spent(id=str(number), purpose=purpose, cost_usd=12_345.6789, **tokens, **usual)
        for number, purpose in enumerate(Purpose)
    )
    await projection.commit([RecordOutcome([], "noted", spent=calls)])
    projection.close()

    for by in ("tenant", "agent", "thread", "model"):
        text = command(width, "cost", "--by", by)
        check_readable(text, width, "12,345.6789", "1,234,567,890", "98,765,432", "50.0%", str(usual[by]))


@WIDTHS
def test_policies_and_their_triggers(width: int | None) -> None:
    names = [policy["name"] for policy in json.loads(command(width, "policy", "list", "--json"))["policies"]]

    check_readable(command(width, "policy", "list"), width, *names)
    for name in names:
        triggers = json.loads(command(width, "policy", "explain", name, "--json"))["triggers"]
        text = command(width, "policy", "explain", name)
        # A condition may be wrapped between the cells of other columns.
        check_readable(text.partition("\n")[2], width, *(trigger["trigger"] for trigger in triggers))


@WIDTHS
def test_policies_side_by_side(width: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    messages = [{"role": "user", "content": f"{number} " * 400} for number in range(30)]
    Path("talk.json").write_text(json.dumps(messages))
    names = [policy["name"] for policy in json.loads(command(width, "policy", "list", "--json"))["policies"]]
    chosen = [word for name in names for word in ("--policy", name)]

    text = command(width, "plan", "talk.json", "--budget", "4000", *chosen)

    check_readable(text.partition("\n\n")[2].partition("\n\n")[0] if width != 80 else text, width, *names)


@WIDTHS
def test_threads(width: int | None) -> None:
    numbers = {"messages": 1_234_567, "tokens_said": 123_456_789, "messages_live": 100, "tokens_in_context": 999_999}
    row = ThreadRow(
        thread=LONG_THREAD,
        tenant="a-tenant-with-a-name",
        model="a-model",
        tokens=999_999,
        limit_tokens=1_000_000,
        compactions=12_345,
        last_at_ms=0,
        **numbers,
    )
    short = replace(row, tenant="default")

    for rows in ([row], [short]):
        check_readable(shown(threads_table(rows), width), width, "123,456,789", "999,999")
    assert LONG_THREAD.split("/", maxsplit=1)[0] in shown(threads_table([row]), width)


def compaction() -> CompactionRecord:
    """A compaction after which something can be had again."""
    weir = Recoverable(text="weir_7", message_id="m3", artifact_id="abcd")
    rule = Recoverable(text="Never open valve 3 before the weir is down. " * 5, message_id="0123456789abcdef" * 2)
    classes = {
        "identifiers": ClassReceipt(retained=2, recoverable=1, listed=(weir,)),
        "directives": ClassReceipt(retained=1, recoverable=3, listed=(rule,), added=1),
    }
    return CompactionRecord(
        version=1,
        id="feedbeef01",
        thread="t1",
        tenant="default",
        epoch=1,
        trigger=Trigger.TEMPORAL,
        strategy="composed",
        policy_version="0123456789abcdef",
        event_id="m1",
        offset=7,
        before_tokens=9_000,
        after_tokens=6_000,
        limit_tokens=10_000,
        decisions=(),
        receipt=LossReceipt(retained=12, recoverable=8, lost=0, recover_from="the log", classes=classes),
    )


@WIDTHS
def test_receipts(width: int | None) -> None:
    listed = listed_table(compaction())
    assert listed is not None

    check_readable(shown(counts_table(compaction()), width), width, "identifiers", "directives")
    check_readable(shown(listed, width), width, "identifiers", "artifact abcd", "weir_7")


@WIDTHS
def test_messages_show_how_they_begin(width: int | None) -> None:
    partition = PartitionView()
    for number in range(3):
        value = b'{"role":"user","content":"%s"}' % (b"words " * 100)
        process(partition, Published(b"t1", value).at(number), rules())
    text = shown(messages_table(partition.threads["t1"]), width)

    assert len(text.splitlines()) == 4
    assert [line for line in text.splitlines() if width and len(line) > width] == []


@WIDTHS
def test_any_table(width: int | None) -> None:
    columns = ["id", "when", "thread", "from", "bytes", "code", "reason"]
    cells = [
        "3-1234567",
        "2026-11-18 19:20:21Z",
        LONG_THREAD[:40],
        "tailrace.conversations/12@123456789",
        "1234567",
        "unknown_version",
        "the type io.example.very.long.type.v99 is none that this release reads: " * 3,
    ]

    check_readable(shown(table_of(columns, [cells, cells]), width), width, *cells[:2], *cells[4:6])


def test_columns_that_add_little_go_first_and_then_every_row_is_a_block() -> None:
    columns = Column("name", wraps=False), Column("less", dispensable=1), Column("more")
    row = [Text("n" * 30), Text("l" * 20), Text("m" * 30)]
    table = FittedTable(columns, [row, row])

    assert "less" in shown(table, 90)
    assert shown(table, 70).splitlines()[0].split() == ["name", "more"]
    assert shown(table, 40).splitlines()[:2] == [f"name  {'n' * 30}", f"more  {'m' * 30}"]
