"""Messages as OpenAI chat completions have them: those that came so unchanged, all others as `foreign` writes them."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import nested
from tailrace.schemas.providers.content import shortest
from tailrace.schemas.providers.openai_chat.calls import is_old, write_call, write_function_call
from tailrace.schemas.providers.openai_chat.content import write_item
from tailrace.schemas.providers.openai_chat.foreign import ANSWERING_ROLES, SPEAKING_ROLES, ChatTranscript
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import (
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

#: What is written as `content` when no part is content; absent is not written.
_EMPTY_CONTENT: dict[ContentShape | None, Json] = {_STRING: "", _NULL: None, _ABSENT: UNSET}


def write_messages(messages: Sequence[Message], carry: Carry) -> list[dict[str, Any]]:
    """Return OpenAI chat messages: those that came as such unchanged, others as far as they cross."""
    transcript = ChatTranscript(carry)
    for message in messages:
        if _is_native(message):
            transcript.add(_write_native(message))
        else:
            transcript.add_foreign(message)
    transcript.release()
    return transcript.messages


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
