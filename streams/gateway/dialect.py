"""One provider's API, as far as the gateway has to know it.

It tells where a request and an answer hold their messages.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message

Body = Mapping[str, Any]


class Answer(Struct, frozen=True):
    """What a model said, whole."""

    messages: tuple[Message, ...]
    usage: Usage | None = None


class AnswerStream(Protocol):
    """Puts an answer together that comes in server-sent events."""

    def take(self, event: str, data: Any) -> bool:
        """Take an event into account. Returns whether the answer is whole with it."""

    def answer(self) -> Answer | None:
        """What was said; None where the stream has not come to its end, or holds no answer."""


class Dialect(Struct, frozen=True, kw_only=True):
    """How one API says what the gateway asks for."""

    format: Format
    #: The conversation of a request, system prompt first. Raises a PoisonEvent for what no worker could read.
    conversation: Callable[[Body], tuple[Message, ...]]
    #: The request with other messages in place of its own; all else stays as it is.
    with_messages: Callable[[Body, Sequence[Message]], dict[str, Any]]
    #: The request with what the gateway itself has packed into it opened; None where there is nothing of the kind.
    opened: Callable[[Body], dict[str, Any] | None] = lambda _: None
    #: The request for a compaction that a request is, ready to be compacted; None for one that asks for an answer.
    triggered: Callable[[Body], dict[str, Any] | None] = lambda _: None
    #: The field that says that the provider holds the conversation; None where the request holds it whole.
    held_by: Callable[[Body], str | None]
    #: The answer in a response that is not streamed; None where it holds none that could be continued.
    answer: Callable[[Body], Answer | None]
    stream: Callable[[], AnswerStream]
    #: Names of the header, and what stands before the key in it.
    key_headers: tuple[str, ...]


def count_of(usage: object, *path: str) -> int | None:
    """A count in a provider's usage report; None where it has none there."""
    value: object = usage
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
