"""What ten composed conditions add to an event: all of them asked once, beside one `step` of the same thread in the same state.

Both are repeated at every event, `step` without applying what it says until the last time, so that the clock's own cost does not
count; messages at which something is compacted are left out, because they make `step` dear. None of the conditions holds
anywhere, so that all ten are looked at every time. Facts are read where the thread keeps them; what it does not count itself (times,
tool results) are fields of an object that is told of each event.
"""

import gc
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ops.bench.events import publish_as
from ops.bench.long_thread import long_thread
from ops.bench.report import Result, Row, at_most
from ops.bench.stand import Stand
from tailrace.agents.budget import TokenBudget, budget_for
from tailrace.agents.conditions.check import check
from tailrace.agents.conditions.evaluate import compile_condition, compile_first
from tailrace.agents.conditions.parse import parse
from tailrace.agents.thread import CountedEvent, CountTokens, Engine, step
from tailrace.agents.view import ThreadView
from tailrace.schemas.ingest import decode_event
from tailrace.schemas.policy import Policy
from tailrace.schemas.records import ContextChange
from tailrace.streams.rules import make_rules

NAME = "conditions"
#: Plausible, and true of no thread that the default policy keeps in its budget.
CONDITIONS = (
    "total >= limit and (needs_follow_up or pending_input)",
    "fraction > 0.99 and not cache_hot",
    "idle_ms >= 5m or turns_since_compaction >= 5_000",
    "tool_tokens > 60% of limit and not in_flight",
    "headroom < 0 or announced_tokens > 8k",
    'event == "model_switched" and total > upper',
    "growth > 99% of (limit - prefix_tokens) and turns > 3",
    'model == "small" and total > 24k',
    "messages_since_compaction > 20_000 or tokens_since_compaction > 10_000k",
    "age_ms > 7d and idle_ms > 1h and not pending_input",
)
#: Facts that are fields of what the facts are made from.
PATHS = {
    "total": "view.tokens",
    "limit": "budget.limit_tokens",
    "upper": "budget.upper_tokens",
    "prefix_tokens": "view.system_tokens",
    "tokens_since_compaction": "view.tokens",
    "turns": "view.totals.turns",
    "messages_since_compaction": "view.totals.messages",
    "turns_since_compaction": "view.totals.turns",
    "model": "view.model",
}
MESSAGES = 600
ROUNDS = 4
#: At every message.
STEP_REPEATS = 10
CONDITION_REPEATS = 50


@dataclass(slots=True)
class _LiveFacts:
    """The facts that the conditions ask for: one object for all events, told at each what it is about."""

    view: ThreadView
    budget: TokenBudget
    idle_ms: int = 0
    age_ms: int = 0
    event: str = "message"
    tool_tokens: int = 0
    announced_tokens: int = 0
    cache_hot: bool = False
    in_flight: bool = False
    pending_input: bool = False

    @property
    def needs_follow_up(self) -> bool:
        return bool(self.view.open_calls)


@dataclass(frozen=True, slots=True)
class _Cost:
    """Median CPU time at one message, in microseconds."""

    step_us: float
    together_us: float
    single_us: float


async def run(stand: Stand) -> Result:
    """Measure both at every message of a thread; the best of the rounds counts."""
    count = make_rules(stand.settings("pure")).count_tokens
    policy = Policy()
    events = _events(count, stand)
    rounds = [_measure(events, Engine(policy, count), policy) for _ in range(stand.scaled(ROUNDS, least=2))]
    step_us = min(cost.step_us for cost in rounds)
    together_us, single_us = (min(us) for us in zip(*((c.together_us, c.single_us) for c in rounds), strict=True))
    return Result(
        name=NAME,
        rows=(
            Row(what="ten conditions / a step", value=together_us / step_us, unit="ratio", target=at_most(0.05)),
            Row(what="  asked one by one", value=single_us / step_us, unit="ratio"),
            Row(what="ten conditions, facts included", value=together_us, unit="us"),
            Row(what="a step", value=step_us, unit="us"),
        ),
        parameters=f"{len(events):,} messages of {stand.corpus.name}, the median of messages without a compaction, each "
        f"{STEP_REPEATS} and {CONDITION_REPEATS} times; best of {len(rounds)} rounds.",
        does_not_show="facts that a thread has to compute at length when they are asked for.",
    )


def _events(count: CountTokens, stand: Stand) -> list[CountedEvent]:
    messages = long_thread(stand.corpus.conversations, stand.scaled(MESSAGES, least=200))
    published = itertools.islice(publish_as("thread", None, messages), len(messages))
    events = [decode_event(one.as_input(offset), value_bytes_max=1 << 30) for offset, one in enumerate(published)]
    return [
        CountedEvent(event=event, offset=offset, tokens=count(event.message, None), window_tokens=None)
        for offset, event in enumerate(events)
    ]


def _measure(events: Sequence[CountedEvent], engine: Engine, policy: Policy) -> _Cost:
    conditions = [parse(text) for text in CONDITIONS]
    for condition in conditions:
        check(condition)
    first = compile_first(conditions, PATHS)
    functions = [compile_condition(condition, PATHS) for condition in conditions]
    budget = budget_for(policy, policy.default_window_tokens)
    view = ThreadView()
    live = _LiveFacts(view, budget)
    facts: Any = live  # holds only what these conditions ask for

    def together() -> None:
        live.view, live.budget, live.idle_ms, live.age_ms = view, budget, 0, 60_000
        assert first(facts) is None

    def single() -> None:
        live.view, live.budget, live.idle_ms, live.age_ms = view, budget, 0, 60_000
        for function in functions:
            assert not function(facts)

    costs = []
    gc.collect()
    gc.freeze()
    for event in events:
        epoch = view.epoch
        step_us = _microseconds(lambda event=event: step(view, event, engine), STEP_REPEATS)  # type: ignore[misc]
        for emission in step(view, event, engine):
            if isinstance(emission, ContextChange):
                view.apply(emission)
        if view.epoch == epoch:
            asked_us = (_microseconds(act, CONDITION_REPEATS) for act in (together, single))
            costs.append((step_us, *asked_us))
    gc.unfreeze()
    return _Cost(*(median(us) for us in zip(*costs, strict=True)))


def _microseconds(act: Callable[[], object], repeats: int) -> float:
    begin_ns = time.process_time_ns()
    for _ in range(repeats):
        act()
    return (time.process_time_ns() - begin_ns) / repeats / 1e3
