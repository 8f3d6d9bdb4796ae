"""A context as a request, with what a runtime adds at its end: the date, a reminder, what a search has found.

The layout is stable prefix, tail, injections. What is injected belongs to one request only: no log holds it, no
compaction sees it, and it has a reserve of its own in the budget, so it never causes one. What stands before it is not
touched, so prompt caches keep hitting.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from msgspec.structs import replace

from tailrace.schemas.errors import InjectionTooLarge, Invalid
from tailrace.schemas.fields import rest
from tailrace.schemas.providers.cache_marks import MARK
from tailrace.schemas.providers.check import check_sendable
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart

_ROLES: Final = ("user", "system", "developer")


@dataclass(frozen=True, slots=True)
class Injection:
    """Something that a runtime adds to one request. The name is for errors alone; no model sees it."""

    name: str
    message: Message

    def __post_init__(self) -> None:
        """Refuse what could not stand at the end: a runtime speaks for nobody else, and answers no call."""
        message = self.message
        if not isinstance(message, Message):
            raise Invalid(f"injection {self.name!r} must hold a Message, got {type(message).__name__}")
        if message.role not in _ROLES or message.call_ids or message.answered_ids:
            raise Invalid(
                f"injection {self.name!r} is a message of role {message.role!r} with {len(message.call_ids)} calls and "
                f"{len(message.answered_ids)} results; allowed are the roles {', '.join(_ROLES)} "
                "and no calls or results"
            )

    @classmethod
    def of_text(cls, name: str, text: str) -> Self:
        """Text as a user's message, which every provider takes at the end."""
        return cls(name, Message(role="user", parts=(TextPart(content=text),)))


def render(
    messages: Sequence[Message],
    message_format: Format | str,
    *,
    injections: Sequence[Injection] = (),
    injection_reserve_tokens: int,
    count: Callable[[Message], int],
    check: bool = True,
) -> dict[str, Any]:
    """Return the arguments of a provider's call (see `request_of`), with the injections at the very end, in order.

    What is there without injections is there with them, byte for byte: every argument but the list of messages is
    equal, and the list begins with the same messages. Gemini's is the one exception, because roles have to alternate
    there: where the last content is the user's, the injected parts come behind its own. So in every format the JSON of
    the request without injections, up to the brackets that close it, is a prefix of the JSON with them. Anthropic joins
    messages of one role in a row by itself, and gets them apart. System messages among the injections are the user's
    where a provider has the system prompt in front.

    Raises `InjectionTooLarge` for the first injection that costs more than those before it have left of the reserve,
    `UnknownVersion` for a format that this release doesn't write, and `Unsendable` for a request that its provider
    would refuse, such as a system prompt alone; unless `check` is off, for who only wants to look at it.
    """
    request = request_of(messages, message_format)
    _hold_to_reserve(injections, injection_reserve_tokens, count)
    target = Format(message_format)
    provider = PROVIDERS[target]
    key = provider.list_key
    items = list(request[key])
    for injection in injections:
        for item in request_of([_at_the_end(injection.message, target)], target)[key]:
            items = provider.appended(items, item)
    rendered = {**request, key: items}
    # Where nothing was said yet there is nothing to be wrong with.
    if check and (messages or injections):
        check_sendable(rendered, target)
    return rendered


def _hold_to_reserve(injections: Sequence[Injection], reserve_tokens: int, count: Callable[[Message], int]) -> None:
    left_tokens = reserve_tokens
    for place, injection in enumerate(injections):
        if not isinstance(injection, Injection):
            raise Invalid(
                f"injection {place} must be an Injection, such as Injection.of_text(name, text), "
                f"got {type(injection).__name__}"
            )
        tokens = count(injection.message)
        if tokens > left_tokens:
            raise InjectionTooLarge(injection.name, tokens=tokens, left_tokens=left_tokens)
        left_tokens -= tokens


def _at_the_end(message: Message, target: Format) -> Message:
    # Without the fields of its provider: an id among them may be one that is there already.
    role = "user" if PROVIDERS[target].is_system_in_front else message.role
    # And without marks for the prompt cache: nothing of one request alone is read again, and the request may have all
    # it can.
    parts = tuple(
        replace(part, extra=rest(part.extra, (MARK,))) if MARK in part.extra else part for part in message.parts
    )
    return replace(message, role=role, parts=parts, extra={})
