"""What each signal does to a thread, and what is refused."""

import pytest
from support.live_thread import LiveThread, audit, compactions, kinds, policy_with, reasons, refused, talked
from support.signal_moves import NONSENSE, signal

from tailrace.agents.triggers.temporal import IDLE
from tailrace.agents.view.trigger_memory import SEEN_MAX
from tailrace.schemas.policy.policy import AgentPolicy
from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.context import Head
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import (
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


@pytest.mark.parametrize("data", NONSENSE, ids=lambda data: str(data)[:60])
def test_what_makes_no_sense_is_refused_with_a_reason(data: object) -> None:
    thread = talked()
    assert len(refused(thread.send_raw(data))) <= 1_000


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


def test_the_strategy_of_a_command_goes_before_that_of_the_agent() -> None:
    agents = {"diver": AgentPolicy(strategy="summarize"), "other": AgentPolicy(strategy="checkpoint")}
    thread = LiveThread(policy_with(agents=agents))
    thread.say(5, agent="diver")
    thread.talk(4)
    (record,) = compactions(thread.send(Compact(target_tokens=550, strategy="drop")))
    assert record.strategy == "drop"
    thread.talk(3)
    (record,) = compactions(thread.send(Compact(target_tokens=550)))
    assert record.strategy == "summarize"


def test_a_strategy_that_the_policy_says_too_little_for_is_refused() -> None:
    thread = talked()
    sent = thread.send(Compact(strategy="delegate"))
    assert "compactor" in refused(sent)
    assert not compactions(sent)
    assert compactions(thread.send(Compact(target_fraction=0.5)))


def test_a_command_may_name_a_target_in_tokens_and_a_strategy() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Compact(target_tokens=550, strategy="drop")))
    assert record.strategy == "drop"
    assert record.after_tokens <= 550


def test_a_target_is_reached_as_far_as_what_is_kept_allows_and_the_trail_says_where_it_is_not() -> None:
    for target_tokens in (4_000, 2_000, 1_000):
        (record,) = compactions(
            talked(turns=30, default_window_tokens=10_000).send(Compact(target_tokens=target_tokens))
        )
        assert record.after_tokens <= target_tokens
        assert not record.warnings
    thread = talked(turns=30, default_window_tokens=10_000)
    outcome = thread.send(Compact(target_tokens=50))
    (record,) = compactions(outcome)
    (said,) = (line for line in audit(outcome) if line.kind is LifecycleKind.COMPLETED)
    assert (said.reason,) == record.warnings
    assert said.reason is not None
    assert said.reason.startswith(f"it was to come down to 50 tokens, {record.after_tokens} are left: ")
    assert LifecycleKind.FAILED not in kinds(outcome)
    assert not thread.standing.stuck


def test_a_target_above_what_there_is_changes_nothing() -> None:
    outcome = talked().send(Compact(target_tokens=900))
    assert not compactions(outcome)
    assert reasons(outcome) == "803 tokens are no more than the 900 that were asked for"


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
