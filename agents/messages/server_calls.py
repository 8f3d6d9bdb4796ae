"""Calls that the provider answers itself, such as a search that it runs: which group their messages belong to.

Such calls owe nobody a result, so no state is kept of them: the messages themselves tell which were opened, and are
asked only when one is taken up. That is rare, and nearly always the newest group has it.
"""

from collections.abc import Iterable

import msgspec

from tailrace.schemas.providers.server_calls import half_ids, opened_ids
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.records.kafka_records import decode_message
from tailrace.schemas.records.message import Message

_encode_json = msgspec.json.Encoder().encode


def group_of_server_calls(entries: dict[str, Entry], ids: Iterable[str], newest: int) -> int | None:
    """Return the number of the newest live group in which one of these calls was opened; None where there is none.

    `newest` is the number of the newest group of all.
    """
    wanted = frozenset(ids)
    # As they are written in a message: most have none of them, and needn't be read.
    written = [_encode_json(call_id) for call_id in wanted]
    latest = -1
    for entry in reversed(entries.values()):
        sequence = entry.rank // RANKS_PER_GROUP
        if sequence > latest and entry.role == "assistant" and _opens(entry, wanted, written):
            latest = sequence
            if latest == newest:
                break
    return latest if latest >= 0 else None


def loses_half(message: Message, instead: Message) -> bool:
    """Tell whether replacing a message by `instead` would lose one half of a provider's own call.

    The other half of such a call stands in another message, and a provider refuses it alone.
    """
    halves = half_ids(message)
    return bool(halves) and not halves <= half_ids(instead)


def _opens(entry: Entry, wanted: frozenset[str], written: Iterable[bytes]) -> bool:
    message = bytes(entry.message)
    if not any(call_id in message for call_id in written):
        return False
    return not wanted.isdisjoint(opened_ids(decode_message(message)))
