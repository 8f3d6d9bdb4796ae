"""Whether a model's summary may stand for its span. What fails any rule is refused as a whole, with the reasons.

A summary must parse, say something, be smaller than its source and within its cap, keep what has to be kept, stay in the
language of its conversation, and rest on it: every claim cites events of the span, and its numbers, paths and quotations stand
there. Rules come from users and system prompts alone. So what one of them said counts only as a quotation, and a claim that
orders, forbids or allows anything counts only if it is one. Reasons name places in the summary, never text of the conversation.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from tailrace.agents.language.rule_words import is_directive, speaks_for_user
from tailrace.agents.language.script import differs
from tailrace.agents.summary.model.span_text import SpanText, plain, span_text, visible
from tailrace.agents.summary.model.text import claims_of, is_verbatim, render
from tailrace.agents.summary.verify.candidates import Heard, hear
from tailrace.agents.summary.verify.contradictions import contradiction
from tailrace.agents.summary.verify.grounding import (
    Ground,
    lacks_number,
    lacks_path,
    lacks_words,
    mixes_letters,
    quoted_parts,
    says_nothing,
    without_quotes,
)
from tailrace.agents.summary.verify.statement import INTENT_FIELDS
from tailrace.schemas.decoder import decoder
from tailrace.schemas.errors import Invalid, PoisonEvent
from tailrace.schemas.records.ledger import Candidate
from tailrace.schemas.records.summary import CLAIM_FIELDS, StructuredSummary, SummaryClaim
from tailrace.schemas.records.work import SpanMessage

#: More reasons than this don't help a model to do better.
REASONS_MAX = 6
#: A summary of more claims than this is a copy.
CLAIMS_MAX = 200
#: One that is longer is no claim. What a user or the system said is a quotation, however long.
CLAIM_CHARS_MAX = 4_000
#: What has more characters than this for each of its tokens is not even judged: no text has.
_TOKEN_CHARS_MAX = 64
#: An answer that is longer is not read.
ANSWER_CHARS_MAX = 1_000_000
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*\Z)")
_COLONS = (":", "\uff1a")
_TOOL_FIELD = "tool_outcomes"

_encode = msgspec.json.Encoder().encode
_decode = decoder(StructuredSummary)
_decode_fields = decoder(dict[str, msgspec.Raw])
_decode_list = decoder(list[msgspec.Raw])
_decode_candidate = decoder(Candidate)


@dataclass(frozen=True, slots=True)
class Demands:
    """What a summary has to satisfy besides being true."""

    #: Tokens of what it was made from, and what it may cost itself.
    source_tokens: int
    tokens_max: int
    #: Texts that it must hold word for word.
    keep: tuple[str, ...] = ()
    #: How many directives it may point out.
    candidates_max: int = 0


@dataclass(frozen=True, slots=True)
class Accepted:
    """A summary that may be used, with the words of users and system in the place of what was said about them."""

    summary: StructuredSummary
    text: str
    tokens: int
    #: Candidates for the ledger that it named and that may not be noted: they are left out, and the summary stands.
    candidates_refused: int = 0


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
        fields = _decode_fields(text[begin : end + 1])
        candidates = _candidates(fields.pop("candidates", None))
        return msgspec.structs.replace(_decode(_encode(fields)), candidates=candidates)
    except (PoisonEvent, UnicodeEncodeError) as error:
        return Rejected(f"the answer is not the JSON that was asked for: {_place(error)}")


def accept(
    summary: StructuredSummary,
    messages: Sequence[SpanMessage],
    demands: Demands,
    count_text: Callable[[str], int],
) -> Accepted | Rejected:
    """The summary as it may be published, or the reasons why it may not."""
    span = span_text(messages)
    settled = _settled(summary, span)
    chars = sum(len(claim.text) + len(claim.quote) for claim in settled.claims)
    if chars > demands.tokens_max * _TOKEN_CHARS_MAX:
        return Rejected(f"{chars} characters are many more than the {demands.tokens_max} tokens that it may have")
    reasons = list(_claim_reasons(settled, span))
    if not reasons:
        text = render(settled)
        tokens = count_text(text)
        reasons = list(_whole_reasons(settled, span, demands, text, tokens))
        if not reasons:
            heard = hear(summary.candidates, messages, demands.candidates_max) if demands.candidates_max else Heard()
            return Accepted(
                msgspec.structs.replace(settled, candidates=heard.taken), text, tokens, candidates_refused=heard.refused
            )
    more = f"; and {len(reasons) - REASONS_MAX} more" if len(reasons) > REASONS_MAX else ""
    return Rejected("; ".join(reasons[:REASONS_MAX]) + more)


def _candidates(listed: msgspec.Raw | None) -> tuple[Candidate, ...]:
    """The candidates of an answer; one that can't be read is none, and takes nothing else down with it."""
    found: list[Candidate] = []
    with suppress(PoisonEvent):
        for one in _decode_list(listed) if listed is not None else ():
            with suppress(PoisonEvent):
                found.append(_decode_candidate(one))
    return tuple(found)


def _place(error: Exception) -> str:
    """What is wrong with the JSON, without what stands in it."""
    return str(error) if isinstance(error, Invalid) else type(error).__name__


