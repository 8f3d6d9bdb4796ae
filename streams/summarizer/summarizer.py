"""Answers requests.

From what was answered before, or by asking models in their order until one gives a summary that may be used.

A summary that is refused is asked for once more, with the reason. If that is refused too, there is none, and the
deterministic one stands: no number of models makes a span say what it doesn't.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tailrace.agents.summary.model.input_excerpts import (
    Excerpt,
    conversation_text,
    excerpts,
    in_parts,
    merged,
    with_ids,
    without_oldest,
)
from tailrace.agents.summary.model.prompt import (
    INSTRUCTIONS,
    Prompt,
    PromptWishes,
    prompt_version,
    system_prompt,
    user_prompt,
)
from tailrace.agents.summary.verify.acceptance import Accepted, Demands, Rejected, accept, parse
from tailrace.agents.tokens.counts import TokenCounter
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.summary import (
    SUMMARY_SCHEMA_VERSION,
    ChunkSummary,
    StructuredSummary,
    SummaryKey,
    SummaryRejection,
    UnansweredRequest,
)
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.summarizer.answers import Answers
from tailrace.streams.summarizer.model_caller import Bill, ModelCaller, SummarizingModel
from tailrace.streams.summarizer.provider import PASSING, ProviderError, Trouble

#: A summary that was refused is asked for once more.
PASSES = 2
#: How often the oldest may go because a model says that it can't read so much.
OVERFLOWS_MAX = 3
#: Part of a window that is left free: our count is not the model's own.
WINDOW_FRACTION = 0.9
#: Smallest share of a cap that a part of a span is worth asking for.
PART_TOKENS_MIN = 100
#: What characters cost in most languages; only a hint for the model.
_CHARS_PER_TOKEN = 3
#: While all models are left alone, how often to look whether one may be tried.
WAIT_SECONDS = 1.0


class Unanswered(Unavailable):
    """No model gave an answer in the time that a request has."""


@dataclass(frozen=True, slots=True)
class Summarizer:
    """Everything that answering takes."""

    models: Sequence[SummarizingModel]
    caller: ModelCaller
    answers: Answers
    #: Counts what a summary costs in a context.
    counter: TokenCounter
    created_by: str
    now_ms: Callable[[], int]
    instructions: str = INSTRUCTIONS

    async def answer(self, request: WorkRequest, bill: Bill | None = None) -> ChunkSummary | SummaryRejection:
        """The answer to a request; the calls that it takes are put on the bill.

        Raises Unanswered, or SpendLimitReached where the tenant may spend no more.
        """
        earlier = await self._answered_before(request)
        if earlier is not None:
            return earlier
        bill = bill or Bill(request)
        try:
            async with asyncio.timeout(self.caller.settings.request_seconds):
                answer = await self._ask_models(bill)
        except TimeoutError as error:
            raise Unanswered(f"no answer within {self.caller.settings.request_seconds:g} s") from error
        await self.answers.keep([answer])
        return answer

    async def _answered_before(self, request: WorkRequest) -> ChunkSummary | SummaryRejection | None:
        ids = [message.id for message in request.messages]
        for model in self.models:
            earlier = await self.answers.find(request.tenant, self._key(model, request), ids)
            if earlier is None:
                continue
            if earlier.summary is None:
                return self._rejection(model, Bill(request), earlier.reason)
            # The same content may stand under a smaller cap now.
            accepted = accept(earlier.summary, request.messages, _demands(request), self.counter.count_text)
            if isinstance(accepted, Accepted):
                return self._summary(model, Bill(request), accepted)
        return None

    async def _ask_models(self, bill: Bill) -> ChunkSummary | SummaryRejection:
        while True:
            troubles: list[ProviderError] = []
            for model in self.models:
                if not await self.caller.breaker.allows(model.key, self.now_ms()):
                    continue
                try:
                    return await self._ask(model, bill)
                except ProviderError as error:
                    troubles.append(error)
            if len(troubles) == len(self.models) and not any(error_.trouble in PASSING for error_ in troubles):
                raise Unanswered(f"no model takes the request: {troubles[-1]}") from troubles[-1]
            # All are down or left alone: the breaker says when one may be tried.
            await asyncio.sleep(WAIT_SECONDS)

    async def _ask(self, model: SummarizingModel, bill: Bill) -> ChunkSummary | SummaryRejection:
        refused: str | None = None
        for _ in range(PASSES):
            outcome = await self._pass(model, bill, refused)
            if isinstance(outcome, Accepted):
                return self._summary(model, bill, outcome)
            refused = outcome.reason
        return self._rejection(model, bill, refused or "")

    async def _pass(self, model: SummarizingModel, bill: Bill, refused: str | None) -> Accepted | Rejected:
        """One summary of the whole span, read in as many parts as the model's window asks for."""
        request = bill.request
        system = system_prompt(self.instructions)
        count_text = model.counter.count_text
        room_tokens = int(model.window_tokens * WINDOW_FRACTION) - self.caller.settings.output_tokens_max
        ledger_tokens = sum(map(count_text, request.ledger_texts))
        room_tokens -= count_text(system) + ledger_tokens + request.tokens_max // 4
        read = excerpts(request.messages, count_text)
        parts = in_parts(read, max(room_tokens, PART_TOKENS_MIN), count_text)
        share_tokens = max((request.tokens_max - ledger_tokens) // len(parts), PART_TOKENS_MIN)
        summaries: list[StructuredSummary] = []
        for part in parts:
            wanted = PromptWishes(
                tokens_max=share_tokens,
                chars_max=share_tokens * _CHARS_PER_TOKEN,
                language=request.language,
                ledger_texts=request.ledger_texts,
                refused=refused,
            )
            parsed = parse(await self._ask_part(model, part, wanted, bill))
            if isinstance(parsed, Rejected):
                return parsed
            summaries.append(with_ids(parsed, part))
        return accept(merged(summaries), request.messages, _demands(request), self.counter.count_text)

    async def _ask_part(
        self, model: SummarizingModel, part: Sequence[Excerpt], wanted: PromptWishes, bill: Bill
    ) -> str:
        system = system_prompt(self.instructions)
        for overflows in range(OVERFLOWS_MAX + 1):
            prompt = Prompt(system, user_prompt(conversation_text(part), wanted))
            try:
                return await self.caller.ask(model, prompt, bill)
            except ProviderError as error:
                part = without_oldest(part)
                if error.trouble is not Trouble.TOO_LONG or not part or overflows == OVERFLOWS_MAX:
                    raise
        raise AssertionError("the last try returns or raises")

    def _key(self, model: SummarizingModel, request: WorkRequest) -> SummaryKey:
        return SummaryKey(
            content_hash=request.content_hash,
            schema_version=SUMMARY_SCHEMA_VERSION,
            policy_version=request.policy_version,
            model=model.key,
            prompt_version=prompt_version(self.instructions),
        )

    def _summary(self, model: SummarizingModel, bill: Bill, accepted: Accepted) -> ChunkSummary:
        return ChunkSummary(
            summary=accepted.summary,
            text=accepted.text,
            tokens=accepted.tokens,
            source_tokens=bill.request.tokens,
            **self._about(model, bill),
        )

    def unanswered(self, bill: Bill) -> UnansweredRequest | None:
        """What a request without an answer leaves behind; None where no model was asked."""
        calls = bill.all_calls
        if not calls:
            return None
        request = bill.request
        return UnansweredRequest(
            version=1,
            # A request that is tried again may fail again, by other calls.
            id=f"unanswered-{calls[-1].id}",
            kind=request.kind,
            thread=request.thread,
            tenant=request.tenant,
            request_id=request.id,
            created_by=self.created_by,
            created_at_ms=self.now_ms(),
            calls=calls,
            agent=request.agent,
        )

    def _rejection(self, model: SummarizingModel, bill: Bill, reason: str) -> SummaryRejection:
        return SummaryRejection(reason=reason, **self._about(model, bill))

    def _about(self, model: SummarizingModel, bill: Bill) -> dict[str, Any]:
        """What every answer says of its request, and of how it came to be."""
        request = bill.request
        return {
            "version": 1,
            "id": answer_id(request),
            "kind": request.kind,
            "thread": request.thread,
            "tenant": request.tenant,
            "request_id": request.id,
            "span": request.span,
            "key": self._key(model, request),
            "created_by": self.created_by,
            "created_at_ms": self.now_ms(),
            "agent": request.agent,
            "calls": tuple(bill.calls),
        }


def answer_id(request: WorkRequest) -> str:
    """Id of the answer to a request, whoever gives it and however often."""
    return f"summary-{request.id}"


def _demands(request: WorkRequest) -> Demands:
    return Demands(source_tokens=request.tokens, tokens_max=request.tokens_max, candidates_max=request.candidates_max)
