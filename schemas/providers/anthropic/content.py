"""Content blocks of the Anthropic Messages API, to parts and back.

A part's `extra` is the block less its type and what the named fields carry, nested as it came; a type that is not the
usual one of its part stays in it. Blocks that have no named part, or that one can't hold exactly, are generic parts:
among them what the provider's own tools did, which needs no answer from us.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.fields import id_field, nested, object_field, rest, rest_of_nested, text_field, wrong
from tailrace.schemas.providers.arguments import input_of
from tailrace.schemas.providers.as_text import compaction_text, media_note
from tailrace.schemas.providers.content import Readers, generic_item, read_list, read_text, text_item
from tailrace.schemas.providers.media_notes import readable_json
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

_MEDIA = frozenset({"image", "document"})
_BOUND = frozenset({"redacted_thinking", "server_tool_use", "container_upload"})

#: Calls of tools that Anthropic runs itself, or asks a server for; their results stand in the assistant's own content.
OWN_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
#: How the types of their results end.
RESULT_SUFFIX = "_tool_result"


def read_blocks(blocks: list[Json], where: str) -> tuple[AnyPart, ...]:
    """Return one part for each block of a content list; `where` is its path for errors."""
    return read_list(blocks, where, _READERS)


def read_answer(blocks: list[Json], where: str) -> tuple[AnyPart, ...]:
    """Return one part for each block of what a tool answered; a call in it is no call of the conversation."""
    return read_list(blocks, where, _ANSWER_READERS)


def write_block(part: AnyPart) -> dict[str, Any]:
    """Return the content block for a part."""
    return _WRITERS[type(part)](part)


def is_bound(kind: str) -> bool:
    """Return whether blocks of a type without a named part are of use to Anthropic alone."""
    return kind in _BOUND or (is_own_result(kind) and kind != "mcp_tool_result")


def is_own_result(kind: str) -> bool:
    """Return whether blocks of a type are results of tools that Anthropic runs itself, or asks a server for."""
    return kind.endswith(RESULT_SUFFIX)


def own_id_of(block: Mapping[str, Any]) -> str:
    """Return what pairs a call of Anthropic's own tools with its result.

    Empty where the block has nothing of the kind.
    """
    value = block.get("id" if str(block.get("type")) in OWN_CALLS else "tool_use_id")
    return value if isinstance(value, str) else ""


def _read_thinking(block: dict[str, Any], where: str) -> AnyPart:
    return ReasoningPart(content=text_field(block, "thinking", where), extra=rest(block, ("type", "thinking")))


def _read_tool_use(block: dict[str, Any], where: str) -> AnyPart:
    return ToolCallPart(
        id=id_field(block, "id", where),
        name=text_field(block, "name", where),
        arguments=object_field(block, "input", where),
        extra=rest(block, ("type", "id", "name", "input")),
    )


def _read_tool_result(block: dict[str, Any], where: str) -> AnyPart:
    call_id = id_field(block, "tool_use_id", where)
    content = block.get("content")
    if content is None:  # null stays in extra, so that it is not taken for absent
        return ToolCallResponsePart(id=call_id, extra=rest(block, ("type", "tool_use_id")))
    if isinstance(content, list):
        read_answer(content, f"{where}.content")  # checked here; the answer keeps them as they came
    elif not isinstance(content, str):
        raise wrong(f"{where}.content", "a string or a list of content blocks", content)
    return ToolCallResponsePart(id=call_id, response=content, extra=rest(block, ("type", "tool_use_id", "content")))


def _read_compaction(block: dict[str, Any], where: str) -> AnyPart:
    content = block.get("content")
    if content is None:
        return CompactionPart(extra=block)
    if not isinstance(content, str):
        raise wrong(f"{where}.content", "a string or null", content)
    # The type stays in extra: a compaction without it is ours, and Anthropic reads it as text.
    return CompactionPart(content=content, extra=rest(block, ("content",)))


def _read_media(block: dict[str, Any], where: str) -> AnyPart:
    source = object_field(block, "source", where)
    reader = _SOURCE_READERS.get(text_field(source, "type", f"{where}.source"))
    return reader(block, source, f"{where}.source") if reader else GenericPart(value=block)


def _read_base64(block: dict[str, Any], source: dict[str, Any], where: str) -> AnyPart:
    return BlobPart(
        content=text_field(source, "data", where),
        modality=block["type"],
        mime_type=text_field(source, "media_type", where),
        extra=rest_of_nested(block, "source", ("type", "data", "media_type")),
    )


def _read_url(block: dict[str, Any], source: dict[str, Any], where: str) -> AnyPart:
    extra = rest_of_nested(block, "source", ("type", "url"))
    return UriPart(uri=text_field(source, "url", where), modality=block["type"], extra=extra)


def _read_file(block: dict[str, Any], source: dict[str, Any], where: str) -> AnyPart:
    extra = rest_of_nested(block, "source", ("type", "file_id"))
    return FilePart(file_id=text_field(source, "file_id", where), modality=block["type"], extra=extra)


def _read_plain_document(block: dict[str, Any], source: dict[str, Any], where: str) -> AnyPart:
    extra = {**block, "source": rest(source, ("data",))}
    return TextPart(content=text_field(source, "data", where), extra=extra)


def _write_text(part: TextPart) -> dict[str, Any]:
    if "type" in part.extra:
        return {**part.extra, "source": {**nested(part.extra, "source"), "data": part.content}}
    return {"type": "text", "text": part.content, **part.extra}


def _write_reasoning(part: ReasoningPart) -> dict[str, Any]:
    return {"type": "thinking", "thinking": part.content, **part.extra}


def _write_tool_use(part: ToolCallPart) -> dict[str, Any]:
    return {"type": "tool_use", "id": part.id, "name": part.name, "input": input_of(part.arguments), **part.extra}


def _write_tool_result(part: ToolCallResponsePart) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": part.id, **part.extra}
    if part.response is not None:
        block["content"] = part.response if isinstance(part.response, str | list) else readable_json(part.response)
    return block


def _write_compaction(part: CompactionPart) -> dict[str, Any]:
    if "type" not in part.extra:
        return text_item(compaction_text(part))
    return part.extra if part.content is None else {**part.extra, "content": part.content}


def _write_blob(part: BlobPart) -> dict[str, Any]:
    return _write_media(part, {"type": "base64", "media_type": part.mime_type, "data": part.content})


def _write_uri(part: UriPart) -> dict[str, Any]:
    return _write_media(part, {"type": "url", "url": part.uri})


def _write_file(part: FilePart) -> dict[str, Any]:
    return _write_media(part, {"type": "file", "file_id": part.file_id})


def _write_media(part: BlobPart | FilePart | UriPart, source: dict[str, Any]) -> dict[str, Any]:
    if part.modality not in _MEDIA:
        return text_item(media_note(part))
    return {"type": part.modality, **part.extra, "source": {**nested(part.extra, "source"), **source}}


_ANSWER_READERS: Readers = {"text": read_text, "image": _read_media, "document": _read_media}

_READERS: Readers = {
    **_ANSWER_READERS,
    "thinking": _read_thinking,
    "tool_use": _read_tool_use,
    "tool_result": _read_tool_result,
    "compaction": _read_compaction,
}

_SOURCE_READERS: dict[str, Callable[[dict[str, Any], dict[str, Any], str], AnyPart]] = {
    "base64": _read_base64,
    "url": _read_url,
    "file": _read_file,
    "text": _read_plain_document,
}

_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    TextPart: _write_text,
    RefusalPart: lambda part: text_item(part.content),
    ReasoningPart: _write_reasoning,
    ToolCallPart: _write_tool_use,
    ToolCallResponsePart: _write_tool_result,
    CompactionPart: _write_compaction,
    BlobPart: _write_blob,
    UriPart: _write_uri,
    FilePart: _write_file,
    GenericPart: generic_item,
}
