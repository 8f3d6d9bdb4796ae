"""What models have cost.

In the projection, from the log as from the summarizer itself, and as `tailrace cost` shows it.
"""

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.conversations import Published, small_engine
from typer.testing import CliRunner

from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.schemas.records.spend import Purpose, Spent
from tailrace.streams.cli import app
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.worker.projection import SqliteProjection


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, bare_folder: Path) -> Path:
    monkeypatch.setenv("TAILRACE_DATA_DIR", str(bare_folder))
    return bare_folder / "projection.db"


def cost(*words: str) -> Any:
    return CliRunner().invoke(app, ["cost", *words])


def compactor(call_id: str, **fields: Any) -> Spent:
    usual: dict[str, Any] = {"thread": "t", "tenant": "acme", "agent": None, "model": "m", "at_ms": 1}
    tokens = {"input_tokens": 300, "output_tokens": 30, "cost_usd": 0.25}
    return Spent(**{**usual, **tokens, "id": call_id, "purpose": Purpose.COMPACTOR, **fields})


async def test_a_price_that_four_places_do_not_show_is_not_nothing(path: Path) -> None:
    projection = SqliteProjection(path)
    await projection.commit([RecordOutcome([], "noted", spent=(compactor("c1", cost_usd=0.000_001),))])
    projection.close()

    assert "<0.0001" in cost().stdout


def reports() -> list[RecordOutcome]:
    """Two calls of one agent, one of another, in two threads."""
    partition = PartitionView()
    outcomes = []
    for offset, (thread, agent) in enumerate((("t", "planner"), ("t", "planner"), ("u", "coder"))):
        body = {
            "id": f"m{offset}",
            "native": {"role": "assistant", "content": "ok"},
            "format": "openai.chat",
            "tenant": "acme",
            "agent": agent,
            "model": "gpt-4o-mini",
            "usage": {"input_tokens": 1_000_000, "output_tokens": 1_000},
        }
        record = Published(thread.encode(), msgspec.json.encode(body)).at(offset)
        outcomes.append(process(partition, record, small_engine()))
    return outcomes


async def test_calls_of_agents_and_of_the_compactor_stand_side_by_side(path: Path) -> None:
    projection = SqliteProjection(path)
    await projection.commit(reports())
    await projection.commit(reports())  # a replay
    await projection.commit([RecordOutcome([], "noted", spent=(compactor("c1"), compactor("c2", thread="u")))])
    projection.close()

    rows = json.loads(cost("--by", "agent", "--json").output)["rows"]
    assert {row["name"]: row["primary"]["calls"] for row in rows} == {"planner": 2, "coder": 1, "": 0}
    rows = json.loads(cost("--by", "thread", "--json").output)["rows"]
    by_thread = {row["name"]: row for row in rows}
    assert by_thread["t"]["primary"]["cost_usd"] == pytest.approx(2 * (0.15 + 0.0006))
    assert by_thread["t"]["compactor"] == {
        "calls": 1,
        "input_tokens": 300,
        "cache_read_tokens": 0,
        "cache_write_tokens": 0,
        "output_tokens": 30,
        "cost_usd": 0.25,
    }
    assert [row["name"] for row in json.loads(cost("--by", "model", "--thread", "u", "--json").output)["rows"]] == [
        "m",
        "gpt-4o-mini",
    ]
    shown = cost("--tenant", "acme")
    assert shown.exit_code == 0
    assert "2,000,000" not in shown.output
    assert "3,000,000" in shown.output
    assert "No call" in cost("--tenant", "nobody").output
    assert json.loads(cost("--since", "1h", "--json").output)["rows"] == []


async def test_a_call_that_the_summarizer_wrote_down_itself_is_not_counted_again_when_the_log_tells_of_it(
    path: Path,
) -> None:
    file = RecordsFile(path)
    row = "insert into model_calls (id, purpose, tenant, input_tokens, output_tokens, cost_usd, outcome) "
    await file.transact(
        lambda connection: connection.execute(f"{row} values ('c1', 'compactor', 'acme', 1, 1, 9, 'answered')")
    )
    file.close()
    projection = SqliteProjection(path)
    await projection.commit([RecordOutcome([], "noted", spent=(compactor("c1"),))])
    projection.close()
    ((calls, usd),) = sqlite3.connect(path).execute("select count(*), sum(cost_usd) from model_calls").fetchall()
    assert (calls, usd) == (1, 9)


def test_a_file_of_an_earlier_release_gets_the_columns_that_it_lacks(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("create table model_calls (id text primary key, tenant text, at_ms integer, cost_usd real)")
    connection.close()
    SqliteProjection(path).close()
    columns = [column[1] for column in sqlite3.connect(path).execute("pragma table_info(model_calls)")]
    assert columns[-2:] == ["cache_read_tokens", "cache_write_tokens"]


def test_without_a_projection_the_command_says_what_to_do(path: Path) -> None:
    result = cost()
    assert result.exit_code != 0
    assert "tailrace worker" in result.stderr
    assert not path.exists()
