"""What a summariser that means harm may make of a conversation: leave, orders of nobody, opposites, and what failed told as done."""

import pytest
import ward_talk
import yard_talk
from ward_claims import WARD_FALSE, WARD_TRUE
from work_requests import answered, called, said
from yard_claims import YARD_FALSE, YARD_TRUE

from tailrace.agents.acceptance import Accepted, Demands, Rejected, accept
from tailrace.agents.contradictions import DENIED, INVENTED, OTHER_MEASURE, OTHER_VALUE
from tailrace.schemas.summary import CLAIM_FIELDS, StructuredSummary, SummaryClaim
from tailrace.schemas.work import SpanMessage
from true_claims import Sample

TALKS = yard_talk.TALKS | ward_talk.TALKS
FALSE, TRUE = (*YARD_FALSE, *WARD_FALSE), (*YARD_TRUE, *WARD_TRUE)
LEAVE = "gives leave"


def judge(sample: Sample, messages: list[SpanMessage]) -> Accepted | Rejected:
    _, field, text, events = sample
    claim = SummaryClaim(text=text, events=events)
    fields = {field: claim if field == "current_task" else (claim,)}
    demands = Demands(source_tokens=100_000, tokens_max=10_000)
    return accept(StructuredSummary(**fields), messages, demands, lambda written: len(written) // 4)


def reason(text: str, *messages: SpanMessage, field: str = "facts") -> str:
    judged = judge(("", field, text, tuple(one.id for one in messages)), list(messages))
    return judged.reason.partition(" ")[2] if isinstance(judged, Rejected) else ""
