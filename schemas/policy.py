"""The policy: the few numbers that decide when a context is compacted and how far. Its hash is in every record."""

import hashlib
from functools import lru_cache

import msgspec
from msgspec import Struct

from tailrace.schemas.errors import ConfigError


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When to compact, and how far. Fractions are of what is usable of the window."""

    #: Above this fraction a context is compacted. Late enough to leave prompt caches alone for long, early enough for one more large message.
    upper_fraction: float = 0.85
    #: Compaction goes down to this fraction: a whole chunk at once, so that the next one is many turns away.
    lower_fraction: float = 0.60
    #: Window to plan for, whatever the model's own; None takes the model's.
    window_tokens: int | None = None
    #: Window of a thread whose model is not known.
    default_window_tokens: int = 128_000
    #: Kept free for the answer.
    output_reserve_tokens: int = 4_096
    #: Kept free for what counting can't see: chat templates, tool plumbing.
    safety_tokens: int = 500

    def __post_init__(self) -> None:
        """Refuse a policy that could not work."""
        if not 0 < self.upper_fraction <= 1:
            raise ConfigError("policy.upper_fraction", self.upper_fraction, "above 0, at most 1")
        if not 0 < self.lower_fraction < self.upper_fraction:
            allowed = f"above 0, below policy.upper_fraction ({self.upper_fraction})"
            raise ConfigError("policy.lower_fraction", self.lower_fraction, allowed)
        for key in ("window_tokens", "default_window_tokens"):
            value = getattr(self, key)
            if value is not None and value < 1:
                raise ConfigError(f"policy.{key}", value, "a positive number of tokens")
        for key in ("output_reserve_tokens", "safety_tokens"):
            value = getattr(self, key)
            if value < 0:
                raise ConfigError(f"policy.{key}", value, "0 or more tokens")

    @property
    def version(self) -> str:
        """Short hash of the policy's content: equal policies have equal versions."""
        return _version(self)

    def limit_tokens(self, model_window_tokens: int) -> int:
        """Tokens that a context may have for a model with this window: never below a quarter of the window.

        The reserves are absolute numbers; a quarter keeps them from eating a small window whole.
        """
        window = self.window_tokens if self.window_tokens is not None else model_window_tokens
        return max(window - self.output_reserve_tokens - self.safety_tokens, window // 4, 1)


@lru_cache(maxsize=64)  # asked for at every event
def _version(policy: Policy) -> str:
    canonical = msgspec.json.encode(policy, order="deterministic")
    return hashlib.sha256(canonical).hexdigest()[:12]
