"""Temporal trigger: the timers of a thread. They are no state of their own: each follows from what the thread remembers.

Reads conversations; writes contexts, compactions and lifecycle, and, through its worker, ticks to conversations. Whoever owns the
thread looks when its next timer is due and puts a tick on the log. The tick counts only if the thread, when it meets it, has a timer of
that name for that very moment: so it doesn't matter who sends it, how often, or what was said in between.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tailrace.agents.cron import next_fire_ms
from tailrace.agents.view import ThreadView
from tailrace.schemas.policy_triggers import Timers
from tailrace.schemas.records import Topic
from tailrace.schemas.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Temporal trigger",
    does="a timer of the thread is due: put a tick on the log; on a tick, compact",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.CONVERSATIONS, Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

IDLE, EVERY, CRON, CACHE, FLIGHT = "idle", "every", "cron", "cache", "call in flight"
#: Before the id of a tool call that nobody answers.
CALL = "tool call "


@dataclass(frozen=True, slots=True)
class Timer:
    """Something that is to happen at a moment."""

    name: str
    due_ms: int

    @property
    def shown(self) -> str:
        """What it is and when it was due, for the audit."""
        try:
            due = datetime.fromtimestamp(self.due_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        except (OverflowError, ValueError, OSError):
            # A broker that takes its producers' clocks may know any year.
            due = f"{self.due_ms} ms"
        return f"{self.name} was due at {due}"


def next_timer(view: ThreadView, timers: Timers) -> Timer | None:
    """The timer of a thread that is due first; None where it has none."""
    return min(timers_of(view, timers), key=lambda timer: (timer.due_ms, timer.name), default=None)


def timers_of(view: ThreadView, timers: Timers) -> Iterator[Timer]:
    """Yield the timers of a thread."""
    standing = view.standing
    if standing.in_flight is not None:
        yield Timer(FLIGHT, standing.in_flight.until_ms)
    if view.head is None or not timers.any or not standing.said_at_ms:
        return
    fired = standing.fired
    if timers.idle_ms is not None and fired.get(IDLE) != (due_ms := standing.said_at_ms + timers.idle_ms):
        yield Timer(IDLE, due_ms)
    if timers.every_ms is not None and standing.said_at_ms > fired.get(EVERY, 0):
        yield Timer(EVERY, (fired.get(EVERY) or standing.began_at_ms) + timers.every_ms)
    if timers.cron is not None and standing.said_at_ms > fired.get(CRON, 0):
        yield Timer(CRON, next_fire_ms(timers.cron, fired.get(CRON) or standing.began_at_ms, timers.zone))
    if timers.before_cache_expiry_ms is not None and standing.called_at_ms:
        due_ms = standing.called_at_ms + timers.cache_ttl_ms - timers.before_cache_expiry_ms
        if fired.get(CACHE) != due_ms:
            yield Timer(CACHE, due_ms)
    if timers.call_deadline_ms is not None:
        for call_id, sequences in view.open_calls.items():
            # Of calls with one id the newest is answered first, as by a real result.
            yield Timer(f"{CALL}{call_id}", view.opened_at_ms[call_id, max(sequences)] + timers.call_deadline_ms)


#: What is remembered of a timer that went off: those that repeat go on from when they came, so that none is made up for.
_REPEATING = frozenset({EVERY, CRON})


def fired_with(fired: dict[str, int], timer: Timer, at_ms: int) -> dict[str, int]:
    """What is remembered once a timer went off."""
    return {**fired, timer.name: at_ms if timer.name in _REPEATING else timer.due_ms}
