"""The last turns stay word for word, where there is room for them: what comes next rests on what was said last.

Room is a part of what the target leaves beside all that is kept anyway, the ledger included: what people stated comes
before what was said lately. A turn stays whole or not at all. What is marked here no step takes and no cap cuts, and
neither does what comes in the place of the oldest where steps are not enough.

Who types several messages before an answer comes has one turn: otherwise three short notes would be the last three
turns, and the answer before them would leave.
"""

from collections.abc import Iterator

from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.agents.plan.draft.keep import MAY_SHRINK, KeepReason, goes_first
from tailrace.schemas.policy.policy import Keep
from tailrace.schemas.records.envelope import Durability

_SAID_TO_THE_AGENT = (GroupKind.USER, GroupKind.SYSTEM)


def mark_recent(draft: Draft, keep: Keep) -> int:
    """Mark the groups of the last turns as kept, as long as they fit into their part of the target.

    The newest turn comes first. Return what they cost that were not kept anyway.
    """
    of_turns: dict[int, list[DraftGroup]] = {turn: [] for turn in _last_turns(draft, keep.recent_turns)}
    for group in draft.groups:
        if group.turn in of_turns and _stays_with_its_turn(group, keep):
            of_turns[group.turn].append(group)
    kept_before_tokens = draft.kept_tokens
    left_tokens, taken_tokens = draft.target_tokens - kept_before_tokens, 0
    for of_turn in of_turns.values():
        # What is kept only because it is new counts as a part of its turn: with it, it is no longer cut for the cap of
        # its tier.
        left_tokens += sum(group.tokens for group in of_turn if group.kept is not None)
        taken_tokens += sum(group.tokens for group in of_turn)
        if taken_tokens > int(left_tokens * keep.recent_fraction_max):
            break
        for group in of_turn:
            group.kept = KeepReason.RECENT
    return draft.kept_tokens - kept_before_tokens


def _last_turns(draft: Draft, count: int) -> Iterator[int]:
    """Yield the numbers of the last turns, newest first.

    So many with an answer, or the end, and those before each that got none. Only turns of which something is there are
    looked at, however far apart their numbers lie.
    """
    answered = {group.turn for group in draft.groups if group.kind not in _SAID_TO_THE_AGENT}
    for group in draft.summaries():
        # An answer that has left was given all the same. Of a long run of such turns the last ones use the count up.
        last = min(group.items[0].last_turn, draft.turn)
        answered.update(range(max(group.items[0].entry.turn, last - count), last + 1))
    turns = {draft.turn, *answered, *(group.turn for group in draft.groups)}
    for turn in sorted((turn for turn in turns if 0 <= turn <= draft.turn), reverse=True):
        count -= turn in answered or turn == draft.turn
        if count < 0:
            return
        yield turn


def _stays_with_its_turn(group: DraftGroup, keep: Keep) -> bool:
    """Whether a group is not kept anyway, is not a summary, and is nothing that is to go before all else."""
    return (
        group.kept in MAY_SHRINK
        and not group.is_summary
        and not goes_first(group, keep)
        and not any(item.entry.durability is Durability.EPHEMERAL for item in group.items)
    )
