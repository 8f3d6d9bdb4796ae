"""What the events of a span say, by event and by who speaks: what a summary of it is held against."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tailrace.agents.messages.groups import is_reasoning_only
from tailrace.agents.messages.part_text import text_of
from tailrace.schemas.records.parts import ReasoningPart, ToolCallPart, ToolCallResponsePart
from tailrace.schemas.records.work import SpanMessage

_TALKING = ("user", "assistant")
#: Letters and digits in another dress: wide ones, and those for formulas.
_DRESSED = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), *range(0x1D400, 0x1D800))
#: What nobody sees, but for the joiners that some scripts need.
_HIDDEN = (
    0x00AD,
    0x200B,
    0x200E,
    0x200F,
    0x2060,
    0xFEFF,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xE0000, 0xE0080),
)
_VISIBLE: dict[int, str | None] = {
    **{point: unicodedata.normalize("NFKC", chr(point)) for point in _DRESSED},
    **dict.fromkeys(_HIDDEN),
}
#: As people and machines type them, and as they are typeset.
_QUOTES = _VISIBLE | str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})
_JOINERS = re.compile("(?<=[A-Za-z])[\u200c\u200d]+(?=[A-Za-z])")


def visible(text: str) -> str:
    """The text as it looks: without what nobody sees in it, and in ordinary letters and digits."""
    return text if text.isascii() else _JOINERS.sub("", text.translate(_VISIBLE))


def plain(text: str) -> str:
    """The text with white space and typeset quotes made equal, so that a quotation is found again."""
    straight = text if text.isascii() else text.translate(_QUOTES)
    return " ".join(straight.split())


@dataclass(frozen=True, slots=True)
class EventText:
    """One event: what a person or the assistant said in it, and all of it with calls and results."""

    id: str
    role: str
    spoken: str
    whole: str
    #: Calls that it makes or answers: who cites one end of a call has both.
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpanText:
    """All events of a span, in order."""

    events: tuple[EventText, ...]

    @cached_property
    def by_id(self) -> dict[str, EventText]:
        """Events by their id."""
        return {event.id: event for event in self.events}

    @cached_property
    def whole(self) -> str:
        """Everything, one event after the other."""
        return "\n".join(event.whole for event in self.events)

    @cached_property
    def talk(self) -> str:
        """The talk of users and the assistant, from which the language is told.

        A system prompt is left out, because it is often in another language.
        """
        return "\n".join(event.spoken for event in self.events if event.spoken and event.role in _TALKING)


def span_text(messages: Sequence[SpanMessage]) -> SpanText:
    """Return the texts of these messages, event by event."""
    return SpanText(tuple(map(_event_text, messages)))


def _event_text(span_message: SpanMessage) -> EventText:
    message = span_message.message
    spoken: list[str] = []
    whole: list[str] = []
    for part in message.parts:
        if isinstance(part, ReasoningPart) and not is_reasoning_only(message):
            continue
        text = text_of(part)
        if isinstance(part, ToolCallPart):
            text = f"{part.name} {text}"
        elif not isinstance(part, ReasoningPart | ToolCallResponsePart):
            spoken.append(text)
        whole.append(text)
    role = "program" if span_message.by_program else message.role
    calls = (*message.answered_ids, *message.call_ids)
    return EventText(span_message.id, role, plain("\n".join(spoken)), plain("\n".join(whole)), calls)
