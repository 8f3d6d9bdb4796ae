"""Messages out of a file or pipe: JSON lines as they come, or one JSON document; a bad one is an item of its own."""

from collections.abc import Iterator
from typing import BinaryIO

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.half_characters import decode_json
from tailrace.streams.client.message_envelope import BadInput, InputMessage, read_message


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
            yield read_message(value, f"message {index}")
    elif isinstance(document, dict):
        yield read_message(document, "the document")
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
    return read_message(value, where)


def _decoded(text: bytes) -> object:
    try:
        return decode_json(text)
    except PoisonEvent:
        return None
