"""The token budget of one thread: what its context may cost, and the two marks between which it moves.

Over the upper mark a context is compacted, a whole chunk at once, down to the lower one. Both marks divide what is left
beside the system prompt (`scope = "growth"`), or the whole limit (`"total"`); between them lies at least what a
compaction must free to be worth a changed prefix.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from tailrace.schemas.policy.policy import Policy

#: However much a provider counts beyond our count, a context keeps this part of its limit: one wrong report must not
#: empty it.
BELIEVED_FRACTION = 0.25


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """What a context may cost. All in tokens as we count them."""

    limit_tokens: int
    upper_tokens: int
    lower_tokens: int
    #: What a provider's own count leaves of the limit, where that is less than a context keeps in any case.
    left_tokens: int | None = None
    #: The upper mark is never above this, where the policy asks for headroom.
    ceiling_tokens: int | None = None
    #: Where somebody asked to come down to; None leaves it to the lower mark.
    asked_tokens: int | None = None
    #: The lower mark is as near to the upper one as it may be: whoever gave the limit for one time wants it used.
    fills: bool = False


@lru_cache(
    maxsize=1024
)  # asked for at every event, with the windows of the models in use and the system prompts of their agents
def budget_for(
    policy: Policy, window_tokens: int, *, model: str | None = None, prefix_tokens: int = 0, hidden_tokens: int = 0
) -> TokenBudget:
    """Budget for a model with this window.

    `prefix_tokens` is what the system messages of the thread cost. `hidden_tokens` is what the provider counts beyond
    our count of the messages; what the policy reserves for prompt and tools outside of the messages is part of that
    already.
    """
    reserved = policy.system_prompt_tokens + policy.tool_schema_tokens + policy.formatting_tokens
    usable = policy.limit_tokens(window_tokens, model)
    left = usable - max(0, hidden_tokens - reserved)
    limit = max(left, int(usable * BELIEVED_FRACTION), 1)
    headroom = policy.headroom(window_tokens)
    window = policy.window_tokens if policy.window_tokens is not None else window_tokens
    budget = TokenBudget(
        limit_tokens=limit,
        upper_tokens=limit,
        lower_tokens=limit,
        left_tokens=max(0, left) if left < limit else None,
        ceiling_tokens=max(1, window - headroom) if headroom else None,
    )
    return with_marks(budget, policy, prefix_tokens)


def with_marks(budget: TokenBudget, policy: Policy, prefix_tokens: int) -> TokenBudget:
    """The same limit with the marks that the policy sets beside system messages of this cost."""
    limit = budget.limit_tokens
    beside = policy.scope == "growth" and policy.keep.system
    base = min(prefix_tokens, limit) if beside else 0
    upper = base + int((limit - base) * policy.upper_fraction)
    lower = base + int((limit - base) * policy.lower_fraction)
    if budget.ceiling_tokens is not None:
        upper = min(upper, budget.ceiling_tokens)
        lower = min(lower, int(upper * policy.lower_fraction / policy.upper_fraction))
    lower = min(upper if budget.fills else lower, upper - int(limit * policy.progress_fraction))
    if budget.left_tokens is not None:
        # As soon as a provider would count too much it has to be looked at, even where little can be done.
        upper = min(upper, budget.left_tokens)
    return replace(budget, upper_tokens=upper, lower_tokens=max(0, lower))


def below_marks(budget: TokenBudget, tokens: int) -> TokenBudget:
    """The budget for a compaction that somebody asks for while the context has so many tokens.

    Where these are below the lower mark already, the target lies as far below them as that mark lies below the upper
    one.
    """
    if budget.asked_tokens is not None or tokens > budget.lower_tokens:
        return budget
    lower_tokens = tokens * budget.lower_tokens // max(1, budget.upper_tokens)
    return replace(budget, lower_tokens=lower_tokens, asked_tokens=lower_tokens)


def left_over(budget: TokenBudget, after_tokens: int) -> str | None:
    """Why a context that fits our count is too large for its provider."""
    if budget.left_tokens is None or after_tokens <= budget.left_tokens:
        return None
    return (
        f"the provider's own count leaves {budget.left_tokens} tokens for this context, which has {after_tokens}; "
        f"less than {budget.limit_tokens}, a quarter of its limit, is never asked of it"
    )
