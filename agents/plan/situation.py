"""What a plan is made for: a context, its budget, and everything else that a plan depends on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tailrace.agents.plan.steps.registry import Strategies
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.records.context import Entry, ReadySummary
from tailrace.schemas.records.ledger import Directive
from tailrace.schemas.records.message import Message


@dataclass(frozen=True, slots=True)
class Situation:
    """A context and everything that a plan for it depends on."""

    entries: Sequence[Entry]
    budget: TokenBudget
    policy: Policy
    count: Callable[[Message], int]
    overhead_tokens: int = 0
    #: Group of the message that is being added.
    arriving: int | None = None
    agent: str | None = None
    custom: Strategies = field(default_factory=dict)
    version: tuple[int, int] = (-1, -1)
    #: Summaries of chunks that a model has finished.
    ready: Sequence[ReadySummary] = ()
    #: Directives that models pointed out in the entries.
    candidates: Sequence[Directive] = ()
    #: Compact however little there is to gain: somebody asked for it.
    forced: bool = False
    #: Messages of the entries that are at hand, by id.
    messages: Mapping[str, Message] = field(default_factory=dict)
