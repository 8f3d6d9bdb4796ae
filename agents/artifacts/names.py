"""What is kept whole outside of a context, under which name, and how it is read again.

An artifact is a message as it was said. Its id is a hash of the content, so that the same content has the same name
wherever it is met. What is nothing but a text, as nearly every tool output is, is kept as that text, byte for byte;
everything else as the JSON of its parts.
"""

import hashlib

import msgspec

from tailrace.agents.messages.part_text import text_of
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, TextPart, ToolCallPart, ToolCallResponsePart

TEXT_TYPE = "text/plain; charset=utf-8"
PARTS_TYPE = "application/vnd.tailrace.parts+json"

_encode_json = msgspec.json.Encoder(order="deterministic").encode
_decode_parts = decoder(tuple[AnyPart, ...])


def artifact_id(message: Message) -> str:
    """Name of a message's content: 16 hexadecimal digits that stand for its parts, whoever said it and when."""
    return content_id(*content_of(message))


def content_id(media_type: str, content: bytes) -> str:
    """Name of a content."""
    digest = hashlib.blake2b(content, digest_size=8, person=b"text" if media_type == TEXT_TYPE else b"parts")
    return digest.hexdigest()


def content_of(message: Message) -> tuple[str, bytes]:
    """Media type and bytes under which a message is kept."""
    text = plain_text_of(message)
    if text is not None:
        return TEXT_TYPE, text.encode(errors="surrogatepass")
    return PARTS_TYPE, _encode_json(message.parts)


def plain_text_of(message: Message) -> str | None:
    """The text of a message that is nothing but one; None for all others."""
    if len(message.parts) != 1:
        return None
    match message.parts[0]:
        case TextPart(content=str() as text) | ToolCallResponsePart(response=str() as text):
            return text
        case _:
            return None


def readable(media_type: str, content: bytes) -> str:
    """What a model or a person reads of a kept content; media as notes, broken bytes as replacement characters."""
    if media_type != PARTS_TYPE:
        return content.decode(errors="replace")
    try:
        parts = _decode_parts(content)
    except PoisonEvent:
        return content.decode(errors="replace")
    return "\n".join(text for part in parts if (text := _readable(part)))


def readable_message(message: Message) -> str:
    """What a person reads of a message, calls included."""
    return "\n".join(text for part in message.parts if (text := _readable(part)))


def _readable(part: AnyPart) -> str:
    text = text_of(part)
    return f"{part.name}({text})" if isinstance(part, ToolCallPart) else text
