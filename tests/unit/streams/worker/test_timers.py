"""When a worker looks at which thread, and which ticks it sends."""

import json

import pytest

from tailrace.agents.engine.engine import Engine
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers.temporal import next_timer
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Timers as TimerPolicy
from tailrace.schemas.policy.triggers import Triggers
from tailrace.schemas.records.kafka_records import SIGNAL_TYPE, InputRecord, OutputRecord
from tailrace.streams.worker.timers import (
    RETRY_MS,
    TICKS_MAX,
    UNMET_MAX,
    WAIT_SECONDS_MAX,
    WAIT_SECONDS_MIN,
    TimerWatch,
)

IDLE_MS = 60_000
BEGIN_MS = 1_000_000


class World:
    """One partition, its worker's timers, and a clock that a test moves."""

    def __init__(self, timers: TimerPolicy = TimerPolicy(idle_ms=IDLE_MS)) -> None:  # noqa: B008  frozen
        self.now_ms = BEGIN_MS
        self.policy = Policy(triggers=Triggers(timers=timers))
        self.engine = Engine(self.policy, lambda _message, _model: 10, lambda _model: 8_000)
        self.view = PartitionView()
        self.timers = TimerWatch(self.policy.triggers, lambda: self.now_ms)
        self.timers.own({0: self.view})
        self.offset = 0

    def take(self, key: str, value: bytes | None, headers: tuple[tuple[str, bytes | None], ...] = ()) -> RecordOutcome:
        """Let the worker process a record."""
        record = InputRecord(
            topic="c",
            partition=0,
            offset=self.offset,
            timestamp_ms=self.now_ms,
            key=key.encode(),
            value=value,
            headers=headers,
        )
        self.offset += 1
        outcome = process(self.view, record, self.engine)
        self.timers.processed(record, outcome)
        self.timers.delivered([])
        return outcome

    def say(self, thread: str, message: dict[str, object] | None = None) -> None:
        self.take(thread, json.dumps(message or {"role": "user", "content": "hi"}).encode())

    def signal(self, thread: str, **fields: object) -> RecordOutcome:
        headers = (("ce_type", SIGNAL_TYPE.encode()), ("ce_id", f"s{self.offset}".encode()))
        return self.take(thread, json.dumps(fields).encode(), headers)

    def meet(self, tick: OutputRecord) -> RecordOutcome:
        assert tick.key is not None
        return self.take(tick.key.decode(), tick.value, tick.headers)

    def ticks(self) -> list[OutputRecord]:
        return [record for _, record in self.timers.ticks()]


def tick_of(record: OutputRecord) -> dict[str, object]:
    fields: dict[str, object] = json.loads(record.value or b"")
    return fields


def test_a_tick_is_sent_when_its_timer_is_due_and_not_before() -> None:
    world = World()
    world.say("t")
    assert world.timers.pending == 1
    world.now_ms += IDLE_MS - 1
    assert world.ticks() == []
    world.now_ms += 1
    (tick,) = world.ticks()
    due_ms = BEGIN_MS + IDLE_MS
    assert tick_of(tick) == {"kind": "tick", "tenant": "default", "timer": "idle", "due_ms": due_ms}
    assert (dict(tick.headers)["ce_id"], tick.key) == (f"tick:idle:{due_ms}".encode(), b"t")
    assert world.meet(tick).result == "noted"
    world.now_ms += 10 * RETRY_MS
    assert world.ticks() == []
    assert world.timers.pending == 0


def test_what_is_said_puts_a_timer_off_without_growing_the_heap() -> None:
    world = World()
    for _ in range(50):
        world.say("t")
        world.now_ms += 1_000
    assert len(world.timers._heap) == 1
    world.now_ms = BEGIN_MS + IDLE_MS
    assert world.ticks() == []
    world.now_ms = BEGIN_MS + 49_000 + IDLE_MS
    assert [tick_of(tick)["due_ms"] for tick in world.ticks()] == [world.now_ms]


def test_a_timer_that_comes_earlier_is_seen_at_once() -> None:
    world = World(TimerPolicy(idle_ms=IDLE_MS, call_deadline_ms=5_000))
    world.say("t")
    function = {"name": "look", "arguments": "{}"}
    world.say("t", {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]})
    world.now_ms += 5_000
    (tick,) = world.ticks()
    assert tick_of(tick)["timer"] == "tool call c1"
    world.meet(tick)
    world.now_ms = BEGIN_MS + IDLE_MS
    assert [tick_of(tick)["timer"] for tick in world.ticks()] == ["idle"]


