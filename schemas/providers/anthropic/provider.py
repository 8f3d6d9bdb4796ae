"""Anthropic's Messages API, as the rest of Tailrace uses it."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tailrace.schemas.providers.anthropic.content import OWN_CALLS, RESULT_SUFFIX, is_bound, is_own_result, read_answer
from tailrace.schemas.providers.anthropic.read import ROLES, read_message
from tailrace.schemas.providers.anthropic.request import request
from tailrace.schemas.providers.anthropic.validate import API
from tailrace.schemas.providers.anthropic.write import write_messages
from tailrace.schemas.providers.content import answered_parts, holds_item
from tailrace.schemas.providers.provider import Provider, ServerCalls
from tailrace.schemas.providers.tool import Tool, parameters_schema
from tailrace.schemas.records.message import Format

#: Types of content items that OpenAI's chat has, and this format has not.
_CHAT_ITEMS = frozenset({"image_url", "input_audio", "file", "refusal"})
#: Types of content items that OpenAI's chat doesn't have.
_OWN_ITEMS = frozenset(
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


def _is_shown_by(data: Mapping[str, Any]) -> bool:
    content = data.get("content")
    if not isinstance(content, list) or data.get("role") not in ROLES:
        return False
    # What Anthropic answers with has a type even where all it holds is text; messages of OpenAI's chat have none.
    return any(map(_is_own, content)) or (data.get("type") == "message" and data["role"] == "assistant")


def _is_own(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    return kind in _OWN_ITEMS or is_own_result(kind) or (kind == "image" and "source" in item)


def _lacks_place_for(data: Mapping[str, Any]) -> bool:
    return holds_item(data.get("content"), _CHAT_ITEMS)


def _is_bound(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and is_bound(kind)


def _define_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    return [{"name": tool.name, "description": tool.about, "input_schema": parameters_schema(tool)} for tool in tools]


PROVIDER = Provider(
    format=Format.ANTHROPIC_MESSAGES,
    read_message=read_message,
    write_messages=write_messages,
    request=request,
    api=API,
    define_tools=_define_tools,
    is_shown_by=_is_shown_by,
    lacks_place_for=_lacks_place_for,
    answer_parts=partial(answered_parts, read=read_answer),
    is_bound=_is_bound,
    server_calls=ServerCalls(awaiting=OWN_CALLS, result_suffix=RESULT_SUFFIX, result_field="tool_use_id"),
    list_key="messages",
    system_keys=("system",),
    is_system_in_front=True,
    sealed_fields=frozenset({"signature"}),
)
