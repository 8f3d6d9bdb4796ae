"""Manual trigger: somebody asks for a compaction now, this time so.

Reads conversations; writes contexts, compactions and lifecycle. While a call is under way the wish waits for its end,
whole: the newest one counts.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.schemas.errors import ConfigError, Refused
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.signal import Compact
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Manual trigger",
    does="somebody asks, by hand or by a program: compact now, this time so; during a call, right after it",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for, with what holds for this one compaction."""

    firing: Firing
    budget: TokenBudget
    policy: Policy


def check_wish(asked: Compact, policy: Policy) -> None:
    """Raise Refused where the policy can't do what somebody asks for."""
    if asked.strategy is None:
        return
    try:
        policy.with_strategy(asked.strategy)
    except ConfigError as error:
        raise Refused(f"the strategy {asked.strategy!r} needs more than the policy says: {error}") from error


def invoked(asked: Compact, budget: TokenBudget, policy: Policy, *, waited: bool = False) -> Wish:
    """What to do because somebody asked; `waited` says that a call was under way then."""
    target_tokens = asked.target_tokens
    if target_tokens is None and asked.target_fraction is not None:
        target_tokens = int(budget.limit_tokens * asked.target_fraction)
    if target_tokens is not None:
        asked_tokens = min(target_tokens, budget.limit_tokens)
        budget = replace(budget, lower_tokens=asked_tokens, asked_tokens=asked_tokens)
    if asked.strategy is not None:
        # Where a wish has waited, the policy may be another one by now: then its own strategy does it.
        with suppress(ConfigError):
            policy = policy.with_strategy(asked.strategy)
    condition = asked.reason or "somebody asked for it"
    if waited:
        condition += ", while a call was under way"
    return Wish(Firing(Trigger.MANUAL, "invoked", condition, forced=True), budget, policy)
