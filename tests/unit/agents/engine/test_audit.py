"""The audit trail.

Every check tells how it began, what was proposed, what came of it, and what fired with its values.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.conversations import Published, rules
from support.signal_moves import raw_signal, signal, tick

from tailrace.agents.engine import arrival, compaction, dead_calls, partition, rehydration
from tailrace.agents.engine.partition import RecordOutcome, process
from tailrace.agents.engine.partition_view import PartitionView
from tailrace.agents.triggers import budget, reactive, structural, temporal
from tailrace.agents.triggers.temporal import next_timer
from tailrace.agents.view.thread_view import ThreadView
from tailrace.schemas.policy.policy import Policy
from tailrace.schemas.policy.triggers import Timers, TriggerRule, Triggers
from tailrace.schemas.records.compaction import CompactionRecord, Trigger
from tailrace.schemas.records.kafka_records import InputRecord, Topic, encode
from tailrace.schemas.records.lifecycle import LifecycleEvent, LifecycleKind
from tailrace.schemas.records.signal import Announce, AnySignal, CallStarted, Compact, Overflow
from tailrace.schemas.records.stream_agent import StreamAgent

KIND = LifecycleKind
RULE = TriggerRule(name="after three turns", when='event == "turn_closed" and turns_since_compaction >= 3')


def policy(**fields: Any) -> Policy:
    bare = {"output_reserve_tokens": 0, "safety_tokens": 0, "rehydration_reserve_tokens": 0, "scope": "total"}
    return Policy(**{**bare, "default_window_tokens": 1_000, **fields})


class Thread:
    """A thread that is told things, a second after each other."""

    def __init__(self, **fields: Any) -> None:
        self.rules = rules(policy(**fields))
        self.partition = PartitionView()
        self.offset = -1
        self.now_ms = 1_700_000_000_000

    def take(self, published: Published, after_ms: int = 1_000) -> RecordOutcome:
        self.offset += 1
        self.now_ms += after_ms
        record = published.at(self.offset)
        fields = {name: getattr(record, name) for name in record.__struct_fields__}
        return process(self.partition, InputRecord(**{**fields, "timestamp_ms": self.now_ms}), self.rules)

    def say(self, words: int, role: str = "user", **fields: Any) -> RecordOutcome:
        message = {"role": role, "content": " ".join(["word"] * words), **fields}
        value = {"id": f"m{self.offset + 1}", "native": message, "format": "openai.chat"}
        return self.take(Published(b"t", json.dumps(value).encode()))

    def tell(self, what: AnySignal, tenant: str = "default") -> RecordOutcome:
        return self.take(signal(what, f"s{self.offset + 1}", "t", tenant))

    def fill(self) -> RecordOutcome:
        """Talk until it is compacted."""
        for number in range(40):
            outcome = self.say(60, ("user", "assistant")[number % 2])
            if KIND.COMPLETED in kinds(outcome):
                return outcome
        raise AssertionError("it was never compacted")

    @property
    def view(self) -> ThreadView:
        return self.partition.threads["t"]


def trail(outcome: RecordOutcome) -> list[LifecycleEvent]:
    return [one for one in outcome.emissions if isinstance(one, LifecycleEvent)]


def kinds(outcome: RecordOutcome) -> list[LifecycleKind]:
    return [one.kind for one in trail(outcome)]


def only(outcome: RecordOutcome, kind: LifecycleKind) -> LifecycleEvent:
    (found,) = [one for one in trail(outcome) if one.kind is kind]
    return found


def record_of(outcome: RecordOutcome) -> CompactionRecord:
    (found,) = [one for one in outcome.emissions if isinstance(one, CompactionRecord)]
    return found


def test_a_compaction_tells_its_whole_story_in_order() -> None:
    thread = Thread()
    outcome = thread.fill()
    events, record = trail(outcome), record_of(outcome)

    assert kinds(outcome)[:2] == [KIND.CHECK_STARTED, KIND.PROPOSAL_GENERATED]
    assert kinds(outcome)[-1] is KIND.COMPLETED
    assert set(kinds(outcome)[2:-1]) <= {KIND.EXTERNALIZED, KIND.SUMMARIZED, KIND.CLEARED, KIND.DROPPED}
    assert len(events) > 3
    assert len({event.id for event in events}) == len(events)
    for event in events:
        assert (event.thread, event.tenant, event.event_id, event.offset) == (
            "t",
            "default",
            f"m{thread.offset}",
            thread.offset,
        )
        assert (event.trigger, event.rule) == (Trigger.BUDGET, "upper mark")
        assert f"total {record.before_tokens:,} > upper" in (event.condition or "")
        assert (event.before_tokens, event.limit_tokens) == (record.before_tokens, record.limit_tokens)
        assert event.policy_version == record.policy_version == thread.rules.policy.hash
        assert event.at_ms == record.at_ms == thread.now_ms
    assert events[0].after_tokens == record.before_tokens
    assert events[-1].after_tokens == record.after_tokens
    assert events[-1].compaction_id == record.id


def test_a_proposal_says_which_step_frees_how_much() -> None:
    outcome = Thread().fill()
    proposal, record = only(outcome, KIND.PROPOSAL_GENERATED), record_of(outcome)
    asked = {(one.strategy, one.action) for one in record.decisions}

    assert {(one.strategy, one.action) for one in proposal.proposals} == asked
    assert sum(one.messages for one in proposal.proposals) == sum(len(one.span.ids) for one in record.decisions)
    assert sum(one.freed_tokens for one in proposal.proposals) == record.before_tokens - record.after_tokens
    assert proposal.after_tokens == record.after_tokens
    # Who adds up what happened to messages counts each of them once.
    assert proposal.message_ids == ()


def test_a_check_that_comes_to_nothing_says_what_was_given_up_and_why() -> None:
    # All of it is needed, or would free too little.
    thread = Thread(progress_fraction=0.9)
    outcomes = [thread.say(60, role) for role in ("user", "assistant") * 8]
    (outcome,) = [one for one in outcomes if KIND.NOOP in kinds(one)][:1]
    proposal, noop = only(outcome, KIND.PROPOSAL_GENERATED), only(outcome, KIND.NOOP)

    assert kinds(outcome) == [KIND.CHECK_STARTED, KIND.PROPOSAL_GENERATED, KIND.NOOP]
    assert noop.after_tokens == noop.before_tokens
    assert "could be freed" in (noop.reason or "")
    freed_tokens = sum(one.freed_tokens for one in proposal.proposals)
    assert proposal.after_tokens == proposal.before_tokens - freed_tokens < proposal.before_tokens
    assert f"only {freed_tokens} of {noop.before_tokens} tokens" in (noop.reason or "")


def test_a_policy_that_asks_for_approval_says_what_fired() -> None:
    thread = Thread(strategy="checkpoint")
    outcomes = [thread.say(60, role) for role in ("user", "assistant") * 6]
    (outcome,) = [one for one in outcomes if KIND.FLAGGED in kinds(one)][:1]

    assert kinds(outcome) == [KIND.CHECK_STARTED, KIND.FLAGGED]
    assert only(outcome, KIND.FLAGGED).rule == "upper mark"


def test_a_command_without_anything_to_do_is_a_check_too() -> None:
    thread = Thread()
    thread.say(5)
    outcome = thread.tell(Compact(reason="tidy up"))

    assert kinds(outcome) == [KIND.CHECK_STARTED, KIND.NOOP]
    assert {(one.trigger, one.rule, one.condition, one.at_ms) for one in trail(outcome)} == {
        (Trigger.MANUAL, "invoked", "tidy up", thread.now_ms)
    }


def test_a_command_that_waits_for_a_call_says_so() -> None:
    thread = Thread()
    thread.say(5)
    thread.tell(CallStarted(call="c1"))
    flagged = only(thread.tell(Compact(reason="tidy up")), KIND.FLAGGED)

    assert (flagged.trigger, flagged.rule, flagged.condition) == (Trigger.MANUAL, "invoked", "tidy up")
    assert "under way" in (flagged.reason or "")


def test_a_tool_call_that_is_given_up_is_told_as_its_timer() -> None:
    thread = Thread(triggers=Triggers(timers=Timers(call_deadline_ms=30_000)))
    thread.say(5)
    calls = [{"id": "k1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    thread.say(0, "assistant", content=None, tool_calls=calls)
    timer = next_timer(thread.view, thread.rules.policy.triggers)
    assert timer is not None
    flagged = only(thread.take(tick(timer, "t"), after_ms=40_000), KIND.FLAGGED)

    assert (flagged.trigger, flagged.rule) == (Trigger.TEMPORAL, "tool call k1")
    assert flagged.condition == "tool call k1 was due at 2023-11-14 22:13:52Z"
    assert "not answered within 30000 ms" in (flagged.reason or "")


def test_a_timer_of_no_year_that_a_calendar_knows_is_still_told() -> None:
    assert temporal.Timer("idle", 10**18).shown == f"idle was due at {10**18} ms"


@pytest.mark.parametrize("tenant", ["default", "another"])
def test_a_refusal_tells_the_numbers_of_a_thread_to_its_own_tenant_only(tenant: str) -> None:
    thread = Thread()
    thread.say(5)
    thread.tell(Overflow())
    line = only(thread.tell(Overflow(), tenant), KIND.REFUSED)

    assert (line.tenant, line.trigger, line.rule, line.at_ms) == (tenant, Trigger.REACTIVE, "overflow", thread.now_ms)
    assert bool(line.before_tokens and line.limit_tokens) is (tenant == "default")
    assert line.before_tokens == line.after_tokens


def test_the_same_signal_refused_twice_has_two_lines() -> None:
    thread = Thread()
    thread.say(5)
    nonsense = [only(thread.take(raw_signal({"kind": "explode"}, "x", "t")), KIND.REFUSED) for _ in range(2)]

    assert len({line.id for line in nonsense}) == 2
    assert all("explode" in (line.reason or "") for line in nonsense)


def topics(outcome: RecordOutcome) -> set[Topic]:
    return {encode(one, 1).topic for one in outcome.written}


def by_budget() -> RecordOutcome:
    return Thread().fill()


def by_rule() -> RecordOutcome:
    thread = Thread(triggers=Triggers(rules=(RULE,)), lower_fraction=0.1)
    outcomes = [thread.say(40, role) for role in ("user", "assistant") * 6]
    return next(one for one in outcomes if KIND.COMPLETED in kinds(one))


def by_refusal() -> RecordOutcome:
    thread = Thread()
    for role in ("user", "assistant") * 5:
        thread.say(40, role)
    return thread.tell(Overflow(window_tokens=300))


def by_timer() -> RecordOutcome:
    thread = Thread(triggers=Triggers(timers=Timers(idle_ms=1_000)), lower_fraction=0.1)
    for role in ("user", "assistant") * 6:
        thread.say(40, role)
    timer = next_timer(thread.view, thread.rules.policy.triggers)
    assert timer is not None
    return thread.take(tick(timer, "t"), after_ms=2_000)


def by_announcement() -> RecordOutcome:
    thread = Thread()
    for role in ("user", "assistant") * 5:
        thread.say(40, role)
    return thread.tell(Announce(tokens=700))


@pytest.mark.parametrize(
    ("happen", "trigger", "agent"),
    [
        (by_budget, Trigger.BUDGET, budget.AGENT),
        (by_announcement, Trigger.BUDGET, budget.AGENT),
        (by_rule, Trigger.STRUCTURAL, structural.AGENT),
        (by_refusal, Trigger.REACTIVE, reactive.AGENT),
        (by_timer, Trigger.TEMPORAL, temporal.AGENT),
    ],
    ids=["budget", "announced", "structural", "reactive", "temporal"],
)
def test_a_trigger_writes_the_topics_that_it_names(
    happen: Callable[[], RecordOutcome], trigger: Trigger, agent: StreamAgent
) -> None:
    outcome = happen()

    assert only(outcome, KIND.COMPLETED).trigger is trigger
    # Ticks are put on the log by the worker that owns the thread.
    assert topics(outcome) == set(agent.writes) - {Topic.CONVERSATIONS}
    assert topics(outcome) == set(compaction.AGENT.writes)


def test_what_is_no_trigger_writes_the_topics_that_it_names() -> None:
    thread = Thread(triggers=Triggers(timers=Timers(call_deadline_ms=1_000)))
    seen = topics(thread.say(5)) | topics(thread.take(Published(b"t", b"no JSON")))
    seen |= topics(thread.tell(Compact(), "another"))
    assert seen == set(partition.AGENT.writes)
    calls = [{"id": "k1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    thread.say(0, "assistant", content=None, tool_calls=calls)
    timer = next_timer(thread.view, thread.rules.policy.triggers)
    assert timer is not None
    assert topics(thread.take(tick(timer, "t"), after_ms=2_000)) == set(dead_calls.AGENT.writes)
    # Both are about artifacts, which only a shell can look up: their own tests run them.
    assert set(arrival.AGENT.writes) >= {Topic.DISTILLATIONS, Topic.CONTEXTS}
    assert set(rehydration.AGENT.writes) == {Topic.LIFECYCLE, Topic.CONTEXTS}
