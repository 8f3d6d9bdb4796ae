"""What a model makes of a span: quotations and facts that cite events, the text that stands for it, and what it cost.

A summary is bound to what it was made from: the ids of its span and the hash of what was read. Whoever uses it compares
both, so that a summary that comes late, twice or for another content can do no harm.
"""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.event import Label
from tailrace.schemas.records.work import WorkKind

#: Form of `StructuredSummary`. Part of the cache's key: a summary of another form is made anew.
SUMMARY_SCHEMA_VERSION = 3


class Quotation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Words of one event, unchanged."""

    #: Id of an event of the span.
    event: str
    quote: str
    #: Role of whoever says it there. Looked up in the event, whatever a model sends.
    speaker: str = ""


class SummaryClaim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is told of a span in other words than its own, and the events that it rests on."""

    text: str
    #: Ids of events of the span.
    events: tuple[str, ...]


class StructuredSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A span, taken apart. What must be right is quoted; only facts and narrative are a model's own words."""

    current_task: Quotation | None = None
    #: What people and system prompts demand, forbid, limit or prefer, beyond the moment.
    constraints: tuple[Quotation, ...] = ()
    decisions: tuple[Quotation, ...] = ()
    open_items: tuple[Quotation, ...] = ()
    current_plan: tuple[Quotation, ...] = ()
    #: What calls did and gave, and what they made, changed and read: from the ledger of the span, never from a model.
    tool_outcomes: tuple[SummaryClaim, ...] = ()
    artifacts: tuple[SummaryClaim, ...] = ()
    facts: tuple[SummaryClaim, ...] = ()
    narrative: tuple[SummaryClaim, ...] = ()


#: Fields of quotations, those of claims that the span itself tells, and those of claims in a model's words.
QUOTED_FIELDS = ("current_task", "constraints", "decisions", "open_items", "current_plan")
LEDGER_FIELDS = ("tool_outcomes", "artifacts")
FREE_FIELDS = ("facts", "narrative")


class SummaryKey(Struct, frozen=True, kw_only=True):
    """What a summary depends on: with equal keys there is no need to ask a model again."""

    content_hash: str
    schema_version: Whole
    policy_version: str
    model: str
    prompt_version: str


#: What becomes of most calls.
ANSWERED = "answered"


class ModelCall(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a model, what became of it, and its price."""

    id: str
    provider: str
    model: str
    at_ms: Whole
    input_tokens: Whole
    output_tokens: Whole
    #: 0 where nobody knows a price, as for a model of one's own.
    cost_usd: float = 0.0
    #: Else the trouble, or that nobody waited for the end of it: then tokens and price are the most that it can have
    #: cost.
    outcome: str = ANSWERED


class _Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every answer to a request says of it."""

    version: Literal[1]
    #: The same however often the request is answered.
    id: str
    kind: WorkKind
    thread: str
    tenant: str
    request_id: str


class ChunkSummary(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """A finished summary of one span."""

    span: SpanReference
    key: SummaryKey
    summary: StructuredSummary
    #: As it is rendered, without the line that says which turns it stands for.
    text: str
    #: Of the text, and of what it was made from.
    tokens: Whole
    source_tokens: Whole
    #: Which role of which release made it.
    created_by: str
    created_at_ms: Whole
    agent: Label | None = None
    #: The calls that it took. None where the same content was summarised before.
    calls: tuple[ModelCall, ...] = ()

    @property
    def cost_usd(self) -> float:
        """Price of all calls."""
        return sum(call.cost_usd for call in self.calls)


class SummaryRejection(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """A request whose summaries were all refused: the deterministic one stands, and no model is asked again."""

    span: SpanReference
    key: SummaryKey
    #: Of the last summary that was refused. Never holds text of the conversation.
    reason: str
    created_by: str
    created_at_ms: Whole
    agent: Label | None = None
    calls: tuple[ModelCall, ...] = ()


class UnansweredRequest(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """A request that no model has answered, and the calls that it took: they count all the same."""

    created_by: str
    created_at_ms: Whole
    calls: tuple[ModelCall, ...]
    agent: Label | None = None


#: What can become of a request.
Answered = ChunkSummary | SummaryRejection | UnansweredRequest
