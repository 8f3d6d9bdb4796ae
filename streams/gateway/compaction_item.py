"""`/v1/responses/compact`: a conversation as one item that only the gateway opens again.

Runtimes that speak this call replace their history by the item and send it with every later request. It holds the items
of the compacted conversation, so nothing has to be remembered here: any gateway opens the item of any other.
"""

import base64
import binascii
import time
import zlib
from collections.abc import Mapping, Sequence
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


def opened(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request with the items in our compaction items; None where it has none of ours.

    Raises Invalid for a damaged one.
    """
    input_items = body.get("input")
    if not isinstance(input_items, list) or not any(map(_is_ours, input_items)):
        return None
    items = [inner for item in input_items for inner in (_items_of(item) if _is_ours(item) else [item])]
    return {**body, "input": items}


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
