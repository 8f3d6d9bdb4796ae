"""What the content lists of OpenAI and Anthropic have in common: items with a type, and the same item for text."""

from collections.abc import Callable, Mapping
from typing import Any

from tailrace.schemas.errors import Invalid
from tailrace.schemas.fields import rest, text_field, wrong
from tailrace.schemas.providers.as_text import json_text
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.records.media import block_media
from tailrace.schemas.records.parts import AnyPart, GenericPart, Json, TextPart, ToolCallResponsePart

#: Readers of items by their type; each takes the item and its path for errors.
Readers = Mapping[str, Callable[[dict[str, Any], str], AnyPart]]

#: Reads a content list; takes its path for errors.
ReadItems = Callable[[list[Json], str], tuple[AnyPart, ...]]

_TEXT_FIELDS = 2  # type and text


def read_list(items: list[Json], where: str, readers: Readers) -> tuple[AnyPart, ...]:
    """Return one part for each item; an item of a type that has no reader is a generic part."""
    return tuple([_read_item(item, where, index, readers) for index, item in enumerate(items)])


def read_text(item: dict[str, Any], where: str) -> TextPart:
    """Return the part for an item of type text."""
    return TextPart(content=text_field(item, "text", where), extra=rest(item, ("type", "text")))


def text_item(content: str) -> dict[str, Any]:
    """Return the plain item for a text."""
    return {"type": "text", "text": content}


def generic_item(part: GenericPart) -> dict[str, Any]:
    """Return the item that the part holds; what is no item becomes text."""
    return part.value if isinstance(part.value, dict) else text_item(json_text(part.value))


def shortest(items: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Return the items as `content`: a string where one plain text is all there is."""
    if len(items) == 1 and len(items[0]) == _TEXT_FIELDS and items[0].get("type") == "text":
        return str(items[0]["text"])
    return items


def holds_item(content: Json, kinds: frozenset[str]) -> bool:
    """Return whether a content list holds an item of one of these types."""
    return isinstance(content, list) and any(
        isinstance(item, dict) and is_among(item.get("type"), kinds) for item in content
    )


def is_among(kind: object, kinds: frozenset[str]) -> bool:
    """Return whether what stands for a type is one of these; it may be any JSON value."""
    return isinstance(kind, str) and kind in kinds


def answered_parts(answer: ToolCallResponsePart, read: ReadItems | None = None) -> tuple[AnyPart, ...]:
    """Return what a tool answered, as parts; a list is text where the format has no way to `read` it."""
    response = answer.response
    if response is None:
        return ()
    if isinstance(response, list) and read is not None:
        try:
            return read(response, "response")
        except Invalid:  # what came as tailrace/1, or from a tool with a form of its own, may hold such a list
            return (TextPart(content=readable_json(response)),)
    if isinstance(response, dict) and block_media(response) is not None:
        return (GenericPart(value=response),)  # a screenshot
    return (TextPart(content=response if isinstance(response, str) else readable_json(response)),)


def _read_item(item: Json, where: str, index: int, readers: Readers) -> AnyPart:
    if not isinstance(item, dict):
        raise wrong(f"{where}[{index}]", "an object with a type", item)
    text = item.get("text")
    if isinstance(text, str) and len(item) == _TEXT_FIELDS and item.get("type") == "text":
        return TextPart(content=text)
    place = f"{where}[{index}]"
    reader = readers.get(text_field(item, "type", place))
    return reader(item, place) if reader else GenericPart(value=item)
