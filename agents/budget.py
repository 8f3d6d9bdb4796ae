"""The token budget of one thread: what its context may cost, and the two marks between which it moves.

Over the upper mark a context is compacted, a whole chunk at once, down to the lower one. Both marks divide what is left
beside the system prompt (`scope = "growth"`), or the whole limit (`"total"`).
"""

from dataclasses import dataclass
from functools import lru_cache

from tailrace.schemas.policy import Policy


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """What a context may cost. All in tokens as we count them."""

    limit_tokens: int
    upper_tokens: int
    lower_tokens: int


@lru_cache(
    maxsize=1024
)  # asked for at every event, with the windows of the models in use and the system prompts of their agents
def budget_for(
    policy: Policy, window_tokens: int, *, model: str | None = None, prefix_tokens: int = 0, hidden_tokens: int = 0
) -> TokenBudget:
    """Budget for a model with this window.

    `prefix_tokens` is what the system messages of the thread cost. `hidden_tokens` is what the provider counts beyond our
    count of the messages; what the policy reserves for prompt and tools outside of the messages is part of that already.
    """
    reserved = policy.system_prompt_tokens + policy.tool_schema_tokens + policy.formatting_tokens
    limit = policy.limit_tokens(window_tokens, model)
    limit = max(limit - max(0, hidden_tokens - reserved), limit // 2, 1)
    base = min(prefix_tokens, limit) if policy.scope == "growth" else 0
    upper = base + int((limit - base) * policy.upper_fraction)
    lower = base + int((limit - base) * policy.lower_fraction)
    headroom = policy.headroom(window_tokens)
    if headroom:
        window = policy.window_tokens if policy.window_tokens is not None else window_tokens
        upper = max(1, min(upper, window - headroom))
        lower = min(lower, int(upper * policy.lower_fraction / policy.upper_fraction))
    return TokenBudget(limit_tokens=limit, upper_tokens=upper, lower_tokens=lower)
