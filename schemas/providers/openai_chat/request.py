"""A context as the messages of an OpenAI chat completion.

The API refuses an assistant message that has calls and is not directly followed by a tool message for each, so messages
that made parallel calls one by one become one. The old `function_call` and calls of other kinds are sent as function
calls. It takes media from the user alone: those of a tool follow its answers as the user's, as they do out of other
formats, and any other become a note. What holds nothing is left out, and so is what a runtime noted on a message for
itself.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tailrace.schemas.providers.as_text import json_text, note_of
from tailrace.schemas.providers.cache_marks import MARKS_MAX, newest_marked
from tailrace.schemas.providers.call_answers import Fitting, Made, paired
from tailrace.schemas.providers.call_forms import ANY_CHARACTER, WORD_CHARACTER, CallForm
from tailrace.schemas.providers.content import is_among, text_item
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.providers.openai_chat.calls import is_old
from tailrace.schemas.providers.openai_chat.content import lacks_address, lacks_text, read_items
from tailrace.schemas.providers.openai_chat.write import write_messages
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import Json, ToolCallPart

#: Ids and names that the API takes.
CALL_FORM = CallForm(
    id_pattern=ANY_CHARACTER, id_characters_max=40, name_pattern=WORD_CHARACTER, name_characters_max=64
)

#: What the API takes as the name of a speaker.
NAME = re.compile(r"[^\s<|\\/>]{1,64}")

#: Fields of a message that go out. OpenAI refuses any other; gateways and servers that speak its format have some of
#: their own, which a conversation with them needs back: what a model thought, with its signatures, and how a message is
#: meant to go on.
FIELDS = frozenset(
    {
        *("role", "content", "name", "refusal", "audio", "annotations", "tool_calls", "tool_call_id", "function_call"),
        *(
            "reasoning_content",
            "reasoning",
            "reasoning_details",
            "reasoning_text",
            "reasoning_opaque",
            "encrypted_content",
        ),
        *("thinking", "thinking_blocks", "provider_specific_fields", "extra_content", "cache_control"),
        *("prefix", "partial", "images", "tool_name"),
    }
)

#: Content that only a user's message may hold.
USERS_CONTENT = frozenset({"image_url", "input_audio", "file"})

_SENDABLE_KINDS = frozenset({"function", "custom"})

#: The field of a message that only an assistant's may have.
ASSISTANTS_FIELD = "tool_calls"

#: Fields that say something in the place of `content`.
_SAYING = ("refusal", "audio", "tool_calls")


def request(messages: Sequence[Message], carry: Carry) -> dict[str, Any]:
    """Return `{"messages": [...]}`."""
    sendable: list[dict[str, Any]] = []
    for written in _media_with_users(write_messages(paired(messages, _FITTING), carry)):
        message = _sendable(written)
        if message is None:
            continue
        if sendable and _belong_together(sendable[-1], message):
            sendable[-1] = _merged(sendable[-1], message)
        else:
            sendable.append(message)
    # Only gateways to Anthropic's models take marks in this format, and theirs is not a conversation that Anthropic's
    # API had.
    is_anthropic = any(message.format == Format.ANTHROPIC_MESSAGES for message in messages)
    return {"messages": newest_marked(sendable, 0 if is_anthropic else MARKS_MAX)}


def _media_with_users(messages: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    held: list[Json] = []
    for message in messages:
        if held and message["role"] != "tool":
            yield {"role": "user", "content": held}
            held = []
        content = message.get("content")
        if message["role"] == "user" or not isinstance(content, list) or not any(map(_is_users, content)):
            yield message
        elif message["role"] == "tool":
            held = [*held, *filter(_is_users, content)]
            texts: list[Json] = [item for item in content if not _is_users(item)]
            yield {**message, "content": texts or ""}
        else:
            yield {**message, "content": [_note(item) if _is_users(item) else item for item in content]}
    if held:
        yield {"role": "user", "content": held}


def _is_users(item: Json) -> bool:
    return isinstance(item, dict) and is_among(item.get("type"), USERS_CONTENT)


def _note(item: dict[str, Any]) -> dict[str, Any]:
    return text_item(note_of(_with_address(item), read_items))


def _with_address(item: dict[str, Any]) -> dict[str, Any]:
    # Some servers of this format take the bare address of an image.
    address = item.get("image_url")
    return {**item, "image_url": {"url": address}} if isinstance(address, str) else item


def _fit_call(made: Made) -> ToolCallPart:
    call = made.call
    if made.format != Format.OPENAI_CHAT:
        return call
    kind = call.extra.get("type", "function")
    if is_old(call) or kind not in _SENDABLE_KINDS:
        call = ToolCallPart(id=call.id, name=call.name, arguments=call.arguments)
    if call.extra and "type" not in call.extra:
        call = replace(call, extra={"type": "function", **call.extra})
    if isinstance(call.arguments, str):
        return call
    return replace(call, arguments="{}" if call.arguments is None else json_text(call.arguments))


def _sendable(message: dict[str, Any]) -> dict[str, Any] | None:
    content = _sendable_content(message)
    if message["role"] != "tool" and not content and not _says_otherwise(message):
        return None
    dropped = _refused_fields(message)
    is_changed = content != message.get("content")
    if not is_changed and not dropped:
        return message
    changed = {**message, "content": content} if is_changed else message
    return {key: value for key, value in changed.items() if key not in dropped}


def _sendable_content(message: dict[str, Any]) -> Json:
    content = message.get("content")
    if isinstance(content, list):
        content = [_fitting(item) for item in content if item != text_item("")] or None
    elif not isinstance(content, str | None):
        content = readable_json(content)
    return "" if content is None and message["role"] == "tool" else content


def _says_otherwise(message: dict[str, Any]) -> bool:
    return message["role"] == "assistant" and any(message.get(key) for key in _SAYING)


def _refused_fields(message: dict[str, Any]) -> set[str]:
    refused: set[str] = {key for key in ("tool_calls", "function_call") if key in message and not message[key]}
    refused |= message.keys() - FIELDS
    if message["role"] != "assistant":
        refused |= message.keys() & {ASSISTANTS_FIELD}
    name = message.get("name")
    if "name" in message and not (isinstance(name, str) and NAME.fullmatch(name)):
        refused.add("name")
    return refused


def _fitting(item: Json) -> dict[str, Any]:
    if not isinstance(item, dict) or not isinstance(item.get("type"), str) or lacks_text(item):
        return text_item(readable_json(item))
    if item["type"] == "image_url":
        item = _with_address(item)
    return _note(item) if lacks_address(item) else item


def _belong_together(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return first["role"] == second["role"] == "assistant" and bool(first.get("tool_calls"))


def _merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    merged = {**second, **first}
    contents = [item for message in (first, second) for item in _items(message.get("content"))]
    if contents:
        merged["content"] = contents[0]["text"] if contents == [text_item(str(contents[0].get("text")))] else contents
    merged["tool_calls"] = [*first["tool_calls"], *second.get("tool_calls", ())]
    return merged


def _items(content: Json) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [text_item(content)] if content else []
    return content if isinstance(content, list) else []


_FITTING = Fitting(format=Format.OPENAI_CHAT, form=CALL_FORM, call=_fit_call)
