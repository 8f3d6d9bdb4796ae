"""The triggers of a policy in words: what fires when, with its numbers, and how things stand for one thread."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from tailrace.agents.conditions.explain import explain
from tailrace.agents.conditions.parse import parse
from tailrace.agents.tokens.budget import TokenBudget
from tailrace.agents.triggers.facts import ThreadFacts
from tailrace.agents.triggers.fired_trigger import Firing
from tailrace.agents.triggers.governor import waits
from tailrace.agents.triggers.temporal import CALL, CHUNK, CRON, Timer, timers_of
from tailrace.agents.view.trigger_memory import in_flight
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.compaction import Trigger

_UNITS: Final = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000))


class TriggerLine(Struct, frozen=True, kw_only=True):
    """One trigger: its name, what makes it fire, and for a thread how that stands and whether it holds now."""

    trigger: str
    when: str
    now: str | None = None
    holds: bool | None = None


def trigger_lines(triggers: Triggers, budget: TokenBudget, facts: ThreadFacts | None = None) -> list[TriggerLine]:
    """Every trigger that there is, in the order in which they are asked.

    `facts` are of the thread that is asked about.
    """
    return [
        *_marks(budget, facts),
        *_conditions(triggers, facts),
        *_timers(triggers, facts),
        *_always(triggers, facts),
        *_governor(triggers, facts),
    ]


def _marks(budget: TokenBudget, facts: ThreadFacts | None) -> Iterator[TriggerLine]:
    total_tokens = facts.total_tokens + facts.announced_tokens if facts is not None else None
    now = f"total {total_tokens:,}" if total_tokens is not None else None
    for name, mark_tokens, rest in (
        ("limit", budget.limit_tokens, "only a call in flight holds it back"),
        ("upper mark", budget.upper_tokens, f"down to {budget.lower_tokens:,}"),
    ):
        holds = total_tokens > mark_tokens if total_tokens is not None else None
        when = f"total, with what is announced, > {mark_tokens:,} tokens; {rest}"
        yield TriggerLine(trigger=name, when=when, now=now, holds=holds)


def _conditions(triggers: Triggers, facts: ThreadFacts | None) -> Iterator[TriggerLine]:
    for rule in triggers.rules:
        yield _condition(f"rule {rule.name}", rule.when, rule.when, facts)
    if triggers.hold is not None:
        yield _condition("hold", f"{triggers.hold}; then what is not needed to fit waits", triggers.hold, facts)


def _condition(name: str, when: str, text: str, facts: ThreadFacts | None) -> TriggerLine:
    if facts is None:
        return TriggerLine(trigger=name, when=when)
    explained = explain(parse(text), facts)
    return TriggerLine(trigger=name, when=when, now=explained.text, holds=explained.fired)


def _timers(triggers: Triggers, facts: ThreadFacts | None) -> Iterator[TriggerLine]:
    timers = triggers.timers
    worded = {
        "idle": timers.idle_ms and f"nothing was said for {time_text(timers.idle_ms)}",
        "every": timers.every_ms and f"{time_text(timers.every_ms)} after the last time, if something was said since",
        CRON: timers.cron and f"{timers.cron} ({timers.zone}), if something was said since",
        "cache": timers.before_cache_expiry_ms
        and f"{time_text(timers.before_cache_expiry_ms)} before the prompt cache expires, "
        f"{time_text(timers.cache_ttl_ms)} "
        "after the last call",
        CHUNK: timers.chunk_ms and f"nothing was said for {time_text(timers.chunk_ms)}: what is open closes as a chunk",
        CALL.strip(): timers.call_deadline_ms
        and f"no result for {time_text(timers.call_deadline_ms)}: a stand-in takes its place",
    }
    running = [] if facts is None else list(timers_of(facts.view, triggers))
    for name, when in worded.items():
        if when:
            due = min((timer for timer in running if timer.name.startswith(name)), key=_due_ms, default=None)
            now = None if facts is None else _due_text(due, facts.at_ms)
            holds = None if facts is None else due is not None and due.due_ms <= facts.at_ms
            yield TriggerLine(trigger=f"timer {name}", when=when, now=now, holds=holds)


def _due_ms(timer: Timer) -> int:
    return timer.due_ms


def _due_text(timer: Timer | None, at_ms: int) -> str:
    if timer is None:
        return "not running"
    left_ms = timer.due_ms - at_ms
    return f"due in {time_text(left_ms)}" if left_ms > 0 else f"due since {time_text(-left_ms)}"


def _always(triggers: Triggers, facts: ThreadFacts | None) -> Iterator[TriggerLine]:
    longest = time_text(triggers.call_ms_max)
    call = in_flight(facts.standing, facts.at_ms) if facts is not None else None
    yield TriggerLine(
        trigger="call in flight",
        when=f"a runtime says so; all of the others wait, for {longest} at most",
        now=None if facts is None else f"{call.call}" if call is not None else "none",
        holds=None if facts is None else call is not None,
    )
    yield TriggerLine(
        trigger="overflow", when="a provider refused a request: at once, and once until a model speaks again"
    )
    yield TriggerLine(trigger="invoked", when="somebody asks: `tailrace compact THREAD`, Client.compact")


def _governor(triggers: Triggers, facts: ThreadFacts | None) -> Iterator[TriggerLine]:
    governor = triggers.governor
    parts = [f"after {governor.failures_max} tries in vain nothing is tried for {time_text(governor.breaker_ms)}"]
    if governor.cooldown_ms:
        parts.insert(0, f"{time_text(governor.cooldown_ms)} between two compactions")
    reason = None
    if facts is not None:
        reason = waits(governor, facts.standing, Firing(Trigger.BUDGET, "", ""), facts.at_ms)
    yield TriggerLine(
        trigger="governor",
        when=f"{'; '.join(parts)}; but for the limit, overflow and invoked",
        now=None if facts is None else reason or "nothing waits",
        holds=None if facts is None else reason is not None,
    )


def time_text(ms: int) -> str:
    """A time as people say it: the two largest units of it."""
    parts = []
    for unit, unit_ms in _UNITS:
        if ms >= unit_ms:
            parts.append(f"{ms // unit_ms} {unit}")
            ms %= unit_ms
    return " ".join(parts[:2]) if parts else f"{ms} ms"
