"""The engine of an installation: what decides about every record and every thread alike."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tailrace.agents.plan.steps.registry import Strategies
from tailrace.agents.triggers.firing_rule import FiringRule
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.message import Message
from tailrace.schemas.records.parts import TextPart

#: Tokens of a message as the named model counts them. Must be pure.
CountTokens = Callable[[Message, str | None], int]


@dataclass(frozen=True, slots=True)
class Engine:
    """What processing a record depends on besides the record and the views. Its functions must be pure."""

    policy: Policy
    count_tokens: CountTokens
    #: Context window of the named model; without a catalogue every model has the policy's default.
    catalogue: Callable[[str], int] | None = None
    value_bytes_max: int = 1_000_000
    #: Largest value of a dead letter. A value may be far larger than the compressed record that carried it.
    letter_bytes_max: int = 8_000_000
    #: Distillations of outputs from so many characters on are shared through the artifact store; None shares none.
    shared_chars_min: int | None = None
    #: Strategies of the operator's own, by name.
    custom: Strategies = field(default_factory=dict)
    #: The triggers of the policy, read once.
    rule: FiringRule = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the policy's conditions. Raises a ConditionError for one that can't be used."""
        object.__setattr__(self, "rule", FiringRule(self.policy))

    def window_tokens(self, model: str) -> int:
        """Context window of the named model."""
        return self.policy.default_window_tokens if self.catalogue is None else self.catalogue(model)

    def count_text(self, text: str) -> int:
        """Tokens of a text as a message of its own, counted for no model in particular."""
        return self.count_tokens(Message(role="assistant", parts=(TextPart(content=text),)), None)
