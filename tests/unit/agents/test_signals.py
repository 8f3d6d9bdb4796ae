"""What each signal does to a thread, and what is refused."""

import pytest
from live_thread import LiveThread, audit, compactions, kinds, policy_with, reasons, refused
from signal_moves import NONSENSE, signal, tick

from tailrace.agents.standing import SEEN_MAX
from tailrace.agents.triggers.temporal import CACHE, CALL, CRON, EVERY, FLIGHT, IDLE, Timer
from tailrace.schemas.compaction import Trigger
from tailrace.schemas.context import EntryKind, Head
from tailrace.schemas.lifecycle import LifecycleKind
from tailrace.schemas.policy_triggers import Governor, Timers, TriggerRule, Triggers
from tailrace.schemas.signal import (
    Announce,
    AnySignal,
    CallEnded,
    CallStarted,
    Compact,
    Overflow,
    SubagentFinished,
    SwitchModel,
    Tick,
)

EVERY_SIGNAL: tuple[AnySignal, ...] = (
    Compact(),
    Announce(tokens=3),
    CallStarted(call="c"),
    CallEnded(call="c"),
    Overflow(),
    SwitchModel(model="large"),
    SubagentFinished(child="x"),
    Tick(timer=IDLE, due_ms=1),
)


def talked(policy_triggers: Triggers | None = None, *, turns: int = 4, **fields: object) -> LiveThread:
    """A thread of 200 tokens for each turn, within its budget."""
    thread = LiveThread(policy_with(policy_triggers, **fields))
    thread.talk(turns)
    return thread


# Refusals


@pytest.mark.parametrize("what", EVERY_SIGNAL, ids=lambda what: type(what).__name__)
def test_a_signal_for_a_thread_that_nobody_knows_is_refused(what: AnySignal) -> None:
    thread = LiveThread()
    assert "there is no thread" in refused(thread.send(what))
    assert not thread.partition.threads


@pytest.mark.parametrize("what", EVERY_SIGNAL, ids=lambda what: type(what).__name__)
def test_a_signal_of_another_tenant_is_refused(what: AnySignal) -> None:
    thread = talked()
    assert "another tenant" in refused(thread.send(what, tenant="somebody else"))


def test_whoever_may_not_see_a_thread_is_not_told_how_large_it_is() -> None:
    thread = talked()
    (line,) = audit(thread.send(Compact(), tenant="somebody else"))
    assert (line.tenant, line.before_tokens, line.limit_tokens) == ("somebody else", 0, 0)


@pytest.mark.parametrize("data", NONSENSE, ids=str)
def test_what_makes_no_sense_is_refused_with_a_reason(data: object) -> None:
    thread = talked()
    assert refused(thread.send_raw(data))


def test_a_signal_that_comes_twice_counts_once() -> None:
    thread = talked()
    assert thread.send(Announce(tokens=5), "same").result == "noted"
    assert "taken before" in refused(thread.send(Announce(tokens=5), "same"))


def test_a_signal_is_recognised_until_enough_others_came() -> None:
    thread = talked()
    thread.send(SubagentFinished(child="x"), "first")
    for number in range(SEEN_MAX):
        thread.send(SubagentFinished(child="x"), f"other-{number}")
    assert len(thread.standing.seen) == SEEN_MAX
    assert thread.send(SubagentFinished(child="x"), "first").result == "noted"


def test_a_signal_that_is_replayed_changes_nothing() -> None:
    thread = talked()
    published = signal(Compact(), "s", "thread")
    thread.publish(published)
    before = thread.view.copy()
    thread.offset -= 1
    assert thread.publish(published, later_ms=0).result == "covered"
    assert thread.view.live() == before.live()
    assert thread.view.standing == before.standing


def test_a_signal_and_a_message_may_have_the_same_id() -> None:
    thread = talked(turns=3)
    over = thread.say(300, id="same")
    thread.talk(2, 50)
    asked = thread.send(Compact(target_fraction=0.2), "same")
    assert compactions(over)
    assert compactions(asked)
    assert not {one.id for one in audit(over)} & {one.id for one in audit(asked)}


