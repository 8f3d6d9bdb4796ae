"""What a command loads: what it has no use for would take longer to load than most commands take to run."""

import subprocess
import sys

import pytest

from tailrace.streams.cli.command_list import COMMANDS

RUN = """
import sys
from tailrace.streams.cli import app
try:
    app({words})
finally:
    sys.stdout.write("\\0" + " ".join(sys.modules))
"""


def loaded(*words: str) -> set[str]:
    """The modules that are loaded once the command has run."""
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(words=words)], capture_output=True, text=True, check=True, timeout=240
    )
    return set(done.stdout.rpartition("\0")[2].split())


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("version",), ("tools", "--format", "gemini")], ids=" ".join
)
def test_what_needs_no_settings_loads_neither_them_nor_what_moves(words: tuple[str, ...]) -> None:
    names = loaded(*words)
    commands = {f"tailrace.streams.cli.{name}" for lines in COMMANDS.values() for name in lines}

    assert "tailrace.streams.cli.commands" in names
    assert names & (commands - {f"tailrace.streams.cli.{words[0]}"}) == set()
    assert names & {"asyncio", "aiokafka", "pydantic_settings", "tailrace.streams.settings.settings"} == set()
    assert [name for name in names if name.startswith("tailrace.agents.")] == []
