"""A provider refused a request: what its thread becomes, and what is learned of the model's window."""

import pytest
from support.live_thread import LiveThread, compactions, kinds, refused, talked

from tailrace.schemas.records.compaction import Trigger
from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import CallStarted, Compact, Overflow, SwitchModel


def limit(thread: LiveThread) -> int:
    assert thread.view.head is not None
    return thread.view.head.limit_tokens


def test_an_overflow_with_the_window_is_answered_by_a_context_that_fits_it() -> None:
    thread = talked()
    (record,) = compactions(thread.send(Overflow(window_tokens=500)))
    assert (record.trigger, record.rule) == (Trigger.REACTIVE, "overflow")
    assert record.after_tokens <= 500
    assert limit(thread) == 500


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
    thread.send(Overflow(window_tokens=700, sent_tokens=800))
    assert thread.standing.windows.keys() == {"large"}
    learned_tokens = limit(thread)
    assert learned_tokens == 700 * 403 // 800
    thread.say(5, "assistant")
    thread.send(SwitchModel(model="small"))
    assert limit(thread) == 400
    thread.send(SwitchModel(model="large"))
    assert learned_tokens <= limit(thread) <= learned_tokens * 1.02
    thread.say(5, "assistant", model="small")
    thread.say(5, "assistant", model="large")
    assert thread.view.believed_tokens(4_000) <= learned_tokens * 1.04


def test_the_window_of_the_model_that_refused_is_corrected_and_no_other() -> None:
    thread = talked(turns=2)
    thread.send(Overflow(model="small"))
    assert thread.view.model == "small"
    assert thread.standing.windows.keys() == {"small"}
    thread.send(SwitchModel(model="large"))
    assert limit(thread) == 4_000


def test_a_window_of_the_policy_gives_way_to_what_a_refusal_has_shown() -> None:
    thread = talked(window_tokens=1_000)
    (record,) = compactions(thread.send(Overflow(window_tokens=500)))
    assert record.after_tokens <= 500
    thread.say(5, "assistant")
    for _ in range(4):
        thread.say(100)
        thread.say(100, "assistant")
    assert thread.view.tokens <= 500
    assert 500 <= limit(thread) <= 530


def test_a_window_is_never_believed_to_grow() -> None:
    thread = talked()
    thread.send(Overflow(window_tokens=3_000))
    assert limit(thread) < 1_000


@pytest.mark.parametrize("tokens", [-1, 0, 1, 10**12])
def test_a_window_that_no_model_has_is_refused(tokens: int) -> None:
    thread = talked()
    before = thread.view.copy()
    assert "window_tokens must be from" in refused(thread.send_raw({"kind": "overflow", "window_tokens": tokens}))
    assert thread.view == before


def test_a_window_with_room_for_what_was_sent_is_refused_and_nothing_is_learned() -> None:
    thread = talked()
    assert "not too long for a window of 100,000" in refused(thread.send(Overflow(window_tokens=100_000)))
    assert thread.standing.windows == {}
    assert thread.standing.overflows == 0


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
    thread.send(Overflow(window_tokens=900, sent_tokens=950))
    assert thread.texts == before
    assert thread.view.totals.messages == 1


def test_an_overflow_ends_the_call_that_it_is_about() -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    assert compactions(thread.send(Overflow(window_tokens=500)))
    assert thread.standing.in_flight is None


def test_what_was_wished_for_before_does_not_keep_a_refused_context_large() -> None:
    thread = talked()
    thread.send(CallStarted(call="c"))
    thread.send(Compact(target_tokens=900))
    (record,) = compactions(thread.send(Overflow()))
    assert record.after_tokens < 0.95 * record.before_tokens
