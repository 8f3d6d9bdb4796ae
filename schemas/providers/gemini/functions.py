"""Function calls and responses of Gemini parts, to our parts and back.

A call may come without an id: its id here is then made from the function's name and its place among the calls of that
name, which pairs it with the response at the same place. What a part held beside its named fields is kept in `extra`
under the name that the field had, so that it is written as it came.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tailrace.schemas.fields import rest, text_field, wrong
from tailrace.schemas.providers.arguments import input_of
from tailrace.schemas.providers.call_forms import old_call_id
from tailrace.schemas.providers.media_notes import readable_json
from tailrace.schemas.records.parts import Json, ToolCallPart, ToolCallResponsePart

#: Data fields that have a named part, in snake case by their name in camel case.
SNAKE = {
    "inlineData": "inline_data",
    "fileData": "file_data",
    "functionCall": "function_call",
    "functionResponse": "function_response",
}

_CAMEL = {snake: camel for camel, snake in SNAKE.items()}


def spelling(extra: dict[str, Any], field: str) -> str:
    """Return the name that a field had in the part whose extra this is."""
    return SNAKE[field] if isinstance(extra.get(SNAKE[field]), dict) else field


def body_of(part: Mapping[str, Any], field: str) -> dict[str, Any] | None:
    """Return what a part holds under a name in camel case, in whichever spelling.

    None where it holds no such object.
    """
    for key in (field, SNAKE[field]):
        if isinstance(part.get(key), dict):
            return dict(part[key])
    return None


def with_body(part: Mapping[str, Any], field: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the part with another body under that name, in the spelling that it has."""
    return {**part, field if isinstance(part.get(field), dict) else SNAKE[field]: body}


def read_call(part: dict[str, Any], field: str, where: str, unnamed: Counter[str]) -> ToolCallPart:
    """Return the part for a function call."""
    body = part[field]
    name = text_field(body, "name", f"{where}.{field}")
    arguments = body.get("args")
    if arguments is not None and not isinstance(arguments, dict):
        raise wrong(f"{where}.{field}.args", "an object", arguments)
    inner = rest(body, ("name",) if arguments is None else ("name", "args"))
    # All of a usual call is in its named fields; any other says in extra how it was written.
    usual = field == "functionCall" and arguments is not None and inner.keys() == {"id"} and _has_id(inner)
    extra = rest(part, (field,)) if usual else {**part, field: inner}
    return ToolCallPart(id=_call_id(body, name, field, unnamed), name=name, arguments=arguments, extra=extra)


def write_call(part: ToolCallPart) -> dict[str, Any]:
    """Return the Gemini part for a call."""
    field = spelling(part.extra, "functionCall")
    inner = part.extra.get(field)
    body: dict[str, Any] = {**inner} if isinstance(inner, dict) else {"id": part.id, "args": {}}
    if _has_id(body):
        body["id"] = part.id
    body["name"] = part.name
    if part.arguments is not None:
        body["args"] = input_of(part.arguments)
    return {**part.extra, field: body}


def read_response(part: dict[str, Any], field: str, where: str, unnamed: Counter[str]) -> ToolCallResponsePart:
    """Return the part for a function response."""
    body = part[field]
    name = text_field(body, "name", f"{where}.{field}")
    response = body.get("response")
    if response is not None and not isinstance(response, dict):
        raise wrong(f"{where}.{field}.response", "an object", response)
    extra = part if response is None else {**part, field: rest(body, ("response",))}
    return ToolCallResponsePart(id=_call_id(body, name, field, unnamed), response=response, extra=extra)


def write_response(part: ToolCallResponsePart) -> dict[str, Any]:
    """Return the Gemini part for an answer."""
    field = spelling(part.extra, "functionResponse")
    inner = part.extra.get(field)
    body: dict[str, Any] = {**inner} if isinstance(inner, dict) else {"id": part.id, "name": part.id}
    if _has_id(body):
        body["id"] = part.id
    if part.response is not None:
        body["response"] = response_object(part.response)
    return {**part.extra, field: body}


def response_object(content: Json, *, is_error: bool = False) -> dict[str, Any]:
    """Return what a tool answered as the object that `response` must be."""
    if isinstance(content, dict):
        return content
    return {"error" if is_error else "output": content if isinstance(content, str) else readable_json(content)}


def is_failure(answer: ToolCallResponsePart) -> bool:
    """Return whether the answer is marked as an error, or the function answered with nothing else."""
    is_error_alone = isinstance(answer.response, dict) and answer.response.keys() == {"error"}
    return is_error_alone or answer.extra.get("is_error") is True


def _call_id(body: dict[str, Any], name: str, field: str, unnamed: Counter[str]) -> str:
    if _has_id(body):
        return str(body["id"])
    # A function's name starts with a letter, so the number can't be taken for a part of it.
    kind = f"{_CAMEL.get(field, field)} {name}"
    unnamed[kind] += 1
    place = unnamed[kind]
    return old_call_id(name if place == 1 else f"{place}_{name}")


def _has_id(body: dict[str, Any]) -> bool:
    return isinstance(body.get("id"), str) and bool(body["id"])