def _settled(summary: StructuredSummary, span: SpanText) -> StructuredSummary:
    """The summary with every quotation of a user or the system as nothing but that quotation."""

    def settle(written: SummaryClaim) -> SummaryClaim:
        claim = SummaryClaim(text=visible(written.text), events=written.events, quote=visible(written.quote))
        for quote in (claim.quote, claim.text):
            if (said := span.owner_sentences(quote, claim.events)) is not None:
                return SummaryClaim(text=said, events=claim.events, quote=said)
        # A quotation of nobody who may bind must not look like one.
        same = claim.quote and plain(claim.quote) == plain(claim.text)
        return SummaryClaim(text=claim.text, events=claim.events) if same else claim

    task = summary.current_task
    lists = (name for name in CLAIM_FIELDS if name != "current_task")
    fields = {name: tuple(map(settle, claims_of(summary, name))) for name in lists}
    return msgspec.structs.replace(
        summary, current_task=settle(task) if task is not None else None, candidates=(), **fields
    )


def _claim_reasons(summary: StructuredSummary, span: SpanText) -> Iterator[str]:
    ground = Ground(span)
    if len(summary.claims) > CLAIMS_MAX:
        yield f"more than {CLAIMS_MAX} claims"
        return
    for field in CLAIM_FIELDS:
        for number, claim in enumerate(claims_of(summary, field)):
            where = field if field == "current_task" else f"{field}[{number}]"
            if reason := fault_of(claim, field, ground):
                yield f"{where} {reason}"


def fault_of(claim: SummaryClaim, field: str, ground: Ground) -> str | None:
    """What is wrong with a claim in a field of a summary; None if nothing is."""
    span = ground.span
    if not plain(claim.text):
        return "says nothing"
    if not claim.events or any(event not in span.by_id for event in claim.events):
        return "cites no event of the span" if not claim.events else "cites an event that is not in the span"
    if is_verbatim(claim):
        return None  # a user's or the system's own words
    return _fault_of_form(claim, span) or _fault_of_content(claim, field, ground)


def _fault_of_form(claim: SummaryClaim, span: SpanText) -> str | None:
    """What is wrong with a claim before it is looked at what it says: whatever a model sends, this takes no time."""
    if len(claim.text) + len(claim.quote) > CLAIM_CHARS_MAX:
        return f"has more than {CLAIM_CHARS_MAX} characters; a claim says one thing"
    if _HEADING.match(claim.text) or claim.text.rstrip().endswith(_COLONS):
        return "is only a heading; say what there is to say under it"
    if says_nothing(claim.text):
        return "says nothing"
    if claim.quote and not span.quotes(claim.quote, claim.events):
        return "quotes words that are not in the events that it cites"
    return None


def _fault_of_content(claim: SummaryClaim, field: str, ground: Ground) -> str | None:
    cited = ground.cited(claim.events)
    own = without_quotes(claim.text)
    quotes = [quote for quote in (claim.quote, *quoted_parts(claim.text)) if quote]
    checks = (
        (mixes_letters(claim.text, cited), "has a word of letters that look like those of another script"),
        (
            any(not any(plain(quote) in event.said.whole for event in cited) for quote in quotes),
            "quotes words that are not in the events that it cites",
        ),
        (
            speaks_for_user(own),
            "says what the user said or wants; put the user's own words into quote, and nothing else",
        ),
        (is_directive(own), "orders, forbids or allows something and is no quotation of a user or the system"),
        (
            any(map(is_directive, quotes))
            and not (field == _TOOL_FIELD and claim.quote and not quoted_parts(claim.text)),
            "quotes an order that no user and no system prompt gave",
        ),
        (field in INTENT_FIELDS and ground.is_forbidden(own), "plans what a user or the system forbids; quote them"),
        (ground.is_left_free(own), "gives leave for what a user or the system forbids or limits; quote them"),
        (lacks_number(own, cited), "holds a number that is not in the events that it cites"),
        (lacks_path(own, cited), "holds a path or an address that is not in the events that it cites"),
        (
            lacks_words(own, cited, quotes=len(quotes), is_intent=field in INTENT_FIELDS),
            "says what the events that it cites do not: most of its words are not there",
        ),
    )
    return next((reason for wrong, reason in checks if wrong), None) or contradiction(
        claim.text, field, [event.spoken for event in cited]
    )


def _whole_reasons(
    summary: StructuredSummary, span: SpanText, demands: Demands, text: str, tokens: int
) -> Iterator[str]:
    if not text:
        yield "the summary says nothing"
        return
    if tokens > demands.tokens_max:
        yield f"{tokens} tokens are more than the {demands.tokens_max} that it may have"
    if tokens >= demands.source_tokens:
        yield f"{tokens} tokens are no less than the {demands.source_tokens} of its source"
    own = "\n".join(claim.text for claim in summary.claims if not is_verbatim(claim))
    # Where nobody talks, everything tells the language.
    if other := differs(own, span.talk or span.whole):
        yield f"it is not in the language of the conversation: {other}"
    shown = plain(text)
    missing = sum(plain(kept) not in shown for kept in demands.keep)
    if missing:
        yield f"{missing} of the {len(demands.keep)} texts that must be quoted word for word are missing"
