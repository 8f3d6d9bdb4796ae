"""The firing rule: whether, and why, a thread is compacted at an event. Messages and signals ask the same one.

Nothing fires while a call is under way. Over a mark of the budget the mark fires; else, above the lower mark, the first
rule of the policy that holds. What is not needed to fit the limit waits for the governor, for `hold`, and where the
policy asks for approval, for that.
"""

from tailrace.agents.plan.plan import Plan
from tailrace.agents.plan.steps.registry import resolve
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.budget import over_budget
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.governor import NOT_GOVERNED, waits
from tailrace.agents.triggers.structural import StructuralRules
from tailrace.schemas.policy.policy import Policy

_CHECKPOINT = "checkpoint"


class FiringRule:
    """The triggers of a policy, read once, because every event asks."""

    __slots__ = ("_governor", "_policy", "_rules")

    def __init__(self, policy: Policy) -> None:
        """Read the conditions of a policy. Raises a ConditionError for one that can't be used."""
        self._policy = policy
        self._governor = policy.triggers.governor
        self._rules = StructuralRules(policy.triggers)

    def fires(self, facts: ThreadFacts) -> Firing | None:
        """Why the thread is compacted now; None where it is not, or has to wait."""
        standing, view, budget, total_tokens = facts.standing, facts.view, facts.budget, facts.total_tokens
        if standing.in_flight is not None and facts.in_flight:
            return None
        # A message is what was announced, or comes in its place.
        announced_tokens = standing.announced_tokens if facts.entry is None else 0
        quiet_tokens = view.quiet_tokens
        firing = over_budget(total_tokens, budget, announced_tokens, quiet_tokens)
        if firing is None and total_tokens > budget.lower_tokens and total_tokens > quiet_tokens:
            firing = self._rules.first(facts)
        return firing if firing is not None and self.lets_pass(firing, facts) else None

    def lets_pass(self, firing: Firing, facts: ThreadFacts) -> bool:
        """Tell whether what has fired need not wait."""
        if firing.must or firing.trigger in NOT_GOVERNED:
            return True
        return not (waits(self._governor, facts.standing, firing, facts.at_ms) or self._rules.hold(facts))

    def asks_first(self, firing: Firing, agent: str | None) -> bool:
        """Tell whether somebody has to approve a compaction of this agent's threads, by the policy.

        A context that no longer fits is compacted all the same.
        """
        if firing.must or firing.trigger in NOT_GOVERNED:
            return False
        return resolve(self._policy, agent).strategy == _CHECKPOINT


def approval_plan(budget: TokenBudget, total_tokens: int) -> Plan:
    """The plan of a thread that waits for approval: it stands as it is."""
    reason = "the policy asks for approval before this thread is compacted"
    return Plan(budget, total_tokens, total_tokens, strategy=_CHECKPOINT, reason=reason)
