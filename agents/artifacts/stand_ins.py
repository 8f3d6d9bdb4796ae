"""What stands in the place of a part that is kept whole elsewhere: media become references, calls keep short arguments.

A call stays a call that a provider accepts, so that its result still answers it.
"""

from typing import Any

import msgspec

from tailrace.agents.messages.short_arguments import ARGUMENT_KEY, argument_fields, shorter_arguments, shorter_call
from tailrace.agents.messages.wording import gone_text, pointed_at, pointer_text
from tailrace.agents.tokens.media import media_tokens, part_tokens
from tailrace.schemas.providers.as_text import json_text, media_note
from tailrace.schemas.providers.media_notes import replace_media, unseen
from tailrace.schemas.records.media import Media, block_media
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    FilePart,
    GenericPart,
    Json,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

#: Of each argument of a call that is kept elsewhere, so much is shown, and of all together so much: what the call is
#: about.
_ARGUMENT_CHARS_MAX = 200
_ARGUMENTS_CHARS_MAX = 2_000


def media_reference(part: AnyPart, name: str) -> AnyPart:
    """Return the part with pointers in the place of its media, which are kept as the artifact `name`.

    A part without media is returned as it is: the very same object.
    """

    def note(media: Media) -> str | None:
        # Encrypted content is no media that anybody could look at again; its provider needs it where it is.
        return None if media.modality == "encrypted" else pointer_text(name, media_tokens(media), unseen(media))

    match part:
        case BlobPart() | FilePart() | UriPart():
            return TextPart(content=pointer_text(name, part_tokens(part), media_note(part)))
        case ToolCallResponsePart():
            response = replace_media(part.response, note)
            return part if response is part.response else msgspec.structs.replace(part, response=response)
        case GenericPart(value=dict() as block) if media := block_media(block):
            text = note(media)
            return part if text is None else TextPart(content=text)
    return part


def call_reference(part: ToolCallPart, name: str) -> ToolCallPart:
    """The call with its long arguments cut, and the name under which all of them are kept."""
    fields = shorter_arguments(argument_fields(part.arguments), _ARGUMENT_CHARS_MAX)
    shown = {**fields, ARGUMENT_KEY: name}
    if fields and len(json_text(shown)) <= _ARGUMENTS_CHARS_MAX:
        return _with_arguments(part, shown)
    # Text that is no JSON, or more arguments than anybody reads.
    return shorter_call(part, name)


def named_call(part: ToolCallPart, name: str) -> ToolCallPart:
    """The call with arguments that say under which name all of them are kept; the very same where they do."""
    fields = argument_fields(part.arguments)
    return part if fields.get(ARGUMENT_KEY) == name else _with_arguments(part, {**fields, ARGUMENT_KEY: name})


def name_behind(part: AnyPart) -> str | None:
    """The name under which is kept what a part stands for; None for a part that stands for nothing but itself."""
    match part:
        case TextPart():
            return pointed_at(part.content)
        case ToolCallResponsePart(response=str() as text):
            return pointed_at(text)
        case ToolCallPart():
            name = argument_fields(part.arguments).get(ARGUMENT_KEY)
            return name if isinstance(name, str) else None
    return None


def gone_reference(part: AnyPart, name: str, reason: str) -> AnyPart:
    """What stands for a part whose content can't be had: a note; in a call, beside what is left of its arguments."""
    note = gone_text(name, reason)
    match part:
        case ToolCallPart():
            return _with_arguments(part, {**argument_fields(part.arguments), ARGUMENT_KEY: note})
        case ToolCallResponsePart():
            return msgspec.structs.replace(part, response=note)
        case _:
            return TextPart(content=note)


def _with_arguments(part: ToolCallPart, arguments: dict[str, Any]) -> ToolCallPart:
    written: Json = json_text(arguments) if isinstance(part.arguments, str) else arguments
    return msgspec.structs.replace(part, arguments=written)
