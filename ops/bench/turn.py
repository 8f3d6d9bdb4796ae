"""What a turn of a long conversation costs to keep its context in budget, beside two libraries that do it in process.

A turn is one model call: its answer and what follows it until the next call come in, and the context has to be ready.
All sides get the same messages, none does I/O, none calls a model, and all are timed by the CPU of their process.

- Ours: `step` and `apply` for every message of the turn. First turns in which nothing is compacted, on either side, and
  no tool output is distilled, which the others don't do. Then, in rows of their own, the mean with the distillations,
  and with the share of compactions that the thread has as it grows: by the default policy, and by one that only drops
  the oldest, as the others do. Each message is decoded just before its step, as in a worker, but beside the clock.
  Tokens of what arrives are counted before, because a message is counted once and exactly, whatever the thread; what
  that costs has a row of its own.
- Microsoft Agent Framework: `apply_compaction` as its chat client calls it before each model call, with a
  `TokenBudgetComposedStrategy` over a sliding window and truncation and its own estimating tokenizer. The list lives on
  whole, as its history provider keeps and loads it by default, with the annotations of earlier turns.
- LangChain: `SummarizationMiddleware.before_model` with its estimating counter, on a list below its trigger; or
  `trim_messages` to the same budget. The cheaper of the two counts.

Of the others it is the median, so that their compactions don't count. In rows that say so, their list is no longer than
what is live in our context: as after a summary with LangChain, or with `skip_excluded` with Agent Framework.
"""

import gc
import itertools
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median, quantiles

from ops.bench.events import Corpus, Publication, publish_as
from ops.bench.long_thread import ChatMessage, long_thread, turns
from ops.bench.peers import TurnAnswer, TurnCase, TurnQuestion, ask_turns, peer_versions
from ops.bench.report import Result, Row, at_least
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import CountTokens, Engine
from tailrace.agents.engine.entrance import CountedEvent
from tailrace.agents.engine.thread import step
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy, Tiers
from tailrace.schemas.records.distillation import Distillation
from tailrace.schemas.records.event import Event
from tailrace.schemas.records.kafka_records import ContextChange
from tailrace.streams.installation.rules import make_rules

NAME = "turn"
#: Messages of the thread, and how many times cheaper than each of the others a turn should be there.
LENGTHS = {1_000: 50.0, 10_000: 500.0}
DEFAULT = Policy()
#: Drops the oldest and does nothing else: caps of single kinds of content would shorten some before.
DROPPING = Policy(strategy="drop", tiers=Tiers(tool_results_fraction=None))
#: Messages before each length that ours is measured over: several compactions.
SPAN = 500
#: Threads of ours, each of other conversations.
THREADS = 3
#: Turns of the others, behind each length.
PEER_TURNS = 20
#: Room for them.
PEER_TURNS_MESSAGES = 1_000
#: Ours and theirs in turns, so that what else the machine does meets both; the best of the rounds counts.
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Span:
    """What the messages of one span cost us."""

    message_us: tuple[float, ...]
    turns: int
    #: Those of the messages that brought a compaction.
    compaction_us: tuple[float, ...]
    #: Those of the others that hold a tool output that was distilled.
    distillation_us: tuple[float, ...]
    #: Messages in the context at the end.
    live: int

    @property
    def turn_us(self) -> float:
        """Mean cost of a turn, with its share of compactions."""
        return sum(self.message_us) / self.turns

    @property
    def quiet_turn_us(self) -> float:
        """Mean cost of a turn in which nothing is compacted or distilled."""
        return self._turn_without(*self.compaction_us, *self.distillation_us)

    @property
    def distilling_turn_us(self) -> float:
        """Mean cost of a turn in which nothing is compacted."""
        return self._turn_without(*self.compaction_us)

    def _turn_without(self, *message_us: float) -> float:
        others = len(self.message_us) - len(message_us)
        return (sum(self.message_us) - sum(message_us)) / others * len(self.message_us) / self.turns


