"""Strategies of the operator's own, from the entry points `tailrace.strategies` of installed distributions.

Only those that the policy names are loaded: code that nobody asked for is not run. One that can't be loaded is absent,
and a policy that names an absent one is refused at start.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from tailrace.agents.plan.draft.custom_proposals import words_of
from tailrace.agents.plan.steps.registry import Strategies
from tailrace.agents.plan.steps.strategy_names import named_strategies
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.observability.client_log import client_log
from tailrace.streams.strategies.bounded_strategy import LOGGER, BoundedStrategy, Pause
from tailrace.streams.strategies.forked_call import can_fork

GROUP: Final = "tailrace.strategies"

#: What holds strategies back that took too long, by name and entry point: for the whole process, because a library call
#: has rules of its own each time, and each would wait for a strategy that hangs.
_PAUSES: Final[dict[tuple[str, str], Pause]] = {}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Strategies that can be called, and why others can't, both by name."""

    strategies: dict[str, BoundedStrategy] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def strategies_for(policy: Policy, *, timeout_seconds: float) -> Strategies:
    """The strategies that the policy names, ready to be called. Raises a ConfigError for one that is absent."""
    loaded = load_strategies(set(named_strategies(policy).values()), timeout_seconds=timeout_seconds)
    missing = missing_strategies(policy, loaded)
    if missing:
        raise missing[0]
    return loaded.strategies


def installed_names() -> list[str]:
    """Names of all strategies that are installed, whether they can be loaded or not."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_strategies(names: Collection[str], *, timeout_seconds: float) -> Loaded:
    """Load the strategies of these names. What goes wrong with one is logged, and is no matter to the others."""
    loaded = Loaded()
    for name in sorted(names):
        points = list(entry_points(group=GROUP, name=name))
        if not points:
            continue
        try:
            strategy = _load(points)
        except (Exception, SystemExit) as error:  # noqa: BLE001  it is anybody's code, and may fail in any way
            loaded.failures[name] = words_of(error)
            log = client_log(LOGGER)
            log.warning("strategy.not_loaded", strategy=name, entry_point=points[0].value, error=words_of(error))
        else:
            pause = _PAUSES.setdefault((name, points[0].value), Pause())
            loaded.strategies[name] = BoundedStrategy(name, strategy, timeout_seconds=timeout_seconds, pause=pause)
    return loaded


def _load(points: Sequence[EntryPoint]) -> Any:
    targets = sorted({point.value for point in points})
    if len(targets) > 1:
        raise LookupError(f"several distributions have it: {', '.join(targets)}")
    if not can_fork():
        raise OSError("strategies run in processes of their own, which this system can't fork")
    loaded = points[0].load()
    strategy = loaded() if isinstance(loaded, type) else loaded
    if not callable(getattr(strategy, "analyze", None)):
        raise TypeError(f"{targets[0]} has no method analyze(draft, options)")
    return strategy


def missing_strategies(policy: Policy, loaded: Loaded) -> list[ConfigError]:
    """One error for each place where the policy names a strategy that is not there."""
    missing = []
    for key, name in named_strategies(policy).items():
        if name in loaded.failures:
            missing.append(ConfigError(key, name, f"a strategy that can be loaded; {loaded.failures[name]}"))
        elif name not in loaded.strategies:
            names = ", ".join(installed_names()) or "there is none"
            missing.append(ConfigError(key, name, f"an installed strategy (entry points {GROUP}): {names}"))
    return missing
