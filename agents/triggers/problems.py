"""What can't be used of a policy's triggers: conditions that can't be read or never hold, moments that never come.

Looked for wherever a policy is loaded, so that a worker never starts with one, and nothing can fail while events pass.
"""

from collections.abc import Callable
from functools import partial

from tailrace.agents.conditions.check import check
from tailrace.agents.conditions.parse import parse
from tailrace.agents.cron import check_cron
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy_triggers import Triggers

_KEY = "policy.triggers"


def trigger_problems(triggers: Triggers) -> list[ConfigError]:
    """Everything that is wrong, each with the place in the policy and what is allowed there."""
    conditions = {f"{_KEY}.rules[{place}].when": rule.when for place, rule in enumerate(triggers.rules)}
    if triggers.hold is not None:
        conditions[f"{_KEY}.hold"] = triggers.hold
    looks = {key: partial(_check_condition, text) for key, text in conditions.items()}
    timers = triggers.timers
    if timers.cron is not None:
        looks[f"{_KEY}.timers.cron"] = partial(check_cron, timers.cron, timers.zone)
    return [problem for key, look in looks.items() if (problem := _problem(key, look)) is not None]


def _check_condition(text: str) -> None:
    check(parse(text))


def _problem(key: str, look: Callable[[], None]) -> ConfigError | None:
    try:
        look()
    except ConfigError as error:
        return ConfigError(key, error.value, error.allowed)
    return None
