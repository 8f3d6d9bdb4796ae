"""Parts of a Gemini content, to our parts and back.

A Gemini part has no type: the one data field that is set says what it is. Names come in camel case (REST, JavaScript)
or in snake case (Python), with or without nulls for all that is not set, and are written as they came.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.errors import Invalid
from tailrace.schemas.fields import nested, rest, text_field, wrong
from tailrace.schemas.providers.as_text import compaction_text, json_text, media_note
from tailrace.schemas.providers.gemini.functions import (
    SNAKE,
    read_call,
    read_response,
    spelling,
    write_call,
    write_response,
)
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

#: Where the Files API keeps uploads: of use to the project that uploaded them alone.
_UPLOADS = "https://generativelanguage.googleapis.com/"

#: Keys under which functions answer with a text.
_TEXT_KEYS = frozenset({"output", "result", "error", "content"})

#: The two spellings of a part's signature.
SIGNATURE_KEYS = frozenset({"thoughtSignature", "thought_signature"})

#: Fields of a part that are no data.
_ABOUT_DATA = SIGNATURE_KEYS | {
    *("thought", "videoMetadata", "video_metadata", "mediaResolution", "media_resolution"),
    *("partMetadata", "part_metadata"),
}


def read_parts(parts: list[Json], where: str) -> tuple[AnyPart, ...]:
    """Return one part for each part of a content; `where` is its path for errors."""
    unnamed: Counter[str] = Counter()
    return tuple([_read_part(part, f"{where}[{index}]", unnamed) for index, part in enumerate(parts)])


def write_part(part: AnyPart) -> dict[str, Any]:
    """Return the Gemini part for a part."""
    return _WRITERS[type(part)](part)


def is_part(value: Json) -> bool:
    """Return whether the value is an object with a field that only a Gemini part has."""
    return isinstance(value, dict) and "type" not in value and any(value.get(key) is not None for key in _FIELDS)


def is_bound(value: dict[str, Any]) -> bool:
    """Return whether a part without a named one is of use to Gemini alone: a signature and no data."""
    return bool(SIGNATURE_KEYS & value.keys()) and not any(value.get(key) is not None for key in _FIELDS)


def holds_data(part: Mapping[str, Any]) -> bool:
    """Return whether anything but remarks is set in a Gemini part."""
    return any(value is not None for key, value in part.items() if key not in _ABOUT_DATA)


def data_fields(part: Mapping[str, Any]) -> list[str]:
    """Return the names of what is set in a Gemini part as its data; the API takes one."""
    return [key for key in part if key in _FIELDS and part[key] is not None]


def one_by_one(part: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a part for each data field of a Gemini part.

    Remarks stay with what is no text, for most are about media or a call.
    """
    fields = data_fields(part)
    if len(fields) <= 1:
        return [part]
    main = next((field for field in fields if field != "text"), "text")
    return [
        {
            key: value
            for key, value in part.items()
            if key == field or (key not in fields and (field == main or key == "thought"))
        }
        for field in fields
    ]


def is_signed(part: Mapping[str, Any]) -> bool:
    """Return whether a Gemini part carries a signature."""
    return any(isinstance(part.get(key), str) and part[key] for key in SIGNATURE_KEYS)


def answer_parts(answer: ToolCallResponsePart) -> tuple[AnyPart, ...]:
    """Return what a function answered, as parts: the text where that is all the response holds, and its media."""
    response, media = answer.response, nested(answer.extra, spelling(answer.extra, "functionResponse")).get("parts")
    if isinstance(response, dict) and len(response) == 1:
        ((key, value),) = response.items()
        response = value if key in _TEXT_KEYS and isinstance(value, str) else response
    text = response if isinstance(response, str) else readable_json(response)
    spoken = () if response is None else (TextPart(content=text),)
    try:
        return (*spoken, *(read_parts(media, "parts") if isinstance(media, list) else ()))
    except Invalid:  # only what came as tailrace/1 can hold such a list
        return spoken


def _read_part(part: Json, where: str, unnamed: Counter[str]) -> AnyPart:
    if not isinstance(part, dict):
        raise wrong(where, "an object", part)
    fields = data_fields(part)
    functions = [key for key in fields if _FIELDS[key] in (read_call, read_response)]
    if len(functions) > 1:
        raise Invalid(f"{where} must hold one function call or response, got {', '.join(functions)}")
    # A call is one whatever stands beside it: it must find its answer.
    fields = functions or fields
    reader = _FIELDS[fields[0]] if len(fields) == 1 else None
    if reader is None:
        return GenericPart(value=part)
    field = fields[0]
    if field != "text" and not isinstance(part[field], dict):
        raise wrong(f"{where}.{field}", "an object", part[field])
    return reader(part, field, where, unnamed)


