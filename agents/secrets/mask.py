"""Messages with their secrets masked: what summaries, stubs, pointers and distillations are made from."""

from operator import is_

import msgspec

from tailrace.agents.secrets.scan import mask_secrets
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.records.envelope import ToolEnvelope
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import (
    AnyPart,
    CompactionPart,
    GenericPart,
    Json,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
)

_encode_json = msgspec.json.Encoder().encode
_decode_json = decoder()


def mask_message(message: Message) -> Message:
    """The message with its secrets masked; the very same one where there are none."""
    parts = [_mask_part(part) for part in message.parts]
    if all(map(is_, parts, message.parts)):
        return message
    return msgspec.structs.replace(message, parts=tuple(parts))


#: What may hold a secret in a part. Reasoning is bound by a signature to its very bytes, and goes as a whole where it
#: can't stay.
_HOLDING: dict[type[AnyPart], str] = {
    TextPart: "content",
    RefusalPart: "content",
    CompactionPart: "content",
    ToolCallPart: "arguments",
    ToolCallResponsePart: "response",
    GenericPart: "value",
}


def _mask_part(part: AnyPart) -> AnyPart:
    field = _HOLDING.get(type(part))
    if field is None:
        return part
    value = getattr(part, field)
    masked = mask_json(value)
    return part if masked is value else msgspec.structs.replace(part, **{field: masked})


def mask_envelope(envelope: ToolEnvelope) -> ToolEnvelope:
    """The envelope with the secrets in its key fields masked; the very same one where there are none."""
    masked = mask_json(envelope.key_fields)
    if masked is envelope.key_fields:
        return envelope
    return msgspec.structs.replace(envelope, key_fields=masked if isinstance(masked, dict) else {})


def mask_json(value: Json) -> Json:
    """The value with the secrets in it masked; the very same one where there are none.

    Texts are masked each by itself, as somebody would read them, and then the whole as one text, because it is the key
    beside a value that gives most secrets away.
    """
    if isinstance(value, str):
        return mask_secrets(value).text
    if not isinstance(value, list | dict) or not value:
        return value
    try:
        masked = _mask_texts(value)
        whole = mask_secrets(_encode_json(masked).decode())
        return _decode_json(whole.text) if whole.secrets else masked
    except (PoisonEvent, UnicodeEncodeError, OverflowError, RecursionError):
        # What can't be written as JSON, or not be read again: nothing of it may be shown.
        return "[masked]"


#: What shows that a secret may go over several lines.
_BLOCK_OPENS, _PUTTY_OPENS = "-----BEGIN", "PuTTY-User-Key"
#: An end is looked at up to the next end of a line, if that is no farther away.
_LINE_CHARS_MAX = 4_000


def mask_ends(text: str, head_chars: int, tail_chars: int) -> str:
    """The text with its secrets masked and its middle left out: beginning and end are at least so long, and right.

    All secrets but blocks of keys end with their line, so it is cut between two lines, and not at all where that can't
    be seen.
    """
    head = text.find("\n", head_chars, head_chars + _LINE_CHARS_MAX)
    tail_from = len(text) - tail_chars
    tail = text.rfind("\n", max(0, tail_from - _LINE_CHARS_MAX), max(0, tail_from))
    if 0 <= head < tail and _BLOCK_OPENS not in text and _PUTTY_OPENS not in text:
        masked = mask_secrets(text[:head] + text[tail:])
        if not masked.secrets:
            return masked.text
        # A mask may be much shorter than what it stands for.
        lost_chars = sum(secret.end - secret.start for secret in masked.secrets)
        if min(head - head_chars, tail_from - tail) >= lost_chars:
            return masked.text
    return mask_secrets(text).text


def _mask_texts(value: Json) -> Json:
    match value:
        case str():
            return mask_secrets(value).text
        case list():
            items = [_mask_texts(item) for item in value]
            return value if all(new is old for new, old in zip(items, value, strict=True)) else items
        case dict():
            fields = {key: _mask_texts(item) for key, item in value.items()}
            return value if all(fields[key] is item for key, item in value.items()) else fields
        case _:
            return value
