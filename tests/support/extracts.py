"""Conversations of a few messages with tools, and what a summary without a model makes of them."""

from typing import Any

from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import Json, TextPart, ToolCallPart, ToolCallResponsePart

CHANGED = "What was changed:"
ERRORS = "Errors:"
DEMANDS = "What the user asked for and demands:"
FOUND = "What was said and found:"


def said(role: str, text: str) -> Message:
    """What somebody said."""
    return Message(role=role, parts=(TextPart(content=text),))


def call(tool: str, arguments: Json, call_id: str = "1") -> Message:
    """A call of a tool."""
    return Message(role="assistant", parts=(ToolCallPart(id=call_id, name=tool, arguments=arguments),))


def result(response: Json, call_id: str = "1", **extra: Any) -> Message:
    """What a tool answered."""
    return Message(role="tool", parts=(ToolCallResponsePart(id=call_id, response=response, extra=extra),))


def ran(command: str, answer: str = "", **beside: Json) -> tuple[Message, Message]:
    """A command and what it printed."""
    return call("Bash", {"command": command, **beside}), result(answer)


def summary(*messages: Message, chars: int = 2_000) -> str:
    """The summary of messages, in so many characters."""
    return extract_summary(messages, budget_tokens=chars, count_text=len)


def section(text: str, heading: str) -> list[str]:
    """Bullets under a heading."""
    lines = text.partition(f"{heading}\n")[2].split("\n")
    end = next((place for place, line in enumerate(lines) if not line.startswith("- ")), len(lines))
    return lines[:end]


def under(text: str, heading: str) -> str:
    """What stands under a heading, as one text."""
    return "\n".join(section(text, heading))
