"""Messages out of a file or pipe: JSON lines as they come, or one JSON document; a bad one is an item of its own."""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final, cast

from msgspec import Struct

from tailrace.schemas.errors import Invalid, PoisonEvent
from tailrace.schemas.half_characters import decode_json
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


def read_input(stream: BinaryIO) -> Iterator[InputMessage | BadInput]:
    """Yield the messages of a stream, as they come where it has one on each line.

    A stream that doesn't begin with a JSON object on a line of its own is read to its end: it may be one message over
    several lines, or a JSON array of messages.
    """
    number, first = 0, b""
    while not first.strip():
        number, first = number + 1, stream.readline()
        if not first:
            return
    if isinstance(_decoded(first), dict):
        yield _item(first, f"line {number}")
        yield from _lines(stream, number)
        return
    text = first + stream.read()
    document = _decoded(text)
    if isinstance(document, list):
        for index, value in enumerate(document, start=1):
            yield _message(value, f"message {index}")
    elif isinstance(document, dict):
        yield _message(document, "the document")
    else:
        yield from _lines(iter(text.splitlines()), number - 1)


def _lines(lines: Iterator[bytes] | BinaryIO, number: int) -> Iterator[InputMessage | BadInput]:
    for line in lines:
        number += 1
        if line.strip():
            yield _item(line, f"line {number}")


def _item(line: bytes, where: str) -> InputMessage | BadInput:
    try:
        value = decode_json(line)
    except PoisonEvent as error:
        return BadInput(where=where, reason=f"no JSON: {error}")
    return _message(value, where)


def _message(value: object, where: str) -> InputMessage | BadInput:
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


def _decoded(text: bytes) -> object:
    try:
        return decode_json(text)
    except PoisonEvent:
        return None
