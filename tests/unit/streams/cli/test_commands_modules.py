"""What a command loads: what it has no use for would take longer to load than most commands take to run."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.patience import LONG_SECONDS

from tailrace.streams.cli.command_list import COMMANDS

RUN = """
import sys
from tailrace.streams.cli import app
try:
    app({words})
finally:
    sys.stdout.write("\\0" + " ".join(sys.modules))
"""
LOAD = """
import sys
from typer.main import get_command
from tailrace.streams.cli import app
get_command(app).commands[{name!r}]
sys.stdout.write("\\0" + " ".join(sys.modules))
"""
#: What decides about contexts. Its rules about what people say are by far the most that there is to load.
ENGINE = {"tailrace.agents.ledger.book", "tailrace.agents.engine.partition", "tailrace.agents.distill.distill"}
#: Commands that decide themselves, or try what decides.
DECIDING = {"plan", "compact", "policy", "doctor"}


def loaded(script: str) -> set[str]:
    """The modules that are loaded once the script has run."""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=LONG_SECONDS
    )
    return set(done.stdout.rpartition("\0")[2].split())


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("version",), ("tools", "--format", "gemini")], ids=" ".join
)
def test_what_needs_no_settings_loads_neither_them_nor_what_moves(words: tuple[str, ...]) -> None:
    names = loaded(RUN.format(words=words))
    commands = {f"tailrace.streams.cli.{name}" for lines in COMMANDS.values() for name in lines}

    assert "tailrace.streams.cli.commands" in names
    assert names & (commands - {f"tailrace.streams.cli.{words[0]}"}) == set()
    assert names & {"asyncio", "aiokafka", "tailrace.streams.settings.settings"} == set()
    assert [name for name in names if name.startswith("tailrace.agents.")] == []


def test_settings_are_checked_without_a_kafka_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    names = loaded(RUN.format(words=("config", "check")))

    assert "tailrace.streams.settings.settings" in names
    assert names & {"aiokafka", "faust", "sqlite_utils", *ENGINE} == set()


@pytest.mark.parametrize("name", ["recall", "cost", "rebuild"])
def test_the_help_of_what_reads_files_loads_neither_sqlite_nor_kafka(name: str) -> None:
    names = loaded(RUN.format(words=(name, "--help")))

    assert f"tailrace.streams.cli.{name}" in names
    assert names & {"sqlite_utils", "numpy", "aiokafka", "faust", *ENGINE} == set()


@pytest.mark.parametrize("name", sorted({name for lines in COMMANDS.values() for name in lines} - DECIDING))
def test_a_command_that_decides_nothing_loads_no_engine(name: str) -> None:
    names = loaded(LOAD.format(name=name))

    assert f"tailrace.streams.cli.{name}" in names
    assert names & ENGINE == set()
