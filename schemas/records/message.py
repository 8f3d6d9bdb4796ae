"""One message of a conversation, in the one form that all formats are read into and written from."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from tailrace.schemas.errors import Invalid, UnknownVersion
from tailrace.schemas.records.parts import PART_TYPES, AnyPart, GenericPart, ToolCallPart, ToolCallResponsePart

#: The short name of Anthropic's API; each place that takes a format takes both.
ANTHROPIC: Final = "anthropic"


class Format(StrEnum):
    """The message formats that are read and written."""

    TAILRACE = "tailrace/1"
    OPENAI_CHAT = "openai.chat"
    OPENAI_RESPONSES = "openai.responses"
    ANTHROPIC_MESSAGES = "anthropic.messages"
    GEMINI = "gemini"

    @classmethod
    def _missing_(cls, value: object) -> "Format | None":
        """Take the short name, too: tools are defined for `anthropic`, messages are `anthropic.messages`."""
        return cls.ANTHROPIC_MESSAGES if value == ANTHROPIC else None


def format_named(name: Format | str) -> Format:
    """Return the format of that name. Raises UnknownVersion for one that this release neither reads nor writes."""
    try:
        return Format(name)
    except ValueError:
        raise UnknownVersion(f"message format {name!r} is not known. Known: {', '.join(Format)}") from None


class ContentShape(StrEnum):
    """How the provider wrote `content`, where several ways mean the same."""

    STRING = "string"
    LIST = "list"
    NULL = "null"
    ABSENT = "absent"


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A role and its parts. `format`, `content_shape` and `extra` are what it takes to write it back unchanged."""

    role: str
    parts: tuple[AnyPart, ...] = ()
    name: str | None = None
    format: Format = Format.TAILRACE
    content_shape: ContentShape | None = None
    extra: dict[str, Any] = {}

    @property
    def call_ids(self) -> tuple[str, ...]:
        """Ids of the tool calls that this message makes."""
        # Asked of every message, and most have one part: where that is something else, `isinstance` takes six times as
        # long to say so.
        if len(self.parts) == 1:
            part = self.parts[0]
            return (part.id,) if type(part) is ToolCallPart else ()
        return tuple([part.id for part in self.parts if type(part) is ToolCallPart])

    @property
    def answered_ids(self) -> tuple[str, ...]:
        """Ids of the tool calls that this message answers."""
        if len(self.parts) == 1:
            part = self.parts[0]
            return (part.id,) if type(part) is ToolCallResponsePart else ()
        return tuple([part.id for part in self.parts if type(part) is ToolCallResponsePart])


assert set(get_args(AnyPart)) == set(PART_TYPES.values())  # noqa: S101  one list, two forms: they must not drift

_MESSAGE_FIELDS = frozenset(Message.__struct_fields__)


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Read a `tailrace/1` message. Unknown fields go to `extra`, unknown part types become generic parts."""
    named = {key: value for key, value in data.items() if key in _MESSAGE_FIELDS and key != "parts"}
    unknown = {key: value for key, value in data.items() if key not in _MESSAGE_FIELDS}
    parts = data.get("parts", [])
    if not isinstance(parts, list):
        raise Invalid(f"message.parts must be a list of parts, got {type(parts).__name__}")
    named["parts"] = [_part_from_json(part, index) for index, part in enumerate(parts)]
    message: Message = _convert(_with_extra(named, unknown, "message"), Message, "message")
    return message


def _part_from_json(data: object, index: int) -> AnyPart:
    if not isinstance(data, dict):
        raise Invalid(f"message.parts[{index}] must be an object with a type, got {type(data).__name__}")
    name = data.get("type")
    part_type = PART_TYPES.get(name) if isinstance(name, str) else None
    if part_type is None:
        return GenericPart(value=data)
    fields = part_type.__struct_fields__
    named = {key: value for key, value in data.items() if key in fields or key == "type"}
    unknown = {key: value for key, value in data.items() if key not in fields and key != "type"}
    where = f"message.parts[{index}]"
    part: AnyPart = _convert(_with_extra(named, unknown, where), part_type, where)
    return part


def _with_extra(named: dict[str, Any], unknown: dict[str, Any], where: str) -> dict[str, Any]:
    if not unknown:
        return named
    extra = named.get("extra", {})
    if not isinstance(extra, dict):
        raise Invalid(f"{where}.extra must be an object, got {type(extra).__name__}")
    return {**named, "extra": {**extra, **unknown}}


def _convert(data: object, target: Any, where: str) -> Any:
    try:
        return msgspec.convert(data, target)
    except msgspec.ValidationError as error:
        raise Invalid(f"{where}: {error}") from error
