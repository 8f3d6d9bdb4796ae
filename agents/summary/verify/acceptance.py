"""What of a model's summary may stand for its span, beside what the span's ledger says of it.

What must be right is right by construction: constraints, decisions, open items, the plan and the task are quotations,
which are looked up in the event that they name; what calls did comes from the ledger. A model words facts and narrative
alone, which are held against the events that they cite and shown as a model's words. What fails is left out, and the
rest stands. Reasons name places in the summary, never text of the conversation.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tailrace.agents.language.script import differs
from tailrace.agents.summary.model.span_text import plain, span_text, visible
from tailrace.agents.summary.model.text import quotations_of, render
from tailrace.agents.summary.verify.candidates import candidates, states
from tailrace.agents.summary.verify.grounding import Ground
from tailrace.agents.summary.verify.quotations import may_bind, quoted_sentences, speaker_of
from tailrace.agents.summary.verify.span_ledger import SpanLedger, span_ledger
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent
from tailrace.schemas.records.summary import (
    FREE_FIELDS,
    LEDGER_FIELDS,
    QUOTED_FIELDS,
    Quotation,
    StructuredSummary,
    SummaryClaim,
)
from tailrace.schemas.records.work import SpanMessage

#: More reasons than this don't help a model to do better.
REASONS_MAX: Final = 6
#: A summary that says more than this is a copy.
ITEMS_MAX: Final = 200
#: An answer that is longer is not read.
ANSWER_CHARS_MAX: Final = 1_000_000
#: In which order a summary that is too large gives way: last what must be right.
_GIVES_WAY: Final = ("narrative", "facts", "decisions", "open_items", "current_plan", "constraints")
#: Fields of lists; the task is one or none.
_LISTS: Final = tuple(name for name in (*QUOTED_FIELDS, *LEDGER_FIELDS, *FREE_FIELDS) if name != "current_task")

_decode: Final = decoder(StructuredSummary)


@dataclass(frozen=True, slots=True)
class Demands:
    """What a summary has to satisfy besides being right."""

    #: Tokens of what it was made from, and what it may cost itself.
    source_tokens: int
    tokens_max: int
    #: How many directives it may add to the ledger.
    candidates_max: int = 0


@dataclass(frozen=True, slots=True)
class Accepted:
    """A summary that may be used: what the ledger says of the span, and what is left of what a model says."""

    summary: StructuredSummary
    text: str
    tokens: int
    #: Constraints that the ledger's reader has not found.
    candidates: tuple[Quotation, ...] = ()
    #: How many quotations and facts were left out.
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Rejected:
    """A summary that may not be used, and why."""

    reason: str


def parse(text: str) -> StructuredSummary | Rejected:
    """The summary in a model's answer: one JSON object, whatever stands around it."""
    begin, end = text.find("{"), text.rfind("}")
    if not text.strip():
        return Rejected("the answer is empty")
    if len(text) > ANSWER_CHARS_MAX:
        return Rejected(f"the answer has more than {ANSWER_CHARS_MAX} characters")
    if begin < 0 or end < begin:
        return Rejected("the answer holds no JSON object")
    try:
        return _decode(text[begin : end + 1].encode())
    except (PoisonEvent, UnicodeEncodeError) as error:
        # Not what stands in it.
        wrong = str(error) if isinstance(error, Invalid) else type(error).__name__
        return Rejected(f"the answer is not the JSON that was asked for: {wrong}")


def accept(
    summary: StructuredSummary,
    messages: Sequence[SpanMessage],
    demands: Demands,
    count_text: Callable[[str], int],
) -> Accepted | Rejected:
    """The summary as it may be published, or the reasons why nothing of it may."""
    if sum(len(getattr(summary, name)) for name in _LISTS) > ITEMS_MAX:
        return Rejected(f"it has more than {ITEMS_MAX} quotations and facts")
    judged = _Judge(messages, span_ledger(messages, demands.tokens_max)).judge(summary)
    if not judged.kept:
        return Rejected(_reasons(judged.faults) or "the summary says nothing")
    own = "\n".join(claim.text for name in FREE_FIELDS for claim in judged.fields.get(name, ()))
    span = span_text(messages)
    # Where nobody talks, everything tells the language.
    if other := differs(own, span.talk or span.whole):
        return Rejected(f"it is not in the language of the conversation: {other}")
    fitted = _fitted(judged.whole, demands, count_text)
    if isinstance(fitted, Rejected):
        return fitted
    text = render(fitted)
    return Accepted(
        fitted,
        text,
        count_text(text),
        candidates=candidates(fitted.constraints, demands.candidates_max),
        left_out=len(judged.faults),
    )


