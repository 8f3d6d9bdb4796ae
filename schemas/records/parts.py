"""What a message is made of: the OpenTelemetry GenAI part names, plus `refusal`.

A part keeps whatever its provider sent beyond the named fields in `extra`, so that writing it back in the
provider's own format loses nothing. A part of a type that has no name here is a `GenericPart`.
"""

from typing import Any

from msgspec import Struct

Json = Any  # a decoded JSON value: dict, list, str, int, float, bool or None


class Part(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of all parts; `extra` holds provider fields that have no name here."""

    extra: dict[str, Json] = {}


class TextPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="text"):
    """Plain text."""

    content: str


class ReasoningPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="reasoning"):
    """What the model thought; signatures stay in `extra`, bound to the provider that made them."""

    content: str


class RefusalPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="refusal"):
    """What the model said instead of an answer."""

    content: str


class ToolCallPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="tool_call"):
    """A call the model asks for. `arguments` is as the provider sent it: JSON text, or an object (Anthropic)."""

    id: str
    name: str
    arguments: Json = None


class ToolCallResponsePart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="tool_call_response"):
    """What a tool answered to the call `id`: text, or a list of the provider's content blocks."""

    id: str
    response: Json = None


class BlobPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="blob"):
    """Media inline; `content` is base64."""

    content: str
    modality: str
    mime_type: str | None = None


class FilePart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="file"):
    """Media that the provider holds under `file_id`."""

    file_id: str
    modality: str
    mime_type: str | None = None


class UriPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="uri"):
    """Media behind an address."""

    uri: str
    modality: str
    mime_type: str | None = None


class CompactionPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="compaction"):
    """What stands for messages that were compacted, by us or by a provider."""

    id: str | None = None
    content: str | None = None


class GenericPart(Part, frozen=True, kw_only=True, omit_defaults=True, tag="generic"):
    """A part of a type that has no name here, whole."""

    value: Json


AnyPart = (
    TextPart
    | ReasoningPart
    | RefusalPart
    | ToolCallPart
    | ToolCallResponsePart
    | BlobPart
    | FilePart
    | UriPart
    | CompactionPart
    | GenericPart
)

#: Part types by their name on the wire.
PART_TYPES: dict[str, type[Part]] = {
    str(part.__struct_config__.tag): part
    for part in (
        TextPart,
        ReasoningPart,
        RefusalPart,
        ToolCallPart,
        ToolCallResponsePart,
        BlobPart,
        FilePart,
        UriPart,
        CompactionPart,
        GenericPart,
    )
}
