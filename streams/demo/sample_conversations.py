"""Conversations to try Tailrace with: those that `make run` replays, and that tests and benchmarks share.

They lie in `samples/` beside this module, two files each: the messages, which any command reads as they are, and what
they are. The dialogue is made up; what tools answer in it was recorded
from commands that were run on this repository (`ops/samples/record.py`).
"""

from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from tailrace.schemas.decoder import decoder

#: How the names of the two files end.
_MESSAGES: Final = ".jsonl"
_ABOUT: Final = ".json"

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
    folder = resources.files("tailrace.streams.demo") / "samples"
    names = sorted(file.name.removesuffix(_MESSAGES) for file in folder.iterdir() if file.name.endswith(_MESSAGES))
    return [read_sample(folder, name) for name in names]


def read_sample(folder: Traversable, name: str) -> Sample:
    """Return the conversation of this name.

    A file with its messages, one in each line, and one that says what it is.
    """
    about = _decode((folder / f"{name}{_ABOUT}").read_bytes())
    messages = (_decode(line) for line in (folder / f"{name}{_MESSAGES}").read_bytes().splitlines())
    return Sample(**about, messages=tuple(messages))
