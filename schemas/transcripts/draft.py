"""A transcript in the making: readers add what they find, and the end is the same for all of them.

Every id is made unique and such as an event may have. A result whose call did not come before it, or has one already,
is left out and listed: a thread takes no such result.
"""

from collections import Counter
from datetime import datetime

from msgspec.structs import replace

from tailrace.schemas.errors import Invalid
from tailrace.schemas.ingest import check_id
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, CompactionPart, Json, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.transcripts.transcript import Skipped, Transcript, TranscriptMessage

_EXPECTED = (
    "a JSON array of messages, an object with `messages`, `input` or `contents`, JSON lines of messages, "
    "a session file of Claude Code or a rollout file of Codex"
)


class TranscriptDraft:
    """Messages and skipped lines of one transcript, in the order in which they were found."""

    def __init__(self, source: str) -> None:
        """Start with nothing read."""
        self.source = source
        self._messages: list[tuple[int, TranscriptMessage]] = []
        self._skipped: list[Skipped] = []

    @property
    def count(self) -> int:
        return len(self._messages)

    def add(self, line: int, message: TranscriptMessage) -> None:
        """Take a message that stands on that line."""
        self._messages.append((line, message))

    def skip(self, line: int, why: str) -> None:
        """Note that a line, or a part of it, gave no message."""
        self._skipped.append(Skipped(line=line, why=why))

    def take_back(self, turns: int, why: str) -> None:
        """Leave out that many of the newest turns and list them; what holds for the whole session stays."""
        begins = [place for place, (_, held) in enumerate(self._messages) if _begins_turn(held)]
        if not begins:
            return
        first = begins[max(0, len(begins) - turns)]
        for line, held in self._messages[first:]:
            if not _holds_throughout(held):
                self.skip(line, why)
        self._messages[first:] = [(line, held) for line, held in self._messages[first:] if _holds_throughout(held)]

    def note_usage(self, usage: Usage) -> None:
        """Give a usage that came later to the newest message of the assistant."""
        for index in range(len(self._messages) - 1, -1, -1):
            line, held = self._messages[index]
            if held.message.role == "assistant":
                self._messages[index] = (line, replace(held, usage=usage))
                return

    def finished(self) -> Transcript:
        """Return the transcript. Raises `Invalid` if it holds no message at all."""
        messages: list[TranscriptMessage] = []
        waiting: Counter[str] = Counter()
        used: set[str] = set()
        for line, held in self._messages:
            message = self._without_orphans(line, held.message, waiting)
            if message is not None:
                unique = _unique_id(held.id, line, used)
                messages.append(replace(held, id=unique, message=message))
        skipped = tuple(sorted(self._skipped, key=lambda left_out: left_out.line))
        if not messages:
            first = f"; line {skipped[0].line}: {skipped[0].why}" if skipped else ""
            raise Invalid(f"no message could be read. A transcript is {_EXPECTED}{first}")
        return Transcript(source=self.source, messages=tuple(messages), skipped=skipped)

    def _without_orphans(self, line: int, message: Message, waiting: Counter[str]) -> Message | None:
        parts: list[AnyPart] = []
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                waiting[part.id] += 1
            elif isinstance(part, ToolCallResponsePart):
                if not waiting[part.id]:
                    self.skip(
                        line, f"answers the call {part.id!r}, which no message before it makes, or which has its answer"
                    )
                    continue
                waiting[part.id] -= 1
            parts.append(part)
        if len(parts) == len(message.parts):
            return message
        return replace(message, parts=tuple(parts)) if parts else None


def _begins_turn(held: TranscriptMessage) -> bool:
    message = held.message
    is_summary = any(isinstance(part, CompactionPart) for part in message.parts)
    return message.role == "user" and held.source is None and not is_summary


def _holds_throughout(held: TranscriptMessage) -> bool:
    return held.pinned or held.message.role == "system"


def milliseconds(moment: Json) -> int | None:
    """Return a time as transcripts write it, in milliseconds since 1970; None where it is none."""
    if not isinstance(moment, str):
        return None
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return int(parsed.timestamp() * 1000) if parsed.tzinfo else None


def text_or_none(value: Json) -> str | None:
    """Return the value if it is a string that is not empty."""
    return value if isinstance(value, str) and value else None


def tokens_of(counts: dict[str, Json], *names: str) -> int | None:
    """Return the sum of the counts under these names; None where there is none of them."""
    held = [counts[name] for name in names if isinstance(counts.get(name), int)]
    return sum(held) if held else None


def _unique_id(own: str, line: int, used: set[str]) -> str:
    try:
        base = check_id(own, "id")
    except Invalid:
        base = f"line-{line}"
    unique, number = base, 1
    while unique in used:
        number += 1
        unique = f"{base[:240]}-{number}"
    used.add(unique)
    return unique
