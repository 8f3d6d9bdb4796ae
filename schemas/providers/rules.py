"""Rules that several APIs share: each is made for the names that an API has for its list, its fields and its items."""

from collections.abc import Callable, Container, Mapping
from typing import Any, Protocol

from tailrace.schemas.providers.call_forms import CallForm, is_fitting_name
from tailrace.schemas.providers.pairs import Pairable, repeated
from tailrace.schemas.providers.violation import Breaches, Placed, misshapen
from tailrace.schemas.records.parts import Json


class RequestView(Protocol):
    """A view that knows the request it was made from."""

    request: Mapping[str, Any]


class CallsView(Protocol):
    """A view that knows the calls of its request."""

    calls: list[Pairable]


def nothing_to_send(list_key: str, item: str) -> Callable[[RequestView], Breaches]:
    """Return the rule that refuses an empty list of what a request has to hold."""

    def rule(view: RequestView) -> Breaches:
        if view.request.get(list_key) == []:
            yield list_key, f"must hold at least one {item}"

    return rule


def duplicate_call(id_name: str) -> Callable[[CallsView], Breaches]:
    """Return the rule that refuses a call under the id of another."""

    def rule(view: CallsView) -> Breaches:
        for call in repeated(view.calls):
            yield call.path, f"must have {id_name} of its own"

    return rule


def extra_fields(messages: list[Placed], fields: Container[str], why: str) -> Breaches:
    """Yield the fields of messages that are none of these."""
    for path, message in messages:
        for key in (key for key in message if key not in fields):
            yield f"{path}.{key}", f"must not be there: {why}"


def misshapen_content(content: Json, path: str) -> Breaches:
    """Yield what is wrong with content that is a string, a list of items or null."""
    if isinstance(content, list):
        yield from misshapen(content, path, "content item")
    elif not isinstance(content, str | None):
        yield path, "must be a string or a list of content items"


def misnamed_tool(name: Json, path: str, form: CallForm) -> Breaches:
    """Yield the name of a tool that the API doesn't take."""
    if not (isinstance(name, str) and is_fitting_name(name, form)):
        yield path, f"must name its tool with 1 to {form.name_characters_max} letters, digits, _ or -"