@dataclass(slots=True)
class _Judged:
    """What is left of what a model says, what the ledger says, and what was left out."""

    ledger: SpanLedger
    fields: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether anything of the model's is left."""
        return any(self.fields.values())

    @property
    def whole(self) -> StructuredSummary:
        """The ledger's items, and behind those of each field the model's."""
        items = self.ledger.items
        lists: dict[str, Any] = {}
        quoted: set[Quotation] = set()
        for name in _LISTS:
            lines = dict.fromkeys((*getattr(items, name), *self.fields.get(name, ())))
            # Under the first heading that it fits.
            lists[name] = tuple(line for line in lines if line not in quoted)
            quoted.update(line for line in lines if isinstance(line, Quotation))
        task = self.fields.get("current_task", ())
        return StructuredSummary(current_task=task[0] if task else None, **lists)


class _Judge:
    """Looks up what a model says in one span."""

    def __init__(self, messages: Sequence[SpanMessage], ledger: SpanLedger) -> None:
        self._by_id: Mapping[str, SpanMessage] = {message.id: message for message in messages}
        self._ground = Ground(span_text(messages))
        self._judged = _Judged(ledger)

    def judge(self, summary: StructuredSummary) -> _Judged:
        for name in QUOTED_FIELDS:
            self._judged.fields[name] = tuple(self._quotations(name, quotations_of(summary, name)))
        for name in FREE_FIELDS:
            self._judged.fields[name] = tuple(self._facts(name, getattr(summary, name)))
        return self._judged

    def _quotations(self, name: str, quotations: Sequence[Quotation]) -> Iterator[Quotation]:
        for number, quotation in enumerate(quotations):
            whole, fault = self._looked_up(name, quotation)
            if fault:
                self._judged.faults.append(f"{name}[{number}] {fault}")
            # What was changed or taken back in the span is a quotation, and no longer so.
            elif name != "constraints" or not self._judged.ledger.statements.withdrew(whole.quote):
                yield whole

    def _looked_up(self, name: str, quotation: Quotation) -> tuple[Quotation, str]:
        message = self._by_id.get(quotation.event)
        if message is None:
            return quotation, "names an event that is not in the span"
        if not speaker_of(message):
            return quotation, "quotes an event in which nobody speaks"
        if name == "constraints" and not may_bind(message):
            return quotation, "quotes nobody who may bind"
        quote = quoted_sentences(visible(quotation.quote), message)
        whole = Quotation(event=quotation.event, quote=plain(quote), speaker=speaker_of(message))
        if not quote:
            return whole, "quotes words that are not in the event that it names, or are somebody else's there"
        return whole, "quotes a question" if name == "constraints" and not states(whole) else ""

    def _facts(self, name: str, facts: Sequence[SummaryClaim]) -> Iterator[SummaryClaim]:
        for number, written in enumerate(facts):
            fact = SummaryClaim(text=visible(written.text), events=written.events)
            if fault := self._ground.fault_of(fact):
                self._judged.faults.append(f"{name}[{number}] {fault}")
            else:
                yield fact


def _reasons(faults: Sequence[str]) -> str:
    more = f"; and {len(faults) - REASONS_MAX} more" if len(faults) > REASONS_MAX else ""
    return "; ".join(faults[:REASONS_MAX]) + more


def _fitted(
    summary: StructuredSummary, demands: Demands, count_text: Callable[[str], int]
) -> StructuredSummary | Rejected:
    """As much of a summary as there is room for."""
    room_tokens = min(demands.tokens_max, demands.source_tokens - 1)
    over_tokens = count_text(render(summary)) - room_tokens
    for name in _GIVES_WAY:
        while over_tokens > 0 and (items := getattr(summary, name)):
            # Many at once where much is too much: to count is what takes time.
            keep = len(items) - 1
            saved_tokens = _cost_tokens(items[-1], count_text)
            while keep and saved_tokens < over_tokens:
                keep -= 1
                saved_tokens += _cost_tokens(items[keep], count_text)
            summary = msgspec.structs.replace(summary, **{name: items[:keep]})
            over_tokens = count_text(render(summary)) - room_tokens
    if over_tokens > 0:
        return Rejected(
            f"what has to stand in it has {over_tokens} tokens more than the {room_tokens} that it may have"
        )
    return summary


def _cost_tokens(item: Quotation | SummaryClaim, count_text: Callable[[str], int]) -> int:
    return count_text(item.quote if isinstance(item, Quotation) else item.text)
