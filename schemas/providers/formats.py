"""The message formats by name: which one a bare message is in, how it is read, how a context is written."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tailrace.schemas.errors import PoisonEvent
from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.anthropic import read as anthropic_read
from tailrace.schemas.providers.anthropic import write as anthropic_write
from tailrace.schemas.providers.gemini import content as gemini_content
from tailrace.schemas.providers.gemini import read as gemini_read
from tailrace.schemas.providers.gemini import write as gemini_write
from tailrace.schemas.providers.openai_chat import read as openai_chat_read
from tailrace.schemas.providers.openai_chat import write as openai_chat_write
from tailrace.schemas.providers.openai_responses import read as openai_responses_read
from tailrace.schemas.providers.openai_responses import write as openai_responses_write
from tailrace.schemas.providers.openai_responses.content import CONTENT_TYPES
from tailrace.schemas.providers.openai_responses.items import ITEM_TYPES
from tailrace.schemas.records.message import Format, Message, format_named, message_from_json


class Codec(Struct, frozen=True, kw_only=True):
    """How one format is read and written."""

    read_message: Callable[[Mapping[str, Any]], Message]
    write_messages: Callable[[Sequence[Message]], list[dict[str, Any]]]


def read_native(message_format: str, data: Mapping[str, Any]) -> Message:
    """Return the message that `data` is in that format.

    Raises `UnknownVersion` for a format that this release doesn't read, `Invalid` for data of the wrong shape.
    """
    codec = _codec(message_format)
    if not isinstance(data, (dict, Mapping)):  # dict first: asking the abstract class is slow
        raise wrong("message", "an object with role and content", data)
    return codec.read_message(data)


def write_context(messages: Sequence[Message], message_format: str) -> list[dict[str, Any]]:
    """Return the messages as JSON values of that format, ready to send to a provider.

    A message that came in the same format is written unchanged, any other as far as it crosses: see `conversion`.
    Nothing is copied: what is returned shares its values with the messages, so read it and leave it as it is.
    """
    return _codec(message_format).write_messages(messages)


def detect_format(data: Mapping[str, Any]) -> Format:
    """Return the format of a bare message. Never raises: whatever is none of the others is OpenAI chat's to refuse."""
    if "parts" in data:
        return Format.GEMINI if _is_gemini(data["parts"]) else Format.TAILRACE
    content = data.get("content")
    if _is_responses(data, content):
        return Format.OPENAI_RESPONSES
    if isinstance(content, list) and data.get("role") in anthropic_read.ROLES and _is_anthropics(data, content):
        return Format.ANTHROPIC_MESSAGES
    return Format.OPENAI_CHAT


def shown_format(messages: Iterable[Mapping[str, Any]]) -> Format | None:
    """Return the provider's format that some messages of a conversation show, if it is one alone; any of them may be OpenAI chat."""
    shown = {detect_format(data) for data in messages} - {Format.OPENAI_CHAT, Format.TAILRACE}
    return shown.pop() if len(shown) == 1 else None


def read_among(data: Mapping[str, Any], shown: Format | None) -> Message:
    """Return a bare message of a conversation that shows a format: as that, where the message could be of any.

    Raises as `read_native` does.
    """
    own = detect_format(data)
    says_nothing = own is Format.OPENAI_CHAT or data.get("parts") == []
    if shown is not None and says_nothing and not _shows_chat(data, shown):
        try:
            return read_native(shown, data)
        except PoisonEvent:
            pass  # of another format than the rest, or of none: its own shape says
    return read_native(own, data)


def _shows_chat(data: Mapping[str, Any], among: Format) -> bool:
    """Whether a message has what OpenAI's chat has and that format has not: read as that, it would be lost, or sent to an API that refuses it."""
    if not data.keys().isdisjoint(_CHAT_ALONE):
        return True
    if among is Format.GEMINI:
        return "content" in data
    content, items = data.get("content"), _CHAT_ITEMS.get(among, frozenset())
    return isinstance(content, list) and any(
        isinstance(item, dict) and _is_one_of(item.get("type"), items) for item in content
    )


def _is_gemini(parts: object) -> bool:
    return isinstance(parts, list) and bool(parts) and all(map(gemini_content.is_part, parts))


def _is_responses(data: Mapping[str, Any], content: object) -> bool:
    kind = data.get("type")
    if "role" not in data:
        return isinstance(kind, str) and kind in ITEM_TYPES
    if data["role"] not in openai_responses_read.ROLES:
        return False
    if isinstance(content, list):
        # OpenAI's chat has refusals too, in messages that have no type; Anthropic has none.
        telling = CONTENT_TYPES | {"refusal"} if kind == "message" else CONTENT_TYPES
        return any(isinstance(item, dict) and _is_one_of(item.get("type"), telling) for item in content)
    # Anthropic answers with messages of this type too, but never with a string.
    return kind == "message" and isinstance(content, str)


def _is_one_of(kind: object, kinds: frozenset[str]) -> bool:
    return isinstance(kind, str) and kind in kinds


def _is_anthropics(data: Mapping[str, Any], content: list[object]) -> bool:
    # What Anthropic answers with has a type even where all it holds is text; messages of OpenAI's chat have none.
    return any(map(_is_anthropic, content)) or (data.get("type") == "message" and data["role"] == "assistant")


def _is_anthropic(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    return kind in _ANTHROPIC_TYPES or kind.endswith("_tool_result") or (kind == "image" and "source" in item)


def _codec(message_format: str) -> Codec:
    return CODECS.get(message_format) or CODECS[format_named(message_format)]


def _write_tailrace(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [{**msgspec.to_builtins(message), "parts": msgspec.to_builtins(list(message.parts))} for message in messages]


#: Fields of a message that no other format has: whoever reads it as another loses what they hold.
_CHAT_ALONE = frozenset(
    {"name", "refusal", "audio", "tool_calls", "function_call", "tool_call_id", "reasoning", "reasoning_content"}
)

#: Types of content items that OpenAI chat has, and the other format has not.
_CHAT_ITEMS = {
    Format.ANTHROPIC_MESSAGES: frozenset({"image_url", "input_audio", "file", "refusal"}),
    Format.OPENAI_RESPONSES: frozenset({"text", "image_url", "file"}),
}

#: Types of content items that OpenAI chat doesn't have.
_ANTHROPIC_TYPES = frozenset(
    {
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "document",
        "search_result",
        "server_tool_use",
        "mcp_tool_use",
        "container_upload",
        "compaction",
    }
)

CODECS: dict[str, Codec] = {
    Format.TAILRACE: Codec(read_message=message_from_json, write_messages=_write_tailrace),
    Format.OPENAI_CHAT: Codec(
        read_message=openai_chat_read.read_message, write_messages=openai_chat_write.write_messages
    ),
    Format.OPENAI_RESPONSES: Codec(
        read_message=openai_responses_read.read_message, write_messages=openai_responses_write.write_messages
    ),
    Format.ANTHROPIC_MESSAGES: Codec(
        read_message=anthropic_read.read_message, write_messages=anthropic_write.write_messages
    ),
    Format.GEMINI: Codec(read_message=gemini_read.read_message, write_messages=gemini_write.write_messages),
}
