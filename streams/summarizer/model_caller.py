"""One text asked of one model: within its time, its tenant's means and its provider's patience.

Every call is written down with its price. Failures that may pass are tried again, a little later each time, until the
tries or the model's breaker are used up; then whoever asked takes the next model.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import msgspec

from tailrace.agents.summary.model.prompt import Prompt
from tailrace.agents.tokens.counts import TokenCounter
from tailrace.schemas.errors import Unavailable
from tailrace.schemas.records.spend import Purpose, Spent
from tailrace.schemas.records.summary import ANSWERED, ModelCall
from tailrace.schemas.records.work import WorkRequest
from tailrace.streams.models.model_prices import price_usd
from tailrace.streams.observability.model_calls_table import PENDING
from tailrace.streams.settings.summarizer import SummarizerSettings
from tailrace.streams.summarizer.backoff import pause_seconds
from tailrace.streams.summarizer.breaker import Breaker
from tailrace.streams.summarizer.model_calls import ModelCalls
from tailrace.streams.summarizer.provider import PASSING, Completion, ModelProvider, ProviderError, Trouble
from tailrace.streams.summarizer.summarizer_metrics import SummarizerMetrics


class SpendLimitReached(Unavailable):
    """The tenant has spent what it may in this hour."""


@dataclass(frozen=True, slots=True)
class SummarizingModel:
    """A model as it is asked."""

    provider_name: str
    name: str
    provider: ModelProvider
    window_tokens: int
    counter: TokenCounter
    #: Calls under way at this provider; shared by its models.
    places: asyncio.Semaphore

    @property
    def key(self) -> str:
        """Name in records and breakers."""
        return f"{self.provider_name}/{self.name}"


@dataclass(slots=True)
class Bill:
    """The calls that one request has taken so far."""

    request: WorkRequest
    calls: list[ModelCall] = field(default_factory=list)
    begun: int = 0
    #: The call that is under way, at the most that it can cost.
    under_way: ModelCall | None = None

    @property
    def all_calls(self) -> tuple[ModelCall, ...]:
        """Every call, and the one that nobody waits for any more."""
        given_up = [msgspec.structs.replace(self.under_way, outcome=PENDING)] if self.under_way is not None else []
        return (*self.calls, *given_up)


@dataclass(frozen=True, slots=True)
class ModelCaller:
    """Asks models, for all requests of one worker."""

    settings: SummarizerSettings
    calls: ModelCalls
    breaker: Breaker
    metrics: SummarizerMetrics
    now_ms: Callable[[], int]
    chance: Random

    async def ask(self, model: SummarizingModel, prompt: Prompt, bill: Bill) -> str:
        """The answer of a model.

        Raises ProviderError where it gives none, SpendLimitReached where the call would cost the tenant too much.
        """
        for tries in range(1, self.settings.tries_max + 1):
            try:
                return await self._ask_once(model, prompt, bill)
            except ProviderError as error:
                last = tries == self.settings.tries_max
                if last or error.trouble not in PASSING or await self.breaker.opened(model.key):
                    raise
                pause = pause_seconds(tries, self.chance, error.retry_after_seconds)
            await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _ask_once(self, model: SummarizingModel, prompt: Prompt, bill: Bill) -> str:
        async with model.places:
            planned = self._planned(model, prompt, bill)
            if not await self.calls.begin(planned, bill.request):
                raise SpendLimitReached("the tenant's limit for an hour is reached")
            bill.under_way = planned
            try:
                completion = await self._complete(model, prompt)
            except ProviderError as error:
                await self._failed(model, planned, bill, error)
                raise
            call = _priced(planned, model, completion)
            await self._ended(call, bill)
            await self.breaker.answered(model.key)
            self._count(model, ANSWERED)
            self.metrics.spend.note(_spent(call, bill.request))
            return completion.text

    async def _ended(self, call: ModelCall, bill: Bill) -> None:
        bill.under_way = None
        bill.calls.append(call)
        await self.calls.end(call, bill.request)

    async def _complete(self, model: SummarizingModel, prompt: Prompt) -> Completion:
        try:
            # Around the SDK's own limit, which counts from one byte to the next.
            async with asyncio.timeout(self.settings.timeout_seconds):
                limit_tokens = self.settings.output_tokens_max
                return await model.provider.complete(model.name, prompt, output_tokens_max=limit_tokens)
        except TimeoutError as error:
            raise ProviderError(Trouble.TIMED_OUT, "no answer in time") from error

    async def _failed(self, model: SummarizingModel, planned: ModelCall, bill: Bill, error: ProviderError) -> None:
        # What was not answered is not charged for, as far as we know.
        trouble = str(error.trouble)
        free = msgspec.structs.replace(planned, input_tokens=0, output_tokens=0, cost_usd=0.0, outcome=trouble)
        await self._ended(free, bill)
        self._count(model, trouble)
        # What no pause can heal is no reason for one: a wrong key costs one short call each time, and the next model is
        # asked.
        if error.trouble in PASSING:
            await self.breaker.failed(model.key, self.now_ms())
            opened = await self.breaker.opened(model.key)
            self.metrics.breaker_open.labels(model.provider_name, model.name).set(int(opened))

    def _planned(self, model: SummarizingModel, prompt: Prompt, bill: Bill) -> ModelCall:
        """The call at the most that it can cost."""
        bill.begun += 1
        at_ms = self.now_ms()
        input_tokens = model.counter.count_text(prompt.system) + model.counter.count_text(prompt.user)
        output_tokens = self.settings.output_tokens_max
        return ModelCall(
            id=f"{bill.request.id}/{at_ms}-{bill.begun}",
            provider=model.provider_name,
            model=model.name,
            at_ms=at_ms,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cost_usd=price_usd(model.provider_name, model.name, input_tokens=input_tokens, output_tokens=output_tokens),
        )

    def _count(self, model: SummarizingModel, outcome: str) -> None:
        names = (model.provider_name, model.name)
        self.metrics.calls.labels(*names, outcome).inc()
        if outcome == ANSWERED:
            self.metrics.breaker_open.labels(*names).set(0)


def _spent(call: ModelCall, request: WorkRequest) -> Spent:
    return Spent(
        purpose=Purpose.COMPACTOR,
        thread=request.thread,
        tenant=request.tenant,
        agent=request.agent,
        request_id=request.id,
        kind=str(request.kind),
        **msgspec.structs.asdict(call),
    )


def _priced(planned: ModelCall, model: SummarizingModel, completion: Completion) -> ModelCall:
    """The call at what it did cost; a server that counts nothing is believed to have used what we counted."""
    input_tokens = completion.input_tokens or planned.input_tokens
    output_tokens = completion.output_tokens or model.counter.count_text(completion.text)
    cost_usd = price_usd(model.provider_name, model.name, input_tokens=input_tokens, output_tokens=output_tokens)
    return msgspec.structs.replace(planned, input_tokens=input_tokens, output_tokens=output_tokens, cost_usd=cost_usd)
