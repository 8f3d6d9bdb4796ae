"""Conversations to try Tailrace with: those that `make run` replays, and that tests and benchmarks share.

They lie in `samples/` beside this module, one file each. The dialogue is made up; what tools answer in it was recorded
from commands that were run on this repository (`ops/samples/record.py`).
"""

from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from tailrace.schemas.decoder import decoder

_decode = decoder()


@dataclass(frozen=True, slots=True)
class Sample:
    """One conversation. `messages` are as a provider has them: OpenAI's chat shape, or Anthropic's blocks."""

    thread: str
    model: str
    title: str
    language: str
    messages: tuple[dict[str, Any], ...]


def load_samples() -> list[Sample]:
    """Return all sample conversations, in the order of their file names."""
    folder = resources.files("tailrace.streams") / "samples"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return [read_sample(file) for file in files if file.name.endswith(".jsonl")]


def read_sample(file: Traversable) -> Sample:
    """Return the conversation of one file: a line with what it is, then one line for each message."""
    header, *messages = (_decode(line) for line in file.read_bytes().splitlines())
    return Sample(**header, messages=tuple(messages))
