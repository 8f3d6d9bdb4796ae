"""Items of an OpenAI chat `content` list, to parts and back.

A part's `extra` is the item less its type and what the named fields carry, nested as it came, so an item is written by
laying the named fields over it. Items that have no named part, or that one can't hold exactly, are generic parts.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.fields import object_field, rest, rest_of_nested, text_field
from tailrace.schemas.providers.as_text import compaction_text, media_note
from tailrace.schemas.providers.content import Readers, generic_item, read_list, read_text, text_item
from tailrace.schemas.providers.openai_media import data_url, data_url_blob, nested_item, read_audio, write_audio
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


def read_items(items: list[Json], where: str) -> tuple[AnyPart, ...]:
    """Return one part for each item of a content list; `where` is its path for errors."""
    return read_list(items, where, _READERS)


def write_item(part: AnyPart) -> dict[str, Any]:
    """Return the content item for a part; the caller keeps calls, their answers and reasoning out of it."""
    return _WRITERS[type(part)](part)


def lacks_text(item: Mapping[str, Any]) -> bool:
    """Return whether the item is a text that says nothing at all."""
    return item.get("type") == "text" and not isinstance(item.get("text"), str)


def lacks_address(item: Mapping[str, Any]) -> bool:
    """Return whether the item is an image without an object that says where it is."""
    address = item.get("image_url")
    is_found = isinstance(address, dict) and isinstance(address.get("url"), str)
    return item.get("type") == "image_url" and not is_found


def _read_refusal(item: dict[str, Any], where: str) -> AnyPart:
    # The type stays in extra: a refusal without it stood in the message's own `refusal` field.
    return RefusalPart(content=text_field(item, "refusal", where), extra=rest(item, ("refusal",)))


def _read_image(item: dict[str, Any], where: str) -> AnyPart:
    if isinstance(item.get("image_url"), str):
        return GenericPart(value=item)
    url = text_field(object_field(item, "image_url", where), "url", f"{where}.image_url")
    extra = rest_of_nested(item, "image_url", ("url",))
    return data_url_blob(url, "image", extra) or UriPart(uri=url, modality="image", extra=extra)


def _read_file(item: dict[str, Any], where: str) -> AnyPart:
    file = object_field(item, "file", where)
    if isinstance(file.get("file_id"), str):
        extra = rest_of_nested(item, "file", ("file_id",))
        return FilePart(file_id=file["file_id"], modality="document", extra=extra)
    if isinstance(file.get("file_data"), str):
        blob = data_url_blob(file["file_data"], "document", rest_of_nested(item, "file", ("file_data",)))
        return blob or GenericPart(value=item)
    return GenericPart(value=item)


def _write_text(part: TextPart) -> dict[str, Any]:
    return {"type": "text", "text": part.content, **part.extra}


def _write_refusal(part: RefusalPart) -> dict[str, Any]:
    return {"type": "refusal", "refusal": part.content, **part.extra}


def _write_blob(part: BlobPart) -> dict[str, Any]:
    if part.modality == "audio":
        return write_audio(part)
    if part.modality == "image" and part.mime_type:
        return nested_item("image_url", {"url": data_url(part)}, part.extra)
    if part.modality == "document" and part.mime_type:
        return nested_item("file", {"file_data": data_url(part)}, part.extra)
    return text_item(media_note(part))


def _write_file(part: FilePart) -> dict[str, Any]:
    return nested_item("file", {"file_id": part.file_id}, part.extra)


def _write_uri(part: UriPart) -> dict[str, Any]:
    if part.modality == "image":
        return nested_item("image_url", {"url": part.uri}, part.extra)
    return text_item(media_note(part))


_READERS: Readers = {
    "text": read_text,
    "refusal": _read_refusal,
    "image_url": _read_image,
    "input_audio": read_audio,
    "file": _read_file,
}

_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    TextPart: _write_text,
    RefusalPart: _write_refusal,
    BlobPart: _write_blob,
    FilePart: _write_file,
    UriPart: _write_uri,
    CompactionPart: lambda part: text_item(compaction_text(part)),
    GenericPart: generic_item,
}
