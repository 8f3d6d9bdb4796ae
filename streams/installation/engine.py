"""The engine of this installation: what worker and client decide by.

Both must decide alike, or the window that a client cuts when it is on its own would differ from what a worker cuts.
"""

from tailrace.agents.engine.engine import Engine
from tailrace.agents.tokens.counts import count_message
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.message import Message
from tailrace.streams.models.counters import counter_for
from tailrace.streams.models.model_windows import window_for
from tailrace.streams.settings.settings import Settings
from tailrace.streams.strategies.custom_strategies import strategies_for
from tailrace.streams.topics.topics import record_bytes_max


def make_engine(settings: Settings, policy: Policy | None = None) -> Engine:
    """Engine of these settings: their policy, exact counts, windows of the catalogue with the operator's own first.

    Another policy than theirs is for plans outside of the stream. Raises a ConfigError where the policy names a
    strategy that is not installed.
    """
    policy = policy or settings.compaction_policy

    def count_tokens(message: Message, model: str | None) -> int:
        return count_message(message, counter_for(model))

    def window_tokens(model: str) -> int:
        window = window_for(model, overrides=settings.models, default_window_tokens=policy.default_window_tokens)
        return window.window_tokens

    return Engine(
        policy=policy,
        count_tokens=count_tokens,
        catalogue=window_tokens,
        value_bytes_max=settings.ingest.value_bytes_max,
        letter_bytes_max=record_bytes_max(settings),
        shared_chars_min=settings.artifacts.shared_chars_min or None,
        custom=strategies_for(policy, timeout_seconds=settings.strategies.timeout_seconds),
    )


def warm_up() -> None:
    """Load what counting and the catalogue of models need: seconds that the first event would have to wait for."""
    counter_for(None)
    window_for("gpt-4o")
