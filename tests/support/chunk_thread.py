"""A thread whose chunks are summarised ahead of need, spoken to message by message, and answers for what it asks."""

import json
from dataclasses import replace
from typing import Any

from support.conversations import Published, small_engine

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.summary.model.span_text import span_text
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, Topic, answer_records, encode
from tailrace.schemas.records.summary import ChunkSummary, Quotation, StructuredSummary, SummaryClaim, SummaryKey
from tailrace.schemas.records.work import SpanMessage, WorkKind, WorkRequest

SAID = "The sluice at kilometre {number} was closed in March because its gate number {number} had rusted through."


def policy(window_tokens: int = 100_000, **fields: Any) -> Policy:
    """Small chunks, and whatever else is named."""
    return Policy(
        window_tokens=window_tokens,
        output_reserve_tokens=0,
        safety_tokens=0,
        rehydration_reserve_tokens=0,
        chunks=Chunks(enabled=True, tokens_min=200, tokens_max=600, ratio=0.9),
        **fields,
    )


def chunky(window_tokens: int = 100_000, **fields: Any) -> Engine:
    return replace(small_engine(), policy=policy(window_tokens, **fields))


class Talk:
    """A thread that is spoken to, message by message."""

    def __init__(self, by: Engine) -> None:
        self.by = by
        self.view = PartitionView()
        self.offset = 0
        self.written: list[OutputRecord] = []
        self.emissions: list[object] = []

    def put(self, record: InputRecord) -> list[object]:
        outcome = process(self.view, record, self.by)
        self.offset += 1
        self.written += [encode(one, 1) for one in outcome.written]
        self.emissions += outcome.emissions
        return list(outcome.emissions)

    def say(self, role: str, content: str) -> list[object]:
        value = json.dumps({"role": role, "content": content}).encode()
        return self.put(Published(b"t", value).at(self.offset))

    def turns(self, count: int, begin: int = 0) -> None:
        for number in range(begin, begin + count):
            self.say("user", f"Why was the sluice at kilometre {number} closed? " + "Please look it up. " * 3)
            self.say("assistant", SAID.format(number=number) + " It is so in the yearbook." * 3)

    @property
    def requests(self) -> list[WorkRequest]:
        return [one for one in self.emissions if isinstance(one, WorkRequest)]

    def answer(self, summary: ChunkSummary) -> list[object]:
        record = next(one for one in answer_records(summary) if one.topic is Topic.CONVERSATIONS)
        return self.put(
            InputRecord(
                topic="c",
                partition=0,
                offset=self.offset,
                timestamp_ms=0,
                key=record.key,
                value=record.value,
                headers=record.headers,
            )
        )


def summary_of(
    request: WorkRequest, text: str | None = None, *, constraints: tuple[Quotation, ...] = ()
) -> ChunkSummary:
    """A summary that may be used, or that says this text; with constraints that it quotes."""
    told = request.messages[1]
    claim = SummaryClaim(text=text or said_by(told).split(".", maxsplit=1)[0] + ".", events=(told.id,))
    return summary_of_request(request, claim, constraints=constraints)


def said_by(one: SpanMessage) -> str:
    """All that an event says, calls and results included."""
    return span_text([one]).events[0].whole


def summary_of_request(
    request: WorkRequest, *claims: SummaryClaim, constraints: tuple[Quotation, ...] = ()
) -> ChunkSummary:
    """An answer of these claims."""
    return ChunkSummary(
        version=1,
        id=f"summary-of-{request.id}",
        kind=WorkKind.SUMMARIZE,
        thread=request.thread,
        tenant=request.tenant,
        request_id=request.id,
        span=request.span,
        key=SummaryKey(
            content_hash=request.content_hash,
            schema_version=1,
            policy_version=request.policy_version,
            model="m",
            prompt_version="p",
        ),
        summary=StructuredSummary(facts=claims, constraints=constraints),
        text="whatever was sent beside it",
        tokens=10,
        source_tokens=request.tokens,
        created_by="test",
        created_at_ms=0,
    )
