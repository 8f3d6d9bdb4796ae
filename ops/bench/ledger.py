"""What ledgers, summaries without a model and receipts cost, and how that grows.

Each stands beside what tiktoken needs to count the same text. All in one process, by its CPU, in turns; the best of the
rounds counts. A ledger notes the events of conversations one by one; a summary and a receipt are made of spans of so
many tokens of them. How the cost grows is that of a span by that of its quarter.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from ops.bench.events import Corpus
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.offline import conversation
from tailrace.agents.engine.receipt import Departure, make_receipt
from tailrace.agents.ledger.book import Book
from tailrace.agents.ledger.statements import read_units
from tailrace.agents.messages.part_text import text_of
from tailrace.agents.summary.extract.extraction import extract_summary
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.message import Format, Message
from tailrace.streams.models.vocabulary import load_encoding

NAME = "ledger"
SUMMARY_TOKENS, RECEIPT_TOKENS = 20_000, 50_000
EVENTS_MAX = 4_000
ROUNDS = 5
#: A span takes some milliseconds, so it needs more rounds to meet a quiet moment; what is compared takes turns in each.
SPAN_ROUNDS = 25
#: By how much a token of a span may cost more than one of its quarter.
GROWTH = 1.5
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class _Span:
    messages: list[Message]
    text: str


async def run(stand: Stand) -> Result:
    """Measure the three on messages of the corpus."""
    encoding = load_encoding("o200k_base")

    def count(text: str) -> object:
        return encoding.encode_ordinary(text)

    messages = _messages(stand.corpus)
    rounds = stand.scaled(ROUNDS, least=2)
    notes = _noting(messages[:EVENTS_MAX], count, rounds)
    span_rounds = stand.scaled(SPAN_ROUNDS, least=2)
    summary, summary_growth = _ratio(messages, SUMMARY_TOKENS, _summarize, count, span_rounds)
    receipt, receipt_growth = _ratio(messages, RECEIPT_TOKENS, _receipt, count, span_rounds)
    return Result(
        name=NAME,
        rows=(
            Row(what="ledger / tiktoken, median of the events", value=median(notes), unit="ratio", target=at_most(0.5)),
            Row(what=f"summary / tiktoken, {SUMMARY_TOKENS:,} tokens", value=summary, unit="ratio", target=at_most(4)),
            Row(what="  a token of it / of its quarter", value=summary_growth, unit="ratio", target=at_most(GROWTH)),
            Row(what=f"receipt / tiktoken, {RECEIPT_TOKENS:,} tokens", value=receipt, unit="ratio", target=at_most(3)),
            Row(what="  a token of it / of its quarter", value=receipt_growth, unit="ratio", target=at_most(GROWTH)),
        ),
        parameters=f"{min(len(messages), EVENTS_MAX):,} events of {stand.corpus.name}, best of {rounds} rounds; "
        f"spans, best of {span_rounds}.",
        does_not_show="how good what they hold is (make eval does), and what decoding the messages costs.",
    )


def _messages(corpus: Corpus) -> list[Message]:
    """Messages of the conversations one after the other, again and again if they are few."""
    read = [read_native(Format.OPENAI_CHAT, message) for one in corpus.conversations for message in one.messages]
    while sum(len(_text(message)) for message in read) < 2 * RECEIPT_TOKENS * _CHARS_PER_TOKEN:
        read += read
    return read


def _text(message: Message) -> str:
    return "\n".join(text_of(part) for part in message.parts)


def _noting(messages: Sequence[Message], count: Callable[[str], object], rounds: int) -> list[float]:
    """Cost of noting each message by that of counting it."""
    texts = [_text(message) for message in messages]
    ours_ns = [float("inf")] * len(messages)
    theirs_ns = [float("inf")] * len(messages)
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        # What is remembered of a text would make every round but the first one cheap.
        read_units.cache_clear()
        book = Book()
        for place, message in enumerate(messages):
            begin_ns = time.process_time_ns()
            book.note(message, event_id=f"m{place}", turn=0, created_at_ms=0)
            between_ns = time.process_time_ns()
            count(texts[place])
            theirs_ns[place] = min(theirs_ns[place], time.process_time_ns() - between_ns)
            ours_ns[place] = min(ours_ns[place], between_ns - begin_ns)
    gc.unfreeze()
    return [ours / theirs for ours, theirs, text in zip(ours_ns, theirs_ns, texts, strict=True) if text and theirs]


def _ratio(
    messages: Sequence[Message],
    tokens: int,
    make: Callable[[_Span], object],
    count: Callable[[str], object],
    rounds: int,
) -> tuple[float, float]:
    """Return two ratios: making something of a span by counting it, and a token of it by a token of its quarter."""
    span, quarter = _span(messages, tokens), _span(messages, tokens // 4)
    measured = [
        (_once_ns(make, span), _once_ns(lambda one: count(one.text), span), _once_ns(make, quarter))
        for _ in range(rounds)
    ]
    ours_ns, theirs_ns, quarter_ns = map(min, zip(*measured, strict=True))
    return ours_ns / theirs_ns, (ours_ns / len(span.text)) / (quarter_ns / len(quarter.text))


def _span(messages: Sequence[Message], tokens: int) -> _Span:
    chosen, texts, chars = [], [], 0
    for message in messages:
        chosen.append(message)
        texts.append(_text(message))
        chars += len(texts[-1])
        if chars >= tokens * _CHARS_PER_TOKEN:
            break
    return _Span(chosen, "\n".join(texts))


def _once_ns(make: Callable[[_Span], object], span: _Span) -> int:
    begin_ns = time.process_time_ns()
    make(span)
    return time.process_time_ns() - begin_ns


def _summarize(span: _Span) -> str:
    budget_tokens = len(span.text) // _CHARS_PER_TOKEN // 4
    return extract_summary(
        span.messages, budget_tokens=budget_tokens, count_text=lambda text: len(text) // _CHARS_PER_TOKEN
    )


_departures: dict[int, Departure] = {}


def _receipt(span: _Span) -> object:
    """Receipt of a span of which the last quarter stays, with a ledger of all that it states."""
    if id(span) not in _departures:
        engine = Engine(Policy(), lambda message, _model: len(_text(message)) // _CHARS_PER_TOKEN)
        entries = list(conversation(span.messages, engine).view.entries.values())
        book = Book()
        for place, message in enumerate(span.messages):
            book.note(message, event_id=f"m{place}", turn=0, created_at_ms=0)
        stays = len(entries) * 3 // 4
        _departures[id(span)] = Departure(entries[:stays], entries[stays:], book.ledger)
    departure = _departures[id(span)]
    return make_receipt(departure, changed=len(departure.left), listed_max=20)
