"""Split points: which groups stay word for word while what lies before them is summarised or externalised.

Each rule gives the groups that it keeps; a step keeps what any of its rules keeps. A cut is only ever made between two
groups, and only where the rules of `cuts` allow it, so pairs, parallel calls and reasoning are never torn. What the
policy keeps anyway costs these rules nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tailrace.agents.messages.groups import GroupKind
from tailrace.agents.plan.draft.draft import Draft, legal_starts
from tailrace.agents.plan.draft.item import DraftGroup
from tailrace.schemas.policy.steps import AnySplit, RecentFraction, RecentTurns, TailTokens, UserMessages

_USER = GroupKind.USER


def before_split(draft: Draft, splits: Sequence[AnySplit]) -> list[DraftGroup]:
    """Groups that no rule keeps, oldest first: what a step may take."""
    kept: set[int] = set()
    for split in splits:
        kept |= _RULES[type(split)](split, draft)
    return [group for group in draft.free() if group.sequence not in kept]


def _beside_tokens(draft: Draft) -> int:
    """What the target leaves beside what is kept anyway: a summary must find its room in it as well."""
    return max(0, draft.target_tokens - draft.kept_tokens)


def _users(split: UserMessages, draft: Draft) -> set[int]:
    all_tokens = room_tokens = min(split.tokens, int(_beside_tokens(draft) * split.fraction_max))
    kept = set()
    for group in reversed(draft.groups):
        if group.kind is not _USER or group.kept is not None or group.tokens > all_tokens:
            continue  # what no room would do for keeps nothing older out
        if group.tokens > room_tokens:
            break  # something older must not stand where the newer word on it does not
        kept.add(group.sequence)
        room_tokens -= group.tokens
    return kept


def _fraction(split: RecentFraction, draft: Draft) -> set[int]:
    tail = newest(draft.groups, int(draft.tokens * split.fraction), draft.legal_starts())
    start = next((place for place, group in enumerate(tail) if group.kind is _USER), None)
    # Without a user message in it there is no boundary to snap to: a long run of tools is cut where it may be cut.
    return {group.sequence for group in tail[start or 0 :]}


def _turns(split: RecentTurns, draft: Draft) -> set[int]:
    room_tokens = int(draft.budget.limit_tokens * split.fraction)
    room_tokens = min(max(room_tokens, split.turn_tokens_min), split.turn_tokens_max, draft.target_tokens // 2)
    of_turns: dict[int, list[DraftGroup]] = {}
    for group in draft.groups:
        if draft.turn - split.turns < group.turn <= draft.turn:
            of_turns.setdefault(group.turn, []).append(group)
    return {group.sequence for of_turn in of_turns.values() for group in newest(of_turn, room_tokens)}


def _tokens(split: TailTokens, draft: Draft) -> set[int]:
    room_tokens = min(split.tokens, int(_beside_tokens(draft) * split.fraction_max))
    return {group.sequence for group in newest(draft.groups, room_tokens, draft.legal_starts())}


def newest(groups: Sequence[DraftGroup], tokens: int, starts: frozenset[int] | None = None) -> list[DraftGroup]:
    """Newest groups that fit into `tokens`, oldest first; kept ones stay anyway and take no room.

    `starts` are where a cut is legal.
    """
    tail: list[DraftGroup] = []
    for group in reversed(groups):
        cost_tokens = 0 if group.kept is not None else group.tokens
        if cost_tokens > tokens:
            break
        tokens -= cost_tokens
        tail.append(group)
    starts = legal_starts(groups) if starts is None else starts
    while tail and tail[-1].sequence not in starts:
        tail.pop()
    return tail[::-1]


_RULES: dict[type, Callable[[Any, Draft], set[int]]] = {
    UserMessages: _users,
    RecentFraction: _fraction,
    RecentTurns: _turns,
    TailTokens: _tokens,
}
