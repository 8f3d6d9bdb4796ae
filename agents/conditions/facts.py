"""What a condition can ask about a thread: one table, from which names, units, ranges and the page in docs/ follow.

`Facts` is the same as a type, without what follows from others. Nothing is asked for before a condition needs it, so
whoever implements it may compute as late as a property does; while one event is looked at, an answer must not change.
"""

from dataclasses import dataclass
from math import inf
from typing import Final, Protocol

from tailrace.agents.conditions.tree import Arithmetic, Name, Node
from tailrace.agents.conditions.unit import Unit

#: These follow from a step, and rules are asked about them behind it, where one of them names them.
CHUNK_CLOSED: Final = "chunk_closed"
COMPACTION_COMPLETED: Final = "compaction_completed"
#: What rules are asked about; `event` is always one of these. Commands and refused requests compact by themselves, and
#: while a call is under way nothing does.
EVENTS: Final = (
    "message",
    "tool_output",
    "turn_closed",
    CHUNK_CLOSED,
    COMPACTION_COMPLETED,
    "model_switched",
    "subagent_finished",
    "tick",
    "call_ended",
)

#: A context may be over its limit when a large message has just come in. Beyond this, `80` was written for `80%`.
FRACTION_MAX: Final = 2.0


@dataclass(frozen=True, slots=True)
class Fact:
    """One name that conditions know. Numbers lie between `low` and `high`, both included."""

    name: str
    unit: Unit
    meaning: str
    #: Name of the attribute of `Facts`, where it is another one.
    field: str = ""
    #: What it is made of, where it is no attribute of `Facts` at all.
    formula: Node | None = None
    low: float = 0
    high: float = inf
    #: Everything that a text can be, where that is known.
    choices: tuple[str, ...] = ()

    @property
    def attribute(self) -> str:
        """Name of the attribute of `Facts`."""
        return self.field or self.name

    @property
    def whole(self) -> bool:
        """Tell whether values are whole numbers."""
        return self.unit in {Unit.TOKENS, Unit.MS, Unit.COUNT}


_ALL = (
    Fact("total", Unit.TOKENS, "the whole context, what has just come in included", field="total_tokens"),
    Fact("limit", Unit.TOKENS, "what a context may cost: the window without all reserves", field="limit_tokens", low=1),
    Fact("window", Unit.TOKENS, "the model's context window", field="window_tokens", low=1),
    Fact("upper", Unit.TOKENS, "the upper mark of the policy", field="upper_tokens"),
    Fact(
        "fraction", Unit.RATIO, "of the limit", formula=Arithmetic("/", Name("total"), Name("limit")), high=FRACTION_MAX
    ),
    Fact(
        "headroom",
        Unit.TOKENS,
        "free of the limit; below 0 over it",
        formula=Arithmetic("-", Name("limit"), Name("total")),
        low=-inf,
    ),
    Fact("prefix_tokens", Unit.TOKENS, "the system messages at the front"),
    Fact(
        "growth",
        Unit.TOKENS,
        "what has come after the prefix",
        formula=Arithmetic("-", Name("total"), Name("prefix_tokens")),
    ),
    Fact("tool_tokens", Unit.TOKENS, "tool results in the context"),
    Fact("announced_tokens", Unit.TOKENS, "what the producer said it is about to add; 0 if it said nothing"),
    Fact("messages", Unit.COUNT, "messages in the context"),
    Fact("turns", Unit.COUNT, "turns of the thread"),
    Fact("open_calls", Unit.COUNT, "tool calls without a result"),
    Fact("turns_since_compaction", Unit.COUNT, "turns since the last compaction, or since the start"),
    Fact("messages_since_compaction", Unit.COUNT, "messages since the last compaction, or since the start"),
    Fact("tokens_since_compaction", Unit.TOKENS, "tokens that came since the last compaction, or since the start"),
    Fact("idle_ms", Unit.MS, "time since the last message"),
    Fact("age_ms", Unit.MS, "time since the first message"),
    Fact("since_compaction_ms", Unit.MS, "time since the last compaction, or since the first message"),
    Fact("cache_left_ms", Unit.MS, "how long the provider's prompt cache stays warm; 0 if it is cold"),
    Fact("cache_hot", Unit.FLAG, "the provider's prompt cache is still warm"),
    Fact("in_flight", Unit.FLAG, "a model call is under way"),
    Fact(
        "needs_follow_up", Unit.FLAG, "the last message is a tool result, or a call is open: the model is called again"
    ),
    Fact("pending_input", Unit.FLAG, "the last message is a user's, and not answered"),
    Fact("model", Unit.TEXT, "name of the model, as the producer gives it"),
    Fact("agent", Unit.TEXT, "name of the agent"),
    Fact("tenant", Unit.TEXT, "name of the tenant"),
    Fact("event", Unit.TEXT, "what has just happened", choices=EVENTS),
)
FACTS: Final[dict[str, Fact]] = {fact.name: fact for fact in _ALL}


class Facts(Protocol):
    """What is known of a thread at one event. The table says what each of them means."""

    @property
    def total_tokens(self) -> int: ...
    @property
    def limit_tokens(self) -> int: ...
    @property
    def window_tokens(self) -> int: ...
    @property
    def upper_tokens(self) -> int: ...
    @property
    def prefix_tokens(self) -> int: ...
    @property
    def tool_tokens(self) -> int: ...
    @property
    def announced_tokens(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def turns(self) -> int: ...
    @property
    def open_calls(self) -> int: ...
    @property
    def turns_since_compaction(self) -> int: ...
    @property
    def messages_since_compaction(self) -> int: ...
    @property
    def tokens_since_compaction(self) -> int: ...
    @property
    def idle_ms(self) -> int: ...
    @property
    def age_ms(self) -> int: ...
    @property
    def since_compaction_ms(self) -> int: ...
    @property
    def cache_left_ms(self) -> int: ...
    @property
    def cache_hot(self) -> bool: ...
    @property
    def in_flight(self) -> bool: ...
    @property
    def needs_follow_up(self) -> bool: ...
    @property
    def pending_input(self) -> bool: ...
    @property
    def model(self) -> str | None: ...
    @property
    def agent(self) -> str | None: ...
    @property
    def tenant(self) -> str | None: ...
    @property
    def event(self) -> str | None: ...
