"""OpenAI's chat completions, as the rest of Tailrace uses them."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tailrace.schemas.providers.content import answered_parts
from tailrace.schemas.providers.openai_chat.content import read_items
from tailrace.schemas.providers.openai_chat.read import read_message
from tailrace.schemas.providers.openai_chat.request import FIELDS, request
from tailrace.schemas.providers.openai_chat.validate import API
from tailrace.schemas.providers.openai_chat.write import write_messages
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.tool import Tool, parameters_schema
from tailrace.schemas.records.message import Format


def _define_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.about, "parameters": parameters_schema(tool)},
        }
        for tool in tools
    ]


def _is_shown_by(_: Mapping[str, Any]) -> bool:
    return True  # what is of no other format is this one's to refuse


PROVIDER = Provider(
    format=Format.OPENAI_CHAT,
    read_message=read_message,
    write_messages=write_messages,
    request=request,
    api=API,
    define_tools=_define_tools,
    is_shown_by=_is_shown_by,
    answer_parts=partial(answered_parts, read=read_items),
    list_key="messages",
    message_fields=FIELDS,
    sealed_fields=frozenset({"encrypted_content", "reasoning_opaque"}),
)
