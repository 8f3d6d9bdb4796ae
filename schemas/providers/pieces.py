"""A message in pieces that any format can take, and the function that takes a message apart into them."""

from collections.abc import Callable

from msgspec import Struct

from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, ToolCallPart


class CarriedAnswer(Struct, frozen=True, kw_only=True):
    """What a tool answered, as parts that any format can take."""

    id: str
    parts: list[AnyPart]
    is_error: bool


class Carried(Struct, frozen=True, kw_only=True):
    """A message in pieces that any format can take: no extras, nothing bound to a provider."""

    calls: list[ToolCallPart]
    answers: list[CarriedAnswer]
    parts: list[AnyPart]


#: Takes a message of any format apart. Writers are given it: `conversion.carry` knows all providers, and a provider
#: none.
Carry = Callable[[Message], Carried]
