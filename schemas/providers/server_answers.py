"""Calls that the provider answers itself, whole or not at all: APIs refuse one half of such a pair.

Groups keep both halves together; but where even what is kept had to be cut, one half may have become text. Then the
other is left out, and what only names a call that is gone names it no more. A call may be without its result as long as
the provider is still at it: a turn that paused, or a program that waits for the caller's tools.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from tailrace.schemas.fields import rest
from tailrace.schemas.providers.server_calls import (
    SEPARABLE,
    TAKING_UP,
    answered_by,
    awaited_by,
    opened_by,
    taken_up_by,
)
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import AnyPart, GenericPart, ToolCallPart, ToolCallResponsePart


def with_whole_server_calls(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages without the halves of provider's calls whose other half is not there.

    Most stay as they are.
    """
    if not any(_concerns(part) for message in messages for part in message.parts):
        return messages
    given_up = _given_up(messages)
    there: set[str] = set()
    whole: list[Message] = []
    for message in messages:
        parts: list[AnyPart] = []
        for part in message.parts:
            opened = opened_by(part)
            if opened is None or opened not in given_up:
                there.update(() if opened is None else (opened,))
                parts += _of_calls_there(part, there)
        if parts == list(message.parts):
            whole.append(message)
        elif parts:
            whole.append(replace(message, parts=tuple(parts)))
    return whole


def _concerns(part: AnyPart) -> bool:
    return opened_by(part) is not None or taken_up_by(part) is not None


def _of_calls_there(part: AnyPart, there: set[str]) -> Iterable[AnyPart]:
    """The part as it can stand where only these calls were opened before it."""
    call_id = taken_up_by(part)
    if call_id is None or call_id in there:
        return (part,)
    if isinstance(part, ToolCallPart):
        return (replace(part, extra=rest(part.extra, ("caller",))),)
    if isinstance(part, GenericPart) and (kind := part.value["type"]) in SEPARABLE:
        return (replace(part, value=rest(part.value, (TAKING_UP[kind],))),)
    return ()


def _given_up(messages: Sequence[Message]) -> frozenset[str]:
    """Calls without a result that the provider is no longer at.

    Something came behind them that doesn't belong to them.
    """
    waiting: set[str] = set()
    given_up: set[str] = set()
    for message in messages:
        taken_up = {taken_up_by(part) for part in message.parts}
        if not all(isinstance(part, ToolCallResponsePart) for part in message.parts):
            given_up |= waiting - taken_up
            waiting &= taken_up
        for part in message.parts:
            if (opened := awaited_by(part)) is not None:
                waiting.add(opened)
            if (answered := answered_by(part)) is not None:
                waiting.discard(answered)
                given_up.discard(answered)
    return frozenset(given_up)
