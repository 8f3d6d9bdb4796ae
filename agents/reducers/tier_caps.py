"""Caps of the tiers: what tool results, or any other kind of content, may take of the limit once a compaction is done."""

from collections.abc import Callable

from tailrace.agents.draft import Draft, DraftGroup, Item
from tailrace.agents.groups import GroupKind
from tailrace.agents.keep import KeepReason
from tailrace.agents.proposal import Proposal
from tailrace.agents.shorten import shorten
from tailrace.schemas.compaction import Action
from tailrace.schemas.policy import Tiers

STRATEGY = "tier_caps"
#: Less is not worth a pointer.
SHORTENED_TOKENS = 100

#: What is kept only because it is new gives way to a cap: one result alone may be larger than it.
_MAY_SHRINK = (None, KeepReason.NEWEST, KeepReason.OPEN_CALL)

_TIERS: tuple[tuple[str, Callable[[DraftGroup, Item], bool]], ...] = (
    ("tool_results_fraction", lambda _group, item: bool(item.entry.answers)),
    ("assistant_fraction", lambda group, _item: group.kind is GroupKind.ASSISTANT_TEXT and not group.is_summary),
    ("user_fraction", lambda group, _item: group.kind is GroupKind.USER),
)


def cap_tiers(draft: Draft, tiers: Tiers) -> None:
    """Shorten the oldest of each tier that is over its cap; only where a compaction changes the context anyway."""
    if draft.tokens == draft.before_tokens and draft.excess_tokens <= 0:
        return
    for key, belongs in _TIERS:
        fraction = getattr(tiers, key)
        if fraction is not None:
            _cap(draft, int(fraction * draft.budget.limit_tokens), belongs, key)


def _cap(draft: Draft, cap_tokens: int, belongs: Callable[[DraftGroup, Item], bool], key: str) -> None:
    members = [(group, item) for group in draft.groups for item in group.items if belongs(group, item)]
    over_tokens = sum(item.tokens for _, item in members) - cap_tokens
    for group, item in members:
        if over_tokens <= 0:
            return
        if group.kept not in _MAY_SHRINK or item.tokens <= SHORTENED_TOKENS or item.stands_for_others:
            continue
        # Measured from the whole message: a preview may have been left of it, and that is not what is to be named.
        tokens_max = max(SHORTENED_TOKENS, item.tokens - over_tokens)
        shorter = shorten(item.original, tokens_max, item.before_tokens, draft.count, name=item.whole_id)
        proposal = Proposal(
            action=Action.EXTERNALIZE,
            ids=item.ids,
            reason=f"over the cap of its tier, {key}",
            replacement=shorter,
            artifact_id=item.whole_id,
        )
        over_tokens -= draft.force(proposal, STRATEGY)
