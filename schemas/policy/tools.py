"""What a policy says of tool outputs: when they are distilled, how long they are kept, and how they come back."""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.errors import ConfigError
from tailrace.schemas.policy.steps import fraction, positive
from tailrace.schemas.records.envelope import Durability
from tailrace.schemas.records.event import Sensitivity


class Distill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tool outputs are made smaller as they arrive, and how far. The whole output becomes an artifact."""

    #: Distil as outputs arrive.
    enabled: bool = True
    #: Smaller outputs are left alone.
    tokens_min: int = 1_000
    #: Outputs that take less than this part of the limit are left alone too: a large window has room for them.
    fraction_min: float = 0.05
    #: Size of a distillation by the size of the output.
    ratio: float = 0.25
    #: Largest distillation.
    tokens_max: int = 4_000
    #: Ask a model for a better one too (docs/summaries.md); the next compaction puts it in the place of ours.
    model: bool = False

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "tokens_max")
        fraction(self, "fraction_min", "ratio")


class ToolRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for the outputs of a tool, or of all whose name fits a pattern, whatever a producer says."""

    #: `ephemeral` goes first, `anchoring` stays as it is while there is room for it, `replayable` can be had again by
    #: the same call, `non_replayable` leaves nothing but what can be read again.
    durability: Durability | None = None
    #: Whether outputs are distilled as they arrive; not set does as `[distill]` says.
    distill: bool | None = None
    #: Outputs are distilled from this size on, whatever the window.
    tokens_min: int | None = None
    #: Of the message, of its artifact and of what recall finds; the stricter of this and what the producer says.
    sensitivity: Sensitivity | None = None
    #: How long the artifacts are kept; of several results in one message the shortest counts; not set does as
    #: `artifact_ttl_seconds` says.
    ttl_seconds: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "ttl_seconds")


class Rehydrate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is brought back by itself when a message names it: for one turn, at the very end of the context."""

    #: Bring back by itself what is named.
    enabled: bool = True
    #: How many artifacts come back at once.
    artifacts_max: int = 3
    #: Tokens of one artifact.
    artifact_tokens_max: int = 4_000
    #: Tokens of all together.
    tokens_max: int = 8_000
    #: Turns before the same artifact comes back again, whether the message that asked is still there or not.
    cooldown_turns: int = 2
    #: What is more sensitive is never brought back by itself.
    sensitivity_max: Literal["public", "internal"] = "internal"

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "artifacts_max", "artifact_tokens_max", "tokens_max")
        positive(self, "cooldown_turns", zero=True)


class Chunks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closed parts of a conversation whose summary is asked of a model at once, long before it is needed."""

    #: Ask models for summaries ahead of need.
    enabled: bool = False
    #: A chunk closes at the end of a turn from this size on.
    tokens_min: int = 4_000
    #: A chunk closes in the midst of a turn at this size.
    tokens_max: int = 8_000
    #: Size of a summary by the size of its chunk.
    ratio: float = 0.25
    #: Largest summary.
    summary_tokens_max: int = 1_500

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        positive(self, "tokens_min", "tokens_max", "summary_tokens_max")
        fraction(self, "ratio")
        if self.tokens_min > self.tokens_max:
            raise ConfigError("policy.chunks.tokens_min", self.tokens_min, f"at most tokens_max ({self.tokens_max})")
