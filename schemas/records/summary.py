"""What a model makes of a span: claims that cite events, the text that stands for the span, and what it cost.

A summary is bound to what it was made from: the ids of its span and the hash of what was read. Whoever uses it compares
both, so that a summary that comes late, twice or for another content can do no harm.
"""

from typing import Literal

from msgspec import Struct

from tailrace.schemas.fields import Whole
from tailrace.schemas.records.compaction import SpanReference
from tailrace.schemas.records.event import Label
from tailrace.schemas.records.ledger import Candidate
from tailrace.schemas.records.work import WorkKind

#: Form of `StructuredSummary`. Part of the cache's key: a summary of another form is made anew.
SUMMARY_SCHEMA_VERSION = 2


class SummaryClaim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is said about a span, and the events that it rests on."""

    text: str
    #: Ids of events of the span.
    events: tuple[str, ...]
    #: Words of one of these events, unchanged. What a user or a system prompt asked for is only ever said this way.
    quote: str = ""


class StructuredSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A span, taken apart into claims."""

    facts: tuple[SummaryClaim, ...] = ()
    decisions: tuple[SummaryClaim, ...] = ()
    open_items: tuple[SummaryClaim, ...] = ()
    artifacts: tuple[SummaryClaim, ...] = ()
    tool_outcomes: tuple[SummaryClaim, ...] = ()
    current_task: SummaryClaim | None = None
    current_plan: tuple[SummaryClaim, ...] = ()
    #: No part of what is rendered, and judged apart from it.
    candidates: tuple[Candidate, ...] = ()

    @property
    def claims(self) -> tuple[SummaryClaim, ...]:
        """All of them, in a fixed order."""
        task = (self.current_task,) if self.current_task is not None else ()
        return (
            *task,
            *self.facts,
            *self.decisions,
            *self.open_items,
            *self.artifacts,
            *self.tool_outcomes,
            *self.current_plan,
        )


#: The fields of a summary that hold claims, in their order.
CLAIM_FIELDS = tuple(name for name in StructuredSummary.__struct_fields__ if name != "candidates")


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
