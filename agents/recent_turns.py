"""The last turns stay word for word, where there is room for them: what comes next rests on what was said last.

Room is a part of what the target leaves beside all that is kept anyway, the ledger included: what people stated comes before what
was said lately. A turn stays whole or not at all. What is marked here no step takes and no cap cuts, and neither does what
comes in the place of the oldest where steps are not enough.
"""

from tailrace.agents.draft import Draft
from tailrace.agents.draft_item import DraftGroup
from tailrace.agents.keep import MAY_SHRINK, KeepReason, goes_first
from tailrace.schemas.envelope import Durability
from tailrace.schemas.policy import Keep


def mark_recent(draft: Draft, keep: Keep) -> None:
    """Mark the groups of the last turns as kept, newest turn first, as long as all of them fit into their part of the target."""
    first_turn = draft.turn - keep.recent_turns + 1
    last = [group for group in draft.groups if group.turn >= first_turn and _stays_with_its_turn(group, keep)]
    room_tokens = int((draft.target_tokens - draft.kept_tokens) * keep.recent_fraction_max)
    for turn in range(draft.turn, first_turn - 1, -1):
        # What is kept only because it is new counts too: with its turn it is no longer cut for the cap of its tier.
        of_turn = [group for group in last if group.turn == turn]
        room_tokens -= sum(group.tokens for group in of_turn)
        if room_tokens < 0:
            return
        for group in of_turn:
            group.kept = KeepReason.RECENT


def _stays_with_its_turn(group: DraftGroup, keep: Keep) -> bool:
    """Whether a group is not kept anyway, is not a summary, and is nothing that is to go before all else."""
    return (
        group.kept in MAY_SHRINK
        and not group.is_summary
        and not goes_first(group, keep)
        and not any(item.entry.durability is Durability.EPHEMERAL for item in group.items)
    )
