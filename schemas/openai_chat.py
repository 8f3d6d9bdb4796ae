"""OpenAI chat completion messages, read into `Message` and written back as they came.

Fields of a message that have a part (tool calls, refusal, reasoning, audio) become parts; null and empty ones, and all
fields without a name here, stay in `Message.extra`. A tool message is one answer, and its other fields are the
answer's. Messages of other formats are written by `openai_foreign`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from tailrace.schemas.content import shortest
from tailrace.schemas.fields import id_field, nested, rest, role_error, text_field, wrong
from tailrace.schemas.message import ContentShape, Format, Message
from tailrace.schemas.openai_calls import (
    is_old,
    old_call_id,
    read_calls,
    read_function_call,
    write_call,
    write_function_call,
)
from tailrace.schemas.openai_content import read_items, write_item
from tailrace.schemas.openai_foreign import ANSWERING_ROLES, SPEAKING_ROLES, Transcript
from tailrace.schemas.parts import (
    AnyPart,
    FilePart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

_OPENAI_CHAT = Format.OPENAI_CHAT
_STRING, _LIST, _NULL, _ABSENT = ContentShape.STRING, ContentShape.LIST, ContentShape.NULL, ContentShape.ABSENT

_REQUIRED_FIELDS = 2  # role and content

#: What is written as `content` when no part is content; absent is not written.
_EMPTY_CONTENT: dict[ContentShape | None, Json] = {_STRING: "", _NULL: None, _ABSENT: UNSET}


def read_message(data: Mapping[str, Any]) -> Message:
    """Return the message; a wrong shape raises `Invalid` with the path and what is expected there."""
    role = data.get("role", UNSET)
    reader = _READERS.get(role) if isinstance(role, str) else None
    if reader is None:
        raise role_error(role, _READERS)
    return reader(role, data)


def write_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return OpenAI chat messages: those that came as such unchanged, others as far as they cross."""
    transcript = Transcript()
    for message in messages:
        if _is_native(message):
            transcript.add(_write_native(message))
        else:
            transcript.add_foreign(message)
    transcript.release()
    return transcript.messages


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
        if value is not None and (found := reader(value, where)):
            parts += found
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


def _is_native(message: Message) -> bool:
    if message.format != _OPENAI_CHAT:
        return False
    # Parts may have been exchanged since the message was read: only what has this format's shape is written as such.
    if message.role in ANSWERING_ROLES:
        return len(message.parts) == 1 and isinstance(message.parts[0], ToolCallResponsePart)
    for part in message.parts:
        if type(part) is ToolCallResponsePart:
            return False
    return message.role in SPEAKING_ROLES


def _write_native(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role}
    if message.name is not None:
        written["name"] = message.name
    if message.role in ANSWERING_ROLES:
        return _write_answer(message, written)
    text = _only_text(message.parts) if message.content_shape is _STRING else None
    if text is not None:  # most need none of the rest
        written["content"] = text
        return _with_extra(written, message.extra) if message.extra else written
    return _write_parts(message, written)


def _only_text(parts: Sequence[AnyPart]) -> str | None:
    """The text that is all that a message says; None where it says anything else."""
    part = parts[0] if len(parts) == 1 else None
    return part.content if type(part) is TextPart and not part.extra else None


def _write_parts(message: Message, written: dict[str, Any]) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    fields: dict[str, Any] = {}
    for part in message.parts:
        if type(part) is TextPart:  # most are, and it is none of the rest
            items.append(write_item(part))
        elif isinstance(part, ToolCallPart) and not is_old(part):
            calls.append(write_call(part))
        elif field := _field_of(part):
            fields[field[0]] = field[1]
        else:
            items.append(write_item(part))
    content = _write_content(items, message.content_shape)
    if content is not UNSET:
        written["content"] = content
    if fields:
        written.update(fields)
    if calls:
        written["tool_calls"] = calls
    return _with_extra(written, message.extra) if message.extra else written


def _field_of(part: AnyPart) -> tuple[str, Json] | None:
    match part:
        case ReasoningPart(extra={"type": "reasoning"}):
            return "reasoning", part.content
        case ReasoningPart():
            return "reasoning_content", part.content
        case RefusalPart() if "type" not in part.extra:
            return "refusal", part.content
        case FilePart(extra={"type": "audio"}):
            return "audio", {"id": part.file_id, **nested(part.extra, "audio")}
        case ToolCallPart():
            return "function_call", write_function_call(part)
        case _:
            return None


def _write_content(items: list[dict[str, Any]], shape: ContentShape | None) -> Json:
    if shape == _LIST:
        return items
    return shortest(items) if items else _EMPTY_CONTENT.get(shape)


def _write_answer(message: Message, written: dict[str, Any]) -> dict[str, Any]:
    for part in message.parts:
        if isinstance(part, ToolCallResponsePart):
            if message.role == "tool":
                written["tool_call_id"] = part.id
            if part.response is not None:
                written["content"] = part.response
            if part.extra:
                _with_extra(written, part.extra)
    return written


def _with_extra(written: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    for key, value in extra.items():
        written.setdefault(key, value)
    return written


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
