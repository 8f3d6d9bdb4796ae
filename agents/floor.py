"""The last resort: where even what is kept exceeds the limit, kept messages are shortened, and then the oldest go.

The order is that of `KeepReason`. Each shortened message says where its whole text is. Messages that are small already
are left alone as long as large ones can give; only when nothing is left to shorten do kept groups go, the latest user message
and the system prompt last of all.
"""

from collections.abc import Callable

from tailrace.agents.draft import Draft, Item
from tailrace.agents.groups import GroupKind
from tailrace.agents.keep import KeepReason
from tailrace.agents.proposal import Proposal
from tailrace.agents.shorten import shorten
from tailrace.schemas.compaction import Action

STRATEGY = "floor"

#: Shortening goes through all reasons with the first bound, then through all with the next: nobody gives all before others give some.
SHORTENED_TOKENS = (2_000, 500, 120, 40)

#: What has to go where shortening is not enough: what is being said now outlasts what was kept from before.
DROP_ORDER = (
    KeepReason.ANCHORING,
    KeepReason.OPEN_CALL,
    KeepReason.SOURCE,
    KeepReason.RULE,
    KeepReason.FIRST_USER,
    KeepReason.PINNED,
    KeepReason.PROTECTED,
    KeepReason.NEWEST,
    KeepReason.SYSTEM,
    KeepReason.LATEST_USER,
)


def make_room(draft: Draft, fraction: float) -> None:
    """Shorten what is kept, which exceeds the limit, so far that a conversation fits beside it."""
    room_tokens = int(draft.budget.limit_tokens * fraction)

    def over_tokens() -> int:
        return draft.kept_tokens - room_tokens

    _shorten_in_order(draft, over_tokens)


def fit_kept(draft: Draft) -> str | None:
    """Make the draft fit its limit. Returns why it can't be done, where even one message is too much; None where it fits."""

    def over_tokens() -> int:
        return draft.tokens - draft.budget.limit_tokens

    _shorten_in_order(draft, over_tokens)
    for reason in DROP_ORDER:
        for group in [group for group in draft.groups if group.kept == reason]:
            if over_tokens() > 0 and len(draft.groups) > 1:
                draft.force(Proposal(Action.DROP, group.ids, "even shortened it doesn't fit"), STRATEGY)
    if over_tokens() <= 0:
        if any(group.kind is not GroupKind.SYSTEM for group in draft.groups):
            return None
        return f"nothing but the system prompt fits {draft.budget.limit_tokens} tokens: no provider takes a request without a message"
    return f"{draft.tokens} tokens are left and can't be made smaller; the limit is {draft.budget.limit_tokens}"


def _shorten_in_order(draft: Draft, over_tokens: Callable[[], int]) -> None:
    for tokens_min in SHORTENED_TOKENS:
        for reason in KeepReason:
            if over_tokens() <= 0:
                return
            _shorten(draft, reason, tokens_min, over_tokens)


def _shorten(draft: Draft, reason: KeepReason, tokens_min: int, over_tokens: Callable[[], int]) -> None:
    """Shorten the messages that are kept for this reason, the largest first, each as far as needed and allowed."""
    items = [item for group in draft.groups if group.kept == reason for item in group.items]
    for item in sorted(items, key=lambda item: (-item.tokens, item.entry.rank)):
        over = over_tokens()
        if over <= 0:
            return
        if item.tokens > tokens_min:
            _shorten_item(draft, item, max(tokens_min, item.tokens - over), reason)


def _shorten_item(draft: Draft, item: Item, tokens_max: int, reason: KeepReason) -> None:
    original = item.original
    # Measured from the whole message: cutting what was cut before would nest the notes.
    shorter = shorten(original, tokens_max, item.before_tokens, draft.count, name=item.whole_id)
    draft.force(
        Proposal(
            action=Action.EXTERNALIZE,
            ids=item.ids,
            reason=f"kept ({reason}), but what is kept exceeds the limit",
            replacement=shorter,
            artifact_id=item.whole_id,
            may_return=True,
        ),
        STRATEGY,
    )
