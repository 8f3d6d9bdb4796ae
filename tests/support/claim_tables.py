"""Tables of claims, and how one is judged alone.

The conversation and the field in a line, and below it each claim with the events that it cites.
"""

from corpora.true_claims import Sample

from tailrace.agents.summary.verify.acceptance import Accepted, Demands, Rejected, accept
from tailrace.schemas.records.summary import StructuredSummary, SummaryClaim
from tailrace.schemas.records.work import SpanMessage


def samples(table: str) -> tuple[Sample, ...]:
    """The claims of a table."""
    found: list[Sample] = []
    talk = field = ""
    for line in table.splitlines():
        text, bar, events = line.partition(" | ")
        if bar:
            found.append((talk, field, text.strip(), tuple(events.split())))
        elif line.strip():
            talk, field = line.split()
    return tuple(found)


def judge(sample: Sample, messages: list[SpanMessage]) -> Accepted | Rejected:
    """A summary of these messages that says nothing but the claim."""
    _, field, text, events = sample
    claim = SummaryClaim(text=text, events=events)
    fields = {field: claim if field == "current_task" else (claim,)}
    demands = Demands(source_tokens=100_000, tokens_max=10_000)
    return accept(StructuredSummary(**fields), messages, demands, lambda written: len(written) // 4)


def reason(text: str, *messages: SpanMessage, field: str = "facts") -> str:
    """Why a claim that cites all of these messages is refused; empty if it is not."""
    judged = judge(("", field, text, tuple(one.id for one in messages)), list(messages))
    return judged.reason.partition(" ")[2] if isinstance(judged, Rejected) else ""
