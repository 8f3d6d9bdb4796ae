"""Plans outside of the stream: for a list of messages, a file, or a thread as it stands now.

Policy, token counts and windows come from where a worker takes them, so that a plan made here is the one that a worker
would carry out. Only what a worker distils as it comes is whole here.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import Conversation, budget_of
from tailrace.agents.tokens.budget import TokenBudget, budget_for
from tailrace.agents.tokens.calibration import hidden_tokens
from tailrace.agents.triggers.reactive import believing
from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.policy import Policy
from tailrace.streams.installation.engine import make_engine
from tailrace.streams.policy.files import open_policy
from tailrace.streams.settings.settings import Settings

#: What errors name where a policy is given by name or file.
_POLICY_KEY: Final = "policy"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a plan has to hold to, where somebody says so. What is None comes from the conversation and the policy."""

    #: Exactly this many tokens, whatever model and reserves; the marks stay the policy's.
    budget_tokens: int | None = None
    #: Window to plan for, from which the policy takes its reserves.
    window_tokens: int | None = None
    model: str | None = None
    #: Come down only as far below the upper mark as a compaction must free, instead of leaving as much room for what
    #: comes next as a worker does.
    fills: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if self.budget_tokens is not None and self.window_tokens is not None:
            raise ConfigError(
                "window_tokens", self.window_tokens, "left out beside a budget, which is a limit by itself"
            )
        for key in ("budget_tokens", "window_tokens"):
            value = getattr(self, key)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ConfigError(key, value, "a positive number of tokens")
        if self.model is not None and not isinstance(self.model, str):
            raise ConfigError("model", self.model, "the name of a model")


def policy_of(settings: Settings, policy: Policy | str | Path | None) -> Policy:
    """The policy that is meant: one that is there, the name of a ready-made one, a file.

    None is that of the settings.
    """
    if policy is None:
        return settings.compaction_policy
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str | Path):
        raise ConfigError(_POLICY_KEY, policy, "a Policy, the name of a ready-made one, or a file")
    # A Path is a file even where its name is that of a ready-made policy.
    return open_policy(f"{policy.absolute()}" if isinstance(policy, Path) else policy, Path(), _POLICY_KEY)


def engine_of(settings: Settings, policy_or_name: Policy | str | Path | None) -> Engine:
    """The rules of the policy that is meant. Raises a ConfigError that names the file where it is one."""
    policy = policy_of(settings, policy_or_name)
    try:
        return make_engine(settings, policy)
    except ConfigError as error:
        raise error.told_of(str(policy_or_name)) if isinstance(policy_or_name, str | Path) else error from None


def budget_in(talk: Conversation, engine: Engine, limits: Limits, *, tool_tokens: int = 0) -> TokenBudget:
    """Budget that a plan for this conversation has: as a worker's, unless the limits say otherwise.

    `tool_tokens` is what the definitions of tools cost, where they are at hand; else the policy's reserve for them
    holds.
    """
    view, policy = talk.view, engine.policy
    if limits.budget_tokens is not None:
        return budget_of(limits.budget_tokens, engine, view, fills=limits.fills)
    if limits.window_tokens is not None:
        policy = msgspec.structs.replace(policy, window_tokens=limits.window_tokens)
    if tool_tokens > policy.tool_schema_tokens:
        policy = msgspec.structs.replace(policy, tool_schema_tokens=tool_tokens)
    hidden = hidden_tokens(view.calibration, view.request_tokens, view.model) if policy.usage_anchor else 0
    window_tokens = window_of(talk, engine, limits)
    if limits.window_tokens is None:
        policy = believing(policy, view.believed_tokens(policy.window_tokens or window_tokens))
    return budget_for(
        policy,
        window_tokens,
        model=limits.model or talk.model,
        prefix_tokens=view.system_tokens,
        hidden_tokens=hidden,
    )


def window_of(talk: Conversation, engine: Engine, limits: Limits) -> int:
    """Window of the model that is planned for: the one that is named, else the conversation's own."""
    model = limits.model or talk.model
    if limits.window_tokens is not None:
        return limits.window_tokens
    if limits.model is None and talk.view.model is not None and talk.view.window_tokens is not None:
        return talk.view.believed_tokens(talk.view.window_tokens)
    return engine.window_tokens(model) if model else engine.policy.default_window_tokens


def planned_window(talk: Conversation, engine: Engine, limits: Limits) -> int:
    """Window that a budget is taken from: the one that is given, else the policy's own, else the model's."""
    own = engine.policy.window_tokens if limits.window_tokens is None else None
    return talk.view.believed_tokens(own) if own is not None else window_of(talk, engine, limits)
