"""Contents of the Gemini API, read into `Message`.

The role `model` is `assistant` here. The API keeps the system instruction outside of the contents; here it is a message
of role system, which a caller may lift out again.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tailrace.schemas.fields import rest, role_error, wrong
from tailrace.schemas.providers.gemini.content import read_parts
from tailrace.schemas.records.message import ContentShape, Format, Message

_GEMINI = Format.GEMINI
_LIST, _NULL, _ABSENT = ContentShape.LIST, ContentShape.NULL, ContentShape.ABSENT

#: Our roles by Gemini's; `function` and `tool` are older names for a user content with function responses.
ROLES = {"user": "user", "model": "assistant", "system": "system", "function": "function", "tool": "tool"}


def read_message(data: Mapping[str, Any]) -> Message:
    """Return the message; a wrong shape raises `Invalid` with the path and what is expected there."""
    gemini_role = data.get("role", UNSET)
    role = ROLES.get(gemini_role) if isinstance(gemini_role, str) else None
    if role is None:
        raise role_error(gemini_role, ROLES)
    parts = data.get("parts", UNSET)
    if parts is None or parts is UNSET:
        shape = _NULL if parts is None else _ABSENT
        return Message(role=role, format=_GEMINI, content_shape=shape, extra=rest(data, ("role", "parts")))
    if not isinstance(parts, list):
        raise wrong("message.parts", "a list of parts", parts)
    extra = rest(data, ("role", "parts"))
    return Message(
        role=role, parts=read_parts(parts, "message.parts"), format=_GEMINI, content_shape=_LIST, extra=extra
    )
