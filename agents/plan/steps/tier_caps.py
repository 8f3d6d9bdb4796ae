"""Caps of the tiers.

What tool results, or any other kind of content, may take of the limit once a compaction is done.
"""

from collections.abc import Callable, Sequence

import msgspec

from tailrace.agents.artifacts.shorten import shorten, shorten_results
from tailrace.agents.messages.groups import GroupKind, kind_of, said_beside_results, speaks_beside_results
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.keep import MAY_SHRINK, KeepReason
from tailrace.agents.plan.draft.proposal import Proposal
from tailrace.schemas.policy.policy import Tiers
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.message import Message

STRATEGY = "tier_caps"
#: Less is not worth a pointer.
SHORTENED_TOKENS = 100

RESULTS = "tool_results_fraction"

_TIERS: tuple[tuple[str, Callable[[DraftGroup, Item], bool]], ...] = (
    (RESULTS, lambda _group, item: bool(item.entry.answers)),
    ("assistant_fraction", lambda group, _item: group.kind is GroupKind.ASSISTANT_TEXT and not group.is_summary),
    ("user_fraction", lambda _group, item: kind_of(item.entry) is GroupKind.USER),
)


def cap_tiers(draft: Draft, tiers: Tiers, *, but: Sequence[DraftGroup] = ()) -> None:
    """Shorten the oldest of each tier that is over its cap, `but` for these.

    Only where a compaction changes the context anyway.
    """
    if draft.tokens == draft.before_tokens and draft.excess_tokens <= 0:
        return
    spared = {id(group) for group in but}
    for key, belongs in _TIERS:
        fraction = getattr(tiers, key)
        if fraction is not None:
            members = _members(draft, key, belongs)
            if spared:
                members = [(group, item) for group, item in members if id(group) not in spared]
            _cap(draft, int(fraction * draft.budget.limit_tokens), members, key)


def _members(draft: Draft, key: str, belongs: Callable[[DraftGroup, Item], bool]) -> Sequence[tuple[DraftGroup, Item]]:
    """The messages of a tier, oldest first."""
    if key == RESULTS:
        return draft.results()
    return [(group, item) for group in draft.groups for item in group.items if belongs(group, item)]


class CapsLeft:
    """What the caps leave to grow, once all else is decided."""

    def __init__(self, draft: Draft, tiers: Tiers) -> None:
        """Add up what each capped tier takes now."""
        self._left_tokens: dict[str, int] = {}
        for key, belongs in _TIERS:
            fraction = getattr(tiers, key)
            if fraction is not None:
                members = _members(draft, key, belongs)
                self._left_tokens[key] = int(fraction * draft.budget.limit_tokens) - _taken_tokens(draft, members, key)

    def of(self, group: DraftGroup, item: Item, most_tokens: int) -> int:
        """Tokens by which a message may grow, `most_tokens` at most."""
        left_tokens = [self._left_tokens.get(key, most_tokens) for key, belongs in _TIERS if belongs(group, item)]
        return max(0, min([most_tokens, *left_tokens]))

    def take(self, group: DraftGroup, item: Item, tokens: int) -> None:
        """A message has grown by so many tokens."""
        for key, belongs in _TIERS:
            if key in self._left_tokens and belongs(group, item):
                self._left_tokens[key] -= tokens


def _cap(draft: Draft, cap_tokens: int, members: Sequence[tuple[DraftGroup, Item]], key: str) -> None:
    over_tokens = _taken_tokens(draft, members, key) - cap_tokens
    for group, item in members:
        if over_tokens <= 0:
            return
        if not _may_shrink(group, item, key) or item.tokens <= SHORTENED_TOKENS or item.stands_for_others:
            continue
        # Measured from the whole message: a preview may have been left of it, and that is not what is to be named.
        tokens_max = max(SHORTENED_TOKENS, item.tokens - over_tokens)
        shorter = _shorter(draft, item, tokens_max, key)
        proposal = Proposal(
            action=Action.EXTERNALIZE,
            ids=item.ids,
            reason=f"over the cap of its tier, {key}",
            replacement=shorter,
            artifact_id=item.whole_id,
            may_return=True,
        )
        over_tokens -= draft.force(proposal, STRATEGY)


def _may_shrink(group: DraftGroup, item: Item, key: str) -> bool:
    if key == RESULTS and group.kept is KeepReason.LATEST_USER:
        # Its words are what is kept; the results that came with them are results like any other.
        return speaks_beside_results(item.entry)
    return group.kept in MAY_SHRINK


def _taken_tokens(draft: Draft, members: Sequence[tuple[DraftGroup, Item]], key: str) -> int:
    """What a tier takes. A person's words beside tool results are no matter of a cap on results."""
    beside = [item for _, item in members if item.entry.role == "user"] if key == RESULTS else ()
    return sum([item.tokens for _, item in members]) - sum([_beside_tokens(draft, item) for item in beside])


def _beside_tokens(draft: Draft, item: Item) -> int:
    words = said_beside_results(item.message) if speaks_beside_results(item.entry) else ()
    return draft.count(msgspec.structs.replace(item.message, parts=words)) if words else 0


def _shorter(draft: Draft, item: Item, tokens_max: int, key: str) -> Message:
    speaks = key == RESULTS and speaks_beside_results(item.entry)
    return (shorten_results if speaks else shorten)(
        item.original, tokens_max, item.before_tokens, draft.count, name=item.whole_id
    )
