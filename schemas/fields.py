"""Fields of decoded JSON: checked when they are read, kept when they have no name here.

Every error says where the value stands, what it must be and what it is, because the reader of a dead letter has
nothing else to go by.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta

from tailrace.schemas.errors import Invalid

#: A number that SQLite, and most languages, can hold: JSON has larger ones.
Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
#: How one count relates to another: what is multiplied with it stays a number that can be rounded.
Ratio = Annotated[float, Meta(ge=0, le=1_000_000)]

_NAMES: dict[type, str] = {type(None): "null", type(UNSET): "nothing", dict: "an object", list: "a list"}


def wrong(where: str, expected: str, value: object) -> Invalid:
    """Return the error for a value of the wrong shape; `UNSET` stands for a field that is not there."""
    return Invalid(f"{where} must be {expected}, got {_name_of(value)}")


def text_field(data: Mapping[str, Any], key: str, where: str) -> str:
    """Return the string under `key`, or raise `Invalid`."""
    value = data.get(key, UNSET)
    if isinstance(value, str):
        return value
    raise wrong(f"{where}.{key}", "a string", value)


def id_field(data: Mapping[str, Any], key: str, where: str) -> str:
    """Return the string under `key` that pairs a call with its answer, or raise `Invalid`."""
    value = data.get(key, UNSET)
    if isinstance(value, str):
        if value:
            return value
        raise Invalid(f"{where}.{key} must be a non-empty string: it pairs a tool call with its result")
    raise wrong(f"{where}.{key}", "a non-empty string (it pairs a tool call with its result)", value)


def object_field(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return the object under `key`, or raise `Invalid`."""
    value = data.get(key, UNSET)
    if isinstance(value, dict):
        return value
    raise wrong(f"{where}.{key}", "an object", value)


def rest(data: Mapping[str, Any], taken: Container[str]) -> dict[str, Any]:
    """Return the fields whose keys are not in `taken`."""
    return {key: value for key, value in data.items() if key not in taken}


def rest_of_nested(data: Mapping[str, Any], key: str, taken: Container[str]) -> dict[str, Any]:
    """Return what is left of `{"type": …, key: {…}}` without its type and, inside `key`, without the taken fields."""
    outer = rest(data, ("type", key))
    inner = rest(data[key], taken)
    return {**outer, key: inner} if inner else outer


def nested(extra: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return what `rest_of_nested` kept under `key`."""
    # An extra may also come from outside, in a message of format tailrace/1: writing must not fail on it.
    inner = extra.get(key)
    return inner if isinstance(inner, dict) else {}


def role_error(role: object, allowed: Iterable[str]) -> Invalid:
    """Return the error for a role that the format doesn't know."""
    names = ", ".join(allowed)
    got = repr(role) if isinstance(role, str) else _name_of(role)
    return Invalid(f"message.role must be one of {names}, got {got}")


def _name_of(value: object) -> str:
    kind = type(value)
    return _NAMES.get(kind, kind.__name__)
