"""A draft of its own for code that must not change ours: proposals are the only way to change a context."""

from collections import Counter
from dataclasses import replace

import msgspec

from tailrace.agents.draft import Draft
from tailrace.agents.draft_item import DraftGroup, Item, decode_message
from tailrace.schemas.message import Message

_encode = msgspec.json.Encoder().encode


def copy_of(draft: Draft) -> Draft:
    """The same draft, sharing nothing with it that can be changed. Proposals may be tried on it."""
    return replace(
        draft,
        groups=[_group(group) for group in draft.groups],
        dropped=[_item(item) for item in draft.dropped],
        overlaps=Counter(draft.overlaps),
        _places={},
        _summaries=None,
    )


def _group(group: DraftGroup) -> DraftGroup:
    return msgspec.structs.replace(group, items=[_item(item) for item in group.items])


def _item(item: Item) -> Item:
    # Entries are frozen; a decoded message is too, but not the arguments of calls and the like inside of it.
    message = item.replacement
    own = None if message is None else own_message(message)
    return msgspec.structs.replace(item, replacement=own, _said=None, _original=None)


def own_message(message: Message) -> Message:
    """The same message, sharing nothing. Raises what msgspec raises for one that was not made from the right types."""
    return decode_message(_encode(message))
