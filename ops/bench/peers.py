"""Other libraries that keep a context in budget: an environment of their own, and questions to a process in it.

They are no part of Tailrace's environment, because nobody who runs Tailrace needs them. What is timed is timed in
their process, by `peer_turns.py`, so that neither starting it nor handing messages over counts.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Self, TypeVar

import msgspec
from msgspec import Struct

from ops.bench.long_thread import ChatMessage
from ops.bench.programs import ROOT
from tailrace.streams.settings.settings import cache_dir

REQUIREMENTS = ROOT / "requirements" / "peers.txt"
_SCRIPT = Path(__file__).with_name("peer_turns.py")
_LIMIT_SECONDS = 900.0

Answer = TypeVar("Answer")


class TurnCase(Struct, frozen=True, kw_only=True):
    """A thread that has come this far, and the messages that each of the next turns brings."""

    past: list[ChatMessage]
    turns: list[list[ChatMessage]]


class TurnQuestion(Struct, frozen=True, kw_only=True):
    """Asks what a turn costs in these threads with this budget."""

    cases: list[TurnCase]
    budget_tokens: int


class TurnAnswer(Struct, frozen=True, kw_only=True):
    """Microseconds of CPU for a turn of one case, by what ran."""

    agent_framework: float
    summarization_check: float
    trim_messages: float

    @classmethod
    def cheapest(cls, answers: Iterable[Self]) -> Self:
        """Return the least that each of the ways has cost."""
        costs = [msgspec.structs.asdict(answer) for answer in answers]
        return cls(**{way: min(cost[way] for cost in costs) for way in cls.__struct_fields__})

    @property
    def langchain(self) -> float:
        """The cheaper of the two ways to do it with LangChain."""
        return min(self.summarization_check, self.trim_messages)


class TrimQuestion(Struct, frozen=True, kw_only=True):
    """Asks what it costs to trim each of these threads to half of its tokens."""

    threads: list[list[ChatMessage]]
    #: How often each is trimmed.
    repeats: list[int]


class TrimAnswer(Struct, frozen=True, kw_only=True):
    """Milliseconds of CPU to trim one thread, and how many of its messages were left."""

    trim: float
    kept: int


def ask_turns(question: TurnQuestion) -> list[TurnAnswer]:
    """Return what a turn costs in each case."""
    return _ask("turns", question, list[TurnAnswer])


def ask_trims(question: TrimQuestion) -> list[TrimAnswer]:
    """Return what trimming costs for each thread."""
    return _ask("trims", question, list[TrimAnswer])


def peer_versions() -> str:
    """Return the libraries with the versions that they are pinned to."""
    names = ("agent-framework-core", "langchain", "langchain-core")
    pins = dict(line.split(" ", 1)[0].split("==", 1) for line in REQUIREMENTS.read_text().splitlines() if "==" in line)
    return ", ".join(f"{name} {pins[name]}" for name in names)


def _ask(what: str, question: Struct, answer: type[Answer]) -> Answer:
    # Isolated: the folder of the script, where our own modules lie, is no place for their imports.
    command = [str(_environment()), "-I", str(_SCRIPT), what]
    asked = msgspec.json.encode(question)
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, timeout=_LIMIT_SECONDS, check=True)
    return msgspec.json.decode(done.stdout, type=answer)


def _environment() -> Path:
    """Return the Python of the peers' environment, which is made where it isn't there yet."""
    pinned = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()[:12]
    folder = cache_dir() / f"bench-peers-{pinned}"
    python = folder / "bin" / "python"
    whole = folder / "whole"
    if not whole.exists():
        print(f"the libraries to compare with go to {folder} ...", end=" ", file=sys.stderr, flush=True)
        _uv("venv", "--clear", "--python", sys.executable, str(folder))
        _uv("pip", "install", "--python", str(python), "--require-hashes", "-r", str(REQUIREMENTS))
        whole.touch()
    return python


def _uv(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", "--quiet", *arguments], check=True)
