"""What is known of one provider's API: all that other modules ask of it stands in one record."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from tailrace.schemas.providers.content import answered_parts
from tailrace.schemas.providers.pieces import Carry
from tailrace.schemas.providers.tool import Tool
from tailrace.schemas.providers.violation import Api
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import AnyPart, Json, ToolCallResponsePart

Item = dict[str, Any]


class ServerCalls(Struct, frozen=True, kw_only=True):
    """Items with which a provider answers calls itself, by their types.

    The `id` of an item that opens a call names it.
    """

    #: Open a call to which a result belongs.
    awaiting: frozenset[str] = frozenset()
    #: Open a call that nobody has to take up.
    offering: frozenset[str] = frozenset()
    #: How the types of results end, and their field that names the call.
    result_suffix: str | None = None
    result_field: str = ""
    #: Types of other items that can't be without a call, each with its field that names the call.
    taking_up: Mapping[str, str] = {}
    #: Those of them that may stay without the call, once they name it no more.
    separable: frozenset[str] = frozenset()


def _is_marked_error(answer: ToolCallResponsePart) -> bool:
    return answer.extra.get("is_error") is True


def _never(_: Mapping[str, Any]) -> bool:
    return False


def _bare_message(role: str, content: Json) -> Item:
    return {"role": role, "content": content}


def _appended(items: Sequence[Item], item: Item) -> list[Item]:
    return [*items, item]


def _no_tools(_: Iterable[Tool]) -> list[Item]:
    return []


class Provider(Struct, frozen=True, kw_only=True):
    """One provider's API, as the rest of Tailrace uses it. `registry` has all of them by their format."""

    format: Format

    #: The message that a JSON object of this format is. Raises `Invalid` for one of the wrong shape.
    read_message: Callable[[Mapping[str, Any]], Message]
    #: Messages as JSON of this format: those that came in it unchanged, all others as far as they cross.
    write_messages: Callable[[Sequence[Message], Carry], list[Item]]
    #: The arguments that carry messages in a call of the API, repaired where it would refuse them.
    request: Callable[[Sequence[Message], Carry], dict[str, Any]]
    #: What the API refuses in such arguments.
    api: Api
    #: The definitions of tools, as a request holds them.
    define_tools: Callable[[Iterable[Tool]], list[Item]] = _no_tools

    # How a bare message shows that it is of this format.
    #: Whether a message can be of no other format that is asked later.
    is_shown_by: Callable[[Mapping[str, Any]], bool]
    #: Whether content of OpenAI's chat would be lost, or refused, if it were read as this format.
    lacks_place_for: Callable[[Mapping[str, Any]], bool] = _never

    # What crosses to other formats.
    #: What a tool answered, as parts.
    answer_parts: Callable[[ToolCallResponsePart], tuple[AnyPart, ...]] = answered_parts
    is_error: Callable[[ToolCallResponsePart], bool] = _is_marked_error
    #: Whether an item without a named part is of use to this provider alone.
    is_bound: Callable[[dict[str, Any]], bool] = _never
    #: Calls that the provider answers itself; without, its requests take none.
    server_calls: ServerCalls | None = None

    # The shape of a request.
    #: The argument that holds the conversation.
    list_key: str
    #: Fields beside it that may hold the system prompt, where a document of that shape is in this format.
    system_keys: tuple[str, ...] = ()
    #: Whether the system prompt stands in front of the conversation: an injection there would change all that follows.
    is_system_in_front: bool = False
    #: Whether a message may leave out that it is the user's.
    is_role_optional: bool = False
    #: A message of a role and what it says, as JSON of this format.
    bare_message: Callable[[str, Json], Item] = _bare_message
    #: Items of a request with another at their end.
    appended: Callable[[Sequence[Item], Item], list[Item]] = _appended

    # What costs tokens.
    #: Fields of a message that are sent beside its content. None are in most formats.
    message_fields: frozenset[str] = frozenset()
    #: Fields in which the provider keeps what its model thought, for itself alone.
    sealed_fields: frozenset[str] = frozenset()
