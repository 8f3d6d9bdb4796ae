"""A message as people write one to publish it.

A provider's own, or an envelope around one with what else is known of it.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from msgspec import Struct

from tailrace.schemas.errors import Invalid
from tailrace.schemas.records.message import message_from_json
from tailrace.streams.client.publication import PublishOptions

_BODY_FIELDS: Final = frozenset({"thread", "message", "native"})
_OPTIONS: Final = PublishOptions.__optional_keys__ - {"extra"}


class InputMessage(Struct, frozen=True, kw_only=True):
    """A message to publish. `where` names its line, or its place in a list."""

    where: str
    #: None where the input doesn't name one.
    thread: str | None
    message: Any
    options: PublishOptions


class BadInput(Struct, frozen=True, kw_only=True):
    """Something that is no message, and why."""

    where: str
    reason: str


def read_message(value: object, where: str) -> InputMessage | BadInput:
    """Return the message that a value of JSON is, or why it is none."""
    if not isinstance(value, dict):
        return BadInput(where=where, reason=f"a message is a JSON object, got {type(value).__name__}")
    try:
        return _bare(value, where) if "role" in value else _envelope(value, where)
    except Invalid as error:
        return BadInput(where=where, reason=str(error))


def _bare(value: Mapping[str, Any], where: str) -> InputMessage:
    """Return a provider's message; `id` names the event, as it does for a bare message on the topic."""
    message = {name: field for name, field in value.items() if name != "id"}
    return InputMessage(where=where, thread=None, message=message, options={"id": value.get("id")})


def _envelope(value: Mapping[str, Any], where: str) -> InputMessage:
    if ("message" in value) == ("native" in value):
        raise Invalid(
            'neither a message with a "role", nor an envelope with either "message" (tailrace/1) or "native" '
            '(a provider\'s message, with its "format")'
        )
    rest = {name: field for name, field in value.items() if name not in _BODY_FIELDS}
    options = {name: field for name, field in rest.items() if name in _OPTIONS}
    options["extra"] = {name: field for name, field in rest.items() if name not in _OPTIONS}
    message: Any = value.get("native")
    if "message" in value:
        if not isinstance(value["message"], dict):
            raise Invalid("message must be an object")
        message = message_from_json(value["message"])
        options.pop("format", None)
    return InputMessage(
        where=where, thread=value.get("thread"), message=message, options=cast("PublishOptions", options)
    )
