"""What a message costs in tokens, given something that counts text.

Counting text needs a vocabulary and lives in `streams`; which texts count, and what the message around them costs, is
decided here. A message is counted once, when it arrives; the sums over a context are then exact for that counter.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Protocol

import msgspec

from tailrace.agents.tokens.media import media_tokens, part_tokens
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.records.media import Media, find_media
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import (
    AnyPart,
    BlobPart,
    CompactionPart,
    FilePart,
    GenericPart,
    Json,
    ReasoningPart,
    RefusalPart,
    TextPart,
    ToolCallPart,
    ToolCallResponsePart,
    UriPart,
)

#: Marks around each message, and for its name, as OpenAI documents them for its chat models; the role's own token is
#: counted as text.
MESSAGE_OVERHEAD_TOKENS = 3
NAME_OVERHEAD_TOKENS = 1
#: Every reply is primed with the start of an assistant message: once for a context, not for each message.
REPLY_PRIMING_TOKENS = 3
#: What a request says for a call without a result, `NO_RESULT` with all that is around it, by whatever counter.
NO_RESULT_TOKENS = 20
#: A call names its recipient, its channel and the form of its arguments: nine marks in OpenAI's published chat format.
TOOL_CALL_OVERHEAD_TOKENS = 9
#: An answer names its tool and its recipient: the tool's name is not in the part, so a few tokens stand for it.
TOOL_RESPONSE_OVERHEAD_TOKENS = 8
#: Around each tool's schema, and once around all of them, as OpenAI documents them.
TOOL_SCHEMA_OVERHEAD_TOKENS = 7
TOOL_LIST_OVERHEAD_TOKENS = 12

#: Between the count that finds a cut and the next of the same message there are no more.
REMEMBERED_MAX = 4

#: What a provider has no named field for here, up to so many characters: ids, marks and states, which no model reads.
PLUMBING_CHARS_MAX = 256

#: Fields of reasoning, words and calls in which a provider keeps what its model thought, for itself alone.
_SEALED = frozenset[str]().union(*(provider.sealed_fields for provider in PROVIDERS.values()))
_TEXT_BLOCKS = ("text", "input_text", "output_text")

_encode_json = msgspec.json.Encoder().encode


class TokenCounter(Protocol):
    """Counts the tokens of text. Any text: nothing in it is a command, and no text raises."""

    @property
    def encoding(self) -> str:
        """Name of the way of counting; counts of different encodings must not be added."""

    def count_text(self, text: str) -> int:
        """Return the number of tokens of the text; 0 for an empty one."""


def count_message(message: Message, counter: TokenCounter) -> int:
    """Return the tokens that the message adds to a context. Raises for no message that a reader lets through."""
    tokens = MESSAGE_OVERHEAD_TOKENS + counter.count_text(message.role)
    if message.name is not None:
        tokens += NAME_OVERHEAD_TOKENS + counter.count_text(message.name)
    tokens += sum([_part_tokens(part, message.format, counter) for part in message.parts])
    if len(calls := message.call_ids) > 1:
        # Of calls under one id only one can wait for a result: what a request says for the others is counted with the
        # message.
        tokens += NO_RESULT_TOKENS * (len(calls) - len(set(calls)))
    if message.extra:
        tokens += _beside_tokens(message.extra, counter, PROVIDERS[message.format].message_fields)
    return tokens


def _part_tokens(part: AnyPart, source: Format, counter: TokenCounter) -> int:
    tokens = _PART_TOKENS[type(part)](part, counter)
    if not part.extra:
        return tokens
    # Where fields of a message are sent, an answer is a message and has them.
    fields = PROVIDERS[source].message_fields if isinstance(part, ToolCallResponsePart) else None
    beside = _beside_tokens(part.extra, counter, fields or part.extra.keys())
    # What a model thought is there twice: to be read, perhaps in short, and as its provider alone can read it.
    return max(tokens, beside) if isinstance(part, ReasoningPart) else tokens + beside


def _beside_tokens(extra: Mapping[str, Json], counter: TokenCounter, sent: AbstractSet[str]) -> int:
    """Tokens of the fields that are sent beside the named ones.

    Gateways put thinking there, providers encrypted state, and functions media.
    """
    tokens = 0
    for key in sent & extra.keys():
        value = extra[key]
        text = value if isinstance(value, str) else _json_text(value) if isinstance(value, dict | list) else ""
        if len(text) <= PLUMBING_CHARS_MAX:
            continue
        tokens += media_tokens(Media("encrypted", text)) if key in _SEALED else _block_tokens({key: value}, counter)
    return tokens


class RememberingCount:
    """Counts messages, and the last few of them only once: what was cut to fit is counted again where it is put."""

    def __init__(self, count: Callable[[Message], int]) -> None:
        """Count by `count`."""
        self._count = count
        self._last: deque[tuple[Message, int]] = deque(maxlen=REMEMBERED_MAX)

    def __call__(self, message: Message) -> int:
        """Return the tokens of a message; of the same one, and not of one that is equal, without counting again."""
        for counted_message, tokens in self._last:
            if counted_message is message:
                return tokens
        tokens = self._count(message)
        self._last.append((message, tokens))
        return tokens


def count_tool_schemas(tools: Iterable[Mapping[str, Any]], counter: TokenCounter) -> int:
    """Return the tokens of tool definitions in a provider's own form; 0 where there are none.

    Providers render schemas in notations of their own, all of them shorter than the compact JSON that is counted here.
    """
    tokens = [TOOL_SCHEMA_OVERHEAD_TOKENS + counter.count_text(_json_text(tool)) for tool in tools]
    return sum(tokens, TOOL_LIST_OVERHEAD_TOKENS) if tokens else 0


def _content_tokens(part: TextPart | ReasoningPart | RefusalPart | CompactionPart, counter: TokenCounter) -> int:
    return counter.count_text(part.content or "")


def _call_tokens(part: ToolCallPart, counter: TokenCounter) -> int:
    arguments = part.arguments if isinstance(part.arguments, str) else _json_text(part.arguments)
    return TOOL_CALL_OVERHEAD_TOKENS + counter.count_text(part.name) + counter.count_text(arguments)


def _response_tokens(part: ToolCallResponsePart, counter: TokenCounter) -> int:
    if part.response is None:
        return TOOL_RESPONSE_OVERHEAD_TOKENS
    blocks = part.response if isinstance(part.response, list) else [part.response]
    return TOOL_RESPONSE_OVERHEAD_TOKENS + sum([_block_tokens(block, counter) for block in blocks])


def _block_tokens(block: Json, counter: TokenCounter) -> int:
    if isinstance(block, str):
        return counter.count_text(block)
    if isinstance(block, dict) and block.get("type") in _TEXT_BLOCKS and isinstance(block.get("text"), str):
        return counter.count_text(block["text"])
    text = _json_text(block)
    tokens = 0
    for media in find_media(block):
        text = text.replace(_json_text(media.payload)[1:-1], "", 1)
        tokens += media_tokens(media)
    return tokens + counter.count_text(text)


def _json_text(value: Json) -> str:
    try:
        return _encode_json(value).decode()
    except (RecursionError, UnicodeEncodeError):
        # Too deep for the encoder, or with half a surrogate pair: still worth a number.
        return " ".join(_leaves(value))


def _leaves(value: Json) -> list[str]:
    leaves: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            leaves.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        else:
            leaves.append(str(item))
    return leaves


def _media_part_tokens(part: BlobPart | FilePart | UriPart, _counter: TokenCounter) -> int:
    return part_tokens(part)


_PART_TOKENS: dict[type[AnyPart], Callable[[Any, TokenCounter], int]] = {
    TextPart: _content_tokens,
    ReasoningPart: _content_tokens,
    RefusalPart: _content_tokens,
    CompactionPart: _content_tokens,
    ToolCallPart: _call_tokens,
    ToolCallResponsePart: _response_tokens,
    BlobPart: _media_part_tokens,
    FilePart: _media_part_tokens,
    UriPart: _media_part_tokens,
    GenericPart: lambda part, counter: _block_tokens(part.value, counter),
}
