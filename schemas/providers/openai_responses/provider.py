"""OpenAI's Responses API, as the rest of Tailrace uses it."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tailrace.schemas.providers.content import answered_parts, holds_item
from tailrace.schemas.providers.openai_responses.content import CONTENT_TYPES, read_items
from tailrace.schemas.providers.openai_responses.items import ITEM_TYPES, is_bound
from tailrace.schemas.providers.openai_responses.read import ROLES, read_message
from tailrace.schemas.providers.openai_responses.request import request
from tailrace.schemas.providers.openai_responses.validate import API
from tailrace.schemas.providers.openai_responses.write import write_messages
from tailrace.schemas.providers.provider import Provider, ServerCalls
from tailrace.schemas.providers.tool import Tool, parameters_schema
from tailrace.schemas.records.message import Format

#: Types of content items that OpenAI's chat has, and this format has not.
_CHAT_ITEMS = frozenset({"text", "image_url", "file"})


def _is_shown_by(data: Mapping[str, Any]) -> bool:
    kind = data.get("type")
    if "role" not in data:
        return isinstance(kind, str) and kind in ITEM_TYPES
    if data["role"] not in ROLES:
        return False
    content = data.get("content")
    if isinstance(content, list):
        # OpenAI's chat has refusals too, in messages that have no type; Anthropic has none.
        return holds_item(content, CONTENT_TYPES | {"refusal"} if kind == "message" else CONTENT_TYPES)
    # Anthropic answers with messages of this type too, but never with a string.
    return kind == "message" and isinstance(content, str)


def _lacks_place_for(data: Mapping[str, Any]) -> bool:
    return holds_item(data.get("content"), _CHAT_ITEMS)


def _is_bound(item: dict[str, Any]) -> bool:
    kind = item.get("type")
    return isinstance(kind, str) and is_bound(kind)


def _define_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    # Not strict: there every parameter would be required, and what is left out would have to be null.
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.about,
            "parameters": parameters_schema(tool),
            "strict": False,
        }
        for tool in tools
    ]


PROVIDER = Provider(
    format=Format.OPENAI_RESPONSES,
    read_message=read_message,
    write_messages=write_messages,
    request=request,
    api=API,
    define_tools=_define_tools,
    is_shown_by=_is_shown_by,
    lacks_place_for=_lacks_place_for,
    answer_parts=partial(answered_parts, read=read_items),
    is_bound=_is_bound,
    #: What a person said to a request for approval, and the call that was made then.
    server_calls=ServerCalls(
        offering=frozenset({"mcp_approval_request"}),
        taking_up={"mcp_approval_response": "approval_request_id", "mcp_call": "approval_request_id"},
        separable=frozenset({"mcp_call"}),
    ),
    list_key="input",
    system_keys=("instructions",),
    sealed_fields=frozenset({"encrypted_content"}),
)