def test_a_tick_that_is_not_met_is_sent_again_after_a_while_and_not_before() -> None:
    world = World()
    world.say("t")
    world.now_ms += IDLE_MS
    first = world.ticks()
    assert world.ticks() == []
    # Something that changes nothing for the timer doesn't bring a second tick either.
    assert world.signal("t", kind="announce", tokens="many").result == "refused"
    world.now_ms += RETRY_MS - 1
    assert world.ticks() == []
    world.now_ms += 1
    assert world.ticks() == first
    assert world.meet(first[0]).result == "noted"
    assert world.meet(first[0]).result == "overtaken"


def test_only_signals_are_looked_at_where_the_policy_has_no_timers() -> None:
    world = World(TimerPolicy())
    world.say("t")
    assert not world.timers._touched
    assert world.timers.pending == 0
    assert world.timers.wait_seconds == WAIT_SECONDS_MAX
    world.signal("t", kind="call_started", call="c1", timeout_ms=7_000)
    assert world.timers.pending == 1
    world.now_ms += 7_000
    (tick,) = world.ticks()
    assert tick_of(tick)["timer"] == "call in flight"
    assert world.meet(tick).result == "noted"
    assert world.view.threads["t"].standing.in_flight is None
    assert world.timers.pending == 0


def test_a_call_that_has_ended_needs_no_tick() -> None:
    world = World(TimerPolicy())
    world.say("t")
    world.signal("t", kind="call_started", call="c1", timeout_ms=7_000)
    world.say("t", {"role": "assistant", "content": "done"})
    world.now_ms += 7_000
    assert world.ticks() == []
    assert world.timers.pending == 0


def test_timers_follow_their_partition() -> None:
    world = World()
    world.say("t")
    world.timers.own({})
    world.now_ms += IDLE_MS
    assert (world.ticks(), world.timers.pending) == ([], 0)
    successor = TimerWatch(world.policy.triggers, lambda: world.now_ms)
    successor.own({0: world.view, 1: PartitionView()})
    assert [partition for partition, _ in successor.ticks()] == [0]
    # The same view again: what is on its way stays so.
    successor.own({0: world.view})
    assert successor.ticks() == []


def test_ticks_come_in_portions_and_wait_for_those_that_are_on_their_way() -> None:
    world = World()
    threads = [f"t{number}" for number in range(UNMET_MAX + 2 * TICKS_MAX)]
    for thread in threads:
        world.say(thread)
    world.now_ms += IDLE_MS
    sent = []
    while portion := world.ticks():
        assert len(portion) <= TICKS_MAX
        sent += portion
    assert len(sent) == UNMET_MAX
    assert world.timers.wait_seconds == WAIT_SECONDS_MAX
    for tick in sent[:10]:
        world.meet(tick)
    assert len(world.ticks()) == 10
    world.now_ms += RETRY_MS
    again = []
    while portion := world.ticks():
        again += portion
    assert len(again) == UNMET_MAX


@pytest.mark.parametrize("call_id", ["x" * 300, "line\nbreak"])
def test_a_call_with_an_odd_id_has_a_tick_that_can_be_read(call_id: str) -> None:
    world = World(TimerPolicy(call_deadline_ms=5_000))
    world.say("t")
    function = {"name": "look", "arguments": "{}"}
    world.say("t", {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function", "function": function}]})
    world.now_ms += 5_000
    (tick,) = world.ticks()
    assert world.meet(tick).result == "noted"
    assert not world.view.threads["t"].open_calls
    assert next_timer(world.view.threads["t"], world.policy.triggers) is None


def test_it_sleeps_until_the_next_timer_but_never_long_and_never_not_at_all() -> None:
    world = World()
    assert world.timers.wait_seconds == WAIT_SECONDS_MAX
    world.say("t")
    assert world.timers.wait_seconds == WAIT_SECONDS_MAX
    world.now_ms += IDLE_MS - 500
    assert world.timers.wait_seconds == 0.5
    world.now_ms += IDLE_MS
    assert world.timers.wait_seconds == WAIT_SECONDS_MIN
