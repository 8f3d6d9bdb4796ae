"""The groups that a draft begins with: every entry an item, nothing decided, and what their calls still wait for."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType

from tailrace.agents.messages.groups import GroupKind, kind_of, stronger
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.tokens.counts import NO_RESULT_TOKENS
from tailrace.schemas.records.context import RANKS_PER_GROUP, Entry
from tailrace.schemas.records.message import Message

_USER = GroupKind.USER
_NO_MESSAGES: Mapping[str, Message] = MappingProxyType({})


def draft_groups(
    entries: Iterable[Entry], *, masked: bool = True, messages: Mapping[str, Message] = _NO_MESSAGES
) -> list[DraftGroup]:
    """Groups of a draft of these entries, in order; `messages` are those of them that are at hand."""
    groups: list[DraftGroup] = []
    group: DraftGroup | None = None
    #: Calls of the group that no result has come for.
    waiting: dict[str, Item] = {}
    for entry in sorted(entries, key=attrgetter("rank")):
        # Every message comes by here, so nothing is asked for twice, and nothing is called that can be seen.
        tokens, turn, last_turn, answers = entry.tokens, entry.turn, entry.last_turn, entry.answers
        item = Item(
            entry,
            tokens,
            (entry.id,),
            before_tokens=tokens,
            last_turn=last_turn if last_turn > turn else turn,  # noqa: FURB136  `max` takes four times as long
            masked=masked,
            _unmasked=messages.get(entry.id),
        )
        sequence, kind = entry.rank // RANKS_PER_GROUP, kind_of(entry)
        if group is not None and group.sequence == sequence:
            group.items.append(item)
            if kind is not group.kind:
                group.kind = stronger(group.kind, kind)
            # Words beside late results begin a turn, and belong to it with all that they can't be parted from.
            if turn < group.turn or (kind is _USER and answers):
                group.turn = turn
        else:
            if waiting:
                _note_waiting(waiting)
                waiting = {}
            group = DraftGroup(sequence, turn, kind, [item])
            groups.append(group)
        for call_id in entry.calls:
            waiting[call_id] = item
        if waiting:
            for call_id in answers:
                waiting.pop(call_id, None)
    _note_waiting(waiting)
    return groups


def _note_waiting(waiting: Mapping[str, Item]) -> None:
    for item in waiting.values():
        item.waiting_tokens += NO_RESULT_TOKENS
