"""What a policy says of tool outputs: when they are distilled, how long they are kept, and how they come back."""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.steps import fraction, positive
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Sensitivity


class Distill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tool outputs are made smaller as they arrive, and how far. The whole output becomes an artifact."""

    enabled: bool = True
    #: Smaller outputs are left alone, and so is what a large window has room for.
    tokens_min: int = 1_000
    fraction_min: float = 0.05
    #: Size of a distillation by the size of the output, and the largest.
    ratio: float = 0.25
    tokens_max: int = 4_000
    #: Ask a model for a better one, too; the next compaction puts it in the place of ours.
    model: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "tokens_max")
        fraction(self, "fraction_min", "ratio")


class ToolRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for the outputs of one tool, or of all whose name fits a pattern; it overrules what a producer says."""

    durability: Durability | None = None
    #: Never, or from this many tokens on whatever the window; None does as `distill` says.
    distill: bool | None = None
    tokens_min: int | None = None
    sensitivity: Sensitivity | None = None
    #: Their artifacts are kept for so long; None does as `artifact_ttl_seconds` says.
    ttl_seconds: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "ttl_seconds")


class Rehydrate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is brought back by itself when a message names it: for one turn, at the very end of the context."""

    enabled: bool = True
    artifacts_max: int = 3
    artifact_tokens_max: int = 4_000
    tokens_max: int = 8_000
    #: What was brought back is not brought back again for so many turns.
    cooldown_turns: int = 2
    sensitivity_max: Literal["public", "internal"] = "internal"

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "artifacts_max", "artifact_tokens_max", "tokens_max")
        positive(self, "cooldown_turns", zero=True)


class Chunks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closed parts of a conversation whose summary is asked of a model at once, long before it is needed."""

    enabled: bool = False
    #: A chunk closes at the end of a turn from here on, and in the midst of one at most here.
    tokens_min: int = 4_000
    tokens_max: int = 8_000
    #: Size of a summary by the size of its chunk, and the largest.
    ratio: float = 0.25
    summary_tokens_max: int = 1_500

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "tokens_max", "summary_tokens_max")
        fraction(self, "ratio")
        if self.tokens_min > self.tokens_max:
            raise ConfigError("policy.chunks.tokens_min", self.tokens_min, f"at most tokens_max ({self.tokens_max})")
