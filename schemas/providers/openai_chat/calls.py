"""Tool calls of OpenAI chat messages, to parts and back: functions, custom tools and the old `function_call`.

A call of the usual shape has no `extra`. Any other keeps there all that the named fields don't carry, its type
included. The old form has no id: extra says so with `"id": null`, and its id here is made from the function's name.
"""

from typing import Any

from tailrace.schemas.errors import Invalid
from tailrace.schemas.fields import id_field, nested, object_field, rest, text_field, wrong
from tailrace.schemas.providers.call_forms import old_call_id
from tailrace.schemas.records.parts import Json, ToolCallPart

#: Where each kind of call keeps what the model wrote.
_ARGUMENT_FIELDS = {"function": "arguments", "custom": "input"}

_CALL_FIELDS = 3  # id, type and function
_FUNCTION_FIELDS = 2  # name and arguments


def read_calls(calls: Json, where: str) -> tuple[ToolCallPart, ...]:
    """Return one part for each item of `tool_calls`."""
    if not isinstance(calls, list):
        raise wrong(where, "a list of tool calls or null", calls)
    return tuple([_read_call(call, where, index) for index, call in enumerate(calls)])


def read_function_call(call: Json, where: str) -> tuple[ToolCallPart]:
    """Return the part for a `function_call` of the old form."""
    if not isinstance(call, dict):
        raise wrong(where, "an object with name and arguments, or null", call)
    name, arguments, body = _read_body(call, "arguments", where)
    extra = {"id": None, "function_call": body}
    return (ToolCallPart(id=old_call_id(name), name=name, arguments=arguments, extra=extra),)


def is_old(part: ToolCallPart) -> bool:
    """Return whether the call came as a `function_call`."""
    return "id" in part.extra


def write_call(part: ToolCallPart) -> dict[str, Any]:
    """Return the item of `tool_calls`."""
    extra = part.extra
    if not extra:
        return {"id": part.id, "type": "function", "function": {"name": part.name, "arguments": part.arguments}}
    kind = _kind(extra)
    if kind is None:  # not as we read it: the usual call with something beside it
        kind, extra = "function", {"type": "function", **extra}
    if kind in _ARGUMENT_FIELDS:
        return {"id": part.id, **extra, kind: _write_body(part, _ARGUMENT_FIELDS[kind], nested(extra, kind))}
    return {"id": part.id, **extra, **({} if part.arguments is None else {kind: part.arguments})}


def write_function_call(part: ToolCallPart) -> dict[str, Any]:
    """Return the `function_call` of the old form."""
    return _write_body(part, "arguments", nested(part.extra, "function_call"))


def _read_call(call: Json, where: str, index: int) -> ToolCallPart:
    if not isinstance(call, dict):
        raise wrong(f"{where}[{index}]", "an object with id, type and function", call)
    function = call.get("function")
    # Not a match statement: on mappings it takes eight times as long, and this is every call of every agent.
    usual = len(call) == _CALL_FIELDS and call.get("type") == "function"
    if usual and isinstance(function, dict) and len(function) == _FUNCTION_FIELDS:
        call_id, name, arguments = call.get("id"), function.get("name"), function.get("arguments")
        if isinstance(call_id, str) and isinstance(name, str) and isinstance(arguments, str) and call_id:
            return ToolCallPart(id=call_id, name=name, arguments=arguments)
    return _read_unusual_call(call, f"{where}[{index}]")


def _read_unusual_call(call: dict[str, Any], where: str) -> ToolCallPart:
    call_id = id_field(call, "id", where)
    extra = rest(call, ("id",))
    kind = _kind(call)
    if kind is None:
        raise Invalid(f"{where} must have the type function or custom, with an object of that name")
    if kind not in _ARGUMENT_FIELDS:
        # A kind of call that came after this release: still a call, so that its answer finds it.
        arguments = extra.pop(kind) if isinstance(extra.get(kind), dict) else None
        return ToolCallPart(id=call_id, name=kind, arguments=arguments, extra=extra)
    name, arguments, body = _read_body(object_field(call, kind, where), _ARGUMENT_FIELDS[kind], f"{where}.{kind}")
    return ToolCallPart(id=call_id, name=name, arguments=arguments, extra={**extra, kind: body})


def _kind(call: dict[str, Any]) -> str | None:
    kind = call.get("type")
    if isinstance(kind, str):
        return kind
    return "function" if "function" in call else None


def _read_body(body: dict[str, Any], field: str, where: str) -> tuple[str, Json, dict[str, Any]]:
    name = text_field(body, "name", where)
    arguments = body.get(field)
    if arguments is None:
        return name, None, rest(body, ("name",))
    if not isinstance(arguments, str | dict):
        raise wrong(f"{where}.{field}", "a string", arguments)
    return name, arguments, rest(body, ("name", field))


def _write_body(part: ToolCallPart, field: str, extra: dict[str, Any]) -> dict[str, Any]:
    body = {"name": part.name, **extra}
    if part.arguments is not None:
        body[field] = part.arguments
    return body
