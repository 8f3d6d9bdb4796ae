"""Which calls of models the log tells of.

Those of agents by their usage reports, those of the compactor by its answers.
"""

from tailrace.schemas.records.event import Event
from tailrace.schemas.records.spend import Purpose, Spent
from tailrace.schemas.records.summary import Answered


def primary_call(event: Event, model: str | None, *, offset: int, at_ms: int) -> Spent | None:
    """The call that made a message; None where its producer reports no usage. `model` is the thread's model."""
    usage = event.usage
    if usage is None or (usage.input_tokens is None and usage.output_tokens is None):
        return None
    return Spent(
        # A thread has one partition, and there an offset is of one record.
        id=f"{event.thread}@{offset}",
        purpose=Purpose.PRIMARY,
        thread=event.thread,
        tenant=event.tenant,
        agent=event.agent,
        model=event.model or model or "",
        at_ms=at_ms,
        input_tokens=max(0, usage.input_tokens or 0),
        output_tokens=max(0, usage.output_tokens or 0),
        cache_read_tokens=max(0, usage.cache_read_tokens or 0),
        cache_write_tokens=max(0, usage.cache_write_tokens or 0),
    )


def compactor_calls(answer: Answered) -> tuple[Spent, ...]:
    """The calls that a request took, with their prices; none where its answer was known before."""
    return tuple(
        Spent(
            id=call.id,
            purpose=Purpose.COMPACTOR,
            thread=answer.thread,
            tenant=answer.tenant,
            agent=answer.agent,
            model=call.model,
            at_ms=call.at_ms,
            input_tokens=call.input_tokens,
            output_tokens=call.output_tokens,
            cost_usd=call.cost_usd,
            provider=call.provider,
            request_id=answer.request_id,
            kind=str(answer.kind),
            outcome=call.outcome,
        )
        for call in answer.calls
    )
