"""OpenAI's chat completions, and every server that speaks them."""

from collections.abc import Mapping, Sequence
from typing import Any

from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.gateway.dialect import Answer, Body, Dialect, count_of

_FORMAT = Format.OPENAI_CHAT
#: Text fields of an answer that come in pieces.
_PIECES = ("content", "refusal", "reasoning_content", "reasoning")


def _conversation(body: Body) -> tuple[Message, ...]:
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise wrong("messages", "a list of messages", messages)
    return tuple(read_native(_FORMAT, message) for message in messages)


def _with_messages(body: Body, messages: Sequence[Message]) -> dict[str, Any]:
    return {**body, **request_of(messages, _FORMAT)}


def _usage(report: object) -> Usage | None:
    if not isinstance(report, Mapping):
        return None
    return Usage(
        input_tokens=count_of(report, "prompt_tokens"),
        output_tokens=count_of(report, "completion_tokens"),
        cache_read_tokens=count_of(report, "prompt_tokens_details", "cached_tokens"),
        reasoning_tokens=count_of(report, "completion_tokens_details", "reasoning_tokens"),
    )


def _answer(body: Body) -> Answer | None:
    choices = body.get("choices")
    # Of several answers nobody knows which one the runtime goes on with.
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], Mapping):
        return None
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        return None
    return Answer((read_native(_FORMAT, message),), _usage(body.get("usage")))


class _Stream:
    """One choice, put together from its deltas."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {"role": "assistant", "content": None}
        self._calls: dict[int, dict[str, Any]] = {}
        self._usage: object = None
        self._choices: set[int] = set()
        self._finished = False

    def take(self, event: str, data: Any) -> bool:
        """Take a chunk into account."""
        del event
        if data == "[DONE]":
            return True
        if not isinstance(data, Mapping):
            return False
        self._usage = data.get("usage") or self._usage
        choices = data.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                self._take_choice(choice)
        return False

    def _take_choice(self, choice: Mapping[str, Any]) -> None:
        self._choices.add(choice.get("index") or 0)
        self._finished = self._finished or choice.get("finish_reason") is not None
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return
        for name in _PIECES:
            if isinstance(piece := delta.get(name), str):
                self._message[name] = (self._message.get(name) or "") + piece
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, Mapping):
                self._take_call(call)

    def _take_call(self, piece: Mapping[str, Any]) -> None:
        index = piece.get("index")
        call = self._calls.setdefault(
            index if isinstance(index, int) else len(self._calls),
            {"id": "", "type": "function", "function": {"name": "", "arguments": ""}},
        )
        call["id"] = piece.get("id") or call["id"]
        function = piece.get("function")
        for name in ("name", "arguments"):
            if isinstance(function, Mapping) and isinstance(text := function.get(name), str):
                call["function"][name] += text

    def answer(self) -> Answer | None:
        """What was said, once its end has come."""
        if not self._finished or len(self._choices) != 1:
            return None
        calls = [self._calls[index] for index in sorted(self._calls)]
        message = {**self._message, "tool_calls": calls} if calls else self._message
        return Answer((read_native(_FORMAT, message),), _usage(self._usage))


OPENAI_CHAT = Dialect(
    format=_FORMAT,
    conversation=_conversation,
    with_messages=_with_messages,
    held_by=lambda _: None,
    answer=_answer,
    stream=_Stream,
    key_headers=("authorization", "api-key"),
)
