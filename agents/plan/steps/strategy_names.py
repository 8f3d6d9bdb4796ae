"""Which strategies of the operator's own a policy names: told without loading any."""

from collections.abc import Iterator, Sequence

from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.steps import AnyStep, Custom


def named_strategies(policy: Policy) -> dict[str, str]:
    """Names of strategies in the policy, by the key that holds them."""
    names = dict(_custom(policy.steps, "policy.steps"))
    if policy.compactor:
        names["policy.compactor"] = policy.compactor
    for name, agent in policy.agents.items():
        names.update(_custom(agent.steps or (), f"policy.agents.{name}.steps"))
        if agent.compactor:
            names[f"policy.agents.{name}.compactor"] = agent.compactor
    return names


def _custom(steps: Sequence[AnyStep], path: str) -> Iterator[tuple[str, str]]:
    for place, step in enumerate(steps):
        if isinstance(step, Custom):
            yield f"{path}[{place}].name", step.name
