"""The Gemini API, as the rest of Tailrace uses it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tailrace.schemas.providers.gemini.content import SIGNATURE_KEYS, answer_parts, is_bound, is_part
from tailrace.schemas.providers.gemini.functions import is_failure
from tailrace.schemas.providers.gemini.read import read_message
from tailrace.schemas.providers.gemini.request import request
from tailrace.schemas.providers.gemini.validate import API
from tailrace.schemas.providers.gemini.write import write_messages
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.tool import Tool, parameters_schema
from tailrace.schemas.records.message import Format
from tailrace.schemas.records.parts import Json


def _is_shown_by(data: Mapping[str, Any]) -> bool:
    parts = data.get("parts")
    return isinstance(parts, list) and bool(parts) and all(map(is_part, parts))


def _lacks_place_for(data: Mapping[str, Any]) -> bool:
    return "content" in data


def _is_bound(item: dict[str, Any]) -> bool:
    return not isinstance(item.get("type"), str) and is_bound(item)


def _define_tools(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    # One tool that holds all functions.
    functions = [
        {"name": tool.name, "description": tool.about, "parameters": parameters_schema(tool)} for tool in tools
    ]
    return [{"functionDeclarations": functions}]


def _bare_message(role: str, content: Json) -> dict[str, Any]:
    parts = content.get("parts") if isinstance(content, dict) else content
    return {"role": role, "parts": [{"text": parts}] if isinstance(parts, str) else parts}


def _appended(contents: Sequence[dict[str, Any]], content: dict[str, Any]) -> list[dict[str, Any]]:
    # Roles have to alternate: what comes behind one of its own role is a part of that.
    if not contents or contents[-1]["role"] != content["role"]:
        return [*contents, content]
    return [*contents[:-1], {**contents[-1], "parts": [*contents[-1]["parts"], *content["parts"]]}]


PROVIDER = Provider(
    format=Format.GEMINI,
    read_message=read_message,
    write_messages=write_messages,
    request=request,
    api=API,
    define_tools=_define_tools,
    is_shown_by=_is_shown_by,
    lacks_place_for=_lacks_place_for,
    answer_parts=answer_parts,
    is_error=is_failure,
    is_bound=_is_bound,
    list_key="contents",
    system_keys=("system_instruction", "systemInstruction"),
    is_system_in_front=True,
    is_role_optional=True,
    bare_message=_bare_message,
    appended=_appended,
    sealed_fields=SIGNATURE_KEYS,
)