# Somebody asks


def test_a_command_compacts_whatever_the_marks_say() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Compact(target_fraction=0.5, reason="before lunch")))
    assert (record.trigger, record.rule, record.condition) == (Trigger.MANUAL, "invoked", "before lunch")
    assert record.after_tokens <= 500


def test_a_command_may_name_a_target_in_tokens_and_a_strategy() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Compact(target_tokens=550, strategy="drop")))
    assert record.strategy == "drop"
    assert record.after_tokens <= 550


def test_a_command_that_can_do_nothing_says_why() -> None:
    thread = LiveThread()
    thread.say(5)
    outcome = thread.send(Compact())
    assert kinds(outcome) == {LifecycleKind.CHECK_STARTED, LifecycleKind.NOOP}
    assert reasons(outcome)
    assert thread.standing.failures == 1


# What is about to be added


def test_an_announcement_makes_room_before_it_is_needed() -> None:
    thread = talked()
    assert not compactions(thread.send(Announce(tokens=20)))
    (record,) = compactions(thread.send(Announce(tokens=300)))
    assert record.rule == "limit"
    assert record.condition is not None
    assert "announced 300" in record.condition
    assert record.after_tokens + 300 <= 1_000
    assert not compactions(thread.say(300))


def test_an_announcement_over_the_upper_mark_fires_it() -> None:
    thread = talked(turns=4)
    (record,) = compactions(thread.send(Announce(tokens=80)))
    assert record.rule == "upper mark"


def test_what_is_announced_is_forgotten_once_something_is_said() -> None:
    thread = talked(turns=2)
    thread.send(Announce(tokens=50))
    assert thread.standing.announced_tokens == 50
    thread.say(10)
    assert thread.standing.announced_tokens == 0


def test_a_wrong_announcement_does_not_empty_a_context() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Announce(tokens=10_000_000)))
    assert record.after_tokens >= 100
    assert record.after_tokens <= 250


# Another model


def test_a_smaller_window_compacts_before_the_switch() -> None:
    thread = talked()
    outcome = thread.send(SwitchModel(model="small"))
    (record,) = compactions(outcome)
    assert record.after_tokens <= 400
    assert record.limit_tokens == 400
    assert (thread.view.model, thread.view.window_tokens) == ("small", 400)
    (head,) = [one for one in outcome.emissions if isinstance(one, Head)]
    assert (head.model, head.limit_tokens) == ("small", 400)


def test_a_larger_window_changes_only_the_limit() -> None:
    thread = talked()
    outcome = thread.send(SwitchModel(model="large"))
    assert not compactions(outcome)
    assert thread.view.head is not None
    assert thread.view.head.limit_tokens == 4_000
    assert not compactions(thread.say(900))


def test_a_switch_while_a_call_is_under_way_compacts_once_it_has_ended() -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    assert not compactions(thread.send(SwitchModel(model="small")))
    assert compactions(thread.send(CallEnded(call="c")))


# A provider refused


def test_an_overflow_with_the_window_is_answered_by_a_context_that_fits_it() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Overflow(window_tokens=500)))
    assert (record.trigger, record.rule) == (Trigger.REACTIVE, "overflow")
    assert record.after_tokens <= 500
    assert thread.view.window_tokens == 500


def test_a_provider_that_counts_more_than_we_do_gets_less() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Overflow(window_tokens=500, sent_tokens=1_600)))
    assert record.after_tokens <= 260


def test_an_overflow_that_says_nothing_still_frees_something() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Overflow()))
    assert record.after_tokens < 800 * 0.95


