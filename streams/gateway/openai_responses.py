"""OpenAI's Responses."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.gateway.compaction_item import opened, triggered
from tailrace.streams.gateway.dialect import Answer, Body, Dialect, count_of

_FORMAT = Format.OPENAI_RESPONSES
#: Fields that say that the provider holds what was said before.
_HOLDING: Final = ("previous_response_id", "conversation", "prompt")
#: Events that carry the whole response. An incomplete one may be continued; a failed one said nothing.
_LAST_EVENTS: Final = ("response.completed", "response.incomplete")

#: States of a response that said nothing, or has not said all.
_UNFINISHED: Final = ("failed", "cancelled", "queued", "in_progress")


def _conversation(body: Body) -> tuple[Message, ...]:
    instructions, content = body.get("instructions"), body.get("input")
    items = [{"role": "user", "content": content}] if isinstance(content, str) else content
    if not isinstance(items, list):
        raise wrong("input", "a string or a list of items", content)
    system = [{"role": "system", "content": instructions}] if isinstance(instructions, str) and instructions else []
    return tuple(read_native(_FORMAT, item) for item in [*system, *items])


def _with_messages(body: Body, messages: Sequence[Message]) -> dict[str, Any]:
    # The instructions are sent beside the items, as the caller wrote them.
    instructions = body.get("instructions")
    beside = 1 if isinstance(instructions, str) and instructions else 0
    return {**body, **request_of(messages[beside:], _FORMAT)}


def _usage(report: object) -> Usage | None:
    if not isinstance(report, Mapping):
        return None
    return Usage(
        input_tokens=count_of(report, "input_tokens"),
        output_tokens=count_of(report, "output_tokens"),
        cache_read_tokens=count_of(report, "input_tokens_details", "cached_tokens"),
        reasoning_tokens=count_of(report, "output_tokens_details", "reasoning_tokens"),
    )


def _answer(body: Body) -> Answer | None:
    output = body.get("output")
    if not isinstance(output, list) or body.get("status") in _UNFINISHED:
        return None
    return Answer(tuple(read_native(_FORMAT, item) for item in output), _usage(body.get("usage")))


class _Stream:
    """The last event holds everything."""

    def __init__(self) -> None:
        self._response: Mapping[str, Any] | None = None

    def take(self, event: str, data: Any) -> bool:
        """Look for the event that carries the whole response."""
        if not isinstance(data, Mapping) or (data.get("type") or event) not in _LAST_EVENTS:
            return False
        response = data.get("response")
        self._response = response if isinstance(response, Mapping) else None
        return True

    def answer(self) -> Answer | None:
        """What was said, once its end has come."""
        return None if self._response is None else _answer(self._response)


OPENAI_RESPONSES = Dialect(
    format=_FORMAT,
    conversation=_conversation,
    with_messages=_with_messages,
    opened=opened,
    triggered=triggered,
    held_by=lambda body: next((name for name in _HOLDING if body.get(name)), None),
    answer=_answer,
    stream=_Stream,
    key_headers=("authorization", "api-key"),
)
