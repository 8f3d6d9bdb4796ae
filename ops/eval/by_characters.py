"""Counting as the scorer counts: a token is four characters of text, of a tool's name and of its arguments."""

from tailrace.schemas.providers.as_text import json_text
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, ToolCallPart, ToolCallResponsePart

CHARS_PER_TOKEN = 4


def count_by_characters(message: Message, _model: str | None = None) -> int:
    """Return the tokens of a message, rounded up, so that a sum is never below what the scorer counts."""
    return -(-_chars(message) // CHARS_PER_TOKEN)


def _chars(message: Message) -> int:
    chars = 0
    for part in message.parts:
        if isinstance(part, ToolCallPart):
            chars += len(part.name) + _length(part.arguments)
        elif isinstance(part, ToolCallResponsePart):
            chars += _length(part.response)
        else:
            chars += len(getattr(part, "content", None) or "")
    return chars


def _length(value: Json) -> int:
    if value is None:
        return 0
    return len(value if isinstance(value, str) else json_text(value))
