"""What is allowed in a policy and yet can't be meant: steps that are never taken, or that can never change anything.

Judged for the window that the policy names, or the one it takes for an unknown model.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.agents.plan.steps.registry import resolve, steps_of
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.schemas.policy.policy import DEFAULT_STEPS, Policy
from tailrace.schemas.policy.steps import (
    AnySplit,
    AnyStep,
    CollapseRepeats,
    ExpireToolResults,
    Externalize,
    PruneToolResults,
    RecentFraction,
    RecentTurns,
    RemoveToolCalls,
    SlidingWindow,
    Summarize,
    TailTokens,
    Truncate,
    UserMessages,
)


@dataclass(frozen=True, slots=True)
class PolicyWarning:
    """Something to look at again; the policy works all the same."""

    key: str
    what: str


def policy_warnings(policy: Policy) -> list[PolicyWarning]:
    """Everything in the policy that has no effect, in the order of its keys."""
    window = policy.window_tokens if policy.window_tokens is not None else policy.default_window_tokens
    budget = budget_for(policy, window)
    warnings = [*_numbers(policy, window), *_unused(policy)]
    if policy.steps != DEFAULT_STEPS:
        warnings += _steps("policy.steps", policy.steps, None, policy, budget)
    for name, agent in policy.agents.items():
        warnings += _steps(f"policy.agents.{name}.steps", agent.steps or (), name, policy, budget)
    return warnings


def _numbers(policy: Policy, window_tokens: int) -> Iterator[PolicyWarning]:
    if not policy.name.strip():
        yield PolicyWarning("policy.name", "is blank: people know a policy by its name")
    highest = round(policy.upper_fraction - policy.progress_fraction, 6)
    if policy.lower_fraction > highest:
        apart = f"progress_fraction wants {policy.progress_fraction:g} of the limit between the marks"
        yield PolicyWarning("policy.lower_fraction", f"counts as {max(0.0, highest):g}: {apart}")
    reserved_tokens = window_tokens - policy.limit_tokens(window_tokens)
    if policy.limit_tokens(window_tokens) <= window_tokens // 4 and policy.cap_tokens is None:
        what = (
            f"all reserves together want more than three quarters of {window_tokens} tokens; {reserved_tokens} are "
            "taken"
        )
        yield PolicyWarning("policy.output_reserve_tokens", what)
    if isinstance(policy.headroom_tokens, int) and policy.headroom(window_tokens) < policy.headroom_tokens:
        yield PolicyWarning(
            "policy.headroom_tokens", f"more than half of a window of {window_tokens} tokens; half is taken"
        )


def _unused(policy: Policy) -> Iterator[PolicyWarning]:
    strategies = {policy.strategy, *(agent.strategy for agent in policy.agents.values())}
    if policy.compactor is not None and "delegate" not in strategies:
        yield PolicyWarning("policy.compactor", 'not called: only the strategy "delegate" does that')
    if policy.summarizer is not None and "drop" not in strategies:
        yield PolicyWarning("policy.summarizer", 'not asked: only the strategy "drop" does that')
    if policy.ledger.candidates and not (policy.ledger.enabled and policy.chunks.enabled):
        missing = "chunks.enabled" if policy.ledger.enabled else "ledger.enabled"
        yield PolicyWarning("policy.ledger.candidates", f"adds nothing: {missing} is false")
    if policy.triggers.timers.chunk_ms is not None and not policy.chunks.enabled:
        yield PolicyWarning("policy.triggers.timers.chunk_ms", "closes nothing: chunks.enabled is false")


def _steps(
    path: str, steps: Sequence[AnyStep], agent: str | None, policy: Policy, budget: TokenBudget
) -> Iterator[PolicyWarning]:
    taken = {id(step): place for place, step in enumerate(steps_of(policy, agent))}
    ends = [taken[id(step)] for step in steps if isinstance(step, Truncate) and id(step) in taken]
    last = min(ends, default=len(taken)) if policy.early_stop else len(taken)
    for place, step in enumerate(steps):
        name = str(step.__struct_config__.tag)
        if id(step) not in taken:
            why = f"is never taken: {_left_out(step, agent, policy)}"
        elif taken[id(step)] > last:
            why = "is never taken: truncate before it always meets the target"
        else:
            reason = _NEVER.get(type(step), _may_act)(step, budget)
            why = f"can never change anything: {reason}" if reason else ""
        if why:
            yield PolicyWarning(f"{path}[{place}]", f"{name} {why}")


def _left_out(step: AnyStep, agent: str | None, policy: Policy) -> str:
    if step.aggressiveness > policy.aggressiveness_max:
        return f"its rung {step.aggressiveness} is above aggressiveness_max"
    return f'the strategy "{resolve(policy, agent).strategy}" does without it'


def _may_act(_step: AnyStep, _budget: TokenBudget) -> str | None:
    return None


def _small(step: CollapseRepeats | Externalize, budget: TokenBudget) -> str | None:
    if step.tokens_min > budget.limit_tokens:
        return f"tokens_min is above the limit of {budget.limit_tokens} tokens"
    return _split(step, budget) if isinstance(step, Externalize) else None


def _prune(step: PruneToolResults, budget: TokenBudget) -> str | None:
    if "*" in step.protected_tools:
        return "all tools are protected"
    needed = step.protect_tokens + step.savings_tokens_min
    return (
        f"{needed} tokens of results are more than the limit of {budget.limit_tokens}"
        if needed > budget.limit_tokens
        else None
    )


def _expire(step: ExpireToolResults, _budget: TokenBudget) -> str | None:
    if "*" in step.never_evict:
        return "never_evict names all tools"
    bounds = [step.default, *step.tools.values()]
    unbounded = all(bound.keep_turns is None and bound.keep_last is None for bound in bounds)
    return "no retention has a bound" if unbounded else None


def _remove(step: RemoveToolCalls, _budget: TokenBudget) -> str | None:
    return None if step.tools else "tools names none"


def _window(step: SlidingWindow, budget: TokenBudget) -> str | None:
    if step.turns is not None or step.groups is not None or step.tokens is None:
        return None
    fits = step.tokens >= budget.limit_tokens
    return f"a window of {step.tokens} tokens holds all of the limit of {budget.limit_tokens}" if fits else None


def _split(step: Summarize | Externalize, budget: TokenBudget) -> str | None:
    """Why what is kept word for word leaves nothing to do, or nothing to gain."""
    for split in step.keep:
        kept_tokens = _KEPT[type(split)](split, budget)
        if kept_tokens >= budget.lower_tokens:
            tag = split.__struct_config__.tag
            return f"{tag} keeps {kept_tokens} tokens, and the target is {budget.lower_tokens}"
    return None


def _share(split: TailTokens | UserMessages, budget: TokenBudget) -> int:
    return min(split.tokens, int(budget.lower_tokens * split.fraction_max))


def _recent_turns(split: RecentTurns, budget: TokenBudget) -> int:
    room = max(int(budget.limit_tokens * split.fraction), split.turn_tokens_min)
    return split.turns * min(room, split.turn_tokens_max, budget.lower_tokens // 2)


_KEPT: dict[type[AnySplit], Callable[[Any, TokenBudget], int]] = {
    TailTokens: _share,
    UserMessages: _share,
    RecentTurns: _recent_turns,
    RecentFraction: lambda split, budget: int(budget.upper_tokens * split.fraction),
}

_NEVER: dict[type[AnyStep], Callable[[Any, TokenBudget], str | None]] = {
    CollapseRepeats: _small,
    PruneToolResults: _prune,
    ExpireToolResults: _expire,
    Externalize: _small,
    Summarize: _split,
    RemoveToolCalls: _remove,
    SlidingWindow: _window,
}
