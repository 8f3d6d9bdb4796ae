"""What a policy of ten composed rules adds to an event.

`step` with it runs beside `step` without, on one thread in one state. Both are repeated at every message, without
applying what they say until the last time, so that the clock's own cost does not count, and in turn, so that what slows
the machine slows both. None of the rules holds anywhere, so that all ten are looked at every time; the lower mark is
near zero, because below it no rule is asked. Messages at which something is compacted are left out, because they make
`step` dear.
"""

import gc
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from ops.bench.events import publish_as
from ops.bench.long_thread import long_thread
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.engine.engine import CountTokens, Engine
from tailrace.agents.engine.entrance import CountedEvent
from tailrace.agents.engine.thread import step
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import TriggerRule, Triggers
from tailrace.schemas.records.kafka_records import ContextChange, Emission
from tailrace.streams.installation.rules import make_rules

NAME = "conditions"
#: Plausible, and true of no thread that the default policy keeps in its budget.
CONDITIONS = (
    "total >= limit and (needs_follow_up or pending_input)",
    "fraction > 0.99 and not cache_hot",
    "idle_ms >= 5m or turns_since_compaction >= 5_000",
    "tool_tokens > 90% of limit and not in_flight",
    "headroom < 0 or announced_tokens > 8k",
    'event == "model_switched" and total > 24k',
    "growth > 99% of (limit - prefix_tokens) and turns > 3",
    'model == "small" and total > 24k',
    "messages_since_compaction > 20_000 or tokens_since_compaction > 10_000k",
    "age_ms > 7d and idle_ms > 1h and not pending_input",
)
WITHOUT = Policy(lower_fraction=0.001)
WITH = msgspec.structs.replace(
    WITHOUT,
    triggers=Triggers(rules=tuple(TriggerRule(name=f"rule {n}", when=when) for n, when in enumerate(CONDITIONS))),
)
MESSAGES = 600
ROUNDS = 6
#: At every message, in turn.
REPEATS = 20
#: What lies between two messages by the broker's clock.
APART_MS = 1_000


@dataclass(frozen=True, slots=True)
class _Cost:
    """Median CPU time of a step at one message, in microseconds, and of what the rules add to it."""

    without_us: float
    added_us: float


async def run(stand: Stand) -> Result:
    """Measure both at every message of a thread; the round in which the machine disturbed least counts."""
    count = make_rules(stand.settings("pure")).count_tokens
    events = _events(count, stand)
    rounds = [_measure(events, count) for _ in range(stand.scaled(ROUNDS, least=3))]
    best = min(rounds, key=lambda cost: cost.without_us)
    ratio = median(cost.added_us / cost.without_us for cost in rounds)
    return Result(
        name=NAME,
        rows=(
            Row(what="ten rules add to a step", value=ratio, unit="ratio", target=at_most(0.05)),
            Row(what="ten rules, facts included", value=best.added_us, unit="us"),
            Row(what="a step without rules", value=best.without_us, unit="us"),
        ),
        parameters=f"{len(events):,} messages of {stand.corpus.name}, the median of messages without a compaction, "
        f"each {REPEATS} times in turn; the median of {len(rounds)} rounds.",
        does_not_show="rules that fire: a compaction costs far more than asking for it.",
    )


def _events(count: CountTokens, stand: Stand) -> list[CountedEvent]:
    messages = long_thread(stand.corpus.conversations, stand.scaled(MESSAGES, least=200))
    published = itertools.islice(publish_as("thread", None, messages), len(messages))
    events = [decode_event(one.as_input(offset), value_bytes_max=1 << 30) for offset, one in enumerate(published)]
    return [
        CountedEvent(
            event=event,
            offset=offset,
            tokens=count(event.message, None),
            window_tokens=None,
            logged_at_ms=(offset + 1) * APART_MS,
        )
        for offset, event in enumerate(events)
    ]


def _measure(events: Sequence[CountedEvent], count: CountTokens) -> _Cost:
    without, with_rules = Engine(WITHOUT, count), Engine(WITH, count)
    view = ThreadView()
    costs = []
    gc.collect()
    gc.freeze()
    for event in events:
        said = step(view, event, with_rules)
        if len(said) > 1:  # a compaction, or the first message
            _apply(view, said)
            continue
        plain_us, ruled_us = _in_turn(
            lambda event=event: step(view, event, without),  # type: ignore[misc]
            lambda event=event: step(view, event, with_rules),  # type: ignore[misc]
        )
        _apply(view, said)
        costs.append((plain_us, ruled_us - plain_us))
    gc.unfreeze()
    return _Cost(*(median(us) for us in zip(*costs, strict=True)))


def _apply(view: ThreadView, said: Sequence[Emission]) -> None:
    for emission in said:
        if isinstance(emission, ContextChange):
            view.apply(emission)


def _in_turn(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Median time of each, in microseconds."""
    times_ns: tuple[list[int], list[int]] = ([], [])
    for _ in range(REPEATS):
        for act, spent_ns in zip((one, other), times_ns, strict=True):
            begin_ns = time.perf_counter_ns()
            act()
            spent_ns.append(time.perf_counter_ns() - begin_ns)
    return median(times_ns[0]) / 1e3, median(times_ns[1]) / 1e3