def test_the_window_that_a_refusal_has_shown_is_learned_for_its_model() -> None:
    thread = talked(turns=2)
    thread.send(SwitchModel(model="large"))
    thread.send(Overflow(window_tokens=700))
    thread.say(5, "assistant")
    thread.send(SwitchModel(model="small"))
    thread.send(SwitchModel(model="large"))
    assert thread.standing.windows == {"large": 700}
    assert thread.view.window_tokens == 700
    thread.say(5, "assistant", model="small")
    thread.say(5, "assistant", model="large")
    assert thread.view.window_tokens == 700


def test_the_window_of_the_model_that_refused_is_corrected_and_no_other() -> None:
    thread = talked(turns=2)
    thread.send(Overflow(model="small"))
    assert thread.view.model == "small"
    assert thread.standing.windows.keys() == {"small"}
    thread.send(SwitchModel(model="large"))
    assert thread.view.window_tokens == 4_000


def test_a_window_of_the_policy_gives_way_to_what_a_refusal_has_shown() -> None:
    thread = talked(window_tokens=1_000)
    (record,) = compactions(thread.send(Overflow(window_tokens=500)))
    assert record.after_tokens <= 500
    thread.say(5, "assistant")
    for _ in range(4):
        thread.say(100)
        thread.say(100, "assistant")
    assert thread.view.tokens <= 500
    assert thread.view.head is not None
    assert thread.view.head.limit_tokens == 500


def test_a_window_is_never_believed_to_grow() -> None:
    thread = talked()
    thread.send(Overflow(window_tokens=100_000))
    assert thread.view.window_tokens == 1_000


def test_an_overflow_of_what_can_not_be_smaller_is_no_compaction() -> None:
    thread = LiveThread()
    thread.say(5)
    outcome = thread.send(Overflow())
    assert not compactions(outcome)
    assert LifecycleKind.NOOP in kinds(outcome)


def test_one_retry_is_allowed_until_the_model_has_spoken() -> None:
    thread = talked()
    assert thread.send(Overflow()).result == "noted"
    assert "not tried a second time" in refused(thread.send(Overflow()))
    thread.say(10)
    assert "not tried a second time" in refused(thread.send(Overflow()))
    thread.say(300, "assistant")
    assert compactions(thread.send(Overflow()))


def test_an_overflow_adds_nothing_to_the_conversation() -> None:
    thread = LiveThread()
    thread.say(5)
    before = thread.texts
    thread.send(Overflow(window_tokens=900))
    assert thread.texts == before
    assert thread.view.totals.messages == 1


def test_an_overflow_ends_the_call_that_it_is_about() -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    assert compactions(thread.send(Overflow(window_tokens=500)))
    assert thread.standing.in_flight is None


# A call is under way


def over_budget_in_flight(timeout_ms: int | None = 5_000) -> LiveThread:
    """A thread over its limit that waits for a call."""
    thread = talked()
    thread.send(CallStarted(call="c", timeout_ms=timeout_ms))
    assert not compactions(thread.say(400))
    assert thread.view.tokens > 1_000
    return thread


def test_a_call_holds_a_compaction_back_until_it_has_ended() -> None:
    thread = over_budget_in_flight()
    (record,) = compactions(thread.send(CallEnded(call="c")))
    assert record.after_tokens <= 1_000
    assert thread.standing.in_flight is None


def test_a_call_has_ended_once_the_model_speaks() -> None:
    thread = over_budget_in_flight()
    assert compactions(thread.say(10, "assistant"))
    assert thread.standing.in_flight is None


def test_a_call_that_nobody_ends_holds_nothing_beyond_its_deadline() -> None:
    thread = over_budget_in_flight()
    assert thread.timers() == {FLIGHT: thread.standing.in_flight.until_ms}  # type: ignore[union-attr]
    (record,) = compactions(thread.tick(FLIGHT))
    assert record.after_tokens <= 1_000
    assert thread.timers() == {}


def test_without_a_tick_the_next_message_after_the_deadline_compacts() -> None:
    thread = over_budget_in_flight(1_000)
    assert compactions(thread.say(1, later_ms=1_000))


