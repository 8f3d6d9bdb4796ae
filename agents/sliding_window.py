"""Sliding window over whole groups: the oldest go first, down to a target, and what must stay stays.

A window that moved a little at every turn would change the prompt's prefix at every turn; this one removes a whole
chunk at once and then leaves the context alone for many turns.
"""

from collections.abc import Iterable, Sequence

from tailrace.agents.groups import Group, GroupKind

#: A tool call without a result keeps its group for this many turns; a call that nobody answers must not fill the window.
OPEN_CALL_TURNS = 2

#: Messages that one compaction drops at most: it lists their ids in single records, and a record has a largest size.
DROPPED_MESSAGES_MAX = 20_000


def choose_drops(groups: Iterable[Group], *, excess_tokens: int, arriving: int) -> list[Group]:
    """Groups to drop, oldest first, until `excess_tokens` are freed, nothing droppable is left, or it is enough at once.

    `arriving` is the group of the message that is being added: it stays, even where it is an old one.
    """
    ordered = sorted(groups, key=lambda group: group.sequence)
    kept = _kept(ordered) | {arriving}
    drops: list[Group] = []
    freed_tokens = messages = 0
    for group in ordered:
        if freed_tokens >= excess_tokens or messages >= DROPPED_MESSAGES_MAX:
            break
        if group.sequence not in kept:
            drops.append(group)
            freed_tokens += group.tokens
            messages += len(group.ids)
    return drops


def _kept(ordered: Sequence[Group]) -> set[int]:
    """Sequence numbers of the groups that stay: system, first and latest user message, pinned, newest, open calls."""
    users = [group.sequence for group in ordered if group.kind is GroupKind.USER]
    turn = max((group.turn for group in ordered), default=0)
    kept = {*users[:1], *users[-1:], *(group.sequence for group in ordered[-1:])}
    for group in ordered:
        waits = bool(group.open_calls) and group.turn > turn - OPEN_CALL_TURNS
        if group.kind is GroupKind.SYSTEM or group.pinned or waits:
            kept.add(group.sequence)
    return kept


def gaps(live: Iterable[int]) -> list[tuple[int, int]]:
    """Closed ranges of group numbers below the newest that are no longer live."""
    ranges: list[tuple[int, int]] = []
    expected = 0
    for sequence in sorted(live):
        if sequence > expected:
            ranges.append((expected, sequence - 1))
        expected = sequence + 1
    return ranges
