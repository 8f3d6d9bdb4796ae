"""Items of the OpenAI Responses API, read into `Message`.

One item is one message: a call is an assistant message with that call, an output is a tool's answer, a reasoning item
is an assistant message of reasoning alone. Items of any other type are kept whole as a generic part. Only messages have
a `content_shape`: that tells them from the other items.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import rest, role_error, wrong
from tailrace.schemas.providers.openai_responses.content import read_items, usual_type
from tailrace.schemas.providers.openai_responses.items import (
    COMPACTION_TYPES,
    is_call,
    is_output,
    read_call,
    read_output,
    read_reasoning,
)
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import AnyPart, CompactionPart, GenericPart, TextPart

ROLES = ("system", "developer", "user", "assistant")

_OPENAI_RESPONSES = Format.OPENAI_RESPONSES
_STRING, _LIST = ContentShape.STRING, ContentShape.LIST


def read_message(data: Mapping[str, Any]) -> Message:
    """Return the message; a wrong shape raises `Invalid` with the path and what is expected there."""
    kind = data.get("type")
    if kind is None or kind == "message":
        return _read_spoken(data)
    if not isinstance(kind, str):
        raise wrong("message.type", "a string", kind)
    item = dict(data)
    if kind == "reasoning":
        return Message(role="assistant", parts=read_reasoning(item), format=_OPENAI_RESPONSES)
    if is_call(item, kind):
        return Message(role="assistant", parts=(read_call(item, kind),), format=_OPENAI_RESPONSES)
    if is_output(item, kind):
        return Message(role="tool", parts=(read_output(item, kind),), format=_OPENAI_RESPONSES)
    part: AnyPart = CompactionPart(extra=item) if kind in COMPACTION_TYPES else GenericPart(value=item)
    role = "user" if kind == "mcp_approval_response" else "assistant"
    return Message(role=role, parts=(part,), format=_OPENAI_RESPONSES)


def _read_spoken(data: Mapping[str, Any]) -> Message:
    role = data.get("role", UNSET)
    if role not in ROLES:
        raise role_error(role, ROLES)
    content = data.get("content", UNSET)
    parts: tuple[AnyPart, ...]
    if isinstance(content, str):
        parts, shape = (TextPart(content=content),) if content else (), _STRING
    elif isinstance(content, list):
        parts, shape = read_items(content, "message.content", usual=usual_type(role)), _LIST
    else:
        raise wrong("message.content", "a string or a list of content items", content)
    extra = rest(data, ("role", "content"))
    return Message(role=role, parts=parts, format=_OPENAI_RESPONSES, content_shape=shape, extra=extra)
