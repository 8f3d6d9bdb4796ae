"""Budget trigger: the context is over its limit, or over the upper mark, or would be with what is announced.

Reads conversations; writes contexts, compactions and lifecycle.
"""

from typing import Final

from tailrace.agents.tokens.budget import BELIEVED_FRACTION, TokenBudget
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Budget trigger",
    does="over the limit or the upper mark, also with what is announced: compact",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)


def over_budget(total_tokens: int, budget: TokenBudget, announced_tokens: int, quiet_tokens: int) -> Firing | None:
    """Fire where the context has to be smaller.

    After a try in vain the upper mark rests until the context has grown.
    """
    coming_tokens = total_tokens + announced_tokens
    if coming_tokens > budget.limit_tokens:
        condition = f"{_shown(total_tokens, announced_tokens)} > limit {budget.limit_tokens:,}"
        return Firing(Trigger.BUDGET, "limit", condition, must=True)
    if coming_tokens > budget.upper_tokens and coming_tokens > quiet_tokens:
        condition = f"{_shown(total_tokens, announced_tokens)} > upper {budget.upper_tokens:,}"
        return Firing(Trigger.BUDGET, "upper mark", condition)
    return None


def _shown(total_tokens: int, announced_tokens: int) -> str:
    return f"total {total_tokens:,}" + (f" + announced {announced_tokens:,}" if announced_tokens else "")


def with_room(budget: TokenBudget, tokens: int) -> TokenBudget:
    """The same budget with so much of it kept free. One wrong announcement must not empty a context."""
    limit_tokens = max(1, budget.limit_tokens - tokens, int(budget.limit_tokens * BELIEVED_FRACTION))
    return TokenBudget(
        limit_tokens=limit_tokens,
        upper_tokens=min(budget.upper_tokens, limit_tokens),
        lower_tokens=max(budget.lower_tokens - tokens, int(budget.lower_tokens * BELIEVED_FRACTION)),
        left_tokens=budget.left_tokens,
        ceiling_tokens=budget.ceiling_tokens,
    )
