"""Content lists of OpenAI Responses items, to parts and back.

The same text is `input_text` where it goes to the model and `output_text` where it came from it; the type that is usual
on its side is not kept, any other stays in the part's `extra`. Items that have no named part are generic parts.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.fields import rest, text_field, wrong
from tailrace.schemas.providers.as_text import compaction_text, json_text, media_note
from tailrace.schemas.providers.openai_media import data_url, data_url_blob, read_audio, write_audio
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Json,
    RefusalPart,
    TextPart,
    UriPart,
)

#: Types of content items that no other format has.
CONTENT_TYPES = frozenset({"input_text", "output_text", "input_image", "input_file"})

#: The name of a file that came without one.
FILE_NAME = "document.pdf"

_TEXT_TYPES = ("input_text", "output_text", "text")
_TEXT_FIELDS = 2  # type and text


def read_items(items: list[Json], where: str, *, usual: str = "input_text") -> tuple[AnyPart, ...]:
    """Return one part for each item of a content list; `usual` is the type that a text has there."""
    return tuple([_read_item(item, f"{where}[{index}]", usual) for index, item in enumerate(items)])


def write_item(part: AnyPart, usual: str) -> dict[str, Any]:
    """Return the content item for a part; the caller keeps calls, their answers and reasoning out of it."""
    return _WRITERS[type(part)](part, usual)


def usual_type(role: str) -> str:
    """Return the type of a text in a message of that role."""
    return "output_text" if role == "assistant" else "input_text"


def shortest(items: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Return the items as `content` or `output`: a string where one plain text is all there is."""
    if len(items) == 1 and len(items[0]) == _TEXT_FIELDS and items[0].get("type") in _TEXT_TYPES:
        return str(items[0]["text"])
    return items


def lacks_image(item: Mapping[str, Any]) -> bool:
    """Return whether the item is an image that is nowhere."""
    sources = (item.get("image_url"), item.get("file_id"))
    return item.get("type") == "input_image" and not any(isinstance(source, str) for source in sources)


def lacks_name(item: Mapping[str, Any]) -> bool:
    """Return whether the item is a file with its bytes and without the name that these need."""
    name = item.get("filename")
    is_inline = item.get("type") == "input_file" and isinstance(item.get("file_data"), str)
    return is_inline and not (isinstance(name, str) and name)


def _read_item(item: Json, where: str, usual: str) -> AnyPart:
    if not isinstance(item, dict):
        raise wrong(where, "an object with a type", item)
    kind = text_field(item, "type", where)
    if kind in _TEXT_TYPES:
        taken = ("type", "text") if kind == usual else ("text",)
        return TextPart(content=text_field(item, "text", where), extra=rest(item, taken))
    reader = _READERS.get(kind)
    return reader(item, where) if reader else GenericPart(value=item)


def _read_refusal(item: dict[str, Any], where: str) -> AnyPart:
    return RefusalPart(content=text_field(item, "refusal", where), extra=rest(item, ("type", "refusal")))


def _read_image(item: dict[str, Any], _: str) -> AnyPart:
    url, file_id = item.get("image_url"), item.get("file_id")
    if isinstance(url, str):
        extra = rest(item, ("type", "image_url"))
        return data_url_blob(url, "image", extra) or UriPart(uri=url, modality="image", extra=extra)
    if isinstance(file_id, str):
        return FilePart(file_id=file_id, modality="image", extra=rest(item, ("type", "file_id")))
    return GenericPart(value=item)


def _read_file(item: dict[str, Any], _: str) -> AnyPart:
    file_id, url, data = item.get("file_id"), item.get("file_url"), item.get("file_data")
    if isinstance(file_id, str):
        return FilePart(file_id=file_id, modality="document", extra=rest(item, ("type", "file_id")))
    if isinstance(url, str):
        return UriPart(uri=url, modality="document", extra=rest(item, ("type", "file_url")))
    blob = data_url_blob(data, "document", rest(item, ("type", "file_data"))) if isinstance(data, str) else None
    return blob or GenericPart(value=item)


def _write_text(part: TextPart, usual: str) -> dict[str, Any]:
    return {"type": usual, "text": part.content, **part.extra}


def _write_refusal(part: RefusalPart, _: str) -> dict[str, Any]:
    return {"type": "refusal", "refusal": part.content, **part.extra}


def _write_blob(part: BlobPart, usual: str) -> dict[str, Any]:
    if part.modality == "image" and part.mime_type:
        return {"type": "input_image", **part.extra, "image_url": data_url(part)}
    if part.modality == "document" and part.mime_type:
        return {"type": "input_file", **part.extra, "file_data": data_url(part)}
    if part.modality == "audio":
        return write_audio(part)
    return {"type": usual, "text": media_note(part)}


def _write_file(part: FilePart, _: str) -> dict[str, Any]:
    kind = "input_image" if part.modality == "image" else "input_file"
    return {"type": kind, **part.extra, "file_id": part.file_id}


def _write_uri(part: UriPart, usual: str) -> dict[str, Any]:
    if part.modality == "image":
        return {"type": "input_image", **part.extra, "image_url": part.uri}
    if part.modality == "document":
        return {"type": "input_file", **part.extra, "file_url": part.uri}
    return {"type": usual, "text": media_note(part)}


def _write_compaction(part: CompactionPart, usual: str) -> dict[str, Any]:
    return {"type": usual, "text": compaction_text(part)}


def _write_generic(part: GenericPart, usual: str) -> dict[str, Any]:
    return part.value if isinstance(part.value, dict) else {"type": usual, "text": json_text(part.value)}


_READERS: dict[str, Callable[[dict[str, Any], str], AnyPart]] = {
    "refusal": _read_refusal,
    "input_image": _read_image,
    "input_file": _read_file,
    "input_audio": read_audio,
}

_WRITERS: dict[type, Callable[[Any, str], dict[str, Any]]] = {
    TextPart: _write_text,
    RefusalPart: _write_refusal,
    BlobPart: _write_blob,
    FilePart: _write_file,
    UriPart: _write_uri,
    CompactionPart: _write_compaction,
    GenericPart: _write_generic,
}
