"""Anthropic's messages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tailrace.schemas.decoder import decoder
from tailrace.schemas.fields import wrong
from tailrace.schemas.providers.cache_marks import MARKS_MAX, marked_in, newest_marked
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.event import Usage
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.gateway.dialect import Answer, Body, Dialect, count_of

_FORMAT = Format.ANTHROPIC_MESSAGES
#: Pieces of a block by the type of their delta: the field of the delta, and that of the block.
_DELTAS: Final = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "_json"),
}

_decode = decoder()


def _conversation(body: Body) -> tuple[Message, ...]:
    system, messages = body.get("system"), body.get("messages")
    if not isinstance(messages, list):
        raise wrong("messages", "a list of messages", messages)
    first = [{"role": "system", "content": system}] if system else []
    return tuple(read_native(_FORMAT, message) for message in [*first, *messages])


def _with_messages(body: Body, messages: Sequence[Message]) -> dict[str, Any]:
    system = body.get("system")
    own = _blocks(system)
    # The system prompt is sent as the caller wrote it; what the context adds to it stands behind.
    written = request_of(messages[1:] if system else messages, _FORMAT)
    added = _blocks(written.get("system"))
    sent: dict[str, Any] = {**body, "messages": written["messages"]}
    if added:
        sent["system"] = [*own, *added]
    marks = sum(1 for _ in marked_in([*_blocks(sent.get("system")), *_tools(body)]))
    sent["messages"] = newest_marked(sent["messages"], max(0, MARKS_MAX - marks))
    return sent


def _blocks(system: object) -> list[Any]:
    if isinstance(system, list):
        return system
    return [{"type": "text", "text": system}] if system else []


def _tools(body: Body) -> list[Any]:
    tools = body.get("tools")
    return tools if isinstance(tools, list) else []


def _usage(report: object) -> Usage | None:
    if not isinstance(report, Mapping):
        return None
    fresh = count_of(report, "input_tokens")
    read, written = count_of(report, "cache_read_input_tokens"), count_of(report, "cache_creation_input_tokens")
    return Usage(
        # Anthropic counts what it read from its cache, or wrote into it, apart from the rest.
        input_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
        output_tokens=count_of(report, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _answer(body: Body) -> Answer | None:
    content = body.get("content")
    if not isinstance(content, list) or not content or body.get("role") != "assistant":
        return None
    message = {"role": "assistant", "content": content}
    return Answer((read_native(_FORMAT, message),), _usage(body.get("usage")))


class _Stream:
    """A message, put together from its blocks and their deltas."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._usage: dict[str, Any] = {}
        self._stopped = False

    def take(self, event: str, data: Any) -> bool:
        """Take an event into account."""
        del event
        if not isinstance(data, Mapping):
            return False
        match data.get("type"):
            case "message_start" if isinstance(message := data.get("message"), Mapping):
                self._message = dict(message)
                self._add_usage(message.get("usage"))
            case "content_block_start" if isinstance(block := data.get("content_block"), Mapping):
                self._blocks[data.get("index", 0)] = dict(block)
            case "content_block_delta":
                self._take_delta(self._blocks.get(data.get("index", 0)), data.get("delta"))
            case "message_delta":
                self._add_usage(data.get("usage"))
            case "message_stop":
                self._stopped = True
        return self._stopped

    def _take_delta(self, block: dict[str, Any] | None, delta: object) -> None:
        if block is None or not isinstance(delta, Mapping):
            return
        field, target = _DELTAS.get(str(delta.get("type")), ("", ""))
        if isinstance(piece := delta.get(field), str):
            block[target] = (block.get(target) or "") + piece
        elif delta.get("type") == "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), delta.get("citation")]

    def _add_usage(self, usage: object) -> None:
        if isinstance(usage, Mapping):
            self._usage.update({name: value for name, value in usage.items() if value is not None})

    def answer(self) -> Answer | None:
        """What was said, once its end has come."""
        if not self._stopped:
            return None
        blocks = [_whole(self._blocks[index]) for index in sorted(self._blocks)]
        return _answer({**self._message, "content": blocks, "usage": self._usage})


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    """A block whose input came as pieces of JSON text."""
    text = block.pop("_json", None)
    return block if text is None else {**block, "input": _decode(text or "{}")}


ANTHROPIC_MESSAGES = Dialect(
    format=_FORMAT,
    conversation=_conversation,
    with_messages=_with_messages,
    # A container holds files and no messages; threads of the beta hold the conversation.
    held_by=lambda body: "thread" if body.get("thread") else None,
    answer=_answer,
    stream=_Stream,
    key_headers=("x-api-key", "authorization"),
)
