"""What a step has brought about, a closed chunk or a completed compaction, is an event of its own, behind the step."""

import pytest
from support.live_thread import NAME, LiveThread, compactions, kinds, overtaken, policy_with
from support.signal_moves import tick

from tailrace.agents.engine.partition import RecordOutcome
from tailrace.agents.triggers.temporal import AFTER_CHUNK, AFTER_COMPACTION, FLIGHT, Timer
from tailrace.schemas.policy.tools import Chunks
from tailrace.schemas.policy.triggers import Governor, TriggerRule, Triggers
from tailrace.schemas.records.compaction import CompactionRecord, Trigger
from tailrace.schemas.records.signal import CallEnded, CallStarted, Compact, Tick

ONCE_MORE = TriggerRule(name="once more", when='event == "compaction_completed" and total > 650')


def after_compacting(triggers: Triggers, target_fraction: float = 0.8) -> LiveThread:
    """A thread that somebody has just compacted, to above the lower mark."""
    thread = LiveThread(policy_with(triggers))
    thread.talk(4)
    assert compactions(thread.send(Compact(target_fraction=target_fraction)))
    return thread


def completed(thread: LiveThread) -> RecordOutcome:
    return thread.tick(AFTER_COMPACTION)


def test_a_rule_is_asked_once_a_compaction_is_completed() -> None:
    thread = after_compacting(Triggers(rules=(ONCE_MORE,)), 0.75)
    compacted_at_ms = thread.now_ms
    assert 650 < thread.view.tokens <= 750
    assert thread.timers() == {AFTER_COMPACTION: compacted_at_ms}
    (record,) = compactions(completed(thread))
    assert (record.rule, record.trigger) == ("once more", Trigger.BUDGET)
    assert record.condition is not None
    assert '"compaction_completed"' in record.condition


def test_what_the_end_of_a_compaction_has_fired_does_not_fire_at_its_own_end() -> None:
    always = TriggerRule(name="always", when='event == "compaction_completed" and messages > 0')
    thread = after_compacting(Triggers(rules=(always,)))
    assert compactions(completed(thread))
    assert thread.timers() == {}


def test_a_compaction_is_asked_about_once() -> None:
    thread = after_compacting(Triggers(rules=(ONCE_MORE,)), 0.5)
    timer = Timer(AFTER_COMPACTION, thread.now_ms)
    assert not compactions(completed(thread))
    assert thread.timers() == {}
    assert overtaken(thread.publish(tick(timer, NAME)))


def test_of_two_compactions_in_a_row_the_later_one_is_asked_about() -> None:
    thread = after_compacting(Triggers(rules=(ONCE_MORE,)))
    first = Timer(AFTER_COMPACTION, thread.now_ms)
    thread.send(Compact(target_fraction=0.7))
    assert thread.timers() == {AFTER_COMPACTION: thread.now_ms}
    assert overtaken(thread.publish(tick(first, NAME)))


def test_beside_a_cooldown_a_rule_is_asked_once_that_is_over() -> None:
    thread = after_compacting(Triggers(rules=(ONCE_MORE,), governor=Governor(cooldown_ms=60_000)))
    assert thread.timers() == {AFTER_COMPACTION: thread.now_ms + 60_000}
    assert compactions(completed(thread))


def test_nothing_is_asked_where_no_rule_names_it() -> None:
    thread = after_compacting(Triggers(rules=(TriggerRule(name="a", when="turns > 99"),)))
    assert thread.timers() == {}


def test_a_call_that_begins_right_after_a_compaction_is_waited_for() -> None:
    thread = after_compacting(Triggers(rules=(ONCE_MORE,)))
    timer = Timer(AFTER_COMPACTION, thread.now_ms)
    thread.send(CallStarted(call="c"))
    assert thread.timers().keys() == {FLIGHT}
    assert overtaken(thread.publish(tick(timer, NAME)))
    thread.send(CallEnded(call="c"))
    assert thread.timers() == {AFTER_COMPACTION: timer.due_ms}
    assert compactions(completed(thread))


CHUNKS = Chunks(enabled=True, tokens_min=250, tokens_max=400)


def chunked(when: str = 'event == "chunk_closed"') -> LiveThread:
    """A thread of 800 tokens, below its upper mark, in which chunks have closed."""
    thread = LiveThread(policy_with(Triggers(rules=(TriggerRule(name="chunk", when=when),)), chunks=CHUNKS))
    thread.talk(4)
    assert thread.view.chunk_group
    return thread


def test_a_rule_is_asked_once_a_chunk_is_closed() -> None:
    thread = chunked()
    ((name, due_ms),) = thread.timers().items()
    assert (name, due_ms) == (f"{AFTER_CHUNK}{thread.view.chunk_group}", thread.standing.began_at_ms)
    (record,) = compactions(thread.tick(name))
    assert (record.rule, record.trigger) == ("chunk", Trigger.STRUCTURAL)
    assert overtaken(thread.publish(tick(Timer(name, due_ms), NAME)))


def test_a_chunk_that_closes_before_the_tick_of_another_comes_has_a_tick_of_its_own() -> None:
    thread = chunked('event == "chunk_closed" and turns > 99')
    ((name, due_ms),) = thread.timers().items()
    group = thread.view.chunk_group
    thread.say(10)
    while thread.view.chunk_group == group:
        thread.say(30)
    assert thread.publish(tick(Timer(name, due_ms), NAME)).result == "noted"
    assert thread.standing.asked_group == group
    ((later, _),) = thread.timers().items()
    assert later == f"{AFTER_CHUNK}{thread.view.chunk_group}" != name
    assert not kinds(thread.tick(later))
    assert thread.timers() == {}


@pytest.mark.parametrize("chunk", ["99", "0", "-1", "x", "", pytest.param("9" * 5_000, id="a very long number")])
def test_a_tick_for_a_chunk_that_is_not_closed_is_overtaken(chunk: str) -> None:
    thread = chunked()
    assert overtaken(thread.send(Tick(timer=f"{AFTER_CHUNK}{chunk}", due_ms=thread.standing.began_at_ms)))


def test_without_a_rule_about_it_a_closed_chunk_is_no_event() -> None:
    thread = chunked("turns > 99")
    assert thread.timers() == {}
    due_ms = thread.standing.began_at_ms
    name = f"{AFTER_CHUNK}{thread.view.chunk_group}"
    assert overtaken(thread.publish(tick(Timer(name, due_ms), NAME)))


def test_rules_about_both_come_to_an_end() -> None:
    """Each compaction is asked about once, each chunk too: ticks alone can't go on for ever."""
    rules = tuple(
        TriggerRule(name=event, when=f'event == "{event}" and messages > 0')
        for event in ("chunk_closed", "compaction_completed")
    )
    thread = LiveThread(policy_with(Triggers(rules=rules), chunks=CHUNKS))
    records: list[CompactionRecord] = []
    for _ in range(12):
        records += compactions([thread.say(60), thread.say(60, "assistant")])
        for _ in range(9):
            if not thread.timers():
                break
            records += compactions(thread.tick(next(iter(thread.timers()))))
        assert thread.timers() == {}
    assert {"chunk_closed", "compaction_completed"} & {record.rule for record in records}
