"""Refusals that are reported again and again, late, or wrongly: what a thread keeps, and how it recovers."""

import pytest
from support.live_thread import LiveThread, compactions, kinds, policy_with, reasons, refused

from tailrace.schemas.records.lifecycle import LifecycleKind
from tailrace.schemas.records.signal import CallStarted, Compact, Overflow

WINDOW_TOKENS = 128_000


def limit(thread: LiveThread) -> int:
    assert thread.view.head is not None
    return thread.view.head.limit_tokens


def thread_of(messages: int, words: int = 600) -> LiveThread:
    thread = LiveThread(policy_with(default_window_tokens=WINDOW_TOKENS))
    thread.talk(messages // 2, words)
    return thread


@pytest.mark.parametrize("answered", [False, True])
def test_twelve_bare_reports_do_not_gut_a_thread(*, answered: bool) -> None:
    thread = thread_of(170)
    for _ in range(12):
        thread.send_raw({"kind": "overflow"})
        if answered:
            thread.say(20, "assistant")
            thread.say(20)
    assert limit(thread) >= WINDOW_TOKENS // 4
    assert thread.view.request_tokens >= 15_000
    assert len(thread.view.entries) >= 25


def test_reports_of_what_a_provider_has_taken_narrow_nothing() -> None:
    thread = thread_of(100)
    thread.say(20, "assistant", usage={"input_tokens": 100_000, "output_tokens": 20})
    thread.say(20)
    thread.send(Compact(target_fraction=0.3))
    tokens = thread.view.request_tokens
    for _ in range(12):
        assert "has taken a request of 100,000 tokens" in refused(thread.send_raw({"kind": "overflow"}))
    assert thread.view.request_tokens == tokens
    assert limit(thread) == WINDOW_TOKENS


def test_a_small_window_is_not_learned_where_more_was_accepted_but_this_context_fits_it() -> None:
    thread = thread_of(100)
    thread.say(20, "assistant", usage={"input_tokens": 60_000, "output_tokens": 20})
    thread.say(20)
    (record,) = compactions(thread.send(Overflow(window_tokens=30_000, sent_tokens=60_040)))
    assert record.after_tokens <= 30_000
    assert limit(thread) == 60_000


def test_a_learned_window_grows_with_what_is_accepted_later_and_is_forgotten_in_the_end() -> None:
    thread = thread_of(170)
    thread.send(Overflow())
    narrow = limit(thread)
    assert narrow < WINDOW_TOKENS
    for _ in range(3):
        thread.say(20)
        thread.say(20, "assistant")
    thread.send(Compact())
    assert narrow < limit(thread) <= WINDOW_TOKENS
    for _ in range(30):
        thread.say(20)
        thread.say(20, "assistant")
    thread.send(Compact())
    assert limit(thread) == WINDOW_TOKENS
    assert thread.standing.windows == {}


def test_a_larger_request_that_is_reported_as_accepted_ends_a_wrong_window() -> None:
    thread = thread_of(100)
    thread.send(Overflow(window_tokens=20_000, sent_tokens=61_000))
    assert limit(thread) == 20_000 * thread_of(100).view.request_tokens // 61_000
    thread.say(20)
    thread.say(20, "assistant", usage={"input_tokens": 70_000, "output_tokens": 20})
    thread.send(Compact())
    assert limit(thread) >= 70_000


def test_pieces_of_one_answer_are_one_answer() -> None:
    thread = thread_of(100)
    thread.send(Overflow())
    for number in range(5):
        thread.call(f"k{number}")
    assert thread.standing.windows[""].answers == 1


def test_the_limit_stays_what_the_head_says_until_the_next_head() -> None:
    thread = thread_of(100)
    thread.send(Overflow())
    for _ in range(5):
        believed_tokens = thread.view.believed_tokens(WINDOW_TOKENS)
        thread.say(20, "assistant")
        thread.say(20)
        assert thread.view.believed_tokens(WINDOW_TOKENS) == believed_tokens == limit(thread)


def test_a_late_report_that_names_its_context_changes_nothing() -> None:
    thread = thread_of(100)
    epoch = thread.view.epoch
    thread.send(Compact(target_fraction=0.2))
    before = thread.texts
    outcome = thread.send(Overflow(epoch=epoch))
    assert "made smaller since" in reasons(outcome)
    assert kinds(outcome) == {LifecycleKind.FLAGGED}
    assert (thread.texts, limit(thread), thread.standing.overflows) == (before, WINDOW_TOKENS, 0)


def test_a_late_report_leaves_a_newer_call_alone_and_teaches_what_it_proves() -> None:
    thread = thread_of(100)
    epoch = thread.view.epoch
    thread.send(Compact(target_fraction=0.1))
    thread.send(CallStarted(call="newer"))
    before = thread.texts
    thread.send(Overflow(epoch=epoch, window_tokens=50_000, sent_tokens=61_000))
    assert thread.standing.in_flight is not None
    assert (thread.texts, limit(thread)) == (before, 50_000)


def test_a_late_report_is_told_by_the_count_of_what_was_sent() -> None:
    thread = thread_of(100)
    thread.send(Compact(target_fraction=0.1))
    before = thread.texts
    thread.send(Overflow(window_tokens=50_000, sent_tokens=61_000))
    assert (thread.texts, limit(thread)) == (before, 50_000)


def test_what_a_late_report_proves_is_compacted_for() -> None:
    thread = thread_of(100)
    epoch = thread.view.epoch
    thread.send(Compact(target_fraction=0.4))
    assert thread.view.request_tokens > 20_000
    (record,) = compactions(thread.send(Overflow(epoch=epoch, window_tokens=20_000, sent_tokens=61_000)))
    assert record.after_tokens <= 20_000 == limit(thread)


def test_a_context_that_is_refused_again_is_made_smaller_again_where_the_report_names_it() -> None:
    thread = thread_of(170)
    sizes = [thread.view.request_tokens]
    for _ in range(6):
        thread.send(Overflow(epoch=thread.view.epoch))
        sizes.append(thread.view.request_tokens)
    assert sizes[0] > sizes[1] > sizes[2]
    assert sizes[-1] == sizes[-2] >= 15_000
    outcome = thread.send(Overflow(epoch=thread.view.epoch))
    assert "is not believed to be too long for a window of 128,000" in reasons(outcome)


def test_windows_of_so_many_models_are_remembered() -> None:
    thread = thread_of(20)
    for number in range(40):
        thread.send(Overflow(model=f"m{number}", window_tokens=10_000, sent_tokens=12_000))
        thread.say(20, "assistant")
        thread.talk(10, 600)
    assert 0 < len(thread.standing.windows) <= 8


@pytest.mark.parametrize("epoch", [-1, 10**12])
def test_an_epoch_that_no_thread_has_is_refused(epoch: int) -> None:
    assert "epoch must be from" in refused(thread_of(4).send_raw({"kind": "overflow", "epoch": epoch}))
