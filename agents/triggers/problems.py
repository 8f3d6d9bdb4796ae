"""Problems of a policy's triggers: conditions that can't be read or never hold, rules and timers that never fire.

Looked for wherever a policy is loaded, so that a worker never starts with one, and nothing can fail while events pass.
"""

from collections.abc import Iterator
from typing import Final

from tailrace.agents.conditions.check import read_condition
from tailrace.agents.conditions.facts import CHUNK_CLOSED
from tailrace.agents.conditions.parse import parse
from tailrace.agents.conditions.ranges import known_where, never_holds
from tailrace.agents.conditions.tree import And, Condition, Node, Not
from tailrace.agents.triggers.cron import check_cron
from tailrace.agents.triggers.structural import BELOW_MARK, read_rule
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy

_KEY: Final = "policy.triggers"
_WITHOUT_CHUNKS: Final = known_where(parse(f"event != '{CHUNK_CLOSED}'").root)


def trigger_problems(policy: Policy) -> list[ConfigError]:
    """Everything that is wrong, each with the place in the policy and what is allowed there."""
    triggers, timers = policy.triggers, policy.triggers.timers
    problems: list[ConfigError] = []
    held: Condition | None = None
    if triggers.hold is not None:
        try:
            held = read_condition(triggers.hold)
        except ConfigError as error:
            problems.append(ConfigError(f"{_KEY}.hold", error.value, error.allowed))
    if timers.cron is not None:
        try:
            check_cron(timers.cron, timers.zone)
        except ConfigError as error:
            problems.append(ConfigError(f"{_KEY}.timers.{error.key}", error.value, error.allowed))
    return [*_rule_problems(policy, held), *problems]


def _rule_problems(policy: Policy, held: Condition | None) -> Iterator[ConfigError]:
    before = [held.root] if held is not None else []
    for place, rule in enumerate(policy.triggers.rules):
        try:
            condition = read_rule(rule.when)
            _check_fires(condition, before, chunks=policy.chunks.enabled)
        except ConfigError as error:
            yield ConfigError(f"{_KEY}.rules[{place}].when", error.value, error.allowed)
        else:
            before.append(condition.root)


def _check_fires(condition: Condition, before: list[Node], *, chunks: bool) -> None:
    """Refuse a rule that holds only where something else comes before it: `hold`, or a rule that fires in its place."""
    root = condition.root
    if not chunks and never_holds(root, _WITHOUT_CHUNKS):
        allowed = "another event, or chunks.enabled = true"
        raise condition.error(root, allowed=allowed, actual="one that never holds without chunks")
    if before and never_holds(And((root, *map(Not, before))), BELOW_MARK):
        allowed = "a rule that can hold where hold doesn't, nor any rule before it"
        raise condition.error(root, allowed=allowed, actual="one that never fires")