#: The spans before each length: of each thread one for each round.
Spans = dict[int, list[tuple[Span, ...]]]


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread, ready to be driven."""

    messages: Sequence[ChatMessage]
    published: Sequence[Publication]
    #: Tokens of each message.
    tokens: Sequence[int]
    #: CPU time of counting a message's tokens, which no span contains.
    count_us: float

    def arriving(self) -> Iterator[CountedEvent]:
        """Yield the messages, each decoded when it is asked for."""
        for offset, (one, tokens) in enumerate(zip(self.published, self.tokens, strict=True)):
            yield CountedEvent(event=_decoded(one, offset), offset=offset, tokens=tokens, window_tokens=None)


async def run(stand: Stand) -> Result:
    """Measure ours and theirs at both lengths."""
    # What a compaction writes anew it has to count; what arrives is counted before.
    count = make_rules(stand.settings("pure")).count_tokens
    limit_tokens = DEFAULT.limit_tokens(DEFAULT.default_window_tokens)
    threads = [_thread(count, stand.corpus, number) for number in range(stand.scaled(THREADS, least=2))]
    rounds = stand.scaled(ROUNDS, least=2)
    default_rounds, dropping_rounds, peer_rounds = [], [], []
    for _ in range(rounds):
        default_rounds.append(_measure(threads, Engine(DEFAULT, count)))
        dropping_rounds.append(_measure(threads, Engine(DROPPING, count)))
        cases = _cases(threads[0].messages, default_rounds[0][0])
        peer_rounds.append(ask_turns(TurnQuestion(cases=cases, budget_tokens=limit_tokens)))
    default, dropping = _by_length(default_rounds), _by_length(dropping_rounds)
    theirs = [TurnAnswer.cheapest(same) for same in zip(*peer_rounds, strict=True)]
    rows = [
        row
        for length, whole, cut in zip(LENGTHS, theirs[::2], theirs[1::2], strict=True)
        for row in (*_ratios(length, default[length], dropping[length], whole, cut), *_costs(length, default[length]))
    ]
    counting = Row(
        what="ours, to count a message's tokens exactly, once", value=mean(one.count_us for one in threads), unit="us"
    )
    return Result(
        name=NAME,
        rows=(*rows, counting),
        parameters=f"{peer_versions()}; threads of {stand.corpus.name}, a limit of {limit_tokens:,} tokens; ours "
        f"over the {SPAN} messages before each length in {len(threads)} threads, with "
        f"{' and '.join(str(sum(len(first.compaction_us) for first, *_ in spans)) for spans in default.values())} "
        f"compactions; theirs over the {PEER_TURNS} turns behind it in one thread; best of {rounds} rounds. "
        f"LangChain's cheaper way was {' and '.join(sorted({_cheaper(answer) for answer in theirs[::2]}))}.",
        does_not_show="decoding, Kafka, and what their sessions and graphs do with the list besides.",
    )


def _ratios(
    length: int,
    default: Sequence[tuple[Span, ...]],
    dropping: Sequence[tuple[Span, ...]],
    whole: TurnAnswer,
    cut: TurnAnswer,
) -> Iterator[Row]:
    where = f"at message {length:,}"
    aim = at_least(LENGTHS[length])
    quiet_us = median(min(span.quiet_turn_us for span in rounds) for rounds in default)
    distilling_us = median(min(span.distilling_turn_us for span in rounds) for rounds in default)
    default_us, dropping_us = (
        median(min(span.turn_us for span in rounds) for rounds in spans) for spans in (default, dropping)
    )
    for name, whole_us, cut_us in (
        ("Agent Framework", whole.agent_framework, cut.agent_framework),
        ("LangChain", whole.langchain, cut.langchain),
    ):
        yield Row(what=f"{name} / ours, {where}", value=whole_us / quiet_us, unit="ratio", target=aim)
        yield Row(what="  with our distillations in it", value=whole_us / distilling_us, unit="ratio")
        yield Row(what="  with our compactions in it as well", value=whole_us / default_us, unit="ratio")
        yield Row(what="  with ours in it, where it only drops, as theirs", value=whole_us / dropping_us, unit="ratio")
        yield Row(
            what=f"  where theirs holds only as many messages as ours, {default[0][0].live}",
            value=cut_us / quiet_us,
            unit="ratio",
        )
        yield Row(what=f"{name}, {where}, a turn", value=whole_us / 1e3, unit="ms")
    yield Row(what=f"ours, {where}, a turn", value=quiet_us, unit="us")
    yield Row(what=f"ours, {where}, a turn with its distillations", value=distilling_us, unit="us")
    yield Row(what=f"ours, {where}, a turn with its compactions too", value=default_us, unit="us")
    yield Row(what=f"ours, {where}, a turn where it only drops", value=dropping_us, unit="us")


def _costs(length: int, threads: Sequence[tuple[Span, ...]]) -> Iterator[Row]:
    where = f"at message {length:,}"
    spans = [min(rounds, key=lambda span: span.turn_us) for rounds in threads]
    message_us = [us for span in spans for us in span.message_us]
    compaction_us = [us for span in spans for us in span.compaction_us]
    yield Row(what=f"ours, {where}", value=1e6 / mean(message_us), unit="events/s")
    yield Row(what=f"ours, {where}, a message, mean", value=mean(message_us), unit="us")
    yield Row(what=f"ours, {where}, a message, p99", value=quantiles(message_us, n=100)[98], unit="us")
    if compaction_us:
        yield Row(what=f"ours, {where}, a message that compacts", value=mean(compaction_us) / 1e3, unit="ms")


def _measure(threads: Sequence[Thread], engine: Engine) -> list[dict[int, Span]]:
    gc.collect()
    gc.freeze()
    driven = [_drive(thread, engine) for thread in threads]
    gc.unfreeze()
    return driven


def _by_length(rounds: Sequence[list[dict[int, Span]]]) -> Spans:
    return {
        length: [tuple(spans[length] for spans in same) for same in zip(*rounds, strict=True)] for length in LENGTHS
    }


def _cases(messages: Sequence[ChatMessage], spans: dict[int, Span]) -> list[TurnCase]:
    """Return for each length the whole thread, and the part of it that is as long as our context there."""
    return [
        TurnCase(past=list(messages[begin:length]), turns=_turns_behind(messages, length))
        for length, span in spans.items()
        for begin in (0, length - span.live)
    ]


def _drive(thread: Thread, engine: Engine) -> dict[int, Span]:
    """Return what the messages before each length cost in one pass over the thread."""
    view = ThreadView()
    #: Microseconds of each message, and what else was done because of it.
    costs: list[tuple[float, str]] = []
    spans = {}
    for number, event in enumerate(thread.arriving(), start=1):
        epoch = view.epoch
        begin_ns = time.process_time_ns()
        distilled = _take_in(view, event, engine)
        cost_us = (time.process_time_ns() - begin_ns) / 1e3
        costs.append((cost_us, "compacted" if view.epoch > epoch else "distilled" if distilled else ""))
        if number in LENGTHS:
            spans[number] = Span(
                message_us=tuple(us for us, _ in costs[-SPAN:]),
                turns=len(turns(thread.messages[number - SPAN : number])),
                compaction_us=tuple(us for us, done in costs[-SPAN:] if done == "compacted"),
                distillation_us=tuple(us for us, done in costs[-SPAN:] if done == "distilled"),
                live=len(view.entries),
            )
    return spans


def _take_in(view: ThreadView, event: CountedEvent, engine: Engine) -> bool:
    """Take a message in; tell whether something of it was distilled."""
    emissions = step(view, event, engine)
    for emission in emissions:
        if isinstance(emission, ContextChange):
            view.apply(emission)
    return any(isinstance(emission, Distillation) for emission in emissions)


def _thread(count: CountTokens, corpus: Corpus, number: int) -> Thread:
    """Return a thread of other conversations for each number, decoded and counted."""
    shuffled = random.Random(number).sample(corpus.conversations, len(corpus.conversations))
    messages = long_thread(shuffled, max(LENGTHS) + PEER_TURNS_MESSAGES)
    published = list(itertools.islice(publish_as(f"thread-{number}", None, messages), max(LENGTHS)))
    decoded = [_decoded(one, offset).message for offset, one in enumerate(published)]
    count(decoded[0], None)  # loads the vocabulary
    begin = time.process_time()
    tokens = [count(message, None) for message in decoded]
    count_us = (time.process_time() - begin) / len(decoded) * 1e6
    return Thread(messages=messages, published=published, tokens=tokens, count_us=count_us)


def _decoded(published: Publication, offset: int) -> Event:
    return decode_event(published.as_input(offset), value_bytes_max=1 << 30)


def _turns_behind(messages: Sequence[ChatMessage], length: int) -> list[list[ChatMessage]]:
    coming = messages[length:]
    ends = list(itertools.accumulate(turns(coming)[:PEER_TURNS]))
    return [list(coming[begin:end]) for begin, end in itertools.pairwise((0, *ends))]


def _cheaper(answer: TurnAnswer) -> str:
    trims = answer.trim_messages < answer.summarization_check
    return "trim_messages" if trims else "the check of SummarizationMiddleware"
