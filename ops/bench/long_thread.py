"""One thread as long as a benchmark wants it, made of whole conversations one after the other.

All sides of a comparison get the same messages, in OpenAI's form, because every library reads that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any

from ops.bench.events import Conversation
from tailrace.schemas.providers.formats import detect_format, read_native, write_context
from tailrace.schemas.records.message import Format

#: A message in OpenAI's form.
ChatMessage = dict[str, Any]


def long_thread(conversations: Sequence[Conversation], messages: int) -> list[ChatMessage]:
    """Return a thread of that many messages.

    Where conversations run out they begin again; no id of a call is used twice.

    Only the first message can be a system message: a hundred prompts, which every library keeps, would be another
    story.
    """
    return list(islice(_endless(conversations), messages))


def turns(messages: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return how many messages come with each model call: its answer, and everything up to the next call."""
    sizes: list[int] = []
    for message in messages:
        if message["role"] == "assistant" or not sizes:
            sizes.append(0)
        sizes[-1] += 1
    return sizes


def _endless(conversations: Sequence[Conversation]) -> Iterator[ChatMessage]:
    if not any(conversation.messages for conversation in conversations):
        raise ValueError("there is no message to make a thread of")
    chats = [_as_chat(conversation) for conversation in conversations]
    begun = False
    for copy in count():
        for number, chat in enumerate(chats):
            for message in chat:
                if message["role"] not in ("system", "developer") or not begun:
                    begun = True
                    yield _with_fresh_ids(message, f"{copy}-{number}")


def _as_chat(conversation: Conversation) -> list[ChatMessage]:
    read = [read_native(detect_format(message), message) for message in conversation.messages]
    return write_context(read, Format.OPENAI_CHAT)


def _with_fresh_ids(message: ChatMessage, suffix: str) -> ChatMessage:
    fresh = dict(message)
    if message.get("tool_calls"):
        fresh["tool_calls"] = [{**call, "id": f"{call['id']}-{suffix}"} for call in message["tool_calls"]]
    if "tool_call_id" in message:
        fresh["tool_call_id"] = f"{message['tool_call_id']}-{suffix}"
    return fresh