def _read_text(part: dict[str, Any], _: str, where: str, __: Counter[str]) -> AnyPart:
    content = text_field(part, "text", where)
    if part.get("thought") is True:
        return ReasoningPart(content=content, extra=rest(part, ("text", "thought")))
    return TextPart(content=content, extra=rest(part, ("text",)))


def _read_blob(part: dict[str, Any], field: str, _: str, __: Counter[str]) -> AnyPart:
    body, mime_key = part[field], _mime_key(field)
    mime_type, data = body.get(mime_key), body.get("data")
    if not isinstance(mime_type, str) or not isinstance(data, str):
        return GenericPart(value=part)
    extra = _media_extra(part, field, (mime_key, "data"))
    return BlobPart(content=data, modality=_modality(mime_type), mime_type=mime_type, extra=extra)


def _read_file(part: dict[str, Any], field: str, _: str, __: Counter[str]) -> AnyPart:
    body, mime_key, uri_key = part[field], _mime_key(field), _uri_key(field)
    mime_type, uri = body.get(mime_key), body.get(uri_key)
    if not isinstance(uri, str) or not isinstance(mime_type, str | None):
        return GenericPart(value=part)
    taken = (uri_key,) if mime_type is None else (uri_key, mime_key)
    extra, modality = _media_extra(part, field, taken), _modality(mime_type or "")
    if uri.startswith(_UPLOADS):
        return FilePart(file_id=uri, modality=modality, mime_type=mime_type, extra=extra)
    return UriPart(uri=uri, modality=modality, mime_type=mime_type, extra=extra)


def _media_extra(part: dict[str, Any], field: str, taken: tuple[str, ...]) -> dict[str, Any]:
    inner = rest(part[field], taken)
    # In snake case the name itself is worth keeping: it says how to write the part.
    return {**part, field: inner} if inner or field not in SNAKE else rest(part, (field,))


def _modality(mime_type: str) -> str:
    family = mime_type.partition("/")[0]
    return family if family in ("image", "audio", "video") else "document"


def _mime_key(field: str) -> str:
    return "mimeType" if field in SNAKE else "mime_type"


def _uri_key(field: str) -> str:
    return "fileUri" if field in SNAKE else "file_uri"


def _write_text(part: TextPart) -> dict[str, Any]:
    return {"text": part.content, **part.extra}


def _write_reasoning(part: ReasoningPart) -> dict[str, Any]:
    return {"text": part.content, "thought": True, **part.extra}


def _write_blob(part: BlobPart) -> dict[str, Any]:
    if part.mime_type is None:
        return {"text": media_note(part)}
    field = spelling(part.extra, "inlineData")
    body = {**nested(part.extra, field), _mime_key(field): part.mime_type, "data": part.content}
    return {**part.extra, field: body}


def _write_file(part: FilePart | UriPart) -> dict[str, Any]:
    field = spelling(part.extra, "fileData")
    body = {**nested(part.extra, field), _uri_key(field): part.uri if isinstance(part, UriPart) else part.file_id}
    if part.mime_type is not None:
        body[_mime_key(field)] = part.mime_type
    return {**part.extra, field: body}


def _write_generic(part: GenericPart) -> dict[str, Any]:
    return part.value if isinstance(part.value, dict) else {"text": json_text(part.value)}


_Reader = Callable[[dict[str, Any], str, str, Counter[str]], AnyPart]

#: Data fields of a part, each with its reader; those without one are kept whole.
_FIELDS: dict[str, _Reader | None] = {
    "text": _read_text,
    "inlineData": _read_blob,
    "inline_data": _read_blob,
    "fileData": _read_file,
    "file_data": _read_file,
    "functionCall": read_call,
    "function_call": read_call,
    "functionResponse": read_response,
    "function_response": read_response,
    **dict.fromkeys(
        (
            *("executableCode", "executable_code", "codeExecutionResult", "code_execution_result"),
            *("toolCall", "tool_call", "toolResponse", "tool_response"),
        )
    ),
}

_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    TextPart: _write_text,
    ReasoningPart: _write_reasoning,
    RefusalPart: lambda part: {"text": part.content},
    ToolCallPart: write_call,
    ToolCallResponsePart: write_response,
    BlobPart: _write_blob,
    FilePart: _write_file,
    UriPart: _write_file,
    CompactionPart: lambda part: {"text": compaction_text(part)},
    GenericPart: _write_generic,
}
