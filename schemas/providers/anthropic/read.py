"""Messages of the Anthropic Messages API, read into `Message`.

The API keeps the system prompt outside of the messages; here it is a message of role system, which a caller may lift
out again.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import rest, role_error, wrong
from tailrace.schemas.providers.anthropic.content import read_blocks
from tailrace.schemas.records.message import ContentShape, Format, Message
from tailrace.schemas.records.parts import AnyPart, TextPart

_ANTHROPIC_MESSAGES = Format.ANTHROPIC_MESSAGES
_STRING, _LIST = ContentShape.STRING, ContentShape.LIST

ROLES = ("system", "user", "assistant")

_REQUIRED_FIELDS = 2  # role and content


def read_message(data: Mapping[str, Any]) -> Message:
    """Return the message; a wrong shape raises `Invalid` with the path and what is expected there."""
    role = data.get("role", UNSET)
    if role not in ROLES:
        raise role_error(role, ROLES)
    content = data.get("content", UNSET)
    parts: tuple[AnyPart, ...]
    if isinstance(content, list):
        parts, shape = read_blocks(content, "message.content"), _LIST
    elif isinstance(content, str):
        parts, shape = (TextPart(content=content),) if content else (), _STRING
    else:
        raise wrong("message.content", "a string or a list of content blocks", content)
    if len(data) == _REQUIRED_FIELDS:
        return Message(role=role, parts=parts, format=_ANTHROPIC_MESSAGES, content_shape=shape)
    extra = rest(data, ("role", "content"))
    return Message(role=role, parts=parts, format=_ANTHROPIC_MESSAGES, content_shape=shape, extra=extra)
