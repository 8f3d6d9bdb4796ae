"""The groups that a draft begins with: every entry an item, nothing decided, and what their calls still wait for."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType

from tailrace.agents.draft_item import DraftGroup, Item
from tailrace.agents.groups import kind_of, speaks_beside_results, stronger
from tailrace.agents.tokens import NO_RESULT_TOKENS
from tailrace.schemas.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.message import Message

_NONE_SAID: Mapping[str, Message] = MappingProxyType({})


def draft_groups(
    entries: Iterable[Entry], *, masked: bool = True, said: Mapping[str, Message] = _NONE_SAID
) -> list[DraftGroup]:
    """Groups of a draft of these entries, in order; `said` are those of their messages that are at hand."""
    groups: list[DraftGroup] = []
    group: DraftGroup | None = None
    calling: dict[int, DraftGroup] = {}
    for entry in sorted(entries, key=attrgetter("rank")):
        tokens, last_turn = entry.tokens, entry.last_turn
        item = Item(
            entry,
            tokens,
            (entry.id,),
            before_tokens=tokens,
            # By hand: asked of every message, `max` takes four times as long.
            last_turn=max(entry.turn, last_turn),
            masked=masked,
            _said=said.get(entry.id),
        )
        sequence, kind = entry.rank // RANKS_PER_GROUP, kind_of(entry)
        if group is not None and group.sequence == sequence:
            group.items.append(item)
            group.kind = stronger(group.kind, kind)
            # Words beside late results begin a turn, and belong to it with all that they can't be parted from.
            if entry.turn < group.turn or speaks_beside_results(entry):
                group.turn = entry.turn
        else:
            group = DraftGroup(sequence, entry.turn, kind, [item])
            groups.append(group)
        if entry.calls:
            calling[sequence] = group
    for group in calling.values():
        _note_waiting(group.items)
    return groups


def _note_waiting(items: Sequence[Item]) -> None:
    waiting: dict[str, Item] = {}
    for item in items:
        for call_id in item.entry.calls:
            waiting[call_id] = item
        for call_id in item.entry.answers:
            waiting.pop(call_id, None)
    for item in waiting.values():
        item.waiting_tokens += NO_RESULT_TOKENS
