"""Our own format, `tailrace/1`: messages as they are held.

It goes to no API, so there is nothing to repair or to refuse.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.violation import Api
from tailrace.schemas.records.message import Format, Message, message_from_json


def write_messages(messages: Sequence[Message], _: Carry) -> list[dict[str, Any]]:
    """Return the messages as JSON values; all of them cross."""
    return [{**msgspec.to_builtins(message), "parts": msgspec.to_builtins(list(message.parts))} for message in messages]


def request(messages: Sequence[Message], carry: Carry) -> dict[str, Any]:
    """Return `{"messages": [...]}`."""
    return {"messages": write_messages(messages, carry)}


def _has_parts(data: Mapping[str, Any]) -> bool:
    return "parts" in data


PROVIDER = Provider(
    format=Format.TAILRACE,
    read_message=message_from_json,
    write_messages=write_messages,
    request=request,
    api=Api(view=dict, rules={}),
    is_shown_by=_has_parts,
    list_key="messages",
)
