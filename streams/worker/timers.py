"""The timers of the threads that a worker owns: when the next one is due, and the ticks that say so on the log.

A timer is no state of its own; it follows from what a thread remembers (`agents/triggers/temporal.py`). Here is only
when to look at which thread again: a heap with at least one moment for each thread that has a timer, never later than
the timer itself. A moment that has come is looked at again, because the thread may have moved on since; so a message
costs nothing here unless it brings a timer forward. A tick counts only if the thread agrees when it meets it: one that
was lost is sent again, one that comes twice has no effect.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final

from tailrace.agents.conditions.facts import CHUNK_CLOSED, COMPACTION_COMPLETED
from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.temporal import Timer, next_timer
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.ingest import ID_CHARACTERS_MAX
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.context import id_hash
from tailrace.schemas.records.kafka_records import InputRecord, OutputRecord, signal_record
from tailrace.schemas.records.signal import Tick

#: A tick that the thread has not met by then is sent again: it may be lost, or behind a backlog.
RETRY_MS: Final = 10_000
#: Ticks of a worker that may be on the log and not met yet. Each costs as much as a message: more would only wait
#: there.
UNMET_MAX: Final = 1_000
#: Ticks that are sent at once: messages wait while they are.
TICKS_MAX: Final = 200
#: How long nobody looks at most, and at least: a timer may become due sooner than the next one that is known.
WAIT_SECONDS_MAX: Final = 1.0
WAIT_SECONDS_MIN: Final = 0.01

#: A partition and a thread of it.
_Place = tuple[int, str]


class TimerWatch:
    """When to look at which thread. Implements the committer's observer, to learn which threads were touched."""

    def __init__(self, triggers: Triggers, now_ms: Callable[[], int]) -> None:
        """Own nothing yet. `now_ms` is the broker's clock."""
        self._triggers = triggers
        #: Whether a message can bring a timer. Signals always can: that of a call under way.
        self._by_message = triggers.timers.any or any(map(triggers.names, (CHUNK_CLOSED, COMPACTION_COMPLETED)))
        self._now_ms = now_ms
        self._views: Mapping[int, PartitionView] = {}
        self._heap: list[tuple[int, int, str]] = []
        #: The moment in the heap that counts for a thread; its other ones are stale.
        self._looked_at_ms: dict[_Place, int] = {}
        #: Ticks that were sent and not met, and in which order they will be given up.
        self._unmet: dict[_Place, Timer] = {}
        self._given_up: deque[tuple[int, _Place, Timer]] = deque()
        self._touched: set[tuple[int, bytes]] = set()

    @property
    def pending(self) -> int:
        """How many threads have a timer, as far as is known."""
        return len(self._looked_at_ms)

    @property
    def next_ms(self) -> int | None:
        """When to look at a thread next; None where none has a timer."""
        return self._heap[0][0] if self._heap else None

    @property
    def wait_seconds(self) -> float:
        """How long nothing will be due."""
        next_ms = self.next_ms
        if next_ms is None or len(self._unmet) >= UNMET_MAX:
            return WAIT_SECONDS_MAX
        return min(WAIT_SECONDS_MAX, max(WAIT_SECONDS_MIN, (next_ms - self._now_ms()) / 1000))

    def own(self, views: Mapping[int, PartitionView]) -> None:
        """Watch over the threads of these partitions, and of no others.

        Those that were ours before are not looked at again.
        """
        kept = {partition for partition, view in views.items() if self._views.get(partition) is view}
        self._views = dict(views)
        self._touched.clear()
        self._looked_at_ms = {place: at_ms for place, at_ms in self._looked_at_ms.items() if place[0] in kept}
        self._unmet = {place: timer for place, timer in self._unmet.items() if place[0] in kept}
        for partition, view in views.items():
            if partition not in kept:
                for thread, thread_view in view.threads.items():
                    timer = next_timer(thread_view, self._triggers)
                    if timer is not None:
                        self._looked_at_ms[partition, thread] = timer.due_ms
        self._heap = [(at_ms, *place) for place, at_ms in self._looked_at_ms.items()]
        heapify(self._heap)

    def processed(self, record: InputRecord, outcome: RecordOutcome) -> None:
        """Note that a thread was touched."""
        if record.key is not None and (outcome.signal is not None or self._by_message):
            self._touched.add((record.partition, record.key))

    def delivered(self, _records: Sequence[InputRecord]) -> None:
        """Look at the threads that a batch has touched, each once."""
        for partition, key in self._touched:
            self._look((partition, key.decode(errors="replace")))
        self._touched.clear()

    def ticks(self) -> list[tuple[int, OutputRecord]]:
        """Ticks to send now, each with its partition; none while too many are not met yet."""
        now_ms = self._now_ms()
        self._give_up(now_ms)
        due: list[tuple[int, OutputRecord]] = []
        while self._heap and self._heap[0][0] <= now_ms and len(due) < TICKS_MAX and len(self._unmet) < UNMET_MAX:
            at_ms, partition, thread = heappop(self._heap)
            place = partition, thread
            if self._looked_at_ms.get(place) != at_ms:
                continue
            view = self._view(place)
            timer = next_timer(view, self._triggers) if view is not None else None
            if view is None or view.head is None or timer is None:
                self._forget(place)
            elif timer.due_ms > now_ms:
                self._look_at(place, timer.due_ms)
            else:
                due.append((partition, _tick(thread, view.head.tenant, timer)))
                self._unmet[place] = timer
                self._given_up.append((now_ms + RETRY_MS, place, timer))
                self._look_at(place, now_ms + RETRY_MS)
        return due

    def _look(self, place: _Place) -> None:
        view = self._view(place)
        timer = next_timer(view, self._triggers) if view is not None else None
        if timer is None:
            self._forget(place)
            return
        if self._unmet.get(place) == timer:
            return  # its tick is on its way
        self._unmet.pop(place, None)
        known_ms = self._looked_at_ms.get(place)
        if known_ms is None or timer.due_ms < known_ms:
            self._look_at(place, timer.due_ms)

    def _view(self, place: _Place) -> ThreadView | None:
        partition = self._views.get(place[0])
        return partition.threads.get(place[1]) if partition is not None else None

    def _look_at(self, place: _Place, at_ms: int) -> None:
        self._looked_at_ms[place] = at_ms
        heappush(self._heap, (at_ms, *place))

    def _forget(self, place: _Place) -> None:
        self._looked_at_ms.pop(place, None)
        self._unmet.pop(place, None)

    def _give_up(self, now_ms: int) -> None:
        """Stop waiting for ticks that should have been met by now."""
        while self._given_up and self._given_up[0][0] <= now_ms:
            _, place, timer = self._given_up.popleft()
            if self._unmet.get(place) == timer:
                del self._unmet[place]


def _tick(thread: str, tenant: str, timer: Timer) -> OutputRecord:
    """Record of a tick. Its id is the same whoever sends it."""
    tick_id = f"tick:{timer.name}:{timer.due_ms}"
    if len(tick_id) > ID_CHARACTERS_MAX or not tick_id.isprintable():
        tick_id = f"tick:{id_hash(timer.name)}:{timer.due_ms}"  # named after a tool call with an id of a producer's own
    tick = Tick(timer=timer.name, due_ms=timer.due_ms)
    return signal_record(tick, thread=thread, tenant=tenant, signal_id=tick_id)
