"""The text of a part: what a model reads of it. Media are notes, blocks of text are joined, anything else is JSON."""

from tailrace.schemas.providers.as_text import json_text, media_note
from tailrace.schemas.providers.media_notes import replace_media, unseen
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)


def text_of(part: AnyPart) -> str:
    """What a model reads of a part; of a call only its arguments."""
    match part:  # the most frequent first
        case ToolCallResponsePart():
            return response_text(part.response)
        case ToolCallPart():
            return part.arguments if isinstance(part.arguments, str) else response_text(part.arguments)
        case TextPart() | RefusalPart() | ReasoningPart():
            return part.content
        case CompactionPart():
            return part.content or ""
        case BlobPart() | FilePart() | UriPart():
            return media_note(part)
        case GenericPart():
            return response_text(part.value)


def response_text(response: Json) -> str:
    """What a tool answered, as text."""
    if isinstance(response, str):
        return response
    response = replace_media(response, unseen)
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(_block_text(block) for block in response)
    return "" if response is None else json_text(response)


def _block_text(block: Json) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return str(block["text"])
    return json_text(block)
