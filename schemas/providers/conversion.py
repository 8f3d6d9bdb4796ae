"""What of a message survives when it is written in a format that it did not come in.

Texts, calls, answers, images and documents cross. What only its own provider can use is dropped: reasoning with its
signatures, redacted thinking, ids of uploaded files, what the provider's own tools did. So are fields without a name
here, names of speakers, and texts that are blank; a message of which nothing is left is not written. Media that the
target can't take become a note. Any other piece crosses as its JSON, as text, with notes for media in it: the model may
still read it. Ids of calls cross unchanged, because answers are paired by them.
"""

from collections.abc import Callable
from typing import Any

from tailrace.schemas.fields import nested
from tailrace.schemas.providers.as_text import compaction_text, media_note
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.providers.pieces import Carried, CarriedAnswer
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.media import block_media
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)


def carry(message: Message) -> Carried:
    """Return what crosses to another format."""
    carried = Carried(calls=[], answers=[], parts=[])
    for part in message.parts:
        if isinstance(part, ToolCallPart):
            carried.calls.append(ToolCallPart(id=part.id, name=part.name, arguments=part.arguments))
        elif isinstance(part, ToolCallResponsePart):
            carried.answers.append(_answer(part, message.format))
        else:
            carried.parts.extend(_carry_part(part, message.format))
    return carried


def _answer(part: ToolCallResponsePart, source: Format) -> CarriedAnswer:
    # A list in an answer of ours is of no provider's making: most tools write items of OpenAI's chat.
    provider = PROVIDERS[Format.OPENAI_CHAT if source == Format.TAILRACE else source]
    parts = [crossed for piece in provider.answer_parts(part) for crossed in _carry_part(piece, source)]
    return CarriedAnswer(id=part.id, parts=parts, is_error=provider.is_error(part))


def _carry_part(part: AnyPart, source: Format) -> tuple[AnyPart, ...]:
    if isinstance(part, FilePart) and source == Format.TAILRACE:
        # No provider has been named yet: the file is meant for the one that the message is written for.
        return (FilePart(file_id=part.file_id, modality=part.modality, mime_type=part.mime_type),)
    crossed = _CARRIERS[type(part)](part)
    if crossed is None or (isinstance(crossed, TextPart | RefusalPart) and not crossed.content.strip()):
        return ()
    return (crossed,)


def _carry_file(part: FilePart) -> AnyPart | None:
    transcript = nested(part.extra, "audio").get("transcript")
    return TextPart(content=transcript) if isinstance(transcript, str) else None


def _carry_blob(part: BlobPart) -> AnyPart:
    # By type, not by modality: OpenAI has images as files too.
    modality = _MODALITIES.get(part.mime_type or "")
    if modality is None:
        return TextPart(content=media_note(part))
    return BlobPart(content=part.content, modality=modality, mime_type=part.mime_type)


def _carry_uri(part: UriPart) -> AnyPart:
    if not part.uri.startswith(("https://", "http://")):
        return TextPart(content=media_note(part))
    return UriPart(uri=part.uri, modality=part.modality, mime_type=part.mime_type)


def _carry_generic(part: GenericPart) -> AnyPart | None:
    value = part.value
    if isinstance(value, dict):
        if _is_bound(value):
            return None
        media = block_media(value)
        if media is not None and media.payload:
            return _carry_blob(BlobPart(content=media.payload, modality=media.modality, mime_type=media.mime_type))
    return TextPart(content=readable_json(value))


def _is_bound(value: dict[str, Any]) -> bool:
    return any(provider.is_bound(value) for provider in PROVIDERS.values())


#: Media that can cross, by type; of any other only a note does.
_MODALITIES = {
    "image/png": "image",
    "image/jpeg": "image",
    "image/gif": "image",
    "image/webp": "image",
    "application/pdf": "document",
    "audio/wav": "audio",
    "audio/mpeg": "audio",
}

_CARRIERS: dict[type, Callable[[Any], AnyPart | None]] = {
    TextPart: lambda part: TextPart(content=part.content),
    ReasoningPart: lambda _: None,
    RefusalPart: lambda part: RefusalPart(content=part.content),
    BlobPart: _carry_blob,
    UriPart: _carry_uri,
    FilePart: _carry_file,
    CompactionPart: lambda part: TextPart(content=compaction_text(part)),
    GenericPart: _carry_generic,
}
