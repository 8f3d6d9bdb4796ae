"""`/v1/responses/compact`: a conversation as one item that only the gateway opens again.

Runtimes that speak this call replace their history by the item and send it with every later request. It holds the items
of the compacted conversation, so nothing has to be remembered here: any gateway opens the item of any other. Codex asks
for the item in a usual request that ends with a trigger, and keeps what users said beside it.
"""

import base64
import binascii
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import uuid_utils

from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.library.compact import compact

#: What the content of our items begins with.
MARK: Final = "tailrace1."
#: A tuple, because a type may be anything and not everything has a hash.
_TYPES: Final = ("compaction", "compaction_summary")
#: The last item of a usual request that asks for a compaction in place of an answer.
_TRIGGER: Final = "compaction_trigger"
#: More than any request may hold.
_OPENED_BYTES_MAX: Final = 256 * 1024 * 1024

Item = dict[str, Any]

_decode_items = decoder(list[dict[str, Any]])


def compacted(body: Mapping[str, Any], messages: Sequence[Message]) -> dict[str, Any]:
    """The response to a request for a compaction. Raises a TailraceError for messages that can't be compacted."""
    model = body.get("model")
    done = compact(list(messages), model=model if isinstance(model, str) else None, force=True)
    instructions = body.get("instructions")
    # The caller sends its instructions again with every request.
    beside = 1 if isinstance(instructions, str) and instructions else 0
    items = request_of(done.messages[beside:], Format.OPENAI_RESPONSES)["input"]
    return {
        "id": f"resp_{uuid_utils.uuid7().hex}",
        "object": "response.compaction",
        "created_at": int(time.time()),
        "output": [{"type": "compaction", "id": f"cmp_{uuid_utils.uuid7().hex}", "encrypted_content": _sealed(items)}],
        "usage": {
            "input_tokens": done.plan.before_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": done.tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": done.plan.before_tokens + done.tokens,
        },
    }


def triggered(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request for a compaction that a usual request is, without its trigger; None for one that asks for an answer.

    Raises Invalid where the trigger is not the last item.
    """
    items = body.get("input")
    places = [place for place, item in enumerate(items) if _is_trigger(item)] if isinstance(items, list) else []
    if not places or not isinstance(items, list):
        return None
    if places != [len(items) - 1]:
        raise Invalid("input: a compaction_trigger has to be the last item, and there can be one")
    return {**body, "input": items[:-1]}


def _is_trigger(item: object) -> bool:
    return isinstance(item, Mapping) and item.get("type") == _TRIGGER


def as_response(compaction: Mapping[str, Any], model: object) -> dict[str, Any]:
    """A compaction as the whole of a usual response."""
    beside = {"status": "completed", "model": model, "error": None, "incomplete_details": None}
    return {**compaction, "object": "response", **beside}


def events_of(response: Mapping[str, Any]) -> Iterator[bytes]:
    """A whole response as the events of a stream."""
    (item,) = response["output"]
    began = {**response, "status": "in_progress", "output": [], "usage": None}
    events: tuple[dict[str, Any], ...] = (
        {"type": "response.created", "response": began},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    )
    for number, event in enumerate(events):
        data = msgspec.json.encode({**event, "sequence_number": number})
        yield b"event: " + event["type"].encode() + b"\ndata: " + data + b"\n\n"


def opened(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request with the items in our compaction items; None where it has none of ours.

    Raises Invalid for a damaged one.
    """
    input_items = body.get("input")
    if not isinstance(input_items, list) or not any(map(_is_ours, input_items)):
        return None
    items: list[Any] = []
    for item in input_items:
        if not _is_ours(item):
            items.append(item)
            continue
        inner = _items_of(item)
        # What a runtime keeps beside the item stands in it at its place.
        held = {words for each in inner if (words := _words(each)) is not None}
        items = [each for each in items if _words(each) not in held] + inner
    return {**body, "input": items}


def _words(item: object) -> str | None:
    """What a user says in an item that is a message of texts alone."""
    if not isinstance(item, Mapping) or item.get("role") != "user":
        return None
    content = item.get("content")
    if isinstance(content, str):
        return content
    texts = [part.get("text") if isinstance(part, Mapping) else None for part in content or ()]
    return "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else None


def _is_ours(item: object) -> bool:
    if not isinstance(item, Mapping) or item.get("type") not in _TYPES:
        return False
    content = item.get("encrypted_content")
    return isinstance(content, str) and content.startswith(MARK)


def _sealed(items: Sequence[Item]) -> str:
    return MARK + base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(items))).decode()


def _items_of(item: Item) -> list[Item]:
    try:
        packed = base64.urlsafe_b64decode(item["encrypted_content"].removeprefix(MARK))
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(packed, _OPENED_BYTES_MAX)
        if not unpacker.eof:
            raise Invalid("a compaction item is cut off; send the conversation itself")
        return _decode_items(content)
    except (binascii.Error, zlib.error, ValueError, PoisonEvent) as error:
        raise Invalid(f"a compaction item is damaged ({error}); send the conversation itself") from error