def test_no_call_is_believed_for_longer_than_the_policy_says() -> None:
    thread = talked(Triggers(call_ms_max=2_000))
    thread.send(CallStarted(call="c", timeout_ms=3_000_000))
    assert thread.timers() == {FLIGHT: thread.now_ms + 2_000}


def test_the_end_of_another_call_is_refused() -> None:
    thread = over_budget_in_flight()
    assert "no call 'other'" in refused(thread.send(CallEnded(call="other")))
    assert thread.standing.in_flight is not None


@pytest.mark.parametrize("end", ["call_ended", "assistant", "deadline"])
def test_a_command_during_a_call_is_owed_and_kept(end: str) -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    flagged = thread.send(Compact())
    assert kinds(flagged) == {LifecycleKind.FLAGGED}
    assert thread.standing.owed
    ends = {
        "call_ended": lambda: thread.send(CallEnded(call="c")),
        "assistant": lambda: thread.say(1, "assistant"),
        "deadline": lambda: thread.tick(FLIGHT),
    }
    (record,) = compactions(ends[end]())
    assert (record.trigger, record.rule) == (Trigger.MANUAL, "invoked")
    assert not thread.standing.owed


# Rules, hold and governor


def rule(when: str, name: str = "rule") -> Triggers:
    return Triggers(rules=(TriggerRule(name=name, when=when),))


def test_a_rule_about_a_signal_fires_with_its_values() -> None:
    thread = talked(rule('event == "subagent_finished" and turns >= 2', "child is back"))
    (record,) = compactions(thread.send(SubagentFinished(child="x")))
    assert (record.trigger, record.rule) == (Trigger.STRUCTURAL, "child is back")
    assert record.condition is not None
    assert "turns" in record.condition
    assert "4" in record.condition


def test_the_first_rule_that_holds_fires() -> None:
    rules = tuple(
        TriggerRule(name=name, when=when)
        for name, when in (("no", "turns > 99"), ("a", "turns > 1"), ("b", "turns > 0"))
    )
    thread = talked(Triggers(rules=rules), turns=3)
    records = compactions([thread.say(100), thread.say(100, "assistant")])
    assert {record.rule for record in records} == {"a"}


def test_a_rule_waits_while_the_policy_holds_it_and_what_must_fit_does_not() -> None:
    thread = talked(Triggers(rules=(TriggerRule(name="eager", when="turns > 1"),), hold="turns > 0"))
    assert thread.view.tokens == 800
    assert not compactions(thread.send(Announce(tokens=80)))
    (record,) = compactions(thread.say(300))
    assert record.rule == "limit"


def test_after_a_compaction_rules_wait_for_the_cooldown_and_commands_do_not() -> None:
    eager = TriggerRule(name="eager", when="turns > 1")
    thread = talked(Triggers(rules=(eager,), governor=Governor(cooldown_ms=10_000)), turns=2)
    thread.say(150)
    (first,) = compactions(thread.say(100, "assistant"))
    assert first.rule == "eager"
    while thread.view.tokens < 750:
        assert not compactions(thread.say(50, "assistant"))
    assert compactions(thread.send(Compact(target_fraction=0.5)))
    while thread.view.tokens < 700:
        assert not compactions(thread.say(50, "assistant"))
    (last,) = compactions(thread.say(1, "assistant", later_ms=10_000))
    assert last.rule == "eager"


def stubborn(governor: Governor) -> LiveThread:
    """A thread over its upper mark of which nothing may go."""
    thread = LiveThread(policy_with(Triggers(governor=governor, timers=Timers(every_ms=100))))
    for _ in range(9):
        thread.say(98, pinned=True)
    return thread


def test_after_three_tries_in_vain_a_thread_is_left_alone_for_a_while() -> None:
    thread = stubborn(Governor(failures_max=3, breaker_ms=60_000))
    tries = 0
    for _ in range(8):
        thread.say(1, pinned=True)
        tries += LifecycleKind.NOOP in kinds(thread.tick(EVERY))
    assert thread.standing.failures == 3
    assert tries <= 3
    thread.say(1, pinned=True, later_ms=60_000)
    assert LifecycleKind.NOOP in kinds(thread.tick(EVERY))


