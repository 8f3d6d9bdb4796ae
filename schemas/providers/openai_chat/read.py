"""OpenAI chat completion messages, read into `Message`.

Fields of a message that have a part (tool calls, refusal, reasoning, audio) become parts; null and empty ones, and all
fields without a name here, stay in `Message.extra`. A tool message is one answer, and its other fields are the
answer's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import id_field, rest, role_error, text_field, wrong
from tailrace.schemas.providers.call_forms import old_call_id
from tailrace.schemas.providers.openai_chat.calls import read_calls, read_function_call
from tailrace.schemas.providers.openai_chat.content import read_items
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    FilePart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallResponsePart,
)

_OPENAI_CHAT = Format.OPENAI_CHAT
_STRING, _LIST, _NULL, _ABSENT = ContentShape.STRING, ContentShape.LIST, ContentShape.NULL, ContentShape.ABSENT

_REQUIRED_FIELDS = 2  # role and content


def read_message(data: Mapping[str, Any]) -> Message:
    """Return the message; a wrong shape raises `Invalid` with the path and what is expected there."""
    role = data.get("role", UNSET)
    reader = _READERS.get(role) if isinstance(role, str) else None
    if reader is None:
        raise role_error(role, _READERS)
    return reader(role, data)


def _read_spoken(role: str, data: Mapping[str, Any]) -> Message:
    content = data.get("content", UNSET)
    parts: tuple[AnyPart, ...]
    if isinstance(content, str):
        parts, shape = (TextPart(content=content),) if content else (), _STRING
    elif isinstance(content, list):
        parts, shape = read_items(content, "message.content"), _LIST
    else:
        raise wrong("message.content", "a string or a list of content items", content)
    if len(data) == _REQUIRED_FIELDS:
        return Message(role=role, parts=parts, format=_OPENAI_CHAT, content_shape=shape)
    taken = {"role", "content"}
    name = _take_name(data, taken)
    extra = rest(data, taken)
    return Message(role=role, parts=parts, name=name, format=_OPENAI_CHAT, content_shape=shape, extra=extra)


def _read_assistant(role: str, data: Mapping[str, Any]) -> Message:
    taken = {"role", "content"}
    parts = _take_reasoning(data, taken)
    content = data.get("content", UNSET)
    if isinstance(content, str):
        shape = _STRING
        if content:
            parts.append(TextPart(content=content))
    elif isinstance(content, list):
        shape = _LIST
        parts += read_items(content, "message.content")
    elif content is None or content is UNSET:
        shape = _ABSENT if content is UNSET else _NULL
    else:
        raise wrong("message.content", "a string, a list of content items or null", content)
    for key, where, reader in _ASSISTANT_FIELDS:
        value = data.get(key)
        if value is not None and (items := reader(value, where)):
            parts += items
            taken.add(key)
    name = _take_name(data, taken)
    extra = rest(data, taken) if len(data) > len(taken) or shape is _ABSENT else {}
    return Message(role=role, parts=tuple(parts), name=name, format=_OPENAI_CHAT, content_shape=shape, extra=extra)


def _read_tool(role: str, data: Mapping[str, Any]) -> Message:
    return _read_answer(role, data, id_field(data, "tool_call_id", "message"))


def _read_function(role: str, data: Mapping[str, Any]) -> Message:
    return _read_answer(role, data, old_call_id(text_field(data, "name", "message")))


def _read_answer(role: str, data: Mapping[str, Any], call_id: str) -> Message:
    # Only a tool message has taken its call's id from the field; to any other role the field means nothing.
    taken = {"role", "tool_call_id"} if role == "tool" else {"role"}
    name = _take_name(data, taken)
    content = data.get("content")
    if content is not None:  # null stays in extra, so that it is not taken for absent
        taken.add("content")
        if isinstance(content, list):
            read_items(content, "message.content")  # checked here; the answer keeps them as they came
        elif not isinstance(content, str):
            raise wrong("message.content", "a string, a list of content items or null", content)
    extra = rest(data, taken) if len(data) > len(taken) else {}
    answer = ToolCallResponsePart(id=call_id, response=content, extra=extra)
    return Message(role=role, parts=(answer,), name=name, format=_OPENAI_CHAT)


def _take_name(data: Mapping[str, Any], taken: set[str]) -> str | None:
    name = data.get("name")
    if name is None:
        return None
    if not isinstance(name, str):
        raise wrong("message.name", "a string or null", name)
    taken.add("name")
    return name


def _take_reasoning(data: Mapping[str, Any], taken: set[str]) -> list[AnyPart]:
    text = data.get("reasoning_content")
    if text is not None and not isinstance(text, str):
        raise wrong("message.reasoning_content", "a string or null", text)
    if text:
        # vLLM sends the same text under both names for a while: it counts once.
        taken.add("reasoning_content")
        return [ReasoningPart(content=text)]
    text = data.get("reasoning")
    if isinstance(text, str) and text:
        taken.add("reasoning")
        return [ReasoningPart(content=text, extra={"type": "reasoning"})]
    return []


def _read_refusal(value: Json, where: str) -> tuple[AnyPart, ...]:
    if not isinstance(value, str):
        raise wrong(where, "a string or null", value)
    return (RefusalPart(content=value),) if value else ()


def _read_audio(value: Json, where: str) -> tuple[AnyPart, ...]:
    if not isinstance(value, dict):
        raise wrong(where, "an object with an id, or null", value)
    if not isinstance(value.get("id"), str):
        return ()
    extra = {"type": "audio", "audio": rest(value, ("id",))}
    return (FilePart(file_id=value["id"], modality="audio", extra=extra),)


_READERS: dict[str, Callable[[str, Mapping[str, Any]], Message]] = {
    "system": _read_spoken,
    "developer": _read_spoken,
    "user": _read_spoken,
    "assistant": _read_assistant,
    "tool": _read_tool,
    "function": _read_function,
}

#: Fields of an assistant message that become parts, with their paths.
_ASSISTANT_FIELDS: tuple[tuple[str, str, Callable[[Json, str], Sequence[AnyPart]]], ...] = (
    ("refusal", "message.refusal", _read_refusal),
    ("audio", "message.audio", _read_audio),
    ("tool_calls", "message.tool_calls", read_calls),
    ("function_call", "message.function_call", read_function_call),
)
