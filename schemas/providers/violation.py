"""What a validator says, and how rules get at a request that may be any JSON value at all."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from tailrace.schemas.records.parts import Json


class Violation(Struct, frozen=True, kw_only=True):
    """One thing that the API would refuse: where it stands, which rule it breaks, and what is wrong."""

    path: str
    rule: str
    text: str


#: Something of a request, with its path.
Placed = tuple[str, dict[str, Any]]

#: Paths of what breaks a rule, each with what is wrong there.
Breaches = Iterator[tuple[str, str]]


class Api(Struct, frozen=True, kw_only=True):
    """What one API refuses: rules by name, each of which takes a view of the request."""

    view: Callable[[Mapping[str, Any]], Any]
    rules: Mapping[str, Callable[[Any], Breaches]]


def violations_of(request: Mapping[str, Any], api: Api) -> list[Violation]:
    """Return all that breaks one of the rules, in the order of the rules and then of the request."""
    view = api.view(request if isinstance(request, Mapping) else {})
    return [
        Violation(path=path, rule=rule, text=text) for rule, check in api.rules.items() for path, text in check(view)
    ]


def objects_in(value: Json, path: str) -> list[Placed]:
    """Return the objects in a list, each with its path; nothing where there is no list."""
    if not isinstance(value, list):
        return []
    return [(f"{path}[{index}]", item) for index, item in enumerate(value) if isinstance(item, dict)]


def misshapen(value: Json, path: str, expected: str) -> Breaches:
    """Yield what is no object in what must be a list of them."""
    if not isinstance(value, list):
        yield path, f"must be a list of {expected}s"
        return
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            yield f"{path}[{index}]", f"must be an object: {expected}"


def text_of(value: Json) -> str:
    """Return the value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def is_text(value: Json) -> bool:
    """Return whether the value is a string with anything but white space in it."""
    return isinstance(value, str) and bool(value.strip())
