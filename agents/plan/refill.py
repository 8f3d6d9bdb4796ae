"""Room that a plan has left over in the end goes back to what it has cut.

Steps cut as if every token were needed: a cap makes room for a summary that then needs less, a ledger holds room that
it doesn't take. What is kept whatever happens gets its words back first, then the newest tool results and arguments of
steps that cut only where it is needed. No tier grows beyond its cap as long as others can use the room, and what a step
has cut for good stays cut, whoever cut it again.
"""

from collections.abc import Iterator

from tailrace.agents.artifacts.shorten import shorten
from tailrace.agents.ledger.directives import ROLES
from tailrace.agents.plan.draft.draft import Draft
from tailrace.agents.plan.draft.item import DraftGroup, Item
from tailrace.agents.plan.draft.keep import STRENGTH
from tailrace.agents.plan.last_resort import STRATEGY as FLOOR
from tailrace.agents.plan.ledger_entry import PlanLedger
from tailrace.agents.plan.plan import LedgerChange
from tailrace.agents.plan.steps.tier_caps import STRATEGY as TIER_CAPS
from tailrace.agents.plan.steps.tier_caps import CapsLeft
from tailrace.schemas.policy.policy import Tiers
from tailrace.schemas.records.compaction import Action
from tailrace.schemas.records.envelope import Durability

#: Less is not worth a look.
LEFT_TOKENS_MIN = 20
#: What the ledger need not say any more goes back in its turn, in so many rounds: each leaves less to settle.
ROUNDS_MAX = 3
#: What these cut by a share may grow by a share. Of what others cut, results may come back in part, once nothing comes
#: back whole.
_BY_SHARE = frozenset((FLOOR, TIER_CAPS))
_GROWING = frozenset((Action.EXTERNALIZE, Action.CLEAR))
_INCLUDE, _EPHEMERAL = Action.INCLUDE, Durability.EPHEMERAL


def settle(draft: Draft, tiers: Tiers, ledger: PlanLedger | None, written: LedgerChange | None) -> LedgerChange | None:
    """Let what was cut grow again, and return the ledger that goes with it.

    What people say in the context itself the ledger need not.
    """
    for _ in range(ROUNDS_MAX):
        if not give_back(draft, tiers) or ledger is None or written is None:
            break
        written = ledger.again(draft, written)
    return written


def give_back(draft: Draft, tiers: Tiers) -> bool:
    """Let what was cut grow again as far as target and caps allow, never to where the next compaction would begin.

    Return whether that gave words back to people or to the system prompt.
    """
    most_tokens = min(draft.target_tokens, draft.budget.upper_tokens, draft.budget.limit_tokens)
    if most_tokens - draft.tokens < LEFT_TOKENS_MIN:
        return False
    caps = CapsLeft(draft, tiers)
    spoken = False
    # Caps say who has the room where others want it too. What nobody else can use goes to the newest of what they cut,
    # or to a part of it.
    for last in (False, True):
        for group, item in (*_kept(draft), *_newest(draft)):
            left_tokens = most_tokens - draft.tokens
            if left_tokens < LEFT_TOKENS_MIN:
                return spoken
            before_tokens = item.tokens
            _give(draft, item, left_tokens if last else caps.of(group, item, left_tokens), in_part=last)
            caps.take(group, item, item.tokens - before_tokens)
            spoken = spoken or (item.entry.role in ROLES and item.tokens > before_tokens)
    return spoken


def _give(draft: Draft, item: Item, left_tokens: int, *, in_part: bool) -> None:
    if item.before_tokens - item.tokens <= left_tokens:
        draft.restore(item)
    elif (item.strategy in _BY_SHARE or (in_part and item.entry.answers)) and left_tokens >= LEFT_TOKENS_MIN:
        _grow(draft, item, item.tokens + left_tokens)


def _kept(draft: Draft) -> Iterator[tuple[DraftGroup, Item]]:
    kept = [group for group in draft.groups if group.kept is not None]
    for reason in STRENGTH:
        for group in kept:
            if group.kept is reason:
                yield from ((group, item) for item in group.items if item.strategy == FLOOR and not item.cut_for_good)


def _newest(draft: Draft) -> Iterator[tuple[DraftGroup, Item]]:
    for group in reversed(draft.groups):
        for item in reversed(group.items):
            if item.action is _INCLUDE or item.cut_for_good or item.stands_for_others:
                continue
            cut = item.strategy == TIER_CAPS or (item.strategy != FLOOR and group.kept is None)
            if cut and item.entry.durability is not _EPHEMERAL:
                yield group, item


def _grow(draft: Draft, item: Item, tokens_max: int) -> None:
    if item.action not in _GROWING:
        return
    longer = shorten(item.original, tokens_max, item.before_tokens, draft.count, name=item.whole_id)
    tokens = draft.count(longer)
    if item.tokens < tokens <= tokens_max:
        draft.restore(item, longer, tokens)
        item.action, item.artifact_id = Action.EXTERNALIZE, item.whole_id
