"""What reading a transcript gives: its messages in order, and all that was left out, with the reason."""

from typing import Any

from msgspec import Struct

from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Message

#: Source of what a program wrote in a user's name, such as where it runs or which of its own commands were used. A
#: person did not say it: it is neither the first nor the latest user message, and begins no turn.
PROGRAM_SOURCE = "program"


class TranscriptMessage(Struct, frozen=True, kw_only=True):
    """A message with what the transcript says of it: an id of its own, when it was made, by which model, at what cost.

    Input tokens are all that the model read, whether or not it came from a cache.
    """

    id: str
    message: Message
    created_at_ms: int | None = None
    model: str | None = None
    usage: Usage | None = None
    #: Whose words they are, where they are not those of the role: `PROGRAM_SOURCE`.
    source: str | None = None
    agent: str | None = None
    pinned: bool = False


class Skipped(Struct, frozen=True, kw_only=True):
    """A line that gave no message, or not all of what it holds; lines count from 1."""

    line: int
    why: str


class Transcript(Struct, frozen=True, kw_only=True):
    """A conversation as it lay on disk. `source` names the program or the form that it came from."""

    source: str
    messages: tuple[TranscriptMessage, ...]
    skipped: tuple[Skipped, ...] = ()
    #: Definitions of tools, as they stood beside the messages of a request.
    tools: tuple[dict[str, Any], ...] = ()