def test_what_must_fit_is_compacted_though_the_breaker_is_open() -> None:
    thread = stubborn(Governor(failures_max=1, breaker_ms=60_000))
    thread.say(1, pinned=True)
    thread.tick(EVERY)
    assert thread.standing.failures >= 1
    outcome = thread.say(300)
    assert compactions(outcome)
    assert thread.view.tokens <= 1_000


def test_a_rule_that_always_holds_does_not_take_message_after_message() -> None:
    """What is kept lies above the lower mark, so that the rule is met all the time."""
    thread = LiveThread(policy_with(Triggers(rules=(TriggerRule(name="always", when="messages > 1"),))))
    for _ in range(7):
        thread.say(100, pinned=True)
    for _ in range(40):
        thread.say(10, "assistant")
    assert 2 <= thread.view.totals.compactions <= 8


def test_a_thread_that_can_not_be_made_to_fit_says_so_once() -> None:
    thread = LiveThread(policy_with(default_window_tokens=20))
    said = [thread.say(60, pinned=True) for _ in range(6)]
    assert thread.view.tokens > 20
    assert [LifecycleKind.FAILED in kinds(outcome) for outcome in said] == [True, *[False] * 5]
    assert "can't be made smaller" in reasons(said[0])
    assert thread.standing.stuck


def test_a_thread_is_stuck_no_more_once_a_larger_model_takes_it() -> None:
    thread = LiveThread(policy_with(default_window_tokens=20))
    for _ in range(3):
        thread.say(60, pinned=True)
    assert thread.standing.stuck
    thread.send(SwitchModel(model="large"))
    assert not thread.standing.stuck


def test_where_the_policy_asks_for_approval_a_timer_only_asks() -> None:
    thread = talked(Triggers(timers=Timers(idle_ms=1_000)), strategy="checkpoint")
    outcome = thread.tick(IDLE)
    assert not compactions(outcome)
    assert kinds(outcome) == {LifecycleKind.FLAGGED}
    assert compactions(thread.send(Compact(strategy="composed")))


# Timers


def with_timers(**timers: object) -> LiveThread:
    return talked(Triggers(timers=Timers(**timers)))  # type: ignore[arg-type]


def test_a_thread_that_is_idle_is_compacted_once_per_silence() -> None:
    thread = with_timers(idle_ms=1_000)
    assert thread.timers() == {IDLE: thread.now_ms + 1_000}
    (record,) = compactions(thread.tick(IDLE))
    assert (record.trigger, record.rule) == (Trigger.TEMPORAL, IDLE)
    assert thread.timers() == {}
    thread.say(5)
    assert thread.timers() == {IDLE: thread.now_ms + 1_000}


def test_an_idle_thread_below_its_lower_mark_is_left_as_it_is() -> None:
    thread = talked(Triggers(timers=Timers(idle_ms=1_000)), turns=1)
    outcome = thread.tick(IDLE)
    assert not audit(outcome)
    assert outcome.result == "noted"
    assert thread.timers() == {}


def test_a_tick_that_comes_again_is_refused() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    thread.tick(IDLE)
    assert "went off" in refused(thread.publish(tick(timer, "thread")))


def test_a_tick_from_before_the_last_message_is_refused() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    thread.say(1)
    assert "something was said since" in refused(thread.publish(tick(timer, "thread"), later_ms=5_000))


def test_a_tick_before_its_time_is_refused_and_the_timer_stays() -> None:
    thread = with_timers(idle_ms=1_000)
    timer = Timer(IDLE, thread.timers()[IDLE])
    assert "is due in 999 ms" in refused(thread.publish(tick(timer, "thread")))
    assert thread.timers() == {IDLE: timer.due_ms}


