"""Which messages of a draft stay, which were cut, and where the first of those stood that leave.

The ledger quotes what can no longer be read in the context, so it asks for each of these.
"""

from collections.abc import Iterable, Iterator

import msgspec

from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.statements import STATING
from tailrace.schemas.records.artifact import strictest
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.context import Entry

_INCLUDE, _EXTERNALIZE = Action.INCLUDE, Action.EXTERNALIZE


def verbatim(groups: Iterable[DraftGroup]) -> frozenset[str]:
    """Return the ids of the messages that stay in the context word for word."""
    included = [item.entry for group in groups for item in group.items if item.action is _INCLUDE]
    return frozenset([entry.id for entry in included if entry.compaction is None])


def standing(groups: Iterable[DraftGroup]) -> frozenset[str]:
    """Return the ids of the messages that stay in the context as they are there now, whole or shortened before."""
    return frozenset([item.entry.id for group in groups for item in group.items if item.action is _INCLUDE])


def stating(draft: Draft) -> Iterator[Item]:
    """Return what people and system prompts say; such a message is a group of its own."""
    return (group.items[0] for group in draft.groups if group.kind in STATING and len(group.items) == 1)


def is_cut(item: Item) -> bool:
    """Tell whether only a part of what was said is there, now or since an earlier compaction."""
    return item.action is _EXTERNALIZE or (item.action is _INCLUDE and item.entry.compaction is not None)


def first_gone(draft: Draft, former: Entry | None) -> Entry | None:
    """Return the first message whose group leaves, or whose words were cut.

    A ledger may stand in its place, or right behind it. It is as sensitive as all of them together, and as what left
    before: the ledger quotes them.
    """
    cut = (item for item in stating(draft) if item.action is _EXTERNALIZE)
    merged = (group.items[0] for group in draft.groups if group.items[0].stands_for_others)
    gone = [item.entry for item in (*draft.dropped, *merged, *cut)]
    if not gone:
        return None
    sensitivities = [entry.sensitivity for entry in (*gone, *([former] if former is not None else ()))]
    return msgspec.structs.replace(min(gone, key=lambda entry: entry.rank), sensitivity=strictest(sensitivities))
