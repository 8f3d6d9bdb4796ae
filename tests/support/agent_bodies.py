"""What agents say, as requests and answers of each API."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.schemas.records.message import Format

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was said, whatever the API. `harness` is renewed with every request."""

    kind: str
    text: str
    call: str = ""


def without_reminders(text: str) -> str:
    return re.sub(r" ?<system-reminder>.*?</system-reminder>", "", text)


def _chat(steps: Sequence[Step]) -> Json:
    return {"messages": [_CHAT[step.kind](step) for step in steps if step.kind != "think"]}


_CHAT: dict[str, Callable[[Step], Json]] = {
    "system": lambda step: {"role": "system", "content": step.text},
    "user": lambda step: {"role": "user", "content": step.text},
    "answer": lambda step: {"role": "assistant", "content": step.text},
    "call": lambda step: {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": step.call, "type": "function", "function": {"name": "look", "arguments": _arguments(step)}}
        ],
    },
    "result": lambda step: {"role": "tool", "tool_call_id": step.call, "content": step.text},
}


def _responses(steps: Sequence[Step]) -> Json:
    return {"input": [_ITEMS[step.kind](step) for step in steps], "store": False}


_ITEMS: dict[str, Callable[[Step], Json]] = {
    "system": lambda step: {"role": "developer", "content": step.text},
    "user": lambda step: {"role": "user", "content": [{"type": "input_text", "text": step.text}]},
    "answer": lambda step: {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": step.text, "annotations": []}],
    },
    "think": lambda step: {"type": "reasoning", "id": f"rs_{step.call}", "summary": [], "encrypted_content": step.text},
    "call": lambda step: {
        "type": "function_call",
        "call_id": step.call,
        "name": "look",
        "arguments": _arguments(step),
    },
    "result": lambda step: {"type": "function_call_output", "call_id": step.call, "output": step.text},
}


def _messages(steps: Sequence[Step]) -> Json:
    system = [step.text for step in steps if step.kind == "system"]
    messages = [_BLOCKS[step.kind](step) for step in steps if step.kind in _BLOCKS]
    return {"messages": messages, "max_tokens": 10, **({"system": system[0]} if system else {})}


_BLOCKS: dict[str, Callable[[Step], Json]] = {
    "user": lambda step: {"role": "user", "content": step.text},
    "answer": lambda step: {"role": "assistant", "content": [{"type": "text", "text": step.text}]},
    "call": lambda step: {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": step.call, "name": "look", "input": {"what": step.text}}],
    },
    "result": lambda step: {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": step.call, "content": step.text}],
    },
}
_BODIES = {
    Format.OPENAI_CHAT: _chat,
    Format.OPENAI_RESPONSES: _responses,
    Format.ANTHROPIC_MESSAGES: _messages,
}


def _arguments(step: Step) -> str:
    return json.dumps({"what": step.text})


def body_of(api: Format, steps: Sequence[Step]) -> Json:
    """The request that holds all of it."""
    return {"model": "m", **_BODIES[api](steps)}


def response_of(api: Format, steps: Sequence[Step]) -> Json:
    """The provider's response that says these steps."""
    if api is Format.OPENAI_CHAT:
        return {"choices": [{"index": 0, "message": _CHAT[steps[-1].kind](steps[-1])}]}
    if api is Format.ANTHROPIC_MESSAGES:
        return _BLOCKS[steps[-1].kind](steps[-1])
    return {"status": "completed", "output": [_ITEMS[step.kind](step) for step in steps]}