def test_a_thread_is_compacted_every_so_often_if_something_was_said() -> None:
    thread = with_timers(every_ms=1_000)
    assert compactions(thread.tick(EVERY, late_ms=300))
    assert thread.timers() == {}
    fired_at_ms = thread.now_ms
    thread.say(1)
    assert thread.timers() == {EVERY: fired_at_ms + 1_000}


def test_a_thread_is_compacted_at_the_moments_of_a_cron_expression() -> None:
    thread = with_timers(cron="* * * * *")
    due_ms = thread.timers()[CRON]
    assert due_ms % 60_000 == 0
    (record,) = compactions(thread.tick(CRON))
    assert record.rule == CRON
    assert thread.timers() == {}
    thread.say(1)
    assert thread.timers()[CRON] == due_ms + 60_000


def test_a_thread_is_compacted_before_the_cache_of_its_provider_expires() -> None:
    thread = with_timers(cache_ttl_ms=10_000, before_cache_expiry_ms=2_000)
    assert thread.timers() == {CACHE: thread.standing.called_at_ms + 8_000}
    assert compactions(thread.tick(CACHE))
    assert thread.timers() == {}


def test_a_timer_that_goes_off_during_a_call_changes_nothing() -> None:
    thread = with_timers(idle_ms=1_000)
    thread.send(CallStarted(call="c", timeout_ms=5_000))
    outcome = thread.tick(IDLE)
    assert outcome.result == "noted"
    assert not compactions(outcome)


def test_a_rule_about_ticks_is_met_by_a_tick() -> None:
    triggers = Triggers(
        rules=(TriggerRule(name="on ticks", when='event == "tick"'),),
        timers=Timers(idle_ms=1_000),
        governor=Governor(cooldown_ms=1),
    )
    thread = talked(triggers)
    (record,) = compactions(thread.tick(IDLE))
    assert record.trigger is Trigger.TEMPORAL


# Calls that nobody answers


def waiting() -> LiveThread:
    """A thread that waits for a tool, at most a second."""
    thread = LiveThread(policy_with(Triggers(timers=Timers(call_deadline_ms=1_000))))
    thread.say(10)
    thread.call("k")
    return thread


def test_a_call_without_a_result_gets_a_stand_in_at_its_deadline() -> None:
    thread = waiting()
    outcome = thread.tick(f"{CALL}k")
    (line,) = audit(outcome)
    assert (line.kind, line.trigger, line.rule) == (LifecycleKind.FLAGGED, Trigger.TEMPORAL, f"{CALL}k")
    assert [entry.kind for entry in thread.view.live()][-1] is EntryKind.STAND_IN
    assert not thread.view.open_calls
    assert thread.timers() == {}


def test_a_stand_in_is_nothing_that_was_said() -> None:
    thread = waiting()
    before = thread.view.totals
    said_at_ms = thread.standing.said_at_ms
    thread.tick(f"{CALL}k")
    assert thread.view.totals == before
    assert thread.standing.said_at_ms == said_at_ms


def test_a_stand_in_that_does_not_fit_is_compacted_for() -> None:
    policy = policy_with(Triggers(timers=Timers(call_deadline_ms=1_000)), upper_fraction=1.0)
    thread = LiveThread(policy)
    thread.talk(4)
    thread.call("k")
    thread.say(195)
    assert thread.view.totals.compactions == 0
    (record,) = compactions(thread.tick(f"{CALL}k"))
    assert record.rule == "limit"
    assert thread.view.tokens <= 1_000
    assert not thread.view.open_calls
    assert thread.standing.dead_calls == ("k",)


def test_a_stand_in_waits_for_no_call_and_its_room_does() -> None:
    policy = policy_with(Triggers(timers=Timers(call_deadline_ms=1_000)), upper_fraction=1.0)
    thread = LiveThread(policy)
    thread.talk(4)
    thread.call("k")
    thread.say(195)
    thread.send(CallStarted(call="c", timeout_ms=60_000))
    assert not compactions(thread.tick(f"{CALL}k"))
    assert not thread.view.open_calls
    assert compactions(thread.send(CallEnded(call="c")))
