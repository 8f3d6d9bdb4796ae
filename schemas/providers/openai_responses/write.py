"""Messages as items of the OpenAI Responses API.

Those that came so unchanged, all others as far as they cross (`conversion`).
"""

from collections.abc import Sequence
from typing import Any

from tailrace.schemas.providers.as_text import json_text, media_note
from tailrace.schemas.providers.openai_responses.content import FILE_NAME, shortest, usual_type, write_item
from tailrace.schemas.providers.openai_responses.items import (
    kind_of,
    output_item,
    write_call,
    write_output,
    write_reasoning,
)
from tailrace.schemas.providers.openai_responses.read import ROLES
from tailrace.schemas.providers.pieces import Carried, CarriedAnswer, Carry
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Json,
    ReasoningPart,
    RefusalPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

_OPENAI_RESPONSES = Format.OPENAI_RESPONSES
_STRING, _LIST = ContentShape.STRING, ContentShape.LIST


def write_messages(messages: Sequence[Message], carry: Carry) -> list[dict[str, Any]]:
    """Return Responses items: those that came as such unchanged, others as far as they cross."""
    items: list[dict[str, Any]] = []
    kinds: dict[str, str] = {}
    for message in messages:
        native = _write_native(message)
        items += [native] if native else _write_foreign(carry(message), message.role, kinds)
        kinds.update({part.id: kind_of(part) for part in message.parts if native and isinstance(part, ToolCallPart)})
    return items


def _write_native(message: Message) -> dict[str, Any] | None:
    # Parts may have been exchanged since the message was read: only what has this format's shape is written as such.
    if message.format != _OPENAI_RESPONSES:
        return None
    if message.content_shape is None:
        return _write_item(message.parts)
    if message.role not in ROLES or message.extra.get("type") not in (None, "message"):
        return None
    other = any(isinstance(part, ToolCallPart | ToolCallResponsePart | ReasoningPart) for part in message.parts)
    return None if other else _write_spoken(message)


def _write_item(parts: tuple[AnyPart, ...]) -> dict[str, Any] | None:
    reasoning = tuple(part for part in parts if isinstance(part, ReasoningPart))
    if reasoning and len(reasoning) == len(parts):
        return write_reasoning(reasoning)
    if len(parts) != 1:
        return None
    part = parts[0]
    if isinstance(part, ToolCallPart):
        return write_call(part)
    if isinstance(part, ToolCallResponsePart):
        return write_output(part)
    whole = part.value if isinstance(part, GenericPart) else part.extra if isinstance(part, CompactionPart) else None
    return whole if isinstance(whole, dict) and isinstance(whole.get("type"), str) else None


def _write_spoken(message: Message) -> dict[str, Any]:
    items = [write_item(part, usual_type(message.role)) for part in message.parts]
    content: Json = items
    if message.content_shape != _LIST:
        content = shortest(items) if items else ""
    written: dict[str, Any] = {"role": message.role, "content": content}
    for key, value in message.extra.items():
        written.setdefault(key, value)
    return written


def _write_foreign(carried: Carried, message_role: str, kinds: dict[str, str]) -> list[dict[str, Any]]:
    role = "assistant" if carried.calls else (message_role if message_role in ROLES else "user")
    content = [_foreign_item(part, role) for part in carried.parts]
    spoken = [{"type": "message", "role": role, "content": shortest(content)}] if content else []
    answers = [_foreign_answer(answer, kinds) for answer in carried.answers]
    if role != "assistant":
        return answers + spoken
    return [*spoken, *map(_foreign_call, carried.calls), *answers]


def _foreign_item(part: AnyPart, role: str) -> dict[str, Any]:
    usual = usual_type(role)
    if isinstance(part, BlobPart | FilePart | UriPart) and (role != "user" or part.modality == "audio"):
        return {"type": usual, "text": media_note(part)}
    if isinstance(part, RefusalPart) and role != "assistant":
        return {"type": usual, "text": part.content}
    if isinstance(part, BlobPart) and part.modality == "document":
        return {"filename": FILE_NAME, **write_item(part, usual)}  # file_data needs a name
    return write_item(part, usual)


def _foreign_call(call: ToolCallPart) -> dict[str, Any]:
    arguments = call.arguments
    if not isinstance(arguments, str):
        arguments = "{}" if arguments is None else json_text(arguments)
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}


def _foreign_answer(answer: CarriedAnswer, kinds: dict[str, str]) -> dict[str, Any]:
    items = [_foreign_item(part, "user") for part in answer.parts]
    return output_item(kinds.get(answer.id, "function_call"), answer.id, shortest(items) if items else "")
