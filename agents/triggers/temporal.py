"""Temporal trigger: the timers of a thread.

They are no state of their own: each follows from what the thread remembers.

Reads conversations; writes contexts, compactions and lifecycle, and, through its worker, ticks to conversations.
Whoever owns the thread looks when its next timer is due and puts a tick on the log. The tick counts only if the thread,
when it meets it, has a timer of that name for that very moment: so it doesn't matter who sends it, how often, or what
was said in between.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tailrace.agents.conditions.facts import CHUNK_CLOSED
from tailrace.agents.triggers.cron import is_in_calendar, next_fire_ms
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.triggers import Timers, Triggers
from tailrace.schemas.records.context import Standing
from tailrace.schemas.records.kafka_records import Topic
from tailrace.schemas.records.stream_agent import StreamAgent

AGENT: Final = StreamAgent(
    name="Temporal trigger",
    does="a timer of the thread is due: put a tick on the log; on a tick, compact or close a chunk",
    reads=(Topic.CONVERSATIONS,),
    writes=(Topic.CONVERSATIONS, Topic.COMPACTIONS, Topic.LIFECYCLE, Topic.CONTEXTS),
)

IDLE, EVERY, CRON, CACHE, FLIGHT = "idle", "every", "cron", "cache", "call in flight"
#: Closes what is in no chunk yet, and compacts nothing.
CHUNK = "chunk"
#: Before the id of a tool call that nobody answers.
CALL = "tool call "
#: Rules are asked about what a step has brought about behind it: a step changes the context in one stroke, so it can't
#: compact twice, and the mark behind a chunk may be there before what closed it is covered.
AFTER_COMPACTION = "after compaction"
#: Before the group that the next chunk begins with.
AFTER_CHUNK = "after chunk "
_DIGITS_MAX = 18
_NAMES = frozenset({IDLE, EVERY, CRON, CACHE, FLIGHT, CHUNK, AFTER_COMPACTION})


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


def next_timer(view: ThreadView, triggers: Triggers) -> Timer | None:
    """The timer of a thread that is due first; None where it has none."""
    return min(timers_of(view, triggers), key=lambda timer: (timer.due_ms, timer.name), default=None)


def has_timer(view: ThreadView, triggers: Triggers, timer: Timer) -> bool:
    """Tell whether a thread has this very timer."""
    if timer in timers_of(view, triggers):
        return True
    # More chunks may have closed since, even at this very tick, marked by a worker that died before it was covered.
    group, standing = group_behind(timer), view.standing
    if group is None or standing.in_flight is not None or not triggers.names(CHUNK_CLOSED):
        return False
    return standing.asked_group < group <= view.chunk_group and timer.due_ms == standing.began_at_ms


def is_known(name: str) -> bool:
    """Tell whether a thread can have a timer of this name."""
    return name in _NAMES or name.startswith((CALL, AFTER_CHUNK))


def timers_of(view: ThreadView, triggers: Triggers) -> Iterator[Timer]:
    """Yield the timers of a thread."""
    timers, standing = triggers.timers, view.standing
    if standing.in_flight is not None:
        yield Timer(FLIGHT, standing.in_flight.until_ms)
    else:
        yield from _afterwards(view, triggers)
    if view.head is None or not timers.any or not standing.said_at_ms:
        return
    fired = standing.fired
    # Whether anything is in no chunk yet doesn't count: the mark behind a chunk may be there before its tick is
    # covered.
    for name, silence_ms in ((IDLE, timers.idle_ms), (CHUNK, timers.chunk_ms)):
        if silence_ms is not None and fired.get(name) != (due_ms := standing.said_at_ms + silence_ms):
            yield Timer(name, due_ms)
    if timers.every_ms is not None and standing.said_at_ms > fired.get(EVERY, 0):
        yield Timer(EVERY, (fired.get(EVERY) or standing.began_at_ms) + timers.every_ms)
    yield from _by_calendar(timers, standing)
    if timers.before_cache_expiry_ms is not None and standing.called_at_ms:
        due_ms = standing.called_at_ms + timers.cache_ttl_ms - timers.before_cache_expiry_ms
        if fired.get(CACHE) != due_ms:
            yield Timer(CACHE, due_ms)
    if timers.call_deadline_ms is not None:
        yield from _deadlines(view, timers.call_deadline_ms)


def _by_calendar(timers: Timers, standing: Standing) -> Iterator[Timer]:
    if timers.cron is None or standing.said_at_ms <= standing.fired.get(CRON, 0):
        return
    after_ms = standing.fired.get(CRON) or standing.began_at_ms
    if is_in_calendar(after_ms):
        yield Timer(CRON, next_fire_ms(timers.cron, after_ms, timers.zone))


def _afterwards(view: ThreadView, triggers: Triggers) -> Iterator[Timer]:
    """Yield what rules are still to be asked about; a call that is under way keeps them from it."""
    standing = view.standing
    if standing.completed_at_ms:
        # Before the cooldown is over nothing could come of it.
        yield Timer(AFTER_COMPACTION, standing.completed_at_ms + triggers.governor.cooldown_ms)
    if view.chunk_group > standing.asked_group and view.head is not None and triggers.names(CHUNK_CLOSED):
        yield Timer(f"{AFTER_CHUNK}{view.chunk_group}", standing.began_at_ms)


def group_behind(timer: Timer) -> int | None:
    """The group behind the chunk that a timer is about; None where it is about something else."""
    name, _, group = timer.name.rpartition(" ")
    # Anybody may send a tick, and Python refuses to read numbers of thousands of digits.
    is_number = group.isascii() and group.isdecimal() and len(group) <= _DIGITS_MAX
    return int(group) if f"{name} " == AFTER_CHUNK and is_number else None


def _deadlines(view: ThreadView, wait_ms: int) -> Iterator[Timer]:
    for call_id, sequences in view.open_calls.items():
        # Of calls with one id the newest is answered first, as by a real result.
        yield Timer(f"{CALL}{call_id}", view.opened_at_ms[call_id, max(sequences)] + wait_ms)


def is_quiet(view: ThreadView, timers: Timers) -> bool:
    """Tell whether the thread has been silent for so long that its open messages are closed as a chunk.

    It has where the timer of chunks went off in this silence.
    """
    standing = view.standing
    return timers.chunk_ms is not None and standing.fired.get(CHUNK) == standing.said_at_ms + timers.chunk_ms


#: What is remembered of a timer that went off: those that repeat go on from when they came, so that none is made up
#: for.
_REPEATING = frozenset({EVERY, CRON})


def fired_with(fired: dict[str, int], timer: Timer, at_ms: int) -> dict[str, int]:
    """What is remembered once a timer went off."""
    return {**fired, timer.name: at_ms if timer.name in _REPEATING else timer.due_ms}
